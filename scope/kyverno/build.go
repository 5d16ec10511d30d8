package kyverno

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/engine"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// builder makes the policies of one set of objects.
type builder struct {
	c      *Compiler
	o      scope.Objects
	all    *objects
	world  *world
	report *Report
	// digests are those of what is beside all policies, by whether these are legacy ones.
	digests map[bool][sha256.Size]byte
}

// policies makes one policy of each, in the order in which a request meets them: those that mutate first.
func (b *builder) policies() []*scope.Policy {
	room := engine.Room{
		Release: b.c.release, Config: b.all.config, Unread: b.unread(configKind), Flags: b.c.Flags, Resources: b.o.Resources,
		Exceptions: engine.Exceptions{All: b.all.exceptions, Unread: b.unread(exceptionKind), Accepted: b.c.AcceptsExceptions},
		Conditions: b.c.conditions, Now: b.c.Now(),
	}
	var all []*scope.Policy
	for _, p := range b.all.policies {
		all = append(all, b.written(p, room))
	}
	for _, p := range b.all.legacy {
		all = append(all, b.legacy(p, room))
	}
	slices.SortStableFunc(all, func(p, q *scope.Policy) int {
		return cmp.Or(
			compareBool(p.Phase.Mutated(), q.Phase.Mutated()), cmp.Compare(p.Kind, q.Kind),
			cmp.Compare(p.Namespace, q.Namespace), cmp.Compare(p.Name, q.Name),
		)
	})
	return all
}

// written makes a policy of one that is written in CEL.
func (b *builder) written(p *api.Policy, room engine.Room) *scope.Policy {
	ref, onFailure := webhooks.RefOf(p), room.FailurePolicy(p)
	r := b.world.serving(ref, onFailure)
	if r.none() {
		r.why = b.world.whyNone(p)
	}
	made := b.policy(ref, p.Written, r, append([]scope.Layer{room.Filters(false)}, room.Layers(p)...))
	made.FailurePolicy = string(onFailure)
	return made
}

// legacy makes a policy of a ClusterPolicy or a Policy.
func (b *builder) legacy(p *api.Legacy, room engine.Room) *scope.Policy {
	ref, onFailure := webhooks.RefOfLegacy(p), legacy.FailurePolicy(p, b.c.Flags)
	r := b.world.serving(ref, onFailure)
	if r.none() {
		r.why = b.world.whyNoneLegacy(p)
	}
	if b.o.Resources == nil {
		unknown := scope.Missing{Path: "resources", Fact: "which resources of the policy's kinds the cluster serves"}
		r.rulesOpen = &unknown
		if r.none() {
			r.open = &unknown
		}
	}
	if !legacy.FineGrained(p) && r.onPredicted() {
		r.conditionsOpen = b.unread(configKind)
	}
	layers := append([]scope.Layer{room.Filters(r.mutatesOnly())}, legacy.Layers(p, legacy.Engine{
		Release: b.c.release, Stage: scope.StageEngine,
		Exceptions: legacy.Exceptions{All: b.all.exempts, Unread: b.unread(legacyExceptionKind), Accepted: b.c.AcceptsExceptions},
	})...)
	made := b.policy(ref, p.Written, r, layers)
	made.FailurePolicy = string(onFailure)
	return made
}

// policy joins the two rooms.
func (b *builder) policy(ref webhooks.Ref, written *unstructured.Unstructured, r *ride, room []scope.Layer) *scope.Policy {
	b.world.doubt(r, b.unread(configKind))
	kind := schema.FromAPIVersionAndKind(written.GetAPIVersion(), written.GetKind()).GroupKind()
	p := &scope.Policy{
		Kind: string(ref.Kind), Namespace: ref.Namespace, Name: ref.Name, Phase: phase(r, ref.Kind), Source: written,
		Origin:       b.o.Origin(kind, ref.Namespace, ref.Name),
		WhenIncluded: r.included, WhenExcluded: scope.NotEvaluated,
		Layers: []scope.Layer{&Served{r, b.report}},
		Beside: b.beside(ref, r), Through: r.observed(),
	}
	for i := range legs {
		p.Layers = append(p.Layers, &Stop{r, i})
	}
	p.Layers = append(p.Layers, room...)
	return p
}

// phase is the stop of a request's way at which the policy is met: the last one of those at which Kyverno is called for
// it.
func phase(r *ride, kind api.Kind) scope.Phase {
	mutating := kind == api.MutatingPolicy || kind == api.NamespacedMutatingPolicy
	if mutating || isLegacy(kind) && r.mutatesOnly() {
		return scope.MutatingWebhooks
	}
	return scope.ValidatingWebhooks
}

// mutatesOnly reports whether all webhooks that serve the policy are mutating ones.
func (r *ride) mutatesOnly() bool {
	validates := func(e *entry) bool { return e.configuration == webhooks.ValidatingName }
	return !r.none() && !slices.ContainsFunc(r.alternatives[0].entries, validates)
}

// included is the effect of a request that passes both rooms. Webhooks that may have side effects refuse a dry run;
// Kyverno's own say that they have none then.
func (r *ride) included(request *scope.Request) scope.Effect {
	safe := func(e *entry) bool { return e.SafeInDryRun() }
	if request.DryRun && !r.none() && !slices.ContainsFunc(r.alternatives[0].entries, safe) {
		return scope.Rejected
	}
	return scope.Evaluated
}

// unread is the fact that objects of a kind could not be read; nil if they could.
func (b *builder) unread(k scope.ObjectKind) *scope.Missing {
	if b.o.Complete(k.GroupKind) {
		return nil
	}
	return &scope.Missing{Path: k.Resource, Fact: "the " + k.Plural + ", which were not read"}
}
