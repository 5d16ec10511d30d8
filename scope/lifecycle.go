package scope

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
)

// immortal are the namespaces that cannot be deleted.
var immortal = sets.New(metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic)

// RefusedFirst says, as a sentence, that the API server refuses a request before it asks
// any policy, because of the namespace. It is empty if the request gets as far as the
// policies. The rule is that of the NamespaceLifecycle plugin, which is always on and runs
// first (k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go, Admit).
func RefusedFirst(r *Request, facts *Facts) string {
	isNamespace := r.Kind.GroupKind() == corev1.SchemeGroupVersion.WithKind("Namespace").GroupKind()
	if isNamespace && r.Operation == admission.Delete && immortal.Has(r.Name) {
		return fmt.Sprintf("Namespace %s may not be deleted. The API server refuses that before it asks a policy; this is what the policies would do.", r.Name)
	}
	isReview := r.Resource.GroupResource() == schema.GroupResource{Group: "authorization.k8s.io", Resource: "localsubjectaccessreviews"}
	if isNamespace || isReview || r.Operation != admission.Create || r.Namespace == "" || facts.Namespaces == nil {
		return ""
	}
	ns, presence := facts.Namespaces.Namespace(r.Namespace)
	switch {
	case presence == Absent:
		return fmt.Sprintf("Namespace %s does not exist. The API server refuses to create anything in it before it asks a policy; this is what the policies would do.", r.Namespace)
	case presence == Present && ns.Status.Phase == corev1.NamespaceTerminating:
		return fmt.Sprintf("Namespace %s is being deleted. The API server refuses to create anything in it before it asks a policy; this is what the policies would do.", r.Namespace)
	}
	return ""
}
