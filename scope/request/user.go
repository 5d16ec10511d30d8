package request

import (
	"slices"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
)

// asked completes a user whom a person named, as the API server does for an impersonated
// one (k8s.io/apiserver/pkg/endpoints/filters/impersonation): a service account's groups
// follow from its name, and everybody who is somebody is in system:authenticated. The
// other groups of a human user nobody can derive; open says that they are not known, and
// that the user has more groups than those that are listed.
func asked(who *authenticationv1.UserInfo) (completed *authenticationv1.UserInfo, open bool) {
	completed = who.DeepCopy()
	everybody := user.AllAuthenticated
	if who.Username == user.Anonymous {
		everybody = user.AllUnauthenticated
	}
	namespace, name, err := serviceaccount.SplitUsername(who.Username)
	switch {
	case len(who.Groups) > 0:
	case err == nil && name != "":
		completed.Groups = serviceaccount.MakeGroupNames(namespace)
	case who.Username != user.Anonymous && who.Username != "":
		open = true
	}
	if !slices.Contains(completed.Groups, everybody) && !slices.Contains(completed.Groups, user.AllUnauthenticated) {
		completed.Groups = append(completed.Groups, everybody)
	}
	return completed, open
}
