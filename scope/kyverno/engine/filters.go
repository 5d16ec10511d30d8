package engine

import (
	"context"
	"encoding/json"

	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
)

// Filters is the layer of what Kyverno allows without a look at any policy: requests of users whom its ConfigMap
// excludes, those that its resourceFilters match, and those for objects of its own (pkg/webhooks/handlers/filter.go,
// withFilter).
type Filters struct {
	config config.Config
	unread *scope.Missing
	// mutating says that Kyverno is called for the policy by its mutating webhook for legacy policies alone, which lets
	// every DELETE pass (pkg/webhooks/server.go, WithOperationFilter).
	mutating bool
}

// Filters makes the layer. Mutating says that Kyverno is called for the policy by its mutating webhook for legacy
// policies alone; else the layer is the same for all policies.
func (r Room) Filters(mutating bool) *Filters {
	l := &Filters{unread: r.Unread, mutating: mutating}
	if r.Config != nil {
		l.config = *r.Config
	}
	return l
}

// internal are the kinds that Kyverno keeps for itself (pkg/webhooks/utils, ExcludeKyvernoResources). They are compared
// without their group.
var internal = map[string]bool{
	"AdmissionReport": true, "ClusterAdmissionReport": true, "BackgroundScanReport": true, "ClusterBackgroundScanReport": true,
	"UpdateRequest": true,
}

// Name implements scope.Layer.
func (l *Filters) Name() scope.LayerName { return scope.ResourceFilters }

// filtered is the layer's note: the one thing that decided, or would decide.
type filtered struct {
	filter   *config.Filter
	identity *identity
	internal bool
	deletes  bool
}

// Decide implements scope.Layer.
func (l *Filters) Decide(_ context.Context, q scope.Question) scope.Step {
	step := scope.Step{Outcome: scope.Match, Stage: scope.StageReceived}
	if l.unread != nil {
		step.Outcome, step.Missing = scope.Open, []scope.Missing{*l.unread}
	}
	open := func(missing scope.Missing, note filtered) {
		step.Outcome, step.Missing = scope.Open, append(step.Missing, missing)
		if step.Detail == nil {
			step.Detail = note
		}
	}
	excluded := func(note filtered) scope.Step {
		return scope.Step{Outcome: scope.NoMatch, Stage: scope.StageReceived, Detail: note}
	}
	if l.mutating && q.Request.Operation == admission.Delete {
		return excluded(filtered{deletes: true})
	}
	who := l.excludes(q)
	switch who.outcome {
	case scope.Match:
		return excluded(filtered{identity: &who})
	case scope.Open:
		open(who.missing, filtered{identity: &who})
	}
	target := targetOf(q)
	for i := range l.config.Filters {
		f := &l.config.Filters[i]
		switch outcome, missing := target.like(f); outcome {
		case scope.Match:
			return excluded(filtered{filter: f})
		case scope.Open:
			open(missing, filtered{filter: f})
		}
	}
	if internal[q.Matched.Kind.Kind] {
		return excluded(filtered{internal: true})
	}
	return step
}

// ReadsOnlyResource implements scope.ResourceLayer: with nothing configured only the kind counts.
func (l *Filters) ReadsOnlyResource() bool {
	return len(l.config.Filters) == 0 && len(listed(l.config.Excluded)) == 0
}

// Reads implements scope.Reader. The name is read where a filter may tell names apart.
func (l *Filters) Reads(q scope.Question) scope.Reads {
	r := scope.Reads{Namespace: len(l.config.Filters) > 0 || l.byRole()}
	for i := range l.config.Filters {
		f := l.config.Filters[i]
		f.Namespace = "*"
		t := targetOf(q)
		t.nameOpen = &scope.Missing{}
		if outcome, _ := t.like(&f); outcome == scope.Open {
			r.Name = true
		}
	}
	return r
}

// Key implements scope.Keyed. What else is in the ConfigMap decides nothing here.
func (l *Filters) Key() string {
	text, err := json.Marshal([]any{l.unread, l.mutating, l.config.Namespace, l.config.Filters, l.config.Excluded, l.config.Included})
	if err != nil {
		return ""
	}
	return string(text)
}
