package builtin

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestFilledLater(t *testing.T) {
	tests := []struct {
		kind schema.GroupVersionKind
		want []string
	}{
		{schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, []string{"status"}},
		{schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, []string{"status", "spec.finalizers"}},
		{schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Pod"}, nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, FilledLater(tt.kind)); diff != "" {
			t.Errorf("FilledLater(%s) (-want +got):\n%s", tt.kind, diff)
		}
	}
}
