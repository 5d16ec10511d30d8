package flow

import (
	"fmt"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// maxWork bounds how many names are compared for one order. Rules that people write stay far
// below it.
const maxWork = 4_000_000

// earlier knows what the schemas of an order take, for the question what they leave to
// those behind them.
type earlier struct {
	order     *Order
	strangers strangers
	// boxes are what each resource rule matches, by schema, rule and resource rule.
	boxes [][][][]box
	// hits are the rules whose subjects match a persona, by its key.
	hits map[string][]hit
	// left is how much may still be compared.
	left int
}

// hit is a rule of a schema one of whose subjects matches a persona.
type hit struct {
	schema, rule, subject int
	assumption            string
}

func newEarlier(o *Order) *earlier {
	e := &earlier{order: o, strangers: o.strangers(), hits: map[string][]hit{}, left: maxWork}
	for _, s := range o.Schemas {
		rules := make([][][]box, len(s.Spec.Rules))
		for i, rule := range s.Spec.Rules {
			for k := range rule.ResourceRules {
				rules[i] = append(rules[i], resourceBoxes(&rule.ResourceRules[k]))
			}
		}
		e.boxes = append(e.boxes, rules)
	}
	return e
}

// atom is the smallest part of a schema that is decided at once: what one rule for
// resources or URLs matches of one persona.
type atom struct {
	schema, rule, subject int
	// part counts the resourceRules and behind them the nonResourceRules.
	part    int
	persona persona
	boxes   []box
}

// coverage is what earlier schemas leave of an atom.
type coverage struct {
	left  []box
	steps []taking
	// tooMany says that the comparison was given up.
	tooMany bool
}

// taking is one part of an earlier schema that takes some of an atom.
type taking struct {
	hit
	field    string
	requests box
}

func (c *coverage) complete() bool { return len(c.left) == 0 && !c.tooMany }

// cover takes out of an atom what the earlier schemas match that may. A schema whose
// priority level does not exist takes nothing.
func (e *earlier) cover(a *atom, may func(*Schema) bool) coverage {
	c := coverage{left: a.boxes}
	hits := e.hitsOf(&a.persona)
	c.tooMany = e.left < 0
	for _, h := range hits {
		if h.schema >= a.schema || len(c.left) == 0 || c.tooMany {
			break
		}
		s := e.order.Schemas[h.schema]
		if s.Dangling() || !may(s) {
			continue
		}
		rule := &s.Spec.Rules[h.rule]
		if a.forURL() {
			for k := range rule.NonResourceRules {
				e.take(&c, a, h, fieldOf(h.rule, "nonResourceRules", k), []box{urlTaken(&rule.NonResourceRules[k], a.boxes[0])})
			}
			continue
		}
		for k, boxes := range e.boxes[h.schema][h.rule] {
			e.take(&c, a, h, fieldOf(h.rule, "resourceRules", k), boxes)
		}
	}
	return c
}

// take takes boxes out of what is left, and notes what part of the atom they are.
func (e *earlier) take(c *coverage, a *atom, h hit, field string, boxes []box) {
	for _, b := range boxes {
		var left []box
		took := false
		for _, r := range c.left {
			if e.left--; e.left < 0 {
				c.tooMany = true
				return
			}
			if !r.meets(b) {
				left = append(left, r)
				continue
			}
			took = true
			e.left -= r.size() + b.size()
			left = append(left, r.without(b)...)
		}
		c.left = left
		if took {
			for _, own := range a.boxes {
				if common := own.and(b); !common.empty() {
					c.steps = append(c.steps, taking{hit: h, field: field, requests: common})
				}
			}
		}
	}
}

// hitsOf finds the rules that match a persona, in the order in which they are asked.
func (e *earlier) hitsOf(p *persona) []hit {
	key := p.key() + "\x00" + SubjectWords(p.subject)
	if hits, ok := e.hits[key]; ok {
		return hits
	}
	var hits []hit
	for i, s := range e.order.Schemas {
		if e.left < 0 {
			return nil
		}
		for k := range s.Spec.Rules {
			subjects := s.Spec.Rules[k].Subjects
			e.left -= len(subjects)
			if subject, assumption := p.among(subjects); subject >= 0 {
				hits = append(hits, hit{schema: i, rule: k, subject: subject, assumption: assumption})
			}
		}
	}
	e.hits[key] = hits
	return hits
}

// forURL reports whether the atom is about requests that are not for a resource.
func (a *atom) forURL() bool { return a.boxes[0][inResource].isPaths() }

// surely and maybe are which schemas may take something: those that exist for the API
// server, or also those of which that is not known.
func surely(s *Schema) bool { return s.HasLevel == scope.Present }
func maybe(*Schema) bool    { return true }

// atoms are the atoms of one rule of a schema, for each subject and each part.
func (e *earlier) atoms(schema, rule int) []atom {
	r := &e.order.Schemas[schema].Spec.Rules[rule]
	var all []atom
	for i, subject := range r.Subjects {
		for _, p := range e.strangers.personas(subject) {
			for k := range len(r.ResourceRules) + len(r.NonResourceRules) {
				a := atom{schema: schema, rule: rule, subject: i, part: k, persona: p}
				if k < len(r.ResourceRules) {
					a.boxes = e.boxes[schema][rule][k]
				} else {
					a.boxes = urlBoxes(&r.NonResourceRules[k-len(r.ResourceRules)])
				}
				if len(a.boxes) > 0 {
					all = append(all, a)
				}
			}
		}
	}
	return all
}

// partField is where a part of a rule stands; parts count as in atom.
func partField(r *flowcontrolv1.PolicyRulesWithSubjects, rule, part int) string {
	if part < len(r.ResourceRules) {
		return fieldOf(rule, "resourceRules", part)
	}
	return fieldOf(rule, "nonResourceRules", part-len(r.ResourceRules))
}

func fieldOf(rule int, list string, index int) string {
	return fmt.Sprintf("spec.rules[%d].%s[%d]", rule, list, index)
}
