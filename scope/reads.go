package scope

import (
	"context"
	"slices"
)

// Reads is what a layer looks at, beside what is the same for all requests for one
// resource: the operation, the resource and its scope, who asks, and facts about the
// cluster as a whole. Two requests for one resource that agree in what a layer reads get
// the same answer from it, so that one evaluation serves them all.
type Reads struct {
	// Name says that the request's name is read. NameTests, unless it is nil, are the only
	// questions that are asked of it.
	Name      bool
	NameTests []Test
	// Namespace says that the name of the request's namespace is read, NamespaceObject that
	// the Namespace is: whether it exists, and its labels.
	Namespace       bool
	NamespaceObject bool
	// NamespaceLabels, unless it is nil, is all that is read of a Namespace that is known to
	// exist: a part of its labels. Nothing depends on its name then.
	NamespaceLabels *Part
	// AnyResource says that the resource makes no difference either: the answer is the same
	// for all resources of which the layer reads the same.
	AnyResource bool
	// Params says that the parameters of admission policies are read.
	Params bool
	// Object and OldObject are the parts of the two objects that are read; nil is nothing.
	Object    *Part
	OldObject *Part
}

// AddName makes the name as much read as it is in other reads, too.
func (r *Reads) AddName(other Reads) {
	switch {
	case !other.Name || r.Name && r.NameTests == nil:
	case !r.Name || other.NameTests == nil:
		r.Name, r.NameTests = true, other.NameTests
	default:
		r.NameTests = append(slices.Clip(r.NameTests), other.NameTests...)
	}
}

// JoinReads is what is read by layers that are asked together.
func JoinReads(all ...Reads) Reads {
	joined := Reads{AnyResource: true}
	for _, r := range all {
		joined.AddName(r)
		joined.Namespace = joined.Namespace || r.Namespace
		joined.NamespaceObject = joined.NamespaceObject || r.NamespaceObject
		joined.AnyResource = joined.AnyResource && r.AnyResource
		joined.Params = joined.Params || r.Params
		joined.Object, joined.OldObject = joinParts(joined.Object, r.Object), joinParts(joined.OldObject, r.OldObject)
	}
	return joined
}

func joinParts(a, b *Part) *Part {
	if a == nil && b == nil {
		return nil
	}
	joined := &Part{}
	joined.Add(a)
	joined.Add(b)
	return joined
}

// ReadsAll is what a layer may read that does not say what it reads.
func ReadsAll() Reads {
	return Reads{Name: true, Namespace: true, NamespaceObject: true, Params: true, Object: &Part{Whole: true}, OldObject: &Part{Whole: true}}
}

// Reader is a layer that says what it reads of the requests for one resource. The question
// is any request for that resource: the answer may depend on nothing in it but what is the
// same for all of them.
type Reader interface {
	Layer
	Reads(q Question) Reads
}

// Keyed is a layer that knows other layers which say the same to the same question.
type Keyed interface {
	Layer
	// Key is the same for layers of one type that give the same steps to all questions. The
	// empty key says that no such layers are known.
	Key() string
}

// ReadsOf returns what a layer reads of the requests for one resource.
func ReadsOf(l Layer, q Question) Reads {
	if r, ok := l.(ResourceLayer); ok && r.ReadsOnlyResource() {
		return Reads{}
	}
	if r, ok := l.(Reader); ok {
		return r.Reads(q)
	}
	return ReadsAll()
}

// Divided is a layer that asks several questions, each of which may read less than all of
// them together, and may stand in other policies, too.
type Divided interface {
	Layer
	// Divisions returns the questions in order; nil if the layer must be asked as a whole.
	Divisions() []Division
	// Join makes the layer's step of what all the questions came to.
	Join(said []Said) Step
}

// Division is one question of a Divided layer.
type Division interface {
	// Key is comparable. Divisions with the same key give the same answers.
	Key() any
	Reads(q Question) Reads
	Ask(ctx context.Context, q Question) Said
}

// Said is the answer to one question of a Divided layer.
type Said struct {
	Outcome StepOutcome
	// Cost is what the answer took of a budget that all questions share; Spent says that it
	// took more than all of it.
	Cost  int64
	Spent bool
}

// Namer is a layer of resource rules that can tell whether they name a resource at all,
// whatever they say about operations, scope and names.
type Namer interface {
	Layer
	NamesResource(q Question) bool
}
