package coverage

import "github.com/ambit-k8s/ambit/scope"

// worker has what evaluating takes, so that it need not be made anew. It serves one
// goroutine.
type worker struct {
	pop        *Population
	namespaces []string
	// questions are those that do not depend on the object, by namespace.
	questions map[placeKey]scope.Question

	steps   []steps
	objects []int32
	all     []int32
	answers []uint32
	states  []uint32
	endings cell
	// versions are the objects of a block by the version in which a layer sees them.
	versions []version
	tally    []int32
	few      []int32
	// said is what the layers of a resource say.
	said resourceStep
	room cell
	// outsides are the results of rows that policies have nothing to do with, by resource.
	outsides []*rowResult
}

type placeKey struct {
	asker     *asker
	phase     scope.Phase
	namespace uint32
}

func newWorker(pop *Population) *worker {
	return &worker{pop: pop, namespaces: pop.tables.namespaces.all(), questions: map[placeKey]scope.Question{}}
}

// outside returns the result of a row that a policy has nothing to do with. Most policies end
// alike for it, and have the result together.
func (w *worker) outside(id int, of *row, ending uint8) *rowResult {
	if missing := id + 1 - len(w.outsides); missing > 0 {
		w.outsides = append(w.outsides, make([]*rowResult, missing)...)
	}
	if r := w.outsides[id]; r == nil || r.settled != ending {
		w.outsides[id] = &rowResult{of: of, settled: ending}
	}
	return w.outsides[id]
}

// question returns a question about any object in the namespace of a block.
func (w *worker) question(a *asker, phase scope.Phase, b *block) scope.Question {
	key := placeKey{a, phase, b.namespace}
	q, ok := w.questions[key]
	if !ok {
		q = a.question(subject{namespace: w.namespaces[b.namespace], name: b.names[0], bare: true}, phase)
		w.questions[key] = q
	}
	return q
}
