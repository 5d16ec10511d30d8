package hazard

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// writtenFrom asks the kinds whether a controller writes a policy.
func (in Input) writtenFrom(p *scope.Policy) *Written {
	for _, k := range in.Kinds {
		if w := k.WrittenFrom(p, in.Policies); w != nil {
			return w
		}
	}
	return nil
}

// settle says of what a controller writes only what is said of nothing that it writes it from, and what to change in
// its place. The first n findings are by the rules for all kinds.
func (r *run) settle(n int) {
	said := map[Ref][]string{}
	for i, f := range r.findings {
		names := []string{f.Rule}
		if i >= n {
			names = append(names, r.same[f.Rule]...)
		}
		for _, ref := range slices.Concat(f.Also, []Ref{f.ref()}) {
			said[ref] = append(said[ref], names...)
		}
	}
	var kept []Finding
	for i, f := range r.findings {
		if w := r.written[f.Policy]; w != nil && i < n {
			known := func(p *scope.Policy) bool { return slices.Contains(said[refOf(p)], f.Rule) }
			if slices.ContainsFunc(w.From, known) {
				continue
			}
			f.Fix += " " + w.Fix
		}
		kept = append(kept, f)
	}
	r.findings = kept
}
