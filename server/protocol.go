package server

// question is what the explore page asks: a pasted text and what a person said about the
// request beyond it. Empty values are guessed.
type question struct {
	Seq  int64  `json:"seq"`
	Text string `json:"text"`
	Ask  ask    `json:"ask"`
	// Policy is the ID of the policy that the page was opened for.
	Policy string `json:"policy"`
}

// ask is what a person said about the request.
type ask struct {
	Operation   string   `json:"operation"`
	Subresource string   `json:"subresource"`
	Namespace   string   `json:"namespace"`
	Name        string   `json:"name"`
	User        string   `json:"user"`
	Groups      []string `json:"groups"`
	OldObject   string   `json:"oldObject"`
	DryRun      bool     `json:"dryRun"`
	Collection  bool     `json:"collection"`
	Document    int      `json:"document"`
	// Verb, Resource, AllNamespaces and Path are asked of a request that flow control sees
	// and admission does not.
	Verb          string `json:"verb"`
	Resource      string `json:"resource"`
	AllNamespaces bool   `json:"allNamespaces"`
	Path          string `json:"path"`
}

// The states of a reply.
const (
	// stateAnswer is the answer to a question, stateBroken says that the text cannot be
	// read, and stateFacts brings the last answer up to date after a change in the cluster.
	stateAnswer = "answer"
	stateBroken = "broken"
	stateFacts  = "facts"
)

// reply is a message to the explore page. HTML holds rendered fragments by the ID of the
// element that each one replaces.
type reply struct {
	Seq      int64             `json:"seq"`
	State    string            `json:"state"`
	HTML     map[string]string `json:"html,omitempty"`
	Marks    []mark            `json:"marks,omitempty"`
	Problems []problem         `json:"problems,omitempty"`
	Micros   int64             `json:"micros"`
}

// mark is a line of the pasted text that the answer speaks about.
type mark struct {
	Line int    `json:"line"`
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// after is what to send in place of a reply that was not sent yet. News of the cluster
// carry a whole answer, but the page must still learn that they answer its question, or
// that its text cannot be read.
func (r reply) after(unsent *reply) reply {
	if unsent == nil || unsent.Seq != r.Seq || r.State != stateFacts {
		return r
	}
	r.State = unsent.State
	if unsent.State == stateBroken {
		r.Problems = unsent.Problems
	}
	return r
}
