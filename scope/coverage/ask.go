package coverage

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

// Ask is what is asked about every object: would a write of it meet the policies?
type Ask struct {
	// Operation is CREATE, UPDATE or DELETE; empty is CREATE. An UPDATE leaves the object as
	// it is.
	Operation admission.Operation
	// User is who writes; nil leaves it open.
	User   *authenticationv1.UserInfo
	DryRun bool
	// Open lists what else is open, such as request.userInfo.groups.
	Open []scope.Missing
}

func (a Ask) operation() admission.Operation {
	if a.Operation == "" {
		return admission.Create
	}
	return a.Operation
}
