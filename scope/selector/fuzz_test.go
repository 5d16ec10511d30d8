package selector

import (
	"context"
	"encoding/json"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

// Whatever a selector and labels look like, the layer says what the selector library
// says, and its requirements together say the same.
func FuzzSelector(f *testing.F) {
	f.Add([]byte(`{"matchLabels":{"app":"web"}}`), []byte(`{"app":"web"}`))
	f.Add([]byte(`{"matchExpressions":[{"key":"env","operator":"NotIn","values":["prod"]}]}`), []byte(`{}`))
	f.Add([]byte(`{"matchExpressions":[{"key":"env","operator":"In"}]}`), []byte(`{"env":"prod"}`))
	f.Add([]byte(`{"matchExpressions":[{"key":"a b","operator":"Gt","values":["x","y"]}]}`), []byte(`null`))
	f.Fuzz(func(t *testing.T, selector, object []byte) {
		var written metav1.LabelSelector
		var set labels.Set
		if json.Unmarshal(selector, &written) != nil || json.Unmarshal(object, &set) != nil {
			return
		}
		want, err := metav1.LabelSelectorAsSelector(&written)
		s := New(&written, "objectSelector")
		layer := NewObject(scope.ObjectSelector, scope.StageMatch, s, scope.Rejected)
		r := &scope.Request{Operation: admission.Create, Kind: corev1.SchemeGroupVersion.WithKind("Pod"), Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: set}}}
		q := scope.Question{Input: scope.NewInput(r, &scope.Facts{}, scope.ValidatingWebhooks)}
		step := layer.Decide(context.Background(), q)
		layer.Explain(context.Background(), q, step)
		if err != nil {
			if step.Outcome != scope.Failed {
				t.Fatalf("%s, and upstream fails with %v", step.Outcome, err)
			}
			return
		}
		if matches := want.Matches(set); matches != (step.Outcome == scope.Match) {
			t.Fatalf("%s, upstream matches: %t", step.Outcome, matches)
		}
		all := true
		for _, requirement := range s.Requirements {
			all = all && requirement.Matches(set)
		}
		if all != want.Matches(set) {
			t.Fatalf("the requirements together say %t, the selector %t", all, !all)
		}
	})
}
