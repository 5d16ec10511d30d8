package condition

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/ambit-k8s/ambit/scope"
)

// refuses is an authorizer that allows nothing. Each of its answers costs much.
type refuses struct{}

func (refuses) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionNoOpinion, "", nil
}

// TestDivisionsJoinToTheWhole asks lists of conditions as a whole and one by one. The
// costly ones spend the budget that all share, which beats everything else.
func TestDivisionsJoinToTheWhole(t *testing.T) {
	costly := "authorizer.group('').resource('pods').check('get').allowed() || authorizer.group('').resource('pods').check('list').allowed() || "
	expressions := []string{"true", "false", "object.metadata.name == 'web'", "object.spec.nope == 1", "does not compile", "request.userInfo.username == 'a'", "object.metadata.uid == ''", costly + "true", costly + "object.metadata.name == 'web'", costly + "false", costly + "object.metadata.uid == ''"}
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "a"}}
	r := &scope.Request{
		Operation: admission.Create, Kind: corev1.SchemeGroupVersion.WithKind("Pod"), Resource: schema.GroupVersionResource{Version: "v1", Resource: "pods"},
		Name: "web", Namespace: "a", Object: pod, User: &authenticationv1.UserInfo{Username: "alice"},
		Open: []scope.Missing{{Path: "object.metadata.uid", Fact: "the uid"}},
	}
	q := scope.Question{Input: scope.NewInput(r, &scope.Facts{Authorizer: refuses{}}, scope.ValidatingWebhooks), Matched: scope.Matched{Resource: r.Resource, Kind: r.Kind}}
	compiler, random := NewCompiler(), rand.New(rand.NewPCG(1, 1))
	outcomes := map[scope.StepOutcome]int{}
	spent := 0
	for range 1000 {
		var list []v1.MatchCondition
		for i := range random.IntN(9) {
			list = append(list, v1.MatchCondition{Name: fmt.Sprint("c", i), Expression: expressions[random.IntN(len(expressions))]})
		}
		layer := compiler.Compile(list, "matchConditions", false)
		layer.OnError = scope.Rejected
		whole := layer.Decide(context.Background(), q)
		var said []scope.Said
		for _, d := range layer.Divisions() {
			said = append(said, d.Ask(context.Background(), q))
		}
		joined := layer.Join(said)
		if joined.Outcome != whole.Outcome || joined.Stage != whole.Stage || joined.OnError != whole.OnError {
			t.Fatalf("%v: one by one %s (%s), as a whole %s (%s)", list, joined.Outcome, joined.OnError, whole.Outcome, whole.OnError)
		}
		outcomes[whole.Outcome]++
		if runs, ok := whole.Detail.([]*run); ok && runs[0].err != nil {
			spent++
		}
	}
	for _, o := range []scope.StepOutcome{scope.Match, scope.NoMatch, scope.Failed, scope.Open} {
		if outcomes[o] < 5 {
			t.Errorf("only %d lists come out as %s", outcomes[o], o)
		}
	}
	if spent < 5 {
		t.Errorf("only %d lists spend the budget", spent)
	}
}

// TestExtent holds what expressions are said to see to what they see.
func TestExtent(t *testing.T) {
	tests := []struct{ expression, want string }{
		{"object != null", `{"object"}`},
		{"object == oldObject", `{"object"*"oldObject"*}`},
		{"has(object.spec.a) && object.spec.a > 1", `{"object"{"spec"{"a"*}}}`},
		{"has(object.spec.a)", `{"object"{"spec"{"a"}}}`},
		{"object.spec.list.all(c, c.image != '' && has(c.b.d))", `{"object"{"spec"{"list"[{"b"{"d"}"image"*}]}}}`},
		{"object.spec.list.filter(c, c.a == 1).size() > 0", `{"object"{"spec"{"list"[*]}}}`},
		{"object.spec.list[0].a == 1", `{"object"{"spec"{"list"[{"a"*}]}}}`},
		{"size(object.spec.list) == 1", `{"object"{"spec"{"list"[]}}}`},
		{"'a' in object.spec.map", `{"object"{"spec"{"map"?{"a"}}}}`},
		{"object.spec[request.name] == 1", `{"object"{"spec"*}"request"{"name"*}}`},
		{"object.?spec[?'a'].orValue(1) == 1", `{"object"{"spec"{"a"*}}}`},
		{"object.metadata.name.startsWith('a')", `{"object"{"metadata"{"name"}}}`},
		{"[1].all(object, object > 0)", ``},
		{"[1].all(object, .object.spec.a > object)", `{"object"{"spec"{"a"*}}}`},
		{"[{'a': object.spec.a}].exists(o, o.a == 1)", `{"object"{"spec"{"a"*}}}`},
		{"object.spec.a.all(x, object.spec.b.exists(y, x.c == y.d))", `{"object"{"spec"{"a"[{"c"*}]"b"[{"d"*}]}}}`},
	}
	compiler := NewCompiler()
	for _, tt := range tests {
		if got := extentOf(compiler.parse(tt.expression, false)).String(); got != tt.want {
			t.Errorf("%s sees %s, want %s", tt.expression, got, tt.want)
		}
	}
}
