package hazard

import (
	"context"

	"k8s.io/apiserver/pkg/admission"

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
	// single are expressions that were compiled alone, and operations the sorts of request of
	// which only the operation is known.
	single     map[string]*condition.Conditions
	operations map[admission.Operation]*reached

	rule     *Rule
	findings []Finding
	position map[*scope.Policy]int
	// written are the policies that a controller writes, and same the rules of Input.Kinds with
	// those that say the same of such a policy.
	written map[*scope.Policy]*Written
	same    map[string][]string
	seen    map[place]bool
}

// place is where a finding is. A policy with several bindings is several policies, and what
// is wrong with it is said once.
type place struct{ rule, kind, namespace, name, entry, field, message string }

func newRun(ctx context.Context, in Input) *run {
	if in.Facts == nil {
		in.Facts = &scope.Facts{}
	}
	r := &run{
		Input: in, ctx: ctx, world: newWorld(in), position: map[*scope.Policy]int{}, seen: map[place]bool{},
		compiler: condition.NewCompiler(), answers: map[asked]judged{}, checks: map[*view][]*condition.Conditions{},
		single: map[string]*condition.Conditions{}, operations: map[admission.Operation]*reached{},
		written: map[*scope.Policy]*Written{}, same: map[string][]string{},
	}
	for _, k := range in.Kinds {
		for _, rule := range k.HazardRules() {
			r.same[rule.Name] = rule.Same
		}
	}
	for i, p := range in.Policies {
		r.position[p] = i
		if v := newView(p, r.world); v.ofServer() {
			r.views = append(r.views, v)
			if w := in.writtenFrom(p); w != nil {
				r.written[p] = w
			}
		}
	}
	return r
}

// each calls a function for every policy that the current rule looks at, until the context is
// cancelled.
func (r *run) each(find func(*view)) {
	for _, v := range r.views {
		if r.ctx.Err() != nil {
			return
		}
		if r.rule.looksAt(v) {
			find(v)
		}
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
	if r.rule.byHand && r.written[v.Policy] != nil {
		return
	}
	f.Kind, f.Namespace, f.Name, f.Policy = v.Kind, v.Namespace, v.Name, v.Policy
	f.fill(r.rule)
	if v.isWebhook() || inBinding {
		f.Entry = v.Entry
	}
	at := place{f.Rule, f.Kind, f.Namespace, f.Name, f.Entry, f.Field, f.Message}
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
