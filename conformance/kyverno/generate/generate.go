// Package generate makes up sets of Kyverno policies that differ in what decides the webhooks: selectors, failure policies,
// match conditions, rules, autogen, and the ConfigMap. The policies allow every request.
package generate

import (
	"fmt"
	"math/rand/v2"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Batch is one state of a cluster. The policies of each kind are a set of their own, because Kyverno groups each kind by
// itself.
type Batch struct {
	// ConfigMap is the data of the ConfigMap named kyverno, and Variant a name for it.
	ConfigMap map[string]string
	Variant   string
	Policies  []*unstructured.Unstructured
	// Sets is how many kinds there are policies of.
	Sets int
}

// Namespaces are those that namespaced policies lie in; the cluster must have them.
var Namespaces = []string{"team-a", "team-b", "team-c", "kube-system"}

// Generator makes up everything from one source of randomness.
type Generator struct {
	*rand.Rand
	number uint64
	// wild allows what the controller or the API server does not take.
	wild bool
}

// New returns a generator; the same seed and number give the same batch. The names of policies have the number, so that
// no two batches of a run share any.
func New(seed, number uint64) *Generator {
	return &Generator{Rand: rand.New(rand.NewPCG(seed, number)), number: number}
}

// once is true once in n.
func (g *Generator) once(n int) bool { return g.IntN(n) == 0 }

// pick returns one of several values.
func pick[T any](g *Generator, values []T) T { return values[g.IntN(len(values))] }

// Batch makes up a state that the controller can bring about: no two webhooks have one name, and nothing crashes it.
func (g *Generator) Batch() Batch { return g.batch(false) }

// Wild makes up a state that may be any.
func (g *Generator) Wild() Batch { return g.batch(true) }

func (g *Generator) batch(wild bool) Batch {
	g.wild = wild && g.once(4)
	var b Batch
	b.Variant, b.ConfigMap = g.configMap()
	add := func(set []*unstructured.Unstructured) {
		if len(set) > 0 {
			b.Sets++
			b.Policies = append(b.Policies, set...)
		}
	}
	for _, kind := range []string{"ValidatingPolicy", "MutatingPolicy", "GeneratingPolicy"} {
		add(g.set(kind, false, false))
		add(g.set("Namespaced"+kind, true, false))
	}
	// Webhooks for images have the same names for namespaced policies and for others, and the API server refuses a
	// configuration with a name twice: where there are both, the ones are fine-grained and the others are not.
	switch g.number % 3 {
	case 0:
		add(g.set("ImageValidatingPolicy", false, false))
	case 1:
		add(g.set("NamespacedImageValidatingPolicy", true, false))
	default:
		add(g.set("ImageValidatingPolicy", false, !g.wild))
		add(g.set("NamespacedImageValidatingPolicy", true, false))
	}
	add(g.legacySet("ClusterPolicy", false))
	add(g.legacySet("Policy", true))
	g.Shuffle(len(b.Policies), func(i, j int) { b.Policies[i], b.Policies[j] = b.Policies[j], b.Policies[i] })
	return b
}

// place is where a policy lies.
type place struct{ namespace, name string }

// places makes up names for the policies of a set. Two policies in different namespaces may have the same.
func (g *Generator) places(namespaced bool) []place {
	n := 1 + g.IntN(5)
	taken := map[place]bool{}
	var all []place
	for len(all) < n {
		p := place{name: fmt.Sprintf("b%d-%c", g.number, 'a'+g.IntN(6))}
		if namespaced {
			p.namespace = pick(g, Namespaces)
		}
		if !taken[p] {
			taken[p] = true
			all = append(all, p)
		}
	}
	return all
}
