package flow

import (
	"fmt"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
)

// nobody says why nobody is a well formed subject, which is often meant as a pattern.
func nobody(s flowcontrolv1.Subject) string {
	switch s.Kind {
	case flowcontrolv1.SubjectKindServiceAccount:
		return nobodyOf(s.ServiceAccount)
	case flowcontrolv1.SubjectKindGroup:
		namespace, ok := strings.CutPrefix(s.Group.Name, serviceaccount.ServiceAccountGroupPrefix)
		if ok && !isNamespaceName(namespace) {
			return fmt.Sprintf("groups are compared by their whole name, and no service account is in %s", quote(s.Group.Name))
		}
	default:
		return nobodyCalled(s.User.Name)
	}
	return ""
}

func nobodyOf(account *flowcontrolv1.ServiceAccountSubject) string {
	switch {
	case !isNamespaceName(account.Namespace):
		return fmt.Sprintf("the namespace of a service account is compared as a whole, and none is called %s", quote(account.Namespace))
	case account.Name != flowcontrolv1.NameAll && len(validation.IsDNS1123Subdomain(account.Name)) > 0:
		return fmt.Sprintf("the name of a service account is compared as a whole unless it is a star alone, and none is called %s", quote(account.Name))
	}
	return ""
}

// nobodyCalled knows the user names that Kubernetes gives by itself: those of service
// accounts and of nodes. Others can be anything.
func nobodyCalled(name string) string {
	const nodes = "system:node:"
	_, _, err := serviceaccount.SplitUsername(name)
	switch node, ofNode := strings.CutPrefix(name, nodes); {
	case strings.HasPrefix(name, serviceaccount.ServiceAccountUsernamePrefix) && err != nil:
		return fmt.Sprintf("users are compared by their whole name, and no service account is called %s", quote(name))
	case ofNode && strings.Contains(node, "*"):
		return fmt.Sprintf("users are compared by their whole name, and no node is called %s", quote(name))
	}
	return ""
}
