package coverage_test

import (
	"context"
	"testing"
	"time"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// Whatever somebody writes as CEL, what it says about the kept part of an object is what it
// says about the whole object.
func FuzzCondition(f *testing.F) {
	for _, e := range expressions {
		f.Add(e)
	}
	w := newWorld(1, 77)
	facts := w.facts()
	var objects []whole
	for _, kind := range []string{"v1/Pod", "v1/Pod", "apps/v1/Deployment", "example.com/v1/Widget", "example.com/v1/Widget", "batch/v1/Job", "v1/Namespace"} {
		objects = append(objects, existing(f, w.objectOf(kind)))
	}
	compiler := admission.NewCompiler()
	f.Fuzz(func(t *testing.T, expression string) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		policies := compiler.Compile(admission.Objects{ValidatingWebhooks: hooksOf([]string{expression})})
		set, pop := scope.NewSet(policies), fill(objects, policies, facts).Snapshot()
		for _, ask := range asks[1:] {
			result, err := coverage.NewEvaluator(ask).Update(ctx, pop, policies, facts)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range objects {
				traces, err := set.Explain(ctx, derived(t, o, ask, facts), facts)
				if err != nil {
					t.Fatal(err)
				}
				if e, _ := result.At(0, o.Resource, o.Namespace, o.Name); e.Outcome != traces[0].Outcome {
					t.Fatalf("%q, %s of %s: coverage says %s, the trace %s\n%s", expression, ask.Operation, o.Name, e.Outcome, traces[0].Outcome, asJSON(o.document.Object))
				}
			}
		}
	})
}
