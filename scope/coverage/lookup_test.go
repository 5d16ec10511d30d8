package coverage_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// TestSelectorsAgreeWithUpstream compares what becomes of every object under many selectors
// with what upstream's selectors say of its labels and of those of its Namespace: at first, and
// after labels of objects and of Namespaces have changed.
func TestSelectorsAgreeWithUpstream(t *testing.T) {
	s := newShape(12000)
	r := rand.New(rand.NewPCG(7, 7))
	var hooks []*v1.ValidatingWebhookConfiguration
	for _, h := range s.webhooks(60, false) {
		w := &h.Webhooks[0]
		w.Rules = []v1.RuleWithOperations{everything}
		w.NamespaceSelector, w.ObjectSelector = &metav1.LabelSelector{}, anySelector(r, objectLabels)
		if r.IntN(2) == 0 {
			w.NamespaceSelector = anySelector(r, namespaceLabels)
		}
		hooks = append(hooks, h)
	}
	policies := admission.NewCompiler().Compile(admission.Objects{ValidatingWebhooks: hooks})
	store, evaluator := s.store(policies), coverage.NewEvaluator(createByNobody)
	for step := range 4 {
		result, err := evaluator.Update(t.Context(), store.Snapshot(), policies, s.facts())
		if err != nil {
			t.Fatal(err)
		}
		for i := range policies {
			if diff := s.differsFromSelectors(result, i, hooks[i].Webhooks[0]); diff != "" {
				t.Fatalf("step %d: %s\n%s", step, diff, asJSON(hooks[i].Webhooks[0]))
			}
		}
		for range 20 {
			// Some have labels then that nobody had before.
			at := r.IntN(len(s.objects))
			o := s.objects[at].(metav1.Object)
			o.SetLabels(map[string]string{"app": fmt.Sprint("app-", r.IntN(9)), "tier": fmt.Sprint(r.IntN(9))})
			store.Put(s.stored(coverage.NewProjector(store, policies, s.facts()), at, s.objects[at]))
		}
		name := namespaceAt(r.IntN(shapeNamespaces))
		ns := s.namespaces[name].DeepCopy()
		ns.Labels["env"] = "other"
		s.namespaces[name] = ns
	}
}

var (
	everything = v1.RuleWithOperations{
		Operations: []v1.OperationType{v1.OperationAll},
		Rule:       v1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*"}},
	}
	objectLabels = map[string][]string{
		"app": {"app-1", "app-3", "app-8"}, "tier": {"0", "1", "7"}, "team": {"team-1", "team-24"},
		"version": {"v1", "v16"}, "example.com/skip": {"true", "false"}, "absent": {"x"},
	}
	namespaceLabels = map[string][]string{
		"env": {"prod", "dev", "other"}, "team": {"team-1", "team-2"}, "absent": {"x"},
		"kubernetes.io/metadata.name": {"kube-0", "ns-7", "ns-8"},
	}
	operators = []metav1.LabelSelectorOperator{
		metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist,
	}
)

// anySelector has up to three requirements, also several of one label.
func anySelector(r *rand.Rand, of map[string][]string) *metav1.LabelSelector {
	s, keys := &metav1.LabelSelector{}, slices.Sorted(maps.Keys(of))
	for range 1 + r.IntN(3) {
		key := pick(r, keys...)
		q := metav1.LabelSelectorRequirement{Key: key, Operator: pick(r, operators...)}
		if q.Operator == metav1.LabelSelectorOpIn || q.Operator == metav1.LabelSelectorOpNotIn {
			q.Values = some(r, of[key]...)
		}
		s.MatchExpressions = append(s.MatchExpressions, q)
	}
	return s
}

// differsFromSelectors compares one policy for everything with upstream's selectors.
func (s *shape) differsFromSelectors(result *coverage.Result, i int, hook v1.ValidatingWebhook) string {
	inNamespace, err := metav1.LabelSelectorAsSelector(hook.NamespaceSelector)
	if err != nil {
		return err.Error()
	}
	onObject, err := metav1.LabelSelectorAsSelector(hook.ObjectSelector)
	if err != nil {
		return err.Error()
	}
	included := map[string]int32{}
	for at, o := range s.objects {
		m := o.(metav1.Object)
		want := onObject.Matches(labels.Set(m.GetLabels()))
		if name := m.GetNamespace(); name != "" {
			want = want && inNamespace.Matches(labels.Set(s.namespaces[name].Labels))
		}
		if want {
			included[m.GetNamespace()]++
		}
		e, ok := result.At(i, s.kinds[s.of[at]].GroupVersionResource, m.GetNamespace(), m.GetName())
		if !ok || (e.Outcome == scope.Included) != want || !want && e.Outcome != scope.Excluded {
			return fmt.Sprintf("%s with %v: %+v, upstream %t", m.GetName(), m.GetLabels(), e, want)
		}
	}
	for _, name := range result.Population().Namespaces() {
		if got := result.In(i, name); got.Included != included[name] || got.Error+got.Unknown > 0 {
			return fmt.Sprintf("%+v in %q, upstream %d", got, name, included[name])
		}
	}
	return ""
}
