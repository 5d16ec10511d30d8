package compare

import (
	"flag"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/conformance/kyverno/generate"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
)

var corpusStates = flag.Int("corpus-states", 0, "how many states of collected policies to give to the running controller; 0 for so many that every CEL policy is in one")

// testCollected gives collected policies to the controller, of each kind one at a time. As Kyverno groups each kind by
// itself, each CEL policy is alone.
func (s running) testCollected(t *testing.T) {
	byKind := map[string][]*unstructured.Unstructured{}
	for _, p := range collected(t, "kyverno-cel") {
		byKind[p.GetKind()] = append(byKind[p.GetKind()], p)
	}
	states := *corpusStates
	if states == 0 {
		for _, all := range byKind {
			states = max(states, len(all))
		}
	}
	for _, p := range collected(t, "kyverno") {
		byKind[p.GetKind()] = append(byKind[p.GetKind()], p)
	}
	var policies, refused, entries, failures int
	for i := range states {
		batch := generate.Batch{ConfigMap: chart.Data}
		for kind, all := range byKind {
			if kind == "NamespacedImageValidatingPolicy" && i%2 == 0 || kind == "ImageValidatingPolicy" && i%2 == 1 {
				continue // The names of their webhooks are the same.
			}
			// Policies are taken from all over the collection, as those of one place are alike.
			p := all[i*len(all)/states].DeepCopy()
			p.SetName(fmt.Sprintf("%.40s-s%d", p.GetName(), i))
			if p.GetNamespace() != "" {
				p.SetNamespace("team-a")
			}
			unstructured.RemoveNestedField(p.Object, "status")
			batch.Policies = append(batch.Policies, p)
		}
		o, err := s.bring(t.Context(), batch, config.Flags{})
		if err != nil {
			t.Fatalf("state %d: %v", i, err)
		}
		policies += len(o.world.policies)
		refused += len(o.refused)
		entries += len(o.state.Validating.Webhooks) + len(o.state.Mutating.Webhooks)
		if len(o.differences) > 0 {
			t.Errorf("state %d: %s", i, s.said(t.Context(), o))
			if failures++; failures == 5 {
				t.Fatal("and so on")
			}
		}
	}
	t.Logf("%d states: %d policies and %d that Kyverno refused, %d webhooks", states, policies, refused, entries)
}
