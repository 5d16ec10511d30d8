package flow

import (
	"fmt"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// dangling is the finding for a schema whose priority level is missing, or may be.
func (st *study) dangling() Never {
	n := Never{Schema: st.schema, Extent: WholeSchema, Cause: CauseDangling, Fields: []string{"spec.priorityLevelConfiguration.name"}}
	level := quote(st.schema.Spec.PriorityLevelConfiguration.Name)
	if st.schema.Dangling() {
		n.Text = fmt.Sprintf("No request falls in it, because its priority level %s does not exist, and the API server ignores it therefore.", level)
		return n
	}
	n.Open = levelMissing(st.schema)
	n.Text = fmt.Sprintf("Whether any request falls in it depends on %s.", facts(n.Open))
	return n
}

// wrong is the finding for something that can match nothing, whatever the other schemas
// are. It names the first reason and the places of all.
func (st *study) wrong(extent Extent, found []defect) Never {
	n := Never{Schema: st.schema, Extent: extent, Cause: found[0].cause}
	for _, d := range found {
		n.Fields = append(n.Fields, d.fields...)
	}
	why := found[0].why
	switch extent {
	case WholeSchema:
		n.Text = "No request falls in it, because " + why + "."
	case WholeRule:
		n.Text = "This rule matches no request, because " + why + "."
	default:
		n.Text = strings.ToUpper(why[:1]) + why[1:] + "."
	}
	return n
}

// Text says a step of a proof in one sentence.
func (t *Taken) Text() string {
	return fmt.Sprintf("%s, from %s: %s matches them.", t.Requests, strings.Join(t.Who, ", "), atPrecedence(t.By))
}

func atPrecedence(s *Schema) string {
	return fmt.Sprintf("%s at %d", s.Name, s.Spec.MatchingPrecedence)
}

// names lists schemas, the first few of many.
func names(schemas []*Schema) string {
	const most = 5
	var all []string
	for _, s := range schemas[:min(most, len(schemas))] {
		all = append(all, atPrecedence(s))
	}
	if more := len(schemas) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", list(all), more)
	}
	return list(all)
}

func facts(missing []scope.Missing) string {
	all := make([]string, len(missing))
	for i, m := range missing {
		all[i] = m.Fact
	}
	return strings.Join(all, " and ")
}
