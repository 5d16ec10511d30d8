package views

import (
	"strconv"
	"strings"

	"github.com/ambit-k8s/ambit/scope/flow"
)

// FlowNever is a finding about a FlowSchema or a part of one that no request falls in.
type FlowNever struct {
	// ID is the fragment of the finding's address.
	ID string
	// Name, Href and Precedence are those of the schema.
	Name, Href, Precedence string
	Verdict                Verdict
	Text                   string
	// Fields are where the cause stands, if no proof says so.
	Fields []string
	// Proof shows which earlier schemas take what, and Assumptions what that rests on.
	Proof       []ProofStep
	Assumptions []string
	// Open is what it depends on whether the finding holds.
	Open string
	// Whole says that it is about all of the schema.
	Whole bool
}

// ProofStep is one part of what a schema matches, and the earlier schema that takes it.
type ProofStep struct {
	Field, Who, Requests string
	By, ByHref           string
	ByPrecedence         string
	// Where says which rule of the earlier schema it is, and for which of its subjects.
	Where string
}

func newFlowNevers(r flow.Reach) []FlowNever {
	all := make([]FlowNever, 0, len(r.Never))
	for i := range r.Never {
		n := newFlowNever(&r.Never[i])
		n.ID = "never-" + r.Schema.Name
		if i > 0 {
			n.ID += "-" + strconv.Itoa(i+1)
		}
		all = append(all, n)
	}
	return all
}

func newFlowNever(n *flow.Never) FlowNever {
	v := FlowNever{
		Name: n.Schema.Name, Href: schemaHref(n.Schema.Name), Precedence: precedence(n.Schema),
		Verdict: neverVerdict(n), Text: n.Text, Assumptions: n.Assumptions, Whole: n.Extent == flow.WholeSchema,
	}
	for _, t := range n.Proof {
		v.Proof = append(v.Proof, newProofStep(t))
	}
	if len(v.Proof) == 0 {
		v.Fields = n.Fields
	}
	facts := make([]string, 0, len(n.Open))
	for _, m := range n.Open {
		facts = append(facts, m.Fact)
	}
	if v.Open = list(facts, "and"); v.Open != "" {
		v.Open = "It depends on " + v.Open + "."
	}
	return v
}

func newProofStep(t flow.Taken) ProofStep {
	return ProofStep{
		Field: t.Field, Who: strings.Join(t.Who, ", "), Requests: t.Requests,
		By: t.By.Name, ByHref: schemaHref(t.By.Name), ByPrecedence: precedence(t.By),
		Where: t.ByField + " for " + t.BySubject,
	}
}

// neverVerdict names a finding in a word or two.
func neverVerdict(n *flow.Never) Verdict {
	switch {
	case len(n.Open) > 0:
		return Verdict{"unk", "cannot tell"}
	case n.Cause == flow.CauseDangling:
		return Verdict{"err", "ignored"}
	case n.Extent == flow.WholeSchema:
		return Verdict{"err", "never matches"}
	}
	return Verdict{"err", "part never matches"}
}
