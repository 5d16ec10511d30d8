package coverage_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// TestIncrementalEqualsFromScratch changes objects, Namespaces and policies at random, and
// compares what an evaluator that has seen all of it says with what a new one says.
func TestIncrementalEqualsFromScratch(t *testing.T) {
	ctx := context.Background()
	for round := range max(*rounds/2, 1) {
		for _, ask := range asks[1:] {
			w := newWorld(*seed+2000, uint64(round))
			compiler, objects := admission.NewCompiler(), w.policies(8)
			policies, facts := compiler.Compile(objects), w.facts()
			all := w.population(t, 300)
			store, evaluator := fill(all, policies, facts), coverage.NewEvaluator(ask)
			for step := range 12 {
				w.change(t, store, coverage.NewProjector(store, policies, facts), &all)
				if step%3 == 1 {
					w.relabel(pick(w.Rand, namespaceNames[:4]...))
				}
				if step%4 == 2 {
					objects.ValidatingWebhooks = slices.Clone(objects.ValidatingWebhooks)
					objects.ValidatingWebhooks[w.IntN(len(objects.ValidatingWebhooks))] = w.policies(1).ValidatingWebhooks[0]
					policies = compiler.Compile(objects)
				}
				pop, present := store.Snapshot(), policies
				if step%5 == 3 {
					// Half of the policies are gone, and back again the next time.
					present = policies[len(policies)/2:]
				}
				got, err := evaluator.Update(ctx, pop, present, facts)
				if err != nil {
					t.Fatal(err)
				}
				want, err := coverage.NewEvaluator(ask).Update(ctx, pop, present, facts)
				if err != nil {
					t.Fatal(err)
				}
				if pop.Len() != len(all) {
					t.Fatalf("%d objects, want %d", pop.Len(), len(all))
				}
				if diff := differ(got, want, all); diff != "" {
					t.Fatalf("seed %d round %d step %d: %s", *seed, round, step, diff)
				}
			}
		}
	}
}

// change adds, changes and removes some objects.
func (w *world) change(t *testing.T, store *coverage.Store, projector *coverage.Projector, all *[]whole) {
	for range w.IntN(6) {
		i := w.IntN(len(*all))
		o := (*all)[i]
		switch w.IntN(3) {
		case 0:
			store.Delete(o.Resource, o.Namespace, o.Name)
			*all = slices.Delete(*all, i, i+1)
		case 1:
			o.Labels = w.labels()
			o.Content = projector.Project(o.Resource, o.typed)
			store.Put(o.Object)
			(*all)[i] = o
		default:
			o := existing(t, w.objectOf("v1/Pod"))
			o.Content = projector.Project(o.Resource, o.typed)
			store.Put(o.Object)
			same := func(p whole) bool {
				return p.Resource == o.Resource && p.Namespace == o.Namespace && p.Name == o.Name
			}
			*all = append(slices.DeleteFunc(*all, same), o)
		}
	}
}

// differ compares two results in everything that they say.
func differ(got, want *coverage.Result, all []whole) string {
	for i := range want.Len() {
		id := want.Policy(i).ID()
		if got.Total(i) != want.Total(i) || fmt.Sprint(got.Funnel(i)) != fmt.Sprint(want.Funnel(i)) {
			return fmt.Sprintf("%s: %+v %v, from scratch %+v %v", id, got.Total(i), got.Funnel(i), want.Total(i), want.Funnel(i))
		}
		for _, namespace := range want.Population().Namespaces() {
			if got.In(i, namespace) != want.In(i, namespace) {
				return fmt.Sprintf("%s in %q: %+v, from scratch %+v", id, namespace, got.In(i, namespace), want.In(i, namespace))
			}
		}
		for _, resource := range want.Population().Resources() {
			if got.Of(i, resource) != want.Of(i, resource) {
				return fmt.Sprintf("%s of %s: %+v, from scratch %+v", id, resource, got.Of(i, resource), want.Of(i, resource))
			}
		}
		for _, o := range all {
			a, ok := got.At(i, o.Resource, o.Namespace, o.Name)
			b, _ := want.At(i, o.Resource, o.Namespace, o.Name)
			if !ok || a != b {
				return fmt.Sprintf("%s for %s %s/%s: %+v, from scratch %+v", id, o.Resource.Resource, o.Namespace, o.Name, a, b)
			}
		}
	}
	if got.Reach() != want.Reach() {
		return fmt.Sprintf("reach %+v, from scratch %+v", got.Reach(), want.Reach())
	}
	return ""
}

