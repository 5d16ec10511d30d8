package compare

import (
	"flag"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/conformance/kyverno/generate"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
)

var corpusStates = flag.Int("corpus-states", 25, "how many states of collected policies to give to the running controller")

// Collected policies, of each kind one at a time, give the webhooks that the running controller writes.
func TestCorpusLive(t *testing.T) {
	byKind := map[string][]*unstructured.Unstructured{}
	for _, folder := range []string{"kyverno-cel", "kyverno"} {
		for _, p := range collected(t, folder) {
			byKind[p.GetKind()] = append(byKind[p.GetKind()], p)
		}
	}
	s := startSession(t)
	var policies, refused, entries, failures int
	for i := range *corpusStates {
		batch := generate.Batch{ConfigMap: chart.Data}
		for kind, all := range byKind {
			if kind == "NamespacedImageValidatingPolicy" && i%2 == 0 || kind == "ImageValidatingPolicy" && i%2 == 1 {
				continue // The names of their webhooks are the same.
			}
			// Policies are taken from all over the collection, as those of one place are alike.
			p := all[i*len(all)/(*corpusStates)].DeepCopy()
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
	t.Logf("%d states: %d policies and %d that Kyverno refused, %d webhooks", *corpusStates, policies, refused, entries)
}
