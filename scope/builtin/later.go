package builtin

import "k8s.io/apimachinery/pkg/runtime/schema"

// filledLater is what the registries of some kinds fill in when they prepare an object for
// storage (PrepareForCreate and its neighbours in k8s.io/kubernetes/pkg/registry), beside
// the status, which they all do. It was read off the objects that a real server sent to a
// validating webhook and had not sent to a mutating one.
//
// What the server only adds to (the labels of a Job's pods, the node ports of a Service)
// is not listed: it would leave questions open that it hardly ever decides.
var filledLater = map[schema.GroupKind][]string{
	{Kind: "Namespace"}:           {"spec.finalizers"},
	{Kind: "Service"}:             {"spec.clusterIP", "spec.clusterIPs", "spec.ipFamilies", "spec.ipFamilyPolicy"},
	{Group: "batch", Kind: "Job"}: {"spec.selector"},
}

// FilledLater lists the paths that an API server fills in or empties in an object of a
// kind on CREATE after the mutating half of admission and before the validating half. It
// is nil for a kind that is not built in.
func FilledLater(kind schema.GroupVersionKind) []string {
	if !known(kind) {
		return nil
	}
	return append([]string{"status"}, filledLater[kind.GroupKind()]...)
}

func known(kind schema.GroupVersionKind) bool {
	for _, r := range Resources() {
		if r.Kind == kind && r.Subresource == "" {
			return true
		}
	}
	return false
}
