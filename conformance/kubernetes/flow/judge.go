package flow

import (
	"fmt"
	"reflect"
	"slices"

	authenticationv1 "k8s.io/api/authentication/v1"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/flow/generate"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
)

// exchange is a request, who sent it, and how the API server classified it.
type exchange struct {
	call *generate.Call
	info *apirequest.RequestInfo
	who  *authenticationv1.UserInfo
	// by has the answers by the verb: that of the call, and those of the others that would write the same.
	by map[string]answer
}

func (e *exchange) got() answer { return e.by[e.info.Verb] }

// judgement compares what Ambit said about a request with what the API server did.
type judgement struct {
	in   *Installed
	e    *exchange
	said *said
	// wrong are sentences about what is not the same, and sort is what those of one sort have in common.
	wrong []string
	sort  string
	// open says that whom Ambit takes who asks for may be in further groups, because people seldom say all. Unknown says
	// that Ambit left open which schema it is, and that the right one is among those that it may be.
	open, unknown bool
	// split says that the verbs that the request may have fall in different schemas.
	split bool
}

func judge(in *Installed, e *exchange, s *said) *judgement {
	j := &judgement{in: in, e: e, said: s}
	if s.request == nil {
		j.fail("Ambit makes no request of it: %s", s.refused)
		return j
	}
	j.open = slices.ContainsFunc(s.request.Open, func(m scope.Missing) bool { return m.Path == "request.userInfo.groups" })
	want := accessOf(e.info)
	if s.mode == Object {
		want.Verbs = sentAs(e.info.Verb)
	}
	if !reflect.DeepEqual(s.request.Access, want) {
		j.fail("the request is %+v; Ambit read %+v", want, s.request.Access)
		return j
	}
	if !isUser(s.request.User, e.who, j.open) {
		j.fail("the API server knows who asks as %v; Ambit takes it to be %v", e.who, s.request.User)
		return j
	}
	j.traces(want.Verbs)
	for _, verb := range want.Verbs {
		j.classification(verb)
		j.first(verb)
	}
	return j
}

// accessOf is a request as flow control sees it.
func accessOf(info *apirequest.RequestInfo) scope.Access {
	if !info.IsResourceRequest {
		return scope.Access{Verbs: []string{info.Verb}, Path: info.Path}
	}
	return scope.Access{Verbs: []string{info.Verb}, APIGroup: info.APIGroup, Resource: info.Resource, Subresource: info.Subresource, Namespace: info.Namespace}
}

func (j *judgement) fail(format string, args ...any) {
	if j.sort == "" {
		j.sort = string(j.said.mode) + ": " + format
	}
	j.wrong = append(j.wrong, fmt.Sprintf(format, args...))
}

// chosen reports whether the API server named a schema. Two that nobody stored are told apart by their priority levels.
func chosen(s *flow.Schema, got answer) bool {
	if s == nil || !got.Classified || string(s.UID) != got.Schema {
		return false
	}
	return s.Level != nil && string(s.Level.UID) == got.Level
}

// expected is the outcome for a schema: it is included if it takes the request with every verb that it may have.
func (j *judgement) expected(s *flow.Schema, verbs []string) scope.Outcome {
	taken := 0
	for _, verb := range verbs {
		if chosen(s, j.e.by[verb]) {
			taken++
		}
	}
	switch taken {
	case 0:
		return scope.Excluded
	case len(verbs):
		return scope.Included
	}
	return scope.Unknown
}

// traces compares the outcome for each schema.
func (j *judgement) traces(verbs []string) {
	traces := map[string]*scope.Trace{}
	for _, t := range j.said.traces {
		traces[t.Policy.Name] = t
	}
	for _, s := range j.in.Order.Schemas {
		t := traces[s.Name]
		if t == nil {
			j.fail("Ambit says nothing about %s", s.Name)
			continue
		}
		want := j.expected(s, verbs)
		if t.Outcome == scope.Unknown && (j.open || want == scope.Unknown) {
			j.unknown, j.split = true, j.split || want == scope.Unknown
		} else if t.Outcome != want {
			j.fail("for the API server, %s is %s; for Ambit, it is %s (%s)", s.Name, want, t.Outcome, t.DecidedBy)
		}
	}
}

// classification compares what Ambit shows on top: the schema with its priority level, or that the request passes.
func (j *judgement) classification(verb string) {
	got := j.e.by[verb]
	c := j.in.Order.Classify(scope.NewInput(j.said.request, j.in.Snapshot.Facts, scope.FlowControl), verb)
	isCandidate := func(s flow.Candidate) bool { return chosen(s.Schema, got) }
	switch {
	case !got.Classified:
		if c.Bypass == "" || c.Schema != nil || len(c.Candidates) > 0 {
			j.fail("the API server did not classify %s; Ambit classifies it: %s", verb, describe(c))
		}
	case c.Bypass != "":
		j.fail("the API server classified %s; Ambit says: %s", verb, c.Bypass)
	case j.open && len(c.Candidates) > 0:
		j.unknown = true
		if !slices.ContainsFunc(c.Candidates, isCandidate) || c.Schema != nil || len(c.Missing) == 0 {
			j.fail("what the API server took for %s is not among Ambit's candidates: %s", verb, describe(c))
		}
	case !chosen(c.Schema, got) || len(c.Candidates) > 0 || len(c.Missing) > 0 || c.Fallback:
		j.fail("Ambit classifies %s otherwise: %s", verb, describe(c))
	}
}

// first compares the shorter way to the same answer that the matrix of identities takes.
func (j *judgement) first(verb string) {
	a := j.said.request.Access
	d := flow.Digest{
		User: j.e.who.Username, Groups: j.e.who.Groups, Verb: verb, Path: a.Path,
		APIGroup: a.APIGroup, Resource: a.Resource, Subresource: a.Subresource, Namespace: a.Namespace,
	}
	s := j.in.Order.First(&d)
	if got := j.e.by[verb]; (s == nil) == got.Classified || s != nil && !chosen(s, got) {
		j.fail("the first schema to match %s is %s for Ambit", verb, nameOf(s))
	}
}

func describe(c flow.Classification) string {
	var names []string
	for _, candidate := range c.Candidates {
		names = append(names, candidate.Name)
	}
	return fmt.Sprintf("schema %s, candidates %v, missing %v, bypass %q, fallback %v", nameOf(c.Schema), names, c.Missing, c.Bypass, c.Fallback)
}

func nameOf(s *flow.Schema) string {
	if s == nil {
		return "none"
	}
	return s.Name
}
