package coverage_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

var createByNobody = coverage.Ask{User: nobody}

func compile(hooks []*v1.ValidatingWebhookConfiguration) []*scope.Policy {
	return admission.NewCompiler().Compile(admission.Objects{ValidatingWebhooks: hooks})
}

// TestShapeAgreesWithUpstream compares the counts of every webhook with upstream's, on a
// small cluster of the shape that the benchmarks have.
func TestShapeAgreesWithUpstream(t *testing.T) {
	s := newShape(3000)
	for _, conditions := range []bool{false, true} {
		hooks := s.webhooks(150, conditions)
		policies := compile(hooks)
		tallies, _ := newPlain(s, hooks).run(s, false)
		result, err := coverage.NewEvaluator(createByNobody).Update(context.Background(), s.store(policies).Snapshot(), policies, s.facts())
		if err != nil {
			t.Fatal(err)
		}
		if diff := differs(tallies, result); diff != "" {
			t.Errorf("conditions %t: %s", conditions, diff)
		}
	}
}

// BenchmarkCoverage evaluates 300 policies over 100,000 objects from nothing. The same
// pairs are asked of upstream's matcher in a plain loop, once and in full, and the counts
// of each policy must agree.
func BenchmarkCoverage(b *testing.B) {
	s := newShape(100000)
	variants := []bool{false, true}
	var measured []measure
	for _, conditions := range variants {
		measured = append(measured, measurePlain(s, s.webhooks(300, conditions)))
	}
	// Ambit does not keep the objects, and what it takes should not depend on them.
	s.objects = nil
	for i, conditions := range variants {
		b.Run(map[bool]string{false: "rules-and-selectors", true: "with-conditions"}[conditions], func(b *testing.B) {
			benchmarkCoverage(b, s, measured[i])
		})
	}
}

// measure is a plain loop over all pairs.
type measure struct {
	hooks   []*v1.ValidatingWebhookConfiguration
	pop     *coverage.Population
	tallies []tally
	// took is the time that passed, and used that of the processors.
	took elapsed
	used time.Duration
	// anew is the time of the loop that makes attributes for each pair.
	anew elapsed
}

func measurePlain(s *shape, hooks []*v1.ValidatingWebhookConfiguration) measure {
	m := measure{hooks: hooks, pop: s.store(compile(hooks)).Snapshot()}
	plain := newPlain(s, hooks)
	runtime.GC()
	before := processor()
	m.tallies, m.took = plain.run(s, false)
	m.used = processor() - before
	_, m.anew = plain.run(s, true)
	return m
}

func benchmarkCoverage(b *testing.B, s *shape, m measure) {
	ctx := context.Background()
	var result *coverage.Result
	var used time.Duration
	var parts []time.Duration
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		b.StopTimer()
		policies := compile(m.hooks)
		runtime.GC()
		before, start := processor(), time.Now()
		b.StartTimer()
		var err error
		if result, err = coverage.NewEvaluator(createByNobody).Update(ctx, m.pop, policies, s.facts()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		parts, used = append(parts, time.Since(start)), used+processor()-before
	}
	if diff := differs(m.tallies, result); diff != "" {
		b.Fatal(diff)
	}
	own := elapsedOf(parts)
	ratio := func(name string, plain elapsed) {
		b.ReportMetric(plain.whole.Seconds()*float64(b.N)/own.whole.Seconds(), name)
		b.ReportMetric(plain.quiet.Seconds()*float64(b.N)/own.quiet.Seconds(), name+"-quiet")
	}
	b.ReportMetric(m.took.whole.Seconds(), "plain-s")
	b.ReportMetric(own.quiet.Seconds()/float64(b.N), "quiet-s")
	ratio("times-faster", m.took)
	ratio("times-faster-than-anew", m.anew)
	b.ReportMetric(m.used.Seconds()*float64(b.N)/used.Seconds(), "times-less-cpu")
}

