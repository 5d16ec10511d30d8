package flow

import (
	"fmt"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// shadowed reports whether earlier schemas take all that some atoms match, or may do so,
// and says how. Where there are no atoms, nothing is taken. The words of complete the
// sentence "every request that ...".
func (st *study) shadowed(extent Extent, of string, fates []fate) (Never, bool) {
	n := Never{Schema: st.schema, Extent: extent, Cause: CauseShadowed}
	if len(fates) == 0 {
		return n, false
	}
	var open []scope.Missing
	for i := range fates {
		f := &fates[i]
		switch {
		case f.sure.complete():
		case f.sure.tooMany || f.open.tooMany:
			open = appendMissing(open, tooMany, true)
		case f.open.complete():
			for _, step := range f.open.steps {
				s := st.e.order.Schemas[step.schema]
				open = appendMissing(open, levelMissing(s), s.HasLevel == scope.NotKnown)
			}
		default:
			return n, false
		}
	}
	if n.Open = open; len(open) > 0 {
		n.Text = fmt.Sprintf("Whether earlier schemas take every request that %s depends on %s.", of, facts(open))
		return n, true
	}
	st.prove(&n, of, fates)
	return n, true
}

var tooMany = []scope.Missing{{Path: "flowschemas", Fact: "more combinations of rules than Ambit compares"}}

// prove finds the shortest proof: one schema that takes everything, if there is one.
func (st *study) prove(n *Never, of string, fates []fate) {
	steps := make([][]taking, len(fates))
	var takers []*Schema
	for i := range fates {
		steps[i] = fates[i].sure.steps
		for _, step := range steps[i] {
			if s := st.e.order.Schemas[step.schema]; !slices.Contains(takers, s) {
				takers = append(takers, s)
			}
		}
	}
	st.e.inOrder(takers)
	for _, taker := range takers {
		if alone, ok := st.alone(taker, fates); ok {
			n.By, steps = taker, alone
			break
		}
	}
	switch {
	case n.By == nil:
		n.Text = fmt.Sprintf("Every request that %s falls in an earlier schema: %s.", of, names(takers))
	case len(takers) == 1:
		n.Text = fmt.Sprintf("Every request that %s is taken by %s.", of, atPrecedence(n.By))
	default:
		n.Text = fmt.Sprintf("Every request that %s is matched by %s, too, which is asked first.", of, atPrecedence(n.By))
	}
	for i := range fates {
		for _, step := range steps[i] {
			st.addStep(n, &fates[i], &step)
		}
	}
}

// alone asks whether one schema takes all that some atoms match.
func (st *study) alone(taker *Schema, fates []fate) ([][]taking, bool) {
	steps := make([][]taking, len(fates))
	for i := range fates {
		c := st.e.cover(&fates[i].atom, func(s *Schema) bool { return s == taker })
		if !c.complete() {
			return nil, false
		}
		steps[i] = c.steps
	}
	return steps, true
}

// inOrder sorts schemas as they are asked.
func (e *earlier) inOrder(schemas []*Schema) {
	slices.SortFunc(schemas, func(a, b *Schema) int {
		return slices.Index(e.order.Schemas, a) - slices.Index(e.order.Schemas, b)
	})
}

// addStep adds a step to a proof. Subjects from whom the same is taken share one.
func (st *study) addStep(n *Never, f *fate, step *taking) {
	by := st.e.order.Schemas[step.schema]
	if step.assumption != "" && !slices.Contains(n.Assumptions, step.assumption) {
		n.Assumptions = append(n.Assumptions, step.assumption)
	}
	t := Taken{
		Field: partField(&st.schema.Spec.Rules[f.rule], f.rule, f.part), Who: []string{f.persona.words},
		Requests: step.requests.words(), By: by, ByField: step.field, BySubject: fieldOf(step.rule, "subjects", step.subject),
	}
	for i := range n.Proof {
		if p := &n.Proof[i]; p.Field == t.Field && p.Requests == t.Requests && p.By == by && p.ByField == t.ByField && p.BySubject == t.BySubject {
			if !slices.Contains(p.Who, f.persona.words) {
				p.Who = append(p.Who, f.persona.words)
			}
			return
		}
	}
	n.Proof = append(n.Proof, t)
}
