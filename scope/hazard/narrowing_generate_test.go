package hazard_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// generator makes policies of which much is for nothing: expressions over the operation, the
// resource and which objects are null, beside ones over everything else.
type generator struct{ *rand.Rand }

func pick[T any](g generator, values ...T) T { return values[g.IntN(len(values))] }

// somewhat returns a random part of values that is not empty.
func somewhat[T any](g generator, values ...T) []T {
	part := []T{pick(g, values...)}
	for _, v := range values {
		if g.IntN(3) == 0 {
			part = append(part, v)
		}
	}
	return part
}

var settledAtoms = []string{
	"request.operation == 'CREATE'", "request.operation != 'DELETE'", "request.operation in ['CREATE', 'UPDATE']",
	"request.operation == 'CONNECT'", "request.resource.resource == 'pods'", "request.kind.kind == 'Deployment'",
	"request.resource.group == 'apps'", "has(request.subResource)", "request.?subResource.orValue('') == 'scale'",
	"object != null", "oldObject == null", "oldObject != null", "object.kind == 'Pod'", "true",
	"has(request.namespace)",
}

var openAtoms = []string{
	"object.metadata.name == 'a'", "oldObject.metadata.name == object.metadata.name", "has(object.spec.replicas)",
	"object.spec.replicas > 1", "request.userInfo.username == 'system:a'", "'devs' in request.userInfo.groups",
	"request.namespace == 'team-a'", "request.dryRun", "object == oldObject",
	"object.metadata.labels.all(k, k != 'app')", "request.kind.version == 'v1'", "request.name == 'a'",
	"object.metadata.labels['app'] == 'web'",
}

func (g generator) expression(depth int) string {
	if depth == 0 || g.IntN(3) == 0 {
		if g.IntN(4) == 0 {
			return pick(g, openAtoms...)
		}
		return pick(g, settledAtoms...)
	}
	a, b := g.expression(depth-1), g.expression(depth-1)
	switch g.IntN(5) {
	case 0, 1:
		return "(" + a + ") && (" + b + ")"
	case 2, 3:
		return "(" + a + ") || (" + b + ")"
	}
	return "!(" + a + ")"
}

func (g generator) rules() []v1.NamedRuleWithOperations {
	var all []v1.NamedRuleWithOperations
	for range 1 + g.IntN(2) {
		all = append(all, v1.NamedRuleWithOperations{RuleWithOperations: v1.RuleWithOperations{
			Operations: pick(g, []v1.OperationType{v1.OperationAll}, somewhat(g, v1.Create, v1.Update, v1.Delete, v1.Connect)),
			Rule: v1.Rule{
				APIGroups: pick(g, []string{"*"}, []string{"", "apps"}, []string{""}), APIVersions: []string{pick(g, "*", "v1")},
				Resources: pick(g, []string{"*/*"},
					somewhat(g, "pods", "services", "deployments", "deployments/scale", "pods/exec", "pods/*")),
			},
		}})
	}
	return all
}

func (g generator) conditions() []v1.MatchCondition {
	var all []v1.MatchCondition
	for i := range g.IntN(3) {
		all = append(all, v1.MatchCondition{Name: fmt.Sprintf("c%d", i), Expression: g.expression(1)})
	}
	return all
}

// policies are webhooks and admission policies in turn, as manifests, with two namespaces.
func (g generator) policies(t *testing.T, n int) [][]byte {
	t.Helper()
	var all [][]byte
	add := func(kind string, o any) {
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
		if err != nil {
			t.Fatal(err)
		}
		fields["apiVersion"], fields["kind"] = v1.SchemeGroupVersion.String(), kind
		if kind == "Namespace" {
			fields["apiVersion"] = "v1"
		}
		text, err := yaml.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	for _, name := range []string{"team-a", "team-b"} {
		add("Namespace", &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	none := v1.SideEffectClassNone
	for i := range n {
		name := fmt.Sprintf("generated-%d", i)
		fails, equivalent := pick(g, v1.Fail, v1.Ignore), pick(g, v1.Equivalent, v1.Exact)
		if i%2 == 0 {
			url := "https://hooks.example.com/" + name
			w := v1.ValidatingWebhook{
				Name: name + ".example.com", ClientConfig: v1.WebhookClientConfig{URL: &url}, FailurePolicy: &fails,
				MatchPolicy: &equivalent, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
				MatchConditions: g.conditions(),
			}
			for _, r := range g.rules() {
				w.Rules = append(w.Rules, r.RuleWithOperations)
			}
			add("ValidatingWebhookConfiguration", &v1.ValidatingWebhookConfiguration{
				ObjectMeta: metav1.ObjectMeta{Name: name}, Webhooks: []v1.ValidatingWebhook{w},
			})
			continue
		}
		p := v1.ValidatingAdmissionPolicySpec{
			FailurePolicy: &fails, MatchConditions: g.conditions(),
			MatchConstraints: &v1.MatchResources{ResourceRules: g.rules(), MatchPolicy: &equivalent},
		}
		for range 1 + g.IntN(2) {
			p.Validations = append(p.Validations, v1.Validation{Expression: g.expression(2)})
		}
		add("ValidatingAdmissionPolicy", &v1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: p})
		add("ValidatingAdmissionPolicyBinding", &v1.ValidatingAdmissionPolicyBinding{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: v1.ValidatingAdmissionPolicyBindingSpec{
				PolicyName: name, ValidationActions: []v1.ValidationAction{v1.Deny},
			},
		})
	}
	return all
}
