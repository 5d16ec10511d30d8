package legacy

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
)

// maxTimeout is what the API server allows, in seconds; Kyverno asks for no more.
const maxTimeout = 30

// Webhooks works out the webhooks of legacy policies (pkg/controllers/webhook/controller.go,
// buildForPoliciesValidation and buildForPoliciesMutation). It does not know --autoUpdateWebhooks=false, which has
// nothing to do with policies.
func Webhooks(in Input) Prediction {
	if in.Config == nil {
		in.Config = &config.Config{}
	}
	var p Prediction
	for _, mutating := range []bool{false, true} {
		b := builder{Input: &in, mutating: mutating}
		p.Webhooks = append(p.Webhooks, b.build()...)
		p.Unresolved = append(p.Unresolved, b.unresolved...)
	}
	slices.SortStableFunc(p.Unresolved, func(a, b Unresolved) int {
		return cmp.Or(cmp.Compare(slices.Index(in.Policies, a.Policy), slices.Index(in.Policies, b.Policy)), cmp.Compare(a.Kind, b.Kind))
	})
	p.Unresolved = slices.Compact(p.Unresolved)
	return p
}

// builder makes the webhooks of one configuration.
type builder struct {
	*Input
	mutating   bool
	unresolved []Unresolved
}

// pending is a webhook in the making.
type pending struct {
	*Webhook
	entries entries
}

func (b *builder) build() []*Webhook {
	shared := map[v1.FailurePolicyType]*pending{v1.Ignore: b.pending(v1.Ignore, nil), v1.Fail: b.pending(v1.Fail, nil)}
	alone := map[v1.FailurePolicyType][]*pending{}
	for _, p := range b.Policies {
		if !Admits(p) || !qualifies(p, b.mutating) {
			continue
		}
		failure := FailurePolicy(p, b.Flags)
		into := shared[failure]
		if FineGrained(p) {
			into = b.pending(failure, p)
			alone[failure] = append(alone[failure], into)
		}
		b.merge(into, p)
	}
	all := slices.Concat([]*pending{shared[v1.Ignore], shared[v1.Fail]}, alone[v1.Ignore], alone[v1.Fail])
	var done []*Webhook
	for _, w := range all {
		if len(w.entries) == 0 {
			continue
		}
		w.Rules = w.entries.rules()
		w.TimeoutSeconds = min(w.TimeoutSeconds, maxTimeout)
		done = append(done, w.Webhook)
	}
	return done
}

// pending begins a webhook: for one policy alone, or with nil for all that share it. The match conditions of a policy
// take the place of those of the ConfigMap.
func (b *builder) pending(failure v1.FailurePolicyType, alone *api.Legacy) *pending {
	w := &Webhook{
		Mutating: b.mutating, Base: "validate.kyverno.svc", Path: "/validate", FailurePolicy: failure, FineGrained: alone != nil,
		NamespaceSelector: b.Config.NamespaceSelector, ObjectSelector: b.Config.ObjectSelector, MatchConditions: b.Config.MatchConditions,
		TimeoutSeconds: b.Flags.Timeout(), SideEffects: v1.SideEffectClassNoneOnDryRun,
	}
	if w.ObjectSelector == nil {
		w.ObjectSelector = &metav1.LabelSelector{}
	}
	if b.mutating {
		w.Base, w.Path = "mutate.kyverno.svc", "/mutate"
	} else if b.Flags.NoAdmissionReports {
		w.SideEffects = v1.SideEffectClassNone
	}
	word := strings.ToLower(string(failure))
	w.Name, w.Path = w.Base+"-"+word, w.Path+"/"+word
	if alone != nil {
		w.Name += "-finegrained-" + joined(alone, "-")
		w.Path += "/finegrained/" + joined(alone, "/")
		w.MatchConditions = alone.Spec.Webhook.MatchConditions
	}
	return &pending{Webhook: w, entries: entries{}}
}

// joined is the policy's name, after its namespace if it has one.
func joined(p *api.Legacy, separator string) string {
	if p.Namespace == "" {
		return p.Name
	}
	return p.Namespace + separator + p.Name
}

// merge adds what a policy wants to be asked about (mergeWebhook).
func (b *builder) merge(into *pending, p *api.Legacy) {
	own := entries{}
	wanted := asks(p, b.Release, b.mutating)
	for _, written := range sets.List(sets.KeySet(wanted)) {
		places := b.resolve(p, written)
		for operation := range wanted[written] {
			for _, e := range places {
				e.operation = operation
				own[e] = struct{}{}
			}
		}
	}
	if seconds := timeout(p); seconds != nil {
		into.TimeoutSeconds = max(into.TimeoutSeconds, *seconds)
	}
	if len(own) > 0 {
		into.Policies = append(into.Policies, p)
		maps.Copy(into.entries, own)
	}
}

// resolve finds the resources of a kind. Every kind at once is not looked up: it stands for all resources there will
// ever be, those of a Policy in namespaces only.
func (b *builder) resolve(p *api.Legacy, written string) []entry {
	s := kind.Parse(written)
	if s.Kind == "*" {
		scope := v1.AllScopes
		if namespaced(p) {
			scope = v1.NamespacedScope
		}
		return []entry{{group: s.Group, version: s.Version, resource: "*", subresource: s.Subresource, scope: scope}}
	}
	if b.Resources == nil {
		b.unresolved = append(b.unresolved, Unresolved{p, written, true})
		return nil
	}
	var found []entry
	for _, r := range s.Find(b.Resources) {
		scope := v1.AllScopes
		if r.Namespaced {
			scope = v1.NamespacedScope
		}
		found = append(found, entry{group: r.Group, version: r.Version, resource: r.Resource, subresource: r.Subresource, scope: scope})
	}
	if len(found) == 0 {
		b.unresolved = append(b.unresolved, Unresolved{p, written, false})
	}
	return found
}
