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
	// slab has results of rows that are not in use yet.
	slab []rowResult
}

type placeKey struct {
	asker     *asker
	phase     scope.Phase
	namespace uint32
}

func newWorker(pop *Population) *worker {
	return &worker{pop: pop, namespaces: pop.tables.namespaces.all(), questions: map[placeKey]scope.Question{}}
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
