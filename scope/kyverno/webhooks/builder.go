package webhooks

import (
	"cmp"
	"maps"
	"path"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/autogen"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
)

// builder works out one prediction.
type builder struct {
	in     Input
	config *config.Config
	// policies are sorted by kind, namespace and name, the last one of a name standing for all, as in a cluster. The
	// controller lists them in the order of a Go map; what depends on that is said aloud where it does.
	policies []*api.Policy
	entries  []*Entry
	orders   []*Order
	groups   []*group
	findings []Finding
}

func newBuilder(in Input) *builder {
	b := &builder{in: in, config: in.Config}
	if b.config == nil {
		b.config = &config.Config{}
	}
	latest := map[Ref]*api.Policy{}
	for _, p := range in.Policies {
		latest[RefOf(p)] = p
	}
	b.policies = slices.SortedFunc(maps.Values(latest), func(p, q *api.Policy) int {
		return cmp.Or(cmp.Compare(p.Kind, q.Kind), cmp.Compare(p.Namespace, q.Namespace), cmp.Compare(p.Name, q.Name))
	})
	return b
}

// build makes the webhooks of one call (buildWebhookRules).
func (b *builder) build(c call) {
	var basic []*api.Policy
	for _, p := range b.policies {
		switch {
		case !c.takes(p):
		case fineGrained(p):
			b.entries = append(b.entries, b.alone(c, p))
		default:
			basic = append(basic, p)
		}
	}
	if b.in.Release.Grouped() {
		b.grouped(c, basic)
	} else {
		b.shared(c, basic)
	}
}

// fineGrained reports whether a policy gets a webhook of its own: its conditions can all stand in a webhook, or it asks
// for what a webhook has only one of.
func fineGrained(p *api.Policy) bool {
	policy := p.Match().MatchPolicy
	return valid(p.Spec.MatchConditions) != nil || policy != nil && *policy == v1.Exact || p.Timeout() != nil
}

// alone is the webhook of one policy.
func (b *builder) alone(c call, p *api.Policy) *Entry {
	e := b.entry(c, b.failurePolicy(p), "-finegrained-"+b.nameOf(p), path.Join(c.path, p.Name), b.selectorsOf(p))
	e.FineGrained, e.Members, e.Givers = true, []Ref{RefOf(p)}, []Ref{RefOf(p)}
	conditions := b.offloaded(valid(p.Spec.MatchConditions))
	if generates(c.kind) && p.Spec.Evaluation != nil && p.Spec.Evaluation.Synchronize.On(false) && b.in.Release.Grouped() {
		conditions = onCreate(conditions)
	}
	if autogen.Possible(p.Spec.MatchConstraints, b.in.Release) {
		conditions = autogen.Wrap("", []autogen.Target{autogen.Pods}, conditions)
	}
	e.Conditions = conditions
	rules := b.own(c, p)
	for _, d := range b.derived(c, p, true) {
		e.Conditions = slices.Concat(e.Conditions, autogen.Wrap(d.Name, d.Targets, b.offloaded(valid(d.Conditions))))
		rules = append(rules, rulesOf(d.Match)...)
	}
	b.setRules(c, e, rules)
	if policy := p.Match().MatchPolicy; policy != nil && *policy == v1.Exact && !c.mutating {
		// The mutating webhooks are made of validating ones, and lose their matchPolicy on the way.
		e.MatchPolicy = policy
	}
	e.TimeoutSeconds = p.Timeout()
	return e
}

// nameOf is the policy in the name of its webhook. A namespace in it makes a-b/c and a/b-c the same.
func (b *builder) nameOf(p *api.Policy) string {
	if p.Namespace != "" && b.in.Release.Sorted() {
		return p.Namespace + "-" + p.Name
	}
	return p.Name
}
