package kyverno

import (
	"context"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

// ride is how requests get to Kyverno for one policy: by the webhooks that name it. Mostly there is one. There are
// several where policies of both failure policies share a path, where an ImageValidatingPolicy both mutates and
// validates, and where somebody changed a cluster's webhooks by hand; then a request follows the one that brings it
// furthest.
type ride struct {
	// alternatives are the possible sets of webhooks: one, except before release 1.19, where selectors depend on the
	// order in which the controller met the policies.
	alternatives []alternative
	// why says in a sentence why there is no webhook, if there is none.
	why string
	// open is why it is not known which webhooks there are; selectorsOpen, rulesOpen and conditionsOpen are why it is
	// not known what theirs are. They are nil for what is known.
	open, selectorsOpen, rulesOpen, conditionsOpen *scope.Missing
}

// alternative is the webhooks for one policy as they are if one of some other policies was written last.
type alternative struct {
	// last names these policies; empty where there is but one alternative.
	last    string
	entries []*entry
}

// simple reports whether there is nothing to choose.
func (r *ride) simple() bool { return len(r.alternatives) == 1 && len(r.alternatives[0].entries) == 1 }

// none reports whether no webhook serves the policy.
func (r *ride) none() bool { return len(r.alternatives) == 0 || len(r.alternatives[0].entries) == 0 }

// some reports whether something holds for a webhook that serves the policy, in some alternative.
func (r *ride) some(holds func(*entry) bool) bool {
	for _, a := range r.alternatives {
		if slices.ContainsFunc(a.entries, holds) {
			return true
		}
	}
	return false
}

// observed lists the webhooks of the cluster that serve the policy, by their IDs.
func (r *ride) observed() []string {
	var all []string
	for _, a := range r.alternatives {
		for _, e := range a.entries {
			kind := webhook.ValidatingKind
			if e.configuration == webhooks.MutatingName {
				kind = webhook.MutatingKind
			}
			id := (&scope.Policy{Kind: kind.Kind, Name: e.configuration, Entry: e.Name}).ID()
			if e.observed && !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
	}
	return all
}

// followed is the webhook that a request follows in one alternative.
type followed struct {
	entry    *entry
	question scope.Question
	// ending is what the webhook as a whole says; it has no outcome where nobody needs to know.
	ending scope.Ending
}

// follow finds the webhooks that a request follows, one for each alternative.
func (r *ride) follow(ctx context.Context, q scope.Question) []followed {
	if r.simple() {
		e := r.alternatives[0].entries[0]
		question, _ := e.matched(ctx, q)
		return []followed{{entry: e, question: question}}
	}
	return scope.Once(q.Input, r, func() []followed {
		all := make([]followed, len(r.alternatives))
		for i, a := range r.alternatives {
			all[i] = a.follow(ctx, q)
		}
		return all
	})
}

// candidates are the webhooks whose rules match a request; all of them if those of none do.
func (a alternative) candidates(ctx context.Context, q scope.Question) []followed {
	var matching, all []followed
	for _, e := range a.entries {
		question, ok := e.matched(ctx, q)
		f := followed{entry: e, question: question}
		if all = append(all, f); ok {
			matching = append(matching, f)
		}
	}
	if len(matching) > 0 {
		return matching
	}
	return all
}

// follow finds the webhook that brings a request furthest.
func (a alternative) follow(ctx context.Context, q scope.Question) followed {
	var best followed
	for i, f := range a.candidates(ctx, q) {
		f.ending = f.entry.end(ctx, f.question)
		if i == 0 || rank(f.ending) > rank(best.ending) {
			best = f
		}
	}
	return best
}

// rank orders endings by what they make of a request: what refuses it comes first, for the others do not count then;
// then what certainly calls Kyverno, what may, and of those that do not call it the one with the latest "no".
func rank(e scope.Ending) int {
	const beyondLayers = 100
	switch e.Outcome {
	case scope.Error:
		if e.Effect == scope.Rejected {
			return beyondLayers + 3
		}
		return beyondLayers
	case scope.Included:
		return beyondLayers + 2
	case scope.Unknown:
		return beyondLayers + 1
	}
	return e.Layer
}

// agree reports whether a request ends alike in all alternatives.
func agree(all []followed) bool {
	for _, f := range all[1:] {
		if f.ending.Outcome != all[0].ending.Outcome {
			return false
		}
	}
	return true
}
