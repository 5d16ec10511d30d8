package views

import (
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
)

// fallsIn says in sentences what becomes of a request in flow control.
type fallsIn struct {
	// alone says that no heading tells what the sentences are about, and verb that they are
	// about the request as it is sent with this one of several verbs.
	alone bool
	verb  string
	// href is where the name of a schema leads.
	href func(*flow.Schema) string
}

// eachVerb answers in one sentence for each verb, or in one if all come to the same.
func (f fallsIn) eachVerb(verbs []string, all []flow.Classification) []Sentence {
	if agree(all) {
		return []Sentence{f.sentence(all[0])}
	}
	says := make([]Sentence, len(verbs))
	for i, verb := range verbs {
		f.verb = verb
		says[i] = f.sentence(all[i])
	}
	return says
}

// article begins a sentence about a request as it is sent with a verb.
func article(verb string) string {
	if strings.ContainsAny(verb[:1], "aeiou") {
		return "As an " + verb
	}
	return "As a " + verb
}

// agree reports whether a request falls in the same schema whatever its verb is.
func agree(all []flow.Classification) bool {
	return !slices.ContainsFunc(all[1:], func(c flow.Classification) bool {
		sameCandidates := slices.EqualFunc(c.Candidates, all[0].Candidates, func(a, b flow.Candidate) bool {
			return a.Schema == b.Schema && slices.Equal(a.Subjects, b.Subjects)
		})
		return c.Schema != all[0].Schema || !sameCandidates || (c.Bypass == "") != (all[0].Bypass == "")
	})
}

// sentence says which schema a request falls in and what becomes of it there.
func (f fallsIn) sentence(c flow.Classification) Sentence {
	var s Sentence
	switch {
	case c.Bypass != "":
		return s.strong("Flow control does not see this request.").plain(" " + c.Bypass)
	case len(c.Candidates) > 0:
		return f.depends(c)
	case c.Schema == nil:
		return s.plain("Which FlowSchema takes this request is not known.")
	case c.Fallback:
		return append(s.plain("No FlowSchema matches, so the request goes to "), f.name(c.Schema)).level(c).plain(".")
	}
	begin := "Falls in "
	switch {
	case f.verb != "":
		begin = article(f.verb) + " it falls in "
	case f.alone:
		begin = "This request falls in "
	}
	return append(s.plain(begin), f.name(c.Schema)).plain(" (precedence " + precedence(c.Schema) + ")").level(c).plain(".")
}

func (f fallsIn) name(schema *flow.Schema) Phrase {
	return Phrase{Text: schema.Name, Style: Strong, Href: f.href(schema)}
}

// level says what the priority level does with the request.
func (s Sentence) level(c flow.Classification) Sentence {
	name := c.Schema.Spec.PriorityLevelConfiguration.Name
	level := c.Schema.Level
	switch {
	case level == nil:
		return s.plain(", priority level ").strong(name)
	case level.Spec.Type == flowcontrolv1.PriorityLevelEnablementExempt:
		return s.plain(", and priority level ").strong(name).plain(" never makes it wait")
	case level.Spec.Limited != nil && level.Spec.Limited.LimitResponse.Type == flowcontrolv1.LimitResponseTypeReject:
		return s.plain(", and priority level ").strong(name).plain(" refuses it when it is full")
	}
	s = s.plain(" and goes to priority level ").strong(name)
	switch {
	case !c.Queued:
		return s.plain(", in its only queue")
	case c.Distinguisher == "":
		return s.plain(", in one flow with all others of the schema")
	case c.Flow != "" && c.Distinguisher == "namespace":
		return s.plain(", in the flow of namespace ").quoted(c.Flow)
	case c.Flow != "":
		return s.plain(", in the flow of ").quoted(c.Flow)
	case c.Distinguisher == "namespace":
		return s.plain(", in the flow of requests without a namespace")
	}
	return s.plain(", in the flow of its " + c.Distinguisher)
}

// mostCandidates is how many schemas a sentence names before the one that takes the rest.
const mostCandidates = 2

// depends names the schemas that a request may fall in, in order, with what decides.
func (f fallsIn) depends(c flow.Classification) Sentence {
	s := dependsOn(c.Missing)
	s = s[:len(s)-1]
	switch {
	case f.verb != "":
		s[0].Text = article(f.verb) + " it depends on "
	case f.alone:
		s = s.plain(" where this request falls")
	}
	named, rest := c.Candidates[:len(c.Candidates)-1], c.Candidates[len(c.Candidates)-1]
	if len(rest.Subjects) > 0 {
		named = c.Candidates
	}
	separator := ": in "
	for i, one := range named {
		if i == mostCandidates && len(named) > mostCandidates+1 {
			s = s.plain(", in " + count(len(named)-i) + " others for those whom they name")
			break
		}
		s = append(s.plain(separator), f.name(one.Schema)).plain(" (precedence " + precedence(one.Schema) + ")")
		if len(one.Subjects) > 0 {
			s = s.plain(" for " + whomWords(one.Subjects, 2))
		}
		separator = ", in "
	}
	if len(rest.Subjects) == 0 {
		s = append(s.plain(", otherwise in "), f.name(rest.Schema)).plain(" (precedence " + precedence(rest.Schema) + ")")
	}
	return s.plain(".")
}

// whomWords names the first few subjects as those whom a schema is for.
func whomWords(subjects []string, most int) string {
	words := make([]string, len(subjects))
	for i, s := range subjects {
		words[i] = s
		if group, ok := strings.CutPrefix(s, "group "); ok {
			words[i] = "members of " + group
		}
	}
	return listSome(words, most)
}

// beyond ends the answer about a request that admission is not asked about.
func (s Sentence) beyond(r *scope.Request) Sentence {
	const connects, writes = "exec attach portforward proxy", "create update patch delete deletecollection"
	switch {
	case !r.Access.ForResource():
		return s.plain(" A request to a URL like this never reaches admission.")
	case slices.Contains(strings.Fields(connects), r.Access.Subresource):
		return s.plain(" Paste the object and choose the subresource to see which admission policies it meets.")
	case slices.ContainsFunc(r.Access.Verbs, func(verb string) bool { return slices.Contains(strings.Fields(writes), verb) }):
		return s.plain(" Paste the object to see which admission policies it meets.")
	}
	return s.plain(" A read never reaches admission.")
}

// letGoBy says in a sentence why a FlowSchema does not take a request.
func letGoBy(layer scope.LayerName, r Reason) Sentence {
	var s Sentence
	switch {
	case r.Want == "":
		return s.plain(r.Message)
	case layer == scope.Subjects:
		s = s.plain("It is for ").quoted(fewOf(r.Want)).plain(".")
	case layer == scope.Precedence:
		s = s.plain("It matches as well, but ").quoted(r.Got).plain(".")
		if r.Field != "spec.matchingPrecedence" {
			return Sentence{}.plain(r.Message)
		}
	default:
		s = s.plain("Its rules need ").quoted(fewOf(r.Want)).plain(", the request has ").quoted(r.Got).plain(".")
	}
	if r.Message != "" {
		s = s.plain(" " + r.Message)
	}
	return s
}

// fewOf keeps the beginning of a list that is written with commas, and counts the rest.
func fewOf(words string) string {
	const most = 4
	if all := strings.Split(words, ", "); len(all) > most+1 {
		return listSome(all, most)
	}
	return words
}
