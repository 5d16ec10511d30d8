package server

import (
	"net/http"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
	"github.com/ambit-k8s/ambit/views"
)

// apiFlow is the answer of the API about the FlowSchemas in their order.
type apiFlow struct {
	// Unknown says why there are none.
	Unknown string      `json:"unknown,omitempty"`
	Schemas []apiSchema `json:"schemas"`
}

// apiSchema is one FlowSchema in its place.
type apiSchema struct {
	Name               string `json:"name"`
	MatchingPrecedence int32  `json:"matchingPrecedence"`
	PriorityLevel      string `json:"priorityLevel"`
	// PriorityLevelExists is yes, no or unknown; without its level a schema is ignored.
	PriorityLevelExists string     `json:"priorityLevelExists"`
	Distinguisher       string     `json:"distinguisher,omitempty"`
	Origin              string     `json:"origin"`
	Changed             bool       `json:"changed,omitempty"`
	Imagined            bool       `json:"imagined,omitempty"`
	Sentence            string     `json:"sentence"`
	Never               []apiNever `json:"never,omitempty"`
}

// apiNever is a schema, or a part of one, that no request falls in.
type apiNever struct {
	Extent      flow.Extent     `json:"extent"`
	Cause       flow.Cause      `json:"cause"`
	Text        string          `json:"text"`
	Fields      []string        `json:"fields,omitempty"`
	By          string          `json:"by,omitempty"`
	Proof       []apiTaken      `json:"proof,omitempty"`
	Assumptions []string        `json:"assumptions,omitempty"`
	Missing     []scope.Missing `json:"missing,omitempty"`
}

// apiTaken is one step of a proof.
type apiTaken struct {
	Field     string   `json:"field"`
	Who       []string `json:"who"`
	Requests  string   `json:"requests"`
	By        string   `json:"by"`
	ByField   string   `json:"byField"`
	BySubject string   `json:"bySubject"`
}

func (s *server) apiFlow(w http.ResponseWriter, _ *http.Request) error {
	current := s.current()
	answer := apiFlow{Schemas: []apiSchema{}}
	analysis := current.Catalog.Flow()
	if analysis == nil {
		answer.Unknown = flowUnknown(current.About)
		writeJSON(w, http.StatusOK, answer)
		return nil
	}
	page := views.NewFlowPage(analysis, "", nil)
	for i, reach := range analysis.Reaches {
		answer.Schemas = append(answer.Schemas, newAPISchema(reach, page.Rows[i]))
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

func newAPISchema(r flow.Reach, row views.FlowRow) apiSchema {
	s := r.Schema
	a := apiSchema{
		Name: s.Name, MatchingPrecedence: s.Spec.MatchingPrecedence, PriorityLevel: s.Spec.PriorityLevelConfiguration.Name,
		PriorityLevelExists: map[scope.Presence]string{scope.Present: "yes", scope.Absent: "no", scope.NotKnown: "unknown"}[s.HasLevel],
		Origin:              row.Origin.Word, Changed: row.Origin.Changed, Imagined: s.Imagined, Sentence: row.Sentence.String(),
	}
	if by := s.Spec.DistinguisherMethod; by != nil {
		a.Distinguisher = string(by.Type)
	}
	for i := range r.Never {
		a.Never = append(a.Never, newAPINever(&r.Never[i]))
	}
	return a
}

func newAPINever(n *flow.Never) apiNever {
	a := apiNever{Extent: n.Extent, Cause: n.Cause, Text: n.Text, Fields: n.Fields, Assumptions: n.Assumptions, Missing: n.Open}
	if n.By != nil {
		a.By = n.By.Name
	}
	for _, t := range n.Proof {
		a.Proof = append(a.Proof, apiTaken{Field: t.Field, Who: t.Who, Requests: t.Requests, By: t.By.Name, ByField: t.ByField, BySubject: t.BySubject})
	}
	return a
}
