package hazard

import (
	"context"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
)

// run is one search for hazards.
type run struct {
	Input
	ctx   context.Context
	views []*view
	world *world
	// compiler compiles what is no match condition: validations.
	compiler *condition.Compiler
	answers  map[asked]judged
	// checks are the validations of a policy that were compiled.
	checks map[*view][]*condition.Conditions

	rule     *Rule
	findings []Finding
	position map[*scope.Policy]int
	seen     map[place]bool
}

// place is where a finding is. A policy with several bindings is several policies, and what
// is wrong with it is said once.
type place struct{ rule, kind, name, entry, field, message string }

func newRun(ctx context.Context, in Input) *run {
	if in.Facts == nil {
		in.Facts = &scope.Facts{}
	}
	r := &run{Input: in, ctx: ctx, world: newWorld(in), position: map[*scope.Policy]int{}, seen: map[place]bool{}, compiler: condition.NewCompiler(), answers: map[asked]judged{}, checks: map[*view][]*condition.Conditions{}}
	for i, p := range in.Policies {
		r.position[p] = i
		if p.Phase != scope.FlowControl {
			r.views = append(r.views, newView(p, r.world))
		}
	}
	return r
}

// each calls a function for every policy of admission, until the context is cancelled.
func (r *run) each(find func(*view)) {
	for _, v := range r.views {
		if r.ctx.Err() != nil {
			return
		}
		find(v)
	}
}

// eachPart calls a function for the match of every policy and of every binding.
func (r *run) eachPart(find func(*view, *part)) {
	r.each(func(v *view) {
		for _, p := range v.parts() {
			find(v, p)
		}
	})
}

// add reports a finding of the current rule. Without a fix of its own it has the rule's.
func (r *run) add(v *view, inBinding bool, f Finding) {
	f.Rule, f.Kind, f.Name, f.Policy = r.rule.Name, v.Kind, v.Name, v.Policy
	if f.Fix == "" {
		f.Fix = r.rule.Fix
	}
	if v.isWebhook() || inBinding {
		f.Entry = v.Entry
	}
	at := place{f.Rule, f.Kind, f.Name, f.Entry, f.Field, f.Message}
	if r.seen[at] {
		return
	}
	r.seen[at] = true
	r.findings = append(r.findings, f)
}

// count counts objects, if there is somebody to ask and the number is certain.
func (r *run) count(q Query) *int {
	if r.Objects == nil {
		return nil
	}
	n, known := r.Objects.Count(q)
	if !known {
		return nil
	}
	return &n
}
