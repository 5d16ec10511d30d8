package views

import (
	"maps"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// ObjectReachPage is what applies to one object that exists.
type ObjectReachPage struct {
	Asked
	coverage.Object
	State  PopulationState
	Write  string
	Labels []string
	Result Result
	// Explore leads to the explore page with the object, where it can be had.
	Explore string
}

// NewObjectReachPage sets an object above the way of a write of it through all policies.
func NewObjectReachPage(o coverage.Object, state PopulationState, a Asked, ask coverage.Ask, result Result) ObjectReachPage {
	page := ObjectReachPage{Asked: a, Object: o, State: state, Write: writeOf(ask), Result: result}
	page.Result.leaveForm()
	page.Explore = ExploreHref(a, o, state.Contents)
	for _, key := range sortedKeys(o.Labels) {
		page.Labels = append(page.Labels, key+"="+o.Labels[key])
	}
	return page
}

// leaveForm takes those links to the form of the explore page out of an answer which have
// no field on this one.
func (r *Result) leaveForm() {
	r.Lede = r.Lede.leaveForm()
	for i := range r.Phases {
		phase := &r.Phases[i]
		leaveForm(phase.Rows)
		if phase.Fold != nil {
			leaveForm(phase.Fold.Rows)
		}
	}
}

func leaveForm(rows []Row) {
	for i := range rows {
		rows[i].Why = rows[i].Why.leaveForm()
	}
}

func (s Sentence) leaveForm() Sentence {
	left := slices.Clone(s)
	for i := range left {
		if id := strings.TrimPrefix(left[i].Href, "#"); strings.HasPrefix(id, "ask-") && id != "ask-user" && id != "ask-groups" {
			left[i].Href = ""
		}
	}
	return left
}

// Export is the address of the same answer as a file.
func (p ObjectReachPage) Export(format string) string {
	v := p.values()
	v.Set("format", format)
	path := ObjectHref(Asked{}, p.Object)
	return href(path, v)
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
