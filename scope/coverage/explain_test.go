package coverage_test

import (
	"testing"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// TestExplainEndsAsAt compares what the traces of an object say with what the counts say, also
// where the content of objects was not read. A trace may leave open what is known, because its
// one request has to serve all conditions of a policy, but that is rare.
func TestExplainEndsAsAt(t *testing.T) {
	pairs, open := 0, 0
	for round := range max(*rounds/4, 1) {
		w := newWorld(*seed+5000, uint64(round))
		facts, policies := w.facts(), admission.NewCompiler().Compile(w.policies(20))
		objects := w.population(t, 100)
		bare := coverage.NewStore()
		for _, o := range objects {
			bare.Put(o.Object)
		}
		for _, store := range []*coverage.Store{bare, fill(objects, policies, facts)} {
			for _, ask := range asks {
				result, err := coverage.NewEvaluator(ask).Update(t.Context(), store.Snapshot(), policies, facts)
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range objects {
					traces, err := result.Explain(t.Context(), o.Object)
					if err != nil {
						t.Fatal(err)
					}
					for i, trace := range traces {
						e, _ := result.At(i, o.Resource, o.Namespace, o.Name)
						pairs++
						switch {
						case trace.Outcome == e.Outcome && trace.Effect == e.Effect:
						case trace.Outcome == scope.Unknown:
							open++
						default:
							t.Fatalf("seed %d round %d, %s of %s: %+v, the trace says %s by %s\n%s\n%s", *seed, round, ask.Operation, o.Name,
								e, trace.Outcome, trace.DecidedBy, asJSON(policies[i].Source), asJSON(o.document.Object))
						}
					}
				}
			}
		}
	}
	if open*1000 > pairs {
		t.Errorf("%d of %d pairs are open in their trace alone", open, pairs)
	}
	t.Logf("%d of %d pairs are open in their trace alone", open, pairs)
}
