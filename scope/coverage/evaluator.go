package coverage

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ambit-k8s/ambit/scope"
)

// Evaluator evaluates policies over populations, and remembers what it found out, so that
// after a change only what reads it is evaluated again. It is safe for concurrent use; one
// evaluation runs at a time.
type Evaluator struct {
	mu    sync.Mutex
	ask   Ask
	facts *scope.Facts

	tables    *tables
	groupings *groupings
	said      *table[scope.Said]

	shared sync.Mutex
	askers map[uint32]*asker
	// commons are askers that stand for others.
	commons map[commonKey]*asker
	// divisions are the questions that several policies may ask.
	divisions map[divisionKey]*memo
	// resources are what the layers of resources say, for policies in which these agree;
	// keyed are the memos of layers that say the same, and steps their answers.
	resources map[string]*resourceSteps
	keyed     map[keyedKey]*memo
	steps     *table[step]
	// changes are those since the last result.
	changes changes
	last    *Result
}

// maxDivisions bounds the memory of an Evaluator whose policies keep changing.
const maxDivisions = 100000

type divisionKey struct {
	key     any
	asker   *asker
	phase   scope.Phase
	matched scope.Matched
}

// NewEvaluator makes an evaluator that asks the same about every object.
func NewEvaluator(ask Ask) *Evaluator { return &Evaluator{ask: ask} }

// Update evaluates the policies over a population. It reuses what it knows from the last
// time: of policies that were compiled from the same objects, of objects that did not
// change, and of facts that are the same. FlowSchemas are left out. When the context is
// cancelled its error is returned, and nothing is lost but the time.
func (e *Evaluator) Update(ctx context.Context, pop *Population, policies []*scope.Policy, facts *scope.Facts) (*Result, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.keeps(pop, facts) {
		e.reset(pop, facts)
	}
	e.changes.note(e.facts, facts, pop)
	e.facts = facts
	for _, a := range e.askers {
		a.facts = facts
	}
	e.groupings.extend(pop.tables.labels.all())
	u := &update{e: e, pop: pop, changes: &e.changes}
	if e.last != nil {
		u.last = e.last.pop
		for _, p := range e.last.policies {
			p.plan.forget(&e.changes)
		}
	}
	e.forget()
	u.diff()
	u.choose(e.last, policies)
	if err := u.run(ctx); err != nil {
		return nil, err
	}
	e.changes.done()
	e.last = newResult(u, facts)
	return e.last, nil
}

// forget drops what a change makes worthless of what policies have together. The policies
// may be gone, and come back.
func (e *Evaluator) forget() {
	if !e.changes.any() {
		return
	}
	for _, m := range e.keyed {
		m.forget(&e.changes)
	}
	for _, m := range e.divisions {
		m.forget(&e.changes)
	}
}

// keeps reports whether what is known is still of use.
func (e *Evaluator) keeps(pop *Population, facts *scope.Facts) bool {
	return e.tables == pop.tables && e.facts != nil && e.facts.Resources == facts.Resources &&
		same(e.facts.Authorizer, facts.Authorizer) && sameVersion(e.facts, facts) && len(e.divisions)+len(e.keyed)+len(e.resources) < maxDivisions
}

func sameVersion(a, b *scope.Facts) bool {
	if a.Version == nil || b.Version == nil {
		return a.Version == b.Version
	}
	return a.Version.String() == b.Version.String()
}

// reset forgets everything.
func (e *Evaluator) reset(pop *Population, facts *scope.Facts) {
	e.facts, e.tables = facts, pop.tables
	e.groupings, e.said = newGroupings(pop.tables), newTable(scope.Said{})
	e.askers, e.commons, e.divisions = map[uint32]*asker{}, map[commonKey]*asker{}, map[divisionKey]*memo{}
	e.resources, e.keyed, e.steps = map[string]*resourceSteps{}, map[keyedKey]*memo{}, newTable(step{})
	e.changes, e.last = newChanges(), nil
}

// asker returns the asker for a resource.
func (e *Evaluator) asker(resource uint32) *asker {
	e.shared.Lock()
	defer e.shared.Unlock()
	a := e.askers[resource]
	if a == nil {
		a = newAsker(e.ask, e.facts, e.tables.resources.get(resource))
		e.askers[resource] = a
	}
	return a
}

// common returns the asker that serves questions to which the resource makes no difference,
// so that they are asked in the same requests. Space says that the objects are in namespaces.
// CEL treats objects of a Go type and others alike but for some comparisons that make no
// sense, so that they have askers of their own.
func (e *Evaluator) common(space bool, a *asker) *asker {
	key := commonKey{space, a.goType != nil}
	e.shared.Lock()
	defer e.shared.Unlock()
	if e.commons[key] == nil {
		e.commons[key] = a
	}
	return e.commons[key]
}

type commonKey struct{ space, typed bool }

// division returns the memo of a question that other policies may ask, too.
func (e *Evaluator) division(r *rowPlan, d scope.Division, q scope.Question) *memo {
	key := divisionKey{d.Key(), r.asker, r.phase, q.Matched}
	reads := d.Reads(q)
	if reads.AnyResource && !r.asker.namespaces {
		key.asker = e.common(reads.Namespace || reads.NamespaceObject, r.asker)
		key.matched = scope.Matched{Resource: key.asker.resource, Kind: key.asker.kind}
	}
	e.shared.Lock()
	defer e.shared.Unlock()
	m := e.divisions[key]
	if m == nil {
		m = newMemo(e.inputsOf(key.asker, reads), key.asker, r.phase, key.matched, func(ctx context.Context, q scope.Question) uint32 {
			return e.said.id(d.Ask(ctx, q))
		})
		e.divisions[key] = m
	}
	return m
}

// each runs work for every number below n on all processors, until the context is
// cancelled or some work fails.
func each(ctx context.Context, n int, work func(ctx context.Context, w *worker, i int) error, pop *Population) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			w := newWorker(pop)
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := work(ctx, w, i); err != nil {
					cancel(err)
				}
			}
		}()
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
