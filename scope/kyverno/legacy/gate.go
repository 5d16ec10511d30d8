package legacy

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy/block"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy/rules"
)

// leavesOut is the sentence that says why the engine does not ask a rule about a request, whatever its match block
// says; empty if it does. What a rule does decides that, before anything else (pkg/webhooks/server.go,
// pkg/webhooks/resource/handlers.go).
func (o *room) leavesOut(r *rule, v *block.View, dryRun bool) string {
	why := "The rule does nothing that Kyverno knows."
	for _, s := range sorts {
		if !s.has(&r.Rule) {
			continue
		}
		if !o.finds(s, v) {
			why = "Kyverno looks up policies by the kinds that they name for what a rule does, and no rule of the policy that " +
				s.word + " names " + v.Words() + "."
			continue
		}
		if why = s.leavesOut(o, r, v, dryRun); why == "" {
			return ""
		}
	}
	return why
}

// sort is one of the things that rules do, each with its own way through Kyverno.
type sort struct {
	word      string
	has       func(*rules.Rule) bool
	leavesOut func(o *room, r *rule, v *block.View, dryRun bool) string
}

var sorts = []sort{
	{"validates", checks, func(_ *room, r *rule, v *block.View, _ bool) string {
		if !r.validating {
			return "Kyverno validates with the rules that enforce and with those that audit apart, and derives no such rule from either."
		}
		// The validating half derives rules for one kind at a time, and only if the list of controllers has that kind
		// itself (pkg/autogen/v1/autogen.go, ComputeRules).
		if r.Derived() && !slices.Contains(r.controllers, v.Kind.Kind) {
			return "The annotation " + rules.Annotation + " does not list " + v.Kind.Kind +
				" itself, so that no validating rule is derived for it."
		}
		return ""
	}},
	{"mutates", (*rules.Rule).Mutates, func(o *room, _ *rule, v *block.View, _ bool) string {
		if !o.mutates {
			return "The rule is derived from one that changes other objects, and Kyverno runs such rules only for policies that " +
				"also change the object of the request."
		}
		return notOnDelete(v)
	}},
	{"verifies images", (*rules.Rule).VerifiesImages, func(o *room, _ *rule, v *block.View, _ bool) string {
		if FineGrained(o.policy) {
			return "Kyverno verifies no images at the webhook that the policy's match conditions give it."
		}
		return notOnDelete(v)
	}},
	{"generates", (*rules.Rule).Generates, func(_ *room, _ *rule, _ *block.View, dryRun bool) string { return notOnDryRun(dryRun) }},
	{"changes other objects", (*rules.Rule).MutatesOthers, func(_ *room, r *rule, v *block.View, dryRun bool) string {
		if v.Operation == admission.Delete && !asksForDelete(&r.Match) {
			return "A rule that changes other objects is started by DELETE only if it names the operation."
		}
		return notOnDryRun(dryRun)
	}},
}

// checks reports whether a rule has something to do in the validating half, for all operations.
func checks(r *rules.Rule) bool { return r.Validates() || r.ChecksImages() }

func notOnDelete(v *block.View) string {
	if v.Operation == admission.Delete {
		return "Kyverno changes nothing on DELETE."
	}
	return ""
}

func notOnDryRun(dryRun bool) string {
	if dryRun {
		return "Kyverno changes no other objects for a dry run."
	}
	return ""
}

// asksForDelete reports whether a match block has the operation DELETE anywhere (pkg/webhooks/utils/match.go,
// MatchDeleteOperation).
func asksForDelete(m *api.MatchResources) bool {
	has := func(f *api.ResourceFilter) bool { return slices.Contains(f.Resources.Operations, v1.Delete) }
	for _, list := range [][]api.ResourceFilter{m.Any, m.All} {
		for i := range list {
			if has(&list[i]) {
				return true
			}
		}
	}
	return has(&m.ResourceFilter)
}

// finds reports whether Kyverno's cache gives the policy for a request when it asks for those that do one sort of thing
// (pkg/policycache/store.go). A policy with a webhook of its own is not looked up.
func (o *room) finds(s sort, v *block.View) bool {
	if FineGrained(o.policy) || v.NoKind != nil {
		return true
	}
	return slices.ContainsFunc(o.rules, func(r *rule) bool {
		same := s.has(&r.Rule) || s.word == "mutates" && r.MutatesOthers() || s.word == "changes other objects" && r.Mutates()
		return same && !r.apart && slices.ContainsFunc(r.kinds, func(k kind.Selector) bool { return v.Found(k) })
	})
}

// names reports whether some rule names the kind of a request, whatever else its blocks say.
func (o *room) names(q scope.Question) bool {
	v := block.ViewOf(q)
	return slices.ContainsFunc(o.rules, func(r *rule) bool {
		return slices.ContainsFunc(r.kinds, func(k kind.Selector) bool { return v.NoKind == nil && v.Found(k) })
	})
}
