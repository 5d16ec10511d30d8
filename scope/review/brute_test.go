package review_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	k8sadmission "k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/resource"
	"github.com/ambit-k8s/ambit/scope/review"
)

var (
	seed    = flag.Uint64("seed", 1, "where the made-up changes start")
	changes = flag.Int("changes", 100, "how many made-up changes to review")
)

// A review of made-up webhooks agrees with asking both sides about every request of a small
// world: what is said to be identical differs in none of them, and whatever is lost or gained
// in one of them is said to be.
func TestAgreesWithAskingAll(t *testing.T) {
	world := newWorld()
	seen := map[review.Verdict]int{}
	compiler := admission.NewCompiler()
	for n := range *changes {
		r := rand.New(rand.NewPCG(*seed, uint64(n)))
		was, is := anyWebhook(r), anyWebhook(r)
		if r.IntN(2) == 0 { // Most changes touch one thing.
			*is = *was.DeepCopy()
			changeOne(r, &is.Webhooks[0])
		}
		in := review.Input{
			Before: review.Side{Policies: compile(compiler, was), Facts: world.facts},
			After:  review.Side{Policies: compile(compiler, is), Facts: world.facts},
		}
		got, err := review.Compare(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		lost, gained := world.ask(t, in)
		seen[got.Verdict]++
		way, verdict := review.Same, got.Verdict
		if len(got.Changes) > 0 {
			way = got.Changes[0].Way
		}
		problem := ""
		switch {
		case verdict != review.CoverageChange && lost+gained != "":
			problem = "the two differ"
		case lost != "" && way != review.Narrowed && way != review.Both, gained != "" && way != review.Widened && way != review.Both:
			problem = "the way is wrong"
		case verdict == review.CoverageChange && len(got.Changes[0].Witnesses) == 0:
			problem = "there is no witness"
		}
		if problem != "" {
			t.Fatalf("seed %d, change %d: %s: %+v; lost %q, gained %q\n%+v\n%+v", *seed, n, problem, got.Changes[0].Why, lost, gained, was.Webhooks, is.Webhooks)
		}
	}
	t.Logf("%v", seen)
	if seen[review.Undecided]*10 > *changes || seen[review.Identical] == 0 || seen[review.CoverageChange] == 0 {
		t.Errorf("too many are undecided, or all are alike: %v", seen)
	}
}

func compile(c *admission.Compiler, hook *v1.ValidatingWebhookConfiguration) []*scope.Policy {
	return c.Compile(admission.Objects{ValidatingWebhooks: []*v1.ValidatingWebhookConfiguration{hook}})
}

// world is every request that there is in it.
type world struct {
	facts    *scope.Facts
	requests []*scope.Request
}

// named knows the namespaces whose labels their names say.
type named map[string]*corev1.Namespace

func (n named) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	if ns := n[name]; ns != nil {
		return ns, scope.Present
	}
	return nil, scope.Absent
}

var labelSets = []map[string]string{nil, {"a": "1"}, {"a": "2"}, {"b": "1"}, {"a": "1", "b": "1"}, {"a": "2", "b": "2"}, {"a": "3"}}

func newWorld() *world {
	namespaces := named{}
	for i, set := range labelSets {
		name := fmt.Sprint("ns-", i)
		given := map[string]string{corev1.LabelMetadataName: name}
		for k, v := range set {
			given[k] = v
		}
		namespaces[name] = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: given}}
	}
	w := &world{facts: &scope.Facts{
		Namespaces: namespaces, Resources: resource.NewSet(resource.Builtin(), builtin.Cohabiting()), Version: version.MustParseGeneric(builtin.Version),
	}}
	for _, gvr := range []schema.GroupVersionResource{
		{Version: "v1", Resource: "pods"}, {Version: "v1", Resource: "configmaps"}, {Group: "apps", Version: "v1", Resource: "deployments"},
		{Version: "v1", Resource: "nodes"}, {Version: "v1", Resource: "namespaces"},
	} {
		res, _ := w.facts.Resources.Find(gvr, "")
		places := []string{""}
		if res.Namespaced {
			places = nil
			for name := range namespaces {
				places = append(places, name)
			}
		}
		for _, place := range places {
			for _, set := range labelSets {
				w.add(res, place, set, set)
			}
			w.add(res, place, labelSets[1], labelSets[3])
		}
	}
	return w
}

