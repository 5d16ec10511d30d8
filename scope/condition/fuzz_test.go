package condition

import (
	"context"
	"testing"
	"time"

	v1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

// bound is far more than upstream's cost limits let an expression take.
const bound = 20 * time.Second

// Whatever somebody writes as CEL, compiling, deciding and explaining end in bounded time
// without a panic, and hiding a part of the request never changes a verdict but to unknown.
func FuzzExpression(f *testing.F) {
	for _, e := range []string{
		"object.metadata.name == 'web'", "request.userInfo.groups.exists(g, g == 'a')", "has(object.metadata.uid) || oldObject == null",
		"[1,2,3].map(x, [1,2,3].map(y, x*y)).size() > 2", "object.metadata.labels.all(k, v, k != v)", "authorizer.requestResource.check('x').allowed()",
		"'a'.matches('(a+)+$')", "object.?metadata.?labels.orValue({}) == {}", "request.options == null ? true : false", "{'a': object}['a'].metadata.uid == ''",
		"cel.bind(o, object, o.metadata.uid == o.metadata.uid)", "[object].exists(o, o.metadata.uid == 'x')", "object.metadata[\"uid\"] == ''", "dyn(object) == dyn(oldObject)",
	} {
		f.Add(e)
	}
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "a", UID: "x", Labels: map[string]string{"app": "web"}}}
	whole := &scope.Request{
		Operation: admission.Update, Kind: corev1.SchemeGroupVersion.WithKind("Pod"), Resource: schema.GroupVersionResource{Version: "v1", Resource: "pods"},
		Name: "web", Namespace: "a", Object: pod, OldObject: pod, Options: &metav1.UpdateOptions{}, User: &authenticationv1.UserInfo{Username: "alice", Groups: []string{"a"}},
	}
	open := *whole
	open.User, open.OldObject, open.Options = nil, nil, nil
	open.Open = []scope.Missing{{Path: "request.userInfo", Fact: "who asks"}, {Path: "oldObject", Fact: "the old object"}, {Path: "request.options", Fact: "the options"}, {Path: "object.metadata.uid", Fact: "the uid"}}
	compiler := NewCompiler()
	f.Fuzz(func(t *testing.T, expression string) {
		ctx, cancel := context.WithTimeout(context.Background(), bound)
		defer cancel()
		layer := compiler.Compile([]v1.MatchCondition{{Name: "a", Expression: expression}}, "matchConditions", false)
		layer.OnError = scope.Rejected
		ask := func(r *scope.Request) scope.StepOutcome {
			q := scope.Question{Input: scope.NewInput(r, &scope.Facts{}, scope.ValidatingWebhooks), Matched: scope.Matched{Resource: r.Resource, Kind: r.Kind}}
			step := layer.Decide(ctx, q)
			layer.Explain(ctx, q, step)
			return step.Outcome
		}
		known, partly := ask(whole), ask(&open)
		if ctx.Err() != nil {
			t.Fatalf("%q took longer than %s", expression, bound)
		}
		if known != scope.Open && partly != scope.Open && partly != known {
			t.Fatalf("%q is %s, and with parts hidden %s", expression, known, partly)
		}
	})
}
