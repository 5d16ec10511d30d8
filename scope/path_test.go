package scope_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ambit-k8s/ambit/scope"
)

func TestSplitPath(t *testing.T) {
	tests := []struct {
		path string
		want []string
	}{
		{"request", []string{"request"}},
		{"request.userInfo.groups", []string{"request", "userInfo", "groups"}},
		{`object.metadata.labels["kubernetes.io/metadata.name"]`, []string{"object", "metadata", "labels", "kubernetes.io/metadata.name"}},
		{`object.metadata.annotations["a\"b"].c`, []string{"object", "metadata", "annotations", `a"b`, "c"}},
		{"object.spec.containers[0]", []string{"object", "spec", "containers", "[0]"}},
		{"", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, scope.SplitPath(tt.path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.path, diff)
		}
	}
}

func TestOverlap(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"request.userInfo", "request.userInfo.groups", true},
		{"request.userInfo.groups", "request", true},
		{"request.userInfo", "request.userInf", false},
		{"object.metadata.name", "object.metadata.namespace", false},
		{"object", "oldObject", false},
	}
	for _, tt := range tests {
		if got := scope.Overlap(scope.SplitPath(tt.a), scope.SplitPath(tt.b)); got != tt.want {
			t.Errorf("%s and %s overlap: %t", tt.a, tt.b, got)
		}
	}
}
