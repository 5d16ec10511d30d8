package compare

import (
	"flag"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/conformance/kyverno/controller"
	"github.com/ambit-k8s/ambit/conformance/kyverno/generate"
	"github.com/ambit-k8s/ambit/conformance/kyverno/oracle"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/resource"
)

var (
	fromSeed = flag.Uint64("seed", 6, "what the policies are made up from")
	batches  = flag.Int("batches", 400, "how many states to ask Kyverno's code about")
)

// startOracle starts Kyverno's code for the time of a test.
func startOracle(t *testing.T) (*questions, *resource.Set) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds Kyverno")
	}
	definitions, err := controller.Definitions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	known, err := schemasOf(definitions)
	if err != nil {
		t.Fatal(err)
	}
	resources, err := serving(definitions)
	if err != nil {
		t.Fatal(err)
	}
	o, err := oracle.Start(t.Context(), oracle.Discovery(resources))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.Stop(); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	return &questions{oracle: o, schemas: known}, resources
}

// Ambit predicts what Kyverno's code builds, for many states of a cluster and all flags. These states may be such as the
// controller crashes on.
func TestOracle(t *testing.T) {
	q, resources := startOracle(t)
	var sets, entries, crashes, failures int
	for number := range uint64(*batches) {
		g := generate.New(*fromSeed, number)
		batch := g.Wild()
		w := world{
			policies: batch.Policies, resources: resources, flags: flagsOf(g),
			configMap: &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "kyverno", Namespace: "kyverno"}, Data: batch.ConfigMap},
		}
		differences, err := q.ask(w)
		if err != nil {
			t.Fatalf("batch %d: %v", number, err)
		}
		sets += batch.Sets
		if q.last.Crash != "" {
			crashes++
		} else {
			entries += len(q.last.Validating.Webhooks) + len(q.last.Mutating.Webhooks)
		}
		if len(differences) > 0 {
			t.Errorf("seed %d, batch %d (%s):\n%s", *fromSeed, number, batch.Variant, q.said(w, differences))
			if failures++; failures == 5 {
				t.Fatal("and so on")
			}
		}
	}
	t.Logf("%d sets of policies in %d states, %d webhooks, %d crashes", sets, *batches, entries, crashes)
}

// flagsOf makes up flags; most states have none.
func flagsOf(g *generate.Generator) config.Flags {
	var f config.Flags
	switch g.IntN(12) {
	case 0:
		f.ForceFailurePolicyIgnore = true
	case 1:
		f.ExcludeBootstrapResources = true
	case 2:
		f.NoAdmissionReports = true
	case 3:
		f.WebhookTimeout = 25
	case 4:
		f.NoAutoUpdateWebhooks = true
	}
	return f
}
