package engine_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/condition"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/engine"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/resource"
)

var (
	rounds = flag.Int("rounds", 800, "how many matches are compared, with twenty requests each")
	seed   = flag.Uint64("seed", 1, "where they begin")
)

// criteria is what a policy matches, as Kyverno's engine hands it to the matching
// (pkg/cel/matching/criteria.go): a selector that is not written selects everything.
type criteria struct{ v1.MatchResources }

func (c criteria) GetMatchResources() v1.MatchResources { return c.MatchResources }

func (c criteria) GetParsedNamespaceSelector() (labels.Selector, error) {
	return parsed(c.NamespaceSelector)
}

func (c criteria) GetParsedObjectSelector() (labels.Selector, error) { return parsed(c.ObjectSelector) }

func parsed(s *metav1.LabelSelector) (labels.Selector, error) {
	if s == nil {
		return labels.Everything(), nil
	}
	return metav1.LabelSelectorAsSelector(s)
}

// The API server's matcher of admission policies is what Kyverno's was made from (pkg/cel/matching/matcher.go). They
// differ in Equivalent, which Kyverno leaves to the webhook; in names that are generated; and in Namespaces that do not
// exist, which Kyverno takes for ones with a name and nothing else, so that here they exist.
func TestMatchAgreesWithUpstream(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(*seed, 1))}
	client := fake.NewClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	for _, ns := range append(testNamespaces.list(), namespace("ghost", nil)) {
		if err := factory.Core().V1().Namespaces().Informer().GetStore().Add(ns); err != nil {
			t.Fatal(err)
		}
	}
	upstream := matching.NewMatcher(factory.Core().V1().Namespaces().Lister(), client)
	objects := admission.NewObjectInterfacesFromScheme(nil)
	counts := map[scope.Outcome]int{}
	for range *rounds {
		p := &api.Policy{TypeMeta: metav1.TypeMeta{Kind: string(api.ValidatingPolicy)}, ObjectMeta: metav1.ObjectMeta{Name: "p"}}
		p.Spec.MatchConstraints = g.match()
		set := scope.NewSet([]*scope.Policy{matchOf(p)})
		for range 20 {
			r := g.request()
			traces, err := set.Explain(t.Context(), r, testFacts)
			if err != nil {
				t.Fatal(err)
			}
			exact := *p.Spec.MatchConstraints
			exact.MatchPolicy = nil
			matches, _, _, err := upstream.Matches(received(r), objects, criteria{exact})
			want := scope.Excluded
			switch {
			case err != nil:
				want = scope.Error
			case matches:
				want = scope.Included
			}
			counts[want]++
			if traces[0].Outcome != want {
				t.Fatalf("%+v\n%s %s %s/%s %+v\nupstream says %s (%v), the layers %s by %s", p.Spec.MatchConstraints, r.Operation, r.Resource, r.Namespace, r.Name, r.Object, want, err, traces[0].Outcome, traces[0].DecidedBy)
			}
		}
	}
	t.Logf("%v", counts)
	for _, o := range []scope.Outcome{scope.Included, scope.Excluded, scope.Error} {
		if counts[o] < 100 {
			t.Errorf("only %d are %s", counts[o], o)
		}
	}
}

// matchOf is a policy that has nothing but the match of another.
func matchOf(p *api.Policy) *scope.Policy {
	room := engine.Room{Release: release.Default, Conditions: condition.NewCompiler()}
	made := &scope.Policy{Kind: p.Kind, Name: p.Name, Phase: scope.ValidatingWebhooks, WhenExcluded: scope.NotEvaluated, WhenIncluded: func(*scope.Request) scope.Effect { return scope.Evaluated }}
	for _, l := range room.Layers(p) {
		switch l.Name() {
		case scope.MatchNamespaceSelector, scope.MatchObjectSelector, scope.MatchResourceRules:
			made.Layers = append(made.Layers, l)
		}
	}
	return made
}

// received is a request as Kyverno makes it of what it gets (vpol/engine/engine.go, Handle).
func received(r *scope.Request) admission.Attributes {
	object, old := &unstructured.Unstructured{}, &unstructured.Unstructured{}
	if u, ok := r.Object.(*unstructured.Unstructured); ok {
		object = u
	}
	if u, ok := r.OldObject.(*unstructured.Unstructured); ok {
		old = u
	}
	return admission.NewAttributesRecord(object, old, r.Kind, r.Namespace, r.Name, r.Resource, r.Subresource, r.Operation, nil, false, nil)
}

type namespaces map[string]*corev1.Namespace

func (n namespaces) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	if ns, ok := n[name]; ok {
		return ns, scope.Present
	}
	return nil, scope.Absent
}

func (n namespaces) list() []*corev1.Namespace {
	var all []*corev1.Namespace
	for _, ns := range n {
		all = append(all, ns)
	}
	return all
}

func namespace(name string, more map[string]string) *corev1.Namespace {
	all := map[string]string{corev1.LabelMetadataName: name}
	for k, v := range more {
		all[k] = v
	}
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: all}}
}

var (
	testNamespaces = namespaces{
		"prod": namespace("prod", map[string]string{"env": "prod", "tier": "web"}),
		"dev":  namespace("dev", map[string]string{"env": "dev"}),
	}
	testFacts = &scope.Facts{Namespaces: testNamespaces, Resources: resource.NewSet(resource.Builtin(), builtin.Cohabiting())}
)
