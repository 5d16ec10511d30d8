package flow

import "github.com/ambit-k8s/ambit/scope"

// Cause is why a part of a schema never matches, or never gets a request.
type Cause string

// The causes, from those of the whole schema to those of one word in a list.
const (
	// CauseDangling is a schema whose priority level does not exist.
	CauseDangling Cause = "dangling"
	// CauseShadowed is a schema, or a part, whose requests all go to earlier schemas.
	CauseShadowed Cause = "shadowed"
	// CauseEmpty is something left out: no rules, no subjects, an empty list.
	CauseEmpty Cause = "empty"
	// CauseSubject is a subject that nobody is.
	CauseSubject Cause = "subject"
	// CauseScope is a rule without namespaces and without clusterScope.
	CauseScope Cause = "scope"
	// CauseVerb is a verb that no request has.
	CauseVerb Cause = "verb"
	// CausePattern is a name that is written as a pattern where patterns are not known.
	CausePattern Cause = "pattern"
	// CausePath is a URL that no request has that is not for a resource.
	CausePath Cause = "path"
	// CauseBypass is a request that passes flow control without being classified.
	CauseBypass Cause = "bypass"
)

// Extent is how much of a schema a finding is about.
type Extent string

// A finding is about the whole schema, one of its rules, one subject, resourceRule or
// nonResourceRule, or single words in a list.
const (
	WholeSchema Extent = "schema"
	WholeRule   Extent = "rule"
	RulePart    Extent = "part"
	ListItem    Extent = "item"
)

// Never is a schema, or a part of one, that no request ever falls in.
type Never struct {
	Schema *Schema
	Extent Extent
	Cause  Cause
	// Text says it in one sentence.
	Text string
	// Fields are where in the schema the cause stands; for CauseShadowed, what is shadowed.
	Fields []string
	// Proof shows for CauseShadowed which earlier schemas match all that would be matched.
	Proof []Taken
	// By is the one earlier schema that matches all of it, for CauseShadowed; nil if it takes
	// several.
	By *Schema
	// Assumptions are sentences about who is in which group that the proof rests on.
	Assumptions []string
	// Open is what it depends on whether this holds; empty if it holds for sure.
	Open []scope.Missing
}

// Taken is one step of a proof: requests that an earlier schema matches.
type Taken struct {
	// Field is the rule of the shadowed schema whose requests these are, and Who the
	// subjects, in words, that they come from.
	Field string
	Who   []string
	// Requests says in words which requests they are.
	Requests string
	// By is the earlier schema, and ByField and BySubject where in it they are matched.
	By                 *Schema
	ByField, BySubject string
}

// Reach is whether requests come to a schema at all.
type Reach struct {
	Schema *Schema
	// Witness is a request that falls in the schema; nil if there is none, or none is known.
	Witness *Digest
	// Never is what of the schema no request falls in.
	Never []Never
}

// Reaches tells for every schema, in order, whether requests come to it. It decides by the
// algebra of the rules, and not by trying requests.
func (o *Order) Reaches() []Reach {
	e := newEarlier(o)
	all := make([]Reach, len(o.Schemas))
	for i := range o.Schemas {
		all[i] = newStudy(e, i).reach()
	}
	return all
}

// Never returns what of all schemas no request ever falls in, in the order of the schemas.
func (o *Order) Never() []Never {
	var all []Never
	for _, reach := range o.Reaches() {
		all = append(all, reach.Never...)
	}
	return all
}

// Whole reports whether it is sure that no request at all falls in the schema.
func (n *Never) Whole() bool { return n.Extent == WholeSchema && len(n.Open) == 0 }
