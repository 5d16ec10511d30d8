package scope_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

// one knows a single namespace that lives and one that is going away.
type one struct{}

func (one) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	switch name {
	case "prod", "default":
		return ns, scope.Present
	case "going":
		ns.Status.Phase = corev1.NamespaceTerminating
		return ns, scope.Present
	}
	return nil, scope.Absent
}

func TestRefusedFirst(t *testing.T) {
	tests := []struct {
		operation       admission.Operation
		kind, namespace string
		want            string
	}{
		{admission.Create, "Pod", "prod", ""},
		{admission.Create, "Pod", "ghost", "Namespace ghost does not exist."},
		{admission.Create, "Pod", "going", "Namespace going is being deleted."},
		{admission.Update, "Pod", "ghost", ""},
		{admission.Delete, "Pod", "going", ""},
		{admission.Connect, "Pod", "ghost", ""},
		{admission.Create, "Namespace", "fresh", ""},
		{admission.Delete, "Namespace", "default", "Namespace default may not be deleted."},
		{admission.Delete, "Namespace", "prod", ""},
		{admission.Create, "ClusterRole", "", ""},
	}
	for _, tt := range tests {
		r := &scope.Request{Operation: tt.operation, Kind: schema.GroupVersionKind{Version: "v1", Kind: tt.kind}, Namespace: tt.namespace, Name: tt.namespace}
		got := scope.RefusedFirst(r, &scope.Facts{Namespaces: one{}})
		if (got == "") != (tt.want == "") || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s of %s in %q: %q, want %q", tt.operation, tt.kind, tt.namespace, got, tt.want)
		}
	}
}
