package rule

import (
	"context"
	"encoding/json"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"

	"github.com/ambit-k8s/ambit/scope"
)

// Whatever a rule and a request look like, the layer says what upstream's matcher says,
// and a rule that does not match fails in at least one dimension.
func FuzzRules(f *testing.F) {
	f.Add([]byte(`{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["pods"]}`), "", "v1", "pods", "exec", "CONNECT", "a", "")
	f.Add([]byte(`{"apiGroups":["*"],"apiVersions":["*"],"operations":["*"],"resources":["*/*"],"scope":"Cluster","resourceNames":["x"]}`), "apps", "v1", "deployments", "", "UPDATE", "", "x")
	f.Add([]byte(`{"resources":["/","//","pods/"],"scope":"nonsense"}`), "", "v1", "namespaces", "/", "", "ns", "ns")
	f.Fuzz(func(t *testing.T, text []byte, group, version, resource, subresource, operation, namespace, name string) {
		var r v1.NamedRuleWithOperations
		if json.Unmarshal(text, &r) != nil {
			return
		}
		request := &scope.Request{
			Operation: admission.Operation(operation), Resource: schema.GroupVersionResource{Group: group, Version: version, Resource: resource},
			Subresource: subresource, Namespace: namespace, Name: name,
		}
		layer := (&Rules{Rules: []v1.NamedRuleWithOperations{r}, RulesField: "rules"}).Place(scope.ResourceRules, scope.StageMatch, scope.Rejected)
		q := scope.Question{Input: scope.NewInput(request, &scope.Facts{}, scope.ValidatingWebhooks)}
		step := layer.Decide(context.Background(), q)
		reasons := layer.Explain(context.Background(), q, step)
		matcher := rules.Matcher{Rule: r.RuleWithOperations, Attr: request.Attributes()}
		want := matcher.Matches() && named(r, name)
		if want != (step.Outcome == scope.Match) {
			t.Fatalf("%s, upstream matches: %t", step.Outcome, want)
		}
		if len(reasons) == 0 {
			t.Fatalf("%s without a reason", step.Outcome)
		}
	})
}
