package block

import (
	"fmt"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
)

// Block is a match or exclude block of a rule, or the match block of an exception.
type Block struct {
	// Field is the path of the block in its policy.
	Field   string
	filters []*Filter
	// all says that every filter has to match; else one is enough.
	all bool
}

// New compiles a block of a rule; nil is a block that matches nothing. The filters of any count, or else those of
// all, or else what the block itself says (pkg/engine/utils/match.go, MatchesResourceDescription).
func New(m *api.MatchResources, field string) *Block {
	b := &Block{Field: field}
	if m == nil {
		return b
	}
	if !b.lists(m, false) {
		b.filters = []*Filter{newFilter(&m.ResourceFilter, field, false)}
	}
	return b
}

// NewException compiles the block of an exception, which has any or all and nothing else.
func NewException(m *api.MatchResources, field string) *Block {
	b := &Block{Field: field}
	b.lists(m, true)
	return b
}

func (b *Block) lists(m *api.MatchResources, exception bool) bool {
	list, word := m.Any, "any"
	if len(list) == 0 {
		list, word, b.all = m.All, "all", len(m.All) > 0
	}
	for i := range list {
		b.filters = append(b.filters, newFilter(&list[i], fmt.Sprintf("%s.%s[%d]", b.Field, word, i), exception))
	}
	return len(list) > 0
}

// Ask asks the block about one of the objects of a request. Without an object nothing matches.
func (b *Block) Ask(v *View, s *Side) Answer {
	if s == nil || len(b.filters) == 0 {
		return No
	}
	answers := make([]Answer, len(b.filters))
	for i, f := range b.filters {
		answers[i] = f.ask(v, s)
	}
	if b.all {
		return And(answers...)
	}
	return Or(answers...)
}

// Score says how near the block comes to a match: that of its best filter, or the sum where all count.
func (b *Block) Score(v *View, s *Side) int {
	if s == nil {
		return 0
	}
	best, sum := 0, 0
	for _, f := range b.filters {
		score := f.score(v, s)
		best, sum = max(best, score), sum+score
	}
	if b.all {
		return sum
	}
	return best
}

// Reasons says why the block answered as it did: with the filter that matched, or the one that comes closest and what
// fails of it.
func (b *Block) Reasons(v *View, s *Side) []scope.Reason {
	if s == nil {
		return []scope.Reason{{Field: b.Field, Outcome: scope.NoMatch, Message: "The request has no object."}}
	}
	if len(b.filters) == 0 {
		return []scope.Reason{{Field: b.Field, Outcome: scope.NoMatch, Message: "The block says nothing, so it matches nothing."}}
	}
	outcome := b.Ask(v, s).Outcome
	var all []scope.Reason
	for _, f := range b.telling(v, s, outcome) {
		only := scope.StepOutcome("")
		if outcome == scope.NoMatch {
			only = scope.NoMatch
		}
		all = append(all, f.reasons(v, s, only)...)
	}
	return all
}

// telling returns the filters that tell why: all that answered like the block where all count, else the first that
// did so, or the closest where none matches.
func (b *Block) telling(v *View, s *Side, outcome scope.StepOutcome) []*Filter {
	var told []*Filter
	for _, f := range b.filters {
		if f.ask(v, s).Outcome == outcome {
			told = append(told, f)
		}
	}
	if b.all || len(told) == 0 {
		return told
	}
	closest := told[0]
	if outcome == scope.NoMatch {
		for _, f := range told {
			if f.score(v, s) > closest.score(v, s) {
				closest = f
			}
		}
	}
	return []*Filter{closest}
}

// Reads adds what the block reads of the requests for one resource to what else is read. Old says that it is also
// asked about the old object.
func (b *Block) Reads(v *View, into *scope.Reads, old bool) {
	r := &reading{}
	for _, f := range b.filters {
		for _, one := range f.requirements {
			one.reads(v, r)
		}
	}
	into.Namespace = into.Namespace || r.Namespace
	into.NamespaceObject = into.NamespaceObject || r.NamespaceObject
	if len(r.object.Fields) == 0 {
		return
	}
	read := func(part **scope.Part) {
		if *part == nil {
			*part = &scope.Part{}
		}
		(*part).Add(&r.object)
	}
	if v.Object != nil && v.Object == v.Old {
		read(&into.OldObject)
		return
	}
	read(&into.Object)
	if old {
		read(&into.OldObject)
	}
}
