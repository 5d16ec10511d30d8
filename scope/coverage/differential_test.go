package coverage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	k8sadmission "k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
)

// whole is an object beside its place in the population.
type whole struct {
	coverage.Object
	document manifest.Document
	typed    runtime.Object
}

// existing reads an object as the cluster would have it.
func existing(t testing.TB, u *unstructured.Unstructured) whole {
	t.Helper()
	r, ok := resources.ForKind(u.GroupVersionKind())
	if !ok {
		t.Fatalf("no resource for %s", u.GroupVersionKind())
	}
	document := manifest.Document{Index: 1, Object: u}
	typed, problems := document.Typed()
	if typed == nil {
		t.Fatalf("%v", problems)
	}
	accessor, err := meta.Accessor(typed)
	if err != nil {
		t.Fatal(err)
	}
	return whole{
		Object:   coverage.Object{Resource: r.GroupVersionResource, Namespace: u.GetNamespace(), Name: u.GetName(), Labels: accessor.GetLabels()},
		document: document, typed: typed,
	}
}

// population generates objects, each name once.
func (w *world) population(t testing.TB, n int) []whole {
	var all []whole
	seen := map[string]bool{}
	for len(all) < n {
		o := existing(t, w.object())
		if key := fmt.Sprint(o.Resource, o.Namespace, o.Name); !seen[key] {
			seen[key] = true
			all = append(all, o)
		} else if o.Resource.Resource == "namespaces" {
			n--
		}
	}
	return all
}

// derived is the request that Ambit makes of the whole object if somebody pastes it.
func derived(t testing.TB, o whole, ask coverage.Ask, facts *scope.Facts) *scope.Request {
	t.Helper()
	said := request.Ask{Operation: string(ask.Operation), User: ask.User, Namespace: o.Namespace}
	if ask.Operation == k8sadmission.Update {
		old := o.document
		said.OldObject = &old
	}
	d, problems := request.Derive([]manifest.Document{o.document}, said, facts)
	if d == nil {
		t.Fatalf("%s %s: %v", o.Resource, o.Name, problems)
		return nil
	}
	return d.Request
}

var asks = []coverage.Ask{
	{Operation: k8sadmission.Create}, {Operation: k8sadmission.Create, User: alice},
	{Operation: k8sadmission.Update, User: alice}, {Operation: k8sadmission.Delete, User: alice},
}

// fill puts objects into a new store, with their content.
func fill(objects []whole, policies []*scope.Policy, facts *scope.Facts) *coverage.Store {
	store := coverage.NewStore()
	projector := coverage.NewProjector(store, policies, facts)
	for _, o := range objects {
		o.Object.Content = projector.Project(o.Resource, o.typed)
		store.Put(o.Object)
	}
	return store
}

// TestCoverageAgreesWithExplain compares every pair of object and policy with the trace of
// the whole object.
func TestCoverageAgreesWithExplain(t *testing.T) {
	ctx := context.Background()
	compiler := admission.NewCompiler()
	counts := map[scope.Outcome]int{}
	for round := range *rounds {
		w := newWorld(*seed, uint64(round))
		facts, policies := w.facts(), compiler.Compile(w.policies(20))
		set := scope.NewSet(policies)
		objects := w.population(t, 120)
		pop := fill(objects, policies, facts).Snapshot()
		for _, ask := range asks {
			result, err := coverage.NewEvaluator(ask).Update(ctx, pop, policies, facts)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range objects {
				traces, err := set.Explain(ctx, derived(t, o, ask, facts), facts)
				if err != nil {
					t.Fatal(err)
				}
				for i, trace := range traces {
					e, ok := result.At(i, o.Resource, o.Namespace, o.Name)
					if o.Resource.Resource == "secrets" && e.Outcome == scope.Unknown {
						continue
					}
					if !ok || e.Outcome != trace.Outcome || e.DecidedBy != trace.DecidedBy || e.Effect != trace.Effect {
						t.Fatalf("seed %d round %d, %s of %s: coverage says %s by %s (%s), the trace %s by %s (%s)\n%s\n%s", *seed, round, ask.Operation, o.Name,
							e.Outcome, e.DecidedBy, e.Effect, trace.Outcome, trace.DecidedBy, trace.Effect, asJSON(policies[i].Source), asJSON(o.document.Object))
					}
					counts[e.Outcome]++
				}
			}
		}
	}
	t.Log(counts)
	for _, o := range []scope.Outcome{scope.Included, scope.Excluded, scope.Error, scope.Unknown} {
		if counts[o] < 100 {
			t.Errorf("only %d pairs are %s", counts[o], o)
		}
	}
}

// TestUnreadContentIsUnknown: what coverage says without the content is what it says with
// it, or unknown.
func TestUnreadContentIsUnknown(t *testing.T) {
	ctx := context.Background()
	compiler := admission.NewCompiler()
	open, known := 0, 0
	for round := range *rounds {
		w := newWorld(*seed+1000, uint64(round))
		facts, policies := w.facts(), compiler.Compile(w.policies(20))
		objects := w.population(t, 120)
		bare := coverage.NewStore()
		for _, o := range objects {
			bare.Put(o.Object)
		}
		for _, ask := range asks[1:] {
			with, err := coverage.NewEvaluator(ask).Update(ctx, fill(objects, policies, facts).Snapshot(), policies, facts)
			if err != nil {
				t.Fatal(err)
			}
			without, err := coverage.NewEvaluator(ask).Update(ctx, bare.Snapshot(), policies, facts)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range objects {
				for i := range policies {
					a, _ := with.At(i, o.Resource, o.Namespace, o.Name)
					b, _ := without.At(i, o.Resource, o.Namespace, o.Name)
					if b.Outcome == scope.Unknown {
						open++
						continue
					}
					known++
					if a != b && a.Outcome != scope.Unknown {
						t.Fatalf("seed %d round %d, %s of %s: with the content %+v, without %+v\n%s\n%s", *seed, round, ask.Operation, o.Name, a, b, asJSON(policies[i].Source), asJSON(o.document.Object))
					}
				}
			}
		}
	}
	if open < 100 || known < 100 {
		t.Errorf("%d pairs are unknown and %d known", open, known)
	}
}

func asJSON(v any) string {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(data)
}
