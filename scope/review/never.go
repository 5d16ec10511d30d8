package review

import (
	"context"
	"fmt"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/rule"
)

// never says why no request meets the policy on any of the sides that have it; empty if that is
// not proven.
func (p *pair) never(ctx context.Context) (why string) {
	for _, side := range []*scope.Policy{p.before, p.after} {
		if side == nil {
			continue
		}
		if why = never(ctx, side); why == "" {
			return ""
		}
	}
	return why
}

// never says why a policy is met by no request at all, if one of its layers proves that; empty
// if none does.
func never(ctx context.Context, p *scope.Policy) string {
	for _, l := range p.Layers {
		empty := false
		switch l := l.(type) {
		case selecting:
			// A namespaceSelector is not asked about objects outside of namespaces.
			empty = !l.OfNamespaces() && l.Extent().Empty()
		case *rule.Rules:
			empty = len(l.Rules) == 0 && !l.EmptyMatches && l.Broken == nil
		default:
			empty = l.Name() == scope.Binding && l.Decide(ctx, scope.Question{}).Outcome == scope.NoMatch
		}
		if empty {
			return fmt.Sprintf("No request met it, and none does: %s lets nothing pass.", l.Name())
		}
	}
	return ""
}
