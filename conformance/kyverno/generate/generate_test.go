package generate

import (
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// A batch follows from its seed and number alone, so that a disagreement can be had again.
func TestSame(t *testing.T) {
	for number := range uint64(20) {
		if a, b := New(3, number).Batch(), New(3, number).Batch(); !reflect.DeepEqual(a, b) {
			t.Errorf("batch %d is another one the second time", number)
		}
	}
}

// Kyverno remembers the names of policies, so no two batches may share one.
func TestNames(t *testing.T) {
	type key struct{ kind, namespace, name string }
	seen := map[key]uint64{}
	for number := range uint64(100) {
		for _, p := range New(3, number).Batch().Policies {
			k := key{p.GetKind(), p.GetNamespace(), p.GetName()}
			if other, taken := seen[k]; taken {
				t.Errorf("batches %d and %d both have %v", other, number, k)
			}
			seen[k] = number
		}
	}
}

// What decides webhooks occurs: all kinds, pairs with equal names, and everything that makes a policy fine-grained or not.
func TestVariety(t *testing.T) {
	kinds := map[string]int{}
	var pairs, empty, exact, timeouts, conditions, selectors, autogen int
	for number := range uint64(100) {
		names := map[[2]string]int{}
		for _, p := range New(3, number).Batch().Policies {
			kinds[p.GetKind()]++
			if names[[2]string{p.GetKind(), p.GetName()}]++; names[[2]string{p.GetKind(), p.GetName()}] == 2 {
				pairs++
			}
			written, has, _ := unstructured.NestedSlice(p.Object, "spec", "matchConditions")
			count(&empty, has && len(written) == 0)
			count(&conditions, len(written) > 0)
			policy, _, _ := unstructured.NestedString(p.Object, "spec", "matchConstraints", "matchPolicy")
			count(&exact, policy == "Exact")
			_, has, _ = unstructured.NestedInt64(p.Object, "spec", "webhookConfiguration", "timeoutSeconds")
			count(&timeouts, has)
			selector, has, _ := unstructured.NestedMap(p.Object, "spec", "matchConstraints", "objectSelector")
			count(&selectors, has && len(selector) == 0)
			_, has, _ = unstructured.NestedSlice(p.Object, "spec", "autogen", "podControllers", "controllers")
			count(&autogen, has)
		}
	}
	if len(kinds) != 10 {
		t.Errorf("kinds %v, want all ten", kinds)
	}
	for what, n := range map[string]int{
		"pairs": pairs, "empty conditions": empty, "conditions": conditions, "Exact": exact, "timeouts": timeouts,
		"empty selectors": selectors, "lists of controllers": autogen,
	} {
		if n < 10 {
			t.Errorf("%d %s in 100 batches", n, what)
		}
	}
}

func count(n *int, when bool) {
	if when {
		*n++
	}
}
