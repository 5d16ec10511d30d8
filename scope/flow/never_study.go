package flow

import (
	"fmt"
	"slices"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// study is everything that is found out about one schema.
type study struct {
	e      *earlier
	schema *Schema
	rules  []ruleStudy
}

// ruleStudy is what is found out about one rule: what is wrong with it and with its parts,
// and what becomes of the requests that it matches.
type ruleStudy struct {
	rule     *flowcontrolv1.PolicyRulesWithSubjects
	index    int
	defects  []defect
	subjects []defect
	parts    [][]defect
	fates    []fate
}

// fate is what becomes of the requests of one atom.
type fate struct {
	atom
	// sure is what schemas leave that exist for certain, and open what those leave that may.
	sure, open coverage
}

func newStudy(e *earlier, index int) *study {
	st := &study{e: e, schema: e.order.Schemas[index]}
	for i := range st.schema.Spec.Rules {
		st.rules = append(st.rules, e.studyRule(index, i))
	}
	return st
}

func (e *earlier) studyRule(schema, index int) ruleStudy {
	r := &e.order.Schemas[schema].Spec.Rules[index]
	st := ruleStudy{rule: r, index: index, defects: ruleDefects(r, fmt.Sprintf("spec.rules[%d]", index))}
	for i, s := range r.Subjects {
		if why := subjectDefect(s); why != "" {
			st.subjects = append(st.subjects, defect{CauseSubject, []string{fieldOf(index, "subjects", i)}, why})
		}
	}
	for k := range len(r.ResourceRules) + len(r.NonResourceRules) {
		field := partField(r, index, k)
		if k < len(r.ResourceRules) {
			st.parts = append(st.parts, resourceDefects(&r.ResourceRules[k], field))
		} else {
			st.parts = append(st.parts, urlDefects(&r.NonResourceRules[k-len(r.ResourceRules)], field))
		}
	}
	for _, a := range e.atoms(schema, index) {
		f := fate{atom: a, sure: e.cover(&a, surely)}
		if !f.sure.complete() {
			f.open = e.cover(&a, maybe)
		}
		st.fates = append(st.fates, f)
	}
	return st
}

// reach puts together what was found. What takes whatever no schema matches is always
// reached.
func (st *study) reach() Reach {
	r := Reach{Schema: st.schema}
	if st.schema.HasLevel == scope.Present {
		r.Witness = st.witness()
	}
	if st.schema.isFallback() {
		return r
	}
	if st.schema.HasLevel != scope.Present {
		r.Never = append(r.Never, st.dangling())
	}
	var fates []fate
	var wrong []defect
	for _, rule := range st.rules {
		fates, wrong = append(fates, rule.fates...), append(wrong, rule.all()...)
	}
	if len(st.rules) == 0 {
		wrong = []defect{{CauseEmpty, []string{"spec.rules"}, "it has no rules"}}
	}
	if len(fates) == 0 {
		r.Never = append(r.Never, st.wrong(WholeSchema, wrong))
		return r
	}
	if never, ok := st.shadowed(WholeSchema, "it matches", fates); ok {
		never.Fields = st.fields()
		r.Never = append(r.Never, never)
		for i := range st.rules {
			r.Never = append(r.Never, st.mistakes(&st.rules[i])...)
		}
		return r
	}
	for i := range st.rules {
		r.Never = append(r.Never, st.ofRule(&st.rules[i])...)
	}
	return r
}

// ofRule is what of one rule never matches, where others of the schema do.
func (st *study) ofRule(rule *ruleStudy) []Never {
	all := st.mistakes(rule)
	add := func(extent Extent, of, field string, fates []fate) bool {
		never, ok := st.shadowed(extent, of, fates)
		if ok {
			never.Fields = []string{field}
			all = append(all, never)
		}
		return ok
	}
	field := fmt.Sprintf("spec.rules[%d]", rule.index)
	if add(WholeRule, field+" matches", field, rule.fates) {
		return all
	}
	for i, s := range rule.rule.Subjects {
		of := rule.where(func(f *fate) bool { return f.subject == i })
		add(RulePart, field+" matches for "+SubjectWords(s), fieldOf(rule.index, "subjects", i), of)
	}
	for k := range rule.parts {
		at := partField(rule.rule, rule.index, k)
		add(RulePart, at+" matches", at, rule.where(func(f *fate) bool { return f.part == k }))
	}
	return all
}

// fields are the rules of the schema that match something by themselves.
func (st *study) fields() []string {
	var all []string
	for _, rule := range st.rules {
		if len(rule.fates) > 0 {
			all = append(all, fmt.Sprintf("spec.rules[%d]", rule.index))
		}
	}
	return all
}

// all lists everything that is wrong with a rule.
func (rule *ruleStudy) all() []defect {
	return slices.Concat(rule.defects, rule.subjects, slices.Concat(rule.parts...))
}

func (rule *ruleStudy) where(is func(*fate) bool) []fate {
	var some []fate
	for i := range rule.fates {
		if is(&rule.fates[i]) {
			some = append(some, rule.fates[i])
		}
	}
	return some
}

// mistakes are what is wrong with a rule whatever the other schemas are: all of it, or
// parts and words beside which it matches something nevertheless.
func (st *study) mistakes(rule *ruleStudy) []Never {
	if len(rule.fates) == 0 {
		return []Never{st.wrong(WholeRule, rule.all())}
	}
	var all []Never
	for _, d := range slices.Concat(rule.defects, rule.subjects) {
		all = append(all, st.wrong(RulePart, []defect{d}))
	}
	for k, found := range rule.parts {
		if len(found) == 0 {
			continue
		}
		if len(rule.where(func(f *fate) bool { return f.part == k })) == 0 {
			all = append(all, st.wrong(RulePart, found))
			continue
		}
		for _, d := range found {
			all = append(all, st.wrong(ListItem, []defect{d}))
		}
	}
	return all
}