// add adds the writes of an object from one set of labels to another.
func (w *world) add(r resource.Resource, place string, from, to map[string]string) {
	object := func(set map[string]string) *unstructured.Unstructured {
		u := &unstructured.Unstructured{Object: map[string]any{}}
		u.SetGroupVersionKind(r.Kind)
		u.SetName("x")
		u.SetNamespace(place)
		u.SetLabels(set)
		return u
	}
	for _, o := range []k8sadmission.Operation{k8sadmission.Create, k8sadmission.Update, k8sadmission.Delete} {
		q := &scope.Request{
			Operation: o, Kind: r.Kind, Resource: r.GroupVersionResource, Namespace: place, Name: "x",
			User: &authenticationv1.UserInfo{Username: "alice"},
		}
		if r.Kind.Kind == "Namespace" {
			q.Namespace = "x"
		}
		if o != k8sadmission.Delete {
			q.Object = object(to)
		}
		if o != k8sadmission.Create {
			q.OldObject = object(from)
		}
		w.requests = append(w.requests, q)
	}
}

// ask returns a request that is lost and one that is gained, if there are any.
func (w *world) ask(t *testing.T, in review.Input) (lost, gained string) {
	t.Helper()
	before, after := scope.NewSet(in.Before.Policies), scope.NewSet(in.After.Policies)
	for _, q := range w.requests {
		was, is := seen(t, before, q, w.facts), seen(t, after, q, w.facts)
		switch {
		case was && !is:
			lost = fmt.Sprintf("%+v", q)
		case is && !was:
			gained = fmt.Sprintf("%+v", q)
		}
	}
	return lost, gained
}

// seen reports whether a request meets the policy: an error that refuses it counts.
func seen(t *testing.T, s *scope.Set, q *scope.Request, facts *scope.Facts) bool {
	t.Helper()
	if q.Kind.Kind == "Namespace" && q.OldObject != nil { // It exists, with the labels that it had.
		old := q.OldObject.(*unstructured.Unstructured)
		own := *facts
		own.Namespaces = named{q.Name: {ObjectMeta: metav1.ObjectMeta{Name: q.Name, Labels: old.GetLabels()}}}
		facts = &own
	}
	traces, err := s.Explain(t.Context(), q, facts)
	if err != nil {
		t.Fatal(err)
	}
	return traces[0].Outcome == scope.Included || traces[0].Effect == scope.Rejected
}

func anyWebhook(r *rand.Rand) *v1.ValidatingWebhookConfiguration {
	none, policy := v1.SideEffectClassNone, pick(r, v1.Equivalent, v1.Exact)
	w := v1.ValidatingWebhook{Name: "w.example.com", SideEffects: &none, MatchPolicy: &policy, AdmissionReviewVersions: []string{"v1"}}
	for range 1 + r.IntN(2) {
		w.Rules = append(w.Rules, anyRule(r))
	}
	w.NamespaceSelector, w.ObjectSelector = anySelector(r), anySelector(r)
	return &v1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "hook"}, Webhooks: []v1.ValidatingWebhook{w}}
}

// changeOne changes one thing of a webhook, which need not make a difference.
func changeOne(r *rand.Rand, w *v1.ValidatingWebhook) {
	switch r.IntN(4) {
	case 0:
		w.NamespaceSelector = anySelector(r)
	case 1:
		w.ObjectSelector = anySelector(r)
	case 2:
		w.Rules[0] = anyRule(r)
	case 3:
		w.Rules = append(w.Rules, w.Rules[0])
	}
}

func anyRule(r *rand.Rand) v1.RuleWithOperations {
	scopes := []v1.ScopeType{v1.AllScopes, v1.AllScopes, v1.NamespacedScope, v1.ClusterScope}
	rule := v1.RuleWithOperations{
		Operations: some(r, v1.Create, v1.Update, v1.Delete),
		Rule: v1.Rule{
			APIGroups: some(r, "", "apps"), APIVersions: []string{"v1"},
			Resources: some(r, "pods", "configmaps", "deployments", "nodes", "namespaces"), Scope: &scopes[r.IntN(len(scopes))],
		},
	}
	if r.IntN(4) == 0 {
		rule.Resources = []string{"*"}
	}
	if r.IntN(4) == 0 {
		rule.Operations = []v1.OperationType{v1.OperationAll}
	}
	return rule
}

func anySelector(r *rand.Rand) *metav1.LabelSelector {
	s := &metav1.LabelSelector{}
	for range r.IntN(3) {
		q := metav1.LabelSelectorRequirement{Key: pick(r, "a", "b"), Operator: pick(r, metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist)}
		if q.Operator == metav1.LabelSelectorOpIn || q.Operator == metav1.LabelSelectorOpNotIn {
			q.Values = some(r, "1", "2", "3")
		}
		s.MatchExpressions = append(s.MatchExpressions, q)
	}
	return s
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func some[T any](r *rand.Rand, from ...T) []T {
	r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
	return from[:1+r.IntN(len(from))]
}