// TestCountsAreSums holds every number of a result to the objects that it counts.
func TestCountsAreSums(t *testing.T) {
	w := newWorld(*seed+3000, 0)
	facts, policies := w.facts(), admission.NewCompiler().Compile(w.policies(20))
	objects := w.population(t, 400)
	result, err := coverage.NewEvaluator(asks[1]).Update(t.Context(), fill(objects, policies, facts).Snapshot(), policies, facts)
	if err != nil {
		t.Fatal(err)
	}
	reached, perhaps := map[string]bool{}, map[string]bool{}
	for i := range result.Len() {
		for o, e := range result.Objects(i, coverage.Which{NotApplicable: true}) {
			key := fmt.Sprint(o.Resource, o.Namespace, o.Name)
			reached[key] = reached[key] || e.Outcome == scope.Included || e.Outcome == scope.Error
			perhaps[key] = perhaps[key] || e.Outcome == scope.Unknown
		}
		countsAreSums(t, result, i)
	}
	want := coverage.Reach{}
	for _, o := range objects {
		switch key := fmt.Sprint(o.Resource, o.Namespace, o.Name); {
		case reached[key]:
			want.Reached++
		case perhaps[key]:
			want.Unknown++
		default:
			want.Unreached++
		}
	}
	unreached := 0
	for range result.Unreached() {
		unreached++
	}
	if result.Reach() != want || unreached != want.Unreached {
		t.Errorf("%+v and %d unreached, counted %+v", result.Reach(), unreached, want)
	}
}

// countsAreSums checks the numbers of one policy.
func countsAreSums(t *testing.T, result *coverage.Result, i int) {
	var counts coverage.Counts
	fallen := map[scope.LayerName]int{}
	for _, e := range result.Objects(i, coverage.Which{}) {
		counts.Applicable++
		switch e.Outcome {
		case scope.Included:
			counts.Included++
		case scope.Error:
			counts.Error++
		case scope.Unknown:
			counts.Unknown++
		default:
			fallen[e.DecidedBy]++
		}
	}
	if counts != result.Total(i) {
		t.Errorf("%s: %+v, counted %+v", result.Policy(i).ID(), result.Total(i), counts)
	}
	remaining := int(counts.Applicable)
	for _, drop := range result.Funnel(i) {
		if remaining -= fallen[drop.Layer]; drop.Fallen != fallen[drop.Layer] || drop.Remaining != remaining {
			t.Errorf("%s: %+v, counted %d fallen, %d remaining", result.Policy(i).ID(), drop, fallen[drop.Layer], remaining)
		}
		groupsAreSums(t, result, i, drop)
	}
}

// groupsAreSums checks that the groups at a layer have the objects that fell out there.
func groupsAreSums(t *testing.T, result *coverage.Result, i int, drop coverage.Drop) {
	groups, err := result.Groups(t.Context(), i, drop.Layer)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, g := range groups {
		members := 0
		for range g.Members(t.Context()) {
			members++
		}
		if members != g.Objects {
			t.Errorf("%s: a group of %d has %d members", result.Policy(i).ID(), g.Objects, members)
		}
		if g.Ending.Outcome == scope.Excluded {
			n += g.Objects
			if g.Reason.Outcome == "" {
				t.Errorf("%s at %s: a group without a reason", result.Policy(i).ID(), drop.Layer)
			}
		}
	}
	if n != drop.Fallen {
		t.Errorf("%s at %s: %d in groups, %d fell out", result.Policy(i).ID(), drop.Layer, n, drop.Fallen)
	}
}

// TestCancelledUpdate: an interrupted evaluation says so, and leaves behind nothing wrong.
func TestCancelledUpdate(t *testing.T) {
	w := newWorld(*seed+4000, 0)
	facts, policies := w.facts(), admission.NewCompiler().Compile(w.policies(20))
	objects := w.population(t, 400)
	pop, evaluator := fill(objects, policies, facts).Snapshot(), coverage.NewEvaluator(asks[1])
	for _, n := range []int64{0, 10, 40, 100, 200} {
		ctx, cancel := context.WithCancel(t.Context())
		interrupted := *facts
		interrupted.Namespaces = &countdown{world: w, left: n, cancel: cancel}
		if _, err := evaluator.Update(ctx, pop, policies, &interrupted); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d looks at Namespaces: %v", n, err)
		}
		w.relabel("prod")
	}
	got, err := evaluator.Update(t.Context(), pop, policies, facts)
	if err != nil {
		t.Fatal(err)
	}
	want, err := coverage.NewEvaluator(asks[1]).Update(t.Context(), pop, policies, facts)
	if err != nil {
		t.Fatal(err)
	}
	if diff := differ(got, want, objects); diff != "" {
		t.Error(diff)
	}
}

// countdown cancels an evaluation after it has looked at Namespaces so many times.
type countdown struct {
	*world
	left   int64
	cancel func()
}

// Namespace implements scope.Namespaces.
func (c *countdown) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	if atomic.AddInt64(&c.left, -1) < 0 {
		c.cancel()
	}
	return c.world.Namespace(name)
}