// BenchmarkChange changes one thing and evaluates again, up to the new matrix.
func BenchmarkChange(b *testing.B) {
	ctx := context.Background()
	for _, conditions := range []bool{false, true} {
		s := newShape(100000)
		name := map[bool]string{false: "rules-and-selectors", true: "with-conditions"}[conditions]
		hooks := s.webhooks(300, conditions)
		compiler := admission.NewCompiler()
		policies := compiler.Compile(admission.Objects{ValidatingWebhooks: hooks})
		store, facts, evaluator := s.store(policies), s.facts(), coverage.NewEvaluator(createByNobody)
		projector := coverage.NewProjector(store, policies, facts)
		// The other objects are gone, as in Ambit.
		few := slices.Clone(s.objects[:1000])
		s.objects = nil
		update := func(b *testing.B, policies []*scope.Policy) {
			if _, err := evaluator.Update(ctx, store.Snapshot(), policies, facts); err != nil {
				b.Fatal(err)
			}
		}
		update2 := func(b *testing.B) { update(b, policies) }
		b.Run(name+"/object", func(b *testing.B) {
			update2(b)
			for i := range b.N {
				o := s.stored(projector, i%1000, few[i%1000])
				o.Labels = labelSetAt(i % podLabelSets)
				store.Put(o)
				update2(b)
			}
		})
		b.Run(name+"/policy", func(b *testing.B) {
			update2(b)
			for i := range b.N {
				b.StopTimer()
				changed := append([]*v1.ValidatingWebhookConfiguration{}, hooks...)
				other := hooks[i%300].DeepCopy()
				changed[i%300] = other
				policies := compiler.Compile(admission.Objects{ValidatingWebhooks: changed})
				b.StartTimer()
				update(b, policies)
			}
		})
		b.Run(name+"/namespace", func(b *testing.B) {
			update2(b)
			for i := range b.N {
				name := namespaceAt(i % shapeNamespaces)
				ns := s.namespaces[name].DeepCopy()
				ns.Labels["env"] = []string{"prod", "staging", "dev"}[i/shapeNamespaces%3]
				ns.Labels["turn"] = fmt.Sprint(i)
				s.namespaces[name] = ns
				update2(b)
			}
		})
	}
}

// BenchmarkMemory says what a population takes for each object.
func BenchmarkMemory(b *testing.B) {
	for _, n := range []int{100000, 1000000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var perObject float64
			for range b.N {
				store := coverage.NewStore()
				before := heap()
				fillBare(store, n)
				pop := store.Snapshot()
				perObject = float64(heap()-before) / float64(n)
				runtime.KeepAlive(pop)
				runtime.KeepAlive(store)
			}
			b.ReportMetric(perObject, "bytes/object")
			b.ReportMetric(perObject*float64(n)/(1<<20), "MiB")
		})
	}
}

// TestMemory holds the population to 300 bytes an object.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a population of 100,000 objects")
	}
	s := newShape(100000)
	policies := compile(s.webhooks(300, true))
	store := coverage.NewStore()
	projector := coverage.NewProjector(store, policies, s.facts())
	before := heap()
	for i, o := range s.objects {
		store.Put(s.stored(projector, i, o))
	}
	if each := float64(heap()-before) / float64(store.Len()); each > 300 {
		t.Errorf("an object takes %.0f bytes", each)
	} else {
		t.Logf("an object takes %.0f bytes", each)
	}
	runtime.KeepAlive(s)
}

// fillBare puts objects of the benchmark's shape into a store without making the objects.
func fillBare(store *coverage.Store, n int) {
	gvr := resources.All()[0].GroupVersionResource
	for i := range n {
		store.Put(coverage.Object{Resource: gvr, Namespace: namespaceAt(i * 13 % shapeNamespaces), Name: fmt.Sprintf("app-%d-%x-%05x", i%700, i%podLabelSets, i), Labels: labelSetAt(i % (podLabelSets + otherLabelSets))})
	}
}

// processor is the processor time that the process has used, on all processors.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkFill projects objects and puts them into a store.
func BenchmarkFill(b *testing.B) {
	s := newShape(20000)
	policies := compile(s.webhooks(300, true))
	start := time.Now()
	for range b.N {
		s.store(policies)
	}
	b.ReportMetric(time.Since(start).Seconds()*1e6/float64(b.N)/20000, "µs/object")
}
