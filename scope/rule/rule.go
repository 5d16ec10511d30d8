// Package rule holds the layer that reads which resource a request is for: resource
// rules, exclude rules and resource names. The decision is taken with the API server's
// own rule matcher; which dimension of a rule failed is found by asking that matcher
// again with all other dimensions opened.
package rule

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"

	"github.com/ambit-k8s/ambit/scope"
)

// Rules is the layer of resource rules.
type Rules struct {
	// Rules are the rules as the API server has them; Exclude take precedence over them.
	// Webhooks have neither exclude rules nor resource names.
	Rules   []v1.NamedRuleWithOperations
	Exclude []v1.NamedRuleWithOperations
	// MatchPolicy is Equivalent or Exact; nil acts as Exact, as upstream.
	MatchPolicy *v1.MatchPolicyType
	// EmptyMatches says that no rules at all match everything, as in bindings; a webhook
	// without rules is never called.
	EmptyMatches bool
	// GeneratedNames lets a rule with names match a request without one if the object's generateName begins with one of
	// them, as Kyverno does (pkg/cel/matching/matcher.go, matchesGeneratedName).
	GeneratedNames bool
	// Broken fails every request: the policy has no match constraints at all.
	Broken error
	// Fields are the paths of the two lists in the policy.
	RulesField, ExcludeField string

	name    scope.LayerName
	stage   scope.Stage
	onError scope.Effect

	opening, keying sync.Once
	opened          *Rules
	key             string
}

// Place puts the layer into a policy: its name, its stage, and what an error does.
func (l *Rules) Place(name scope.LayerName, stage scope.Stage, onError scope.Effect) *Rules {
	l.name, l.stage, l.onError = name, stage, onError
	return l
}

// Name implements scope.Layer.
func (l *Rules) Name() scope.LayerName { return l.name }

// found is what a list of rules said: which rule matched, and as which resource.
type found struct {
	index   int
	matched scope.Matched
}

// detail is the layer's note in a step.
type detail struct {
	// excluded is the exclude rule that decides, or would decide under the right name.
	excluded *found
	included *found
}

// Decide implements scope.Layer. It follows plugin/policy/matching/matching.go (Matches)
// and plugin/webhook/generic/webhook.go (ShouldCallHook), which agree on rules.
func (l *Rules) Decide(_ context.Context, q scope.Question) scope.Step {
	d := &detail{}
	step := scope.Step{Outcome: scope.NoMatch, Stage: l.stage, Detail: d}
	if l.Broken != nil {
		return l.failed(step, l.Broken)
	}
	var err error
	var nameOpen bool
	if d.excluded, nameOpen, err = l.match(l.Exclude, q); err != nil {
		return l.failed(step, err)
	}
	if d.excluded != nil && !nameOpen {
		return step
	}
	excludeOpen := d.excluded
	d.excluded = nil
	if len(l.Rules) > 0 {
		if d.included, nameOpen, err = l.match(l.Rules, q); err != nil {
			return l.failed(step, err)
		}
		if d.included == nil {
			return step
		}
		if l.stage == scope.StageMatch {
			// The version in which a policy sees the object follows from its own rules; what the
			// binding's rules match is dropped (plugin/policy/generic/policy_matcher.go).
			step.Matched = &d.included.matched
		}
	} else if !l.EmptyMatches {
		return step
	}
	if d.excluded = excludeOpen; excludeOpen != nil || nameOpen {
		return open(step, q)
	}
	step.Outcome = scope.Match
	return step
}

func (l *Rules) failed(step scope.Step, err error) scope.Step {
	step.Outcome, step.Err, step.OnError = scope.Failed, err, l.onError
	return step
}

func open(step scope.Step, q scope.Question) scope.Step {
	step.Outcome = scope.Open
	step.Missing = []scope.Missing{openName(q)}
	return step
}

// match finds the first rule that matches, first with the resource as requested, then,
// under Equivalent, rule by rule with its equivalents in registration order. A rule that
// fails on the name alone counts as open while the name is open, unless another rule
// matches outright.
func (l *Rules) match(list []v1.NamedRuleWithOperations, q scope.Question) (f *found, nameOpen bool, err error) {
	if len(list) == 0 {
		return nil, false, nil
	}
	attr := q.Attributes
	var maybe *found
	for i, r := range list {
		if !matches(r, attr) {
			continue
		}
		f := &found{i, scope.Matched{Resource: attr.GetResource(), Kind: attr.GetKind()}}
		if l.named(r, attr) {
			return f, false, nil
		}
		if maybe == nil {
			maybe = f
		}
	}
	if l.MatchPolicy != nil && *l.MatchPolicy == v1.Equivalent && q.Facts.Resources != nil {
		mapper := q.Facts.Resources.Equivalents()
		equivalents := mapper.EquivalentResourcesFor(attr.GetResource(), attr.GetSubresource())
		for i, r := range list {
			for _, equivalent := range equivalents {
				if equivalent == attr.GetResource() || !matches(r, as{attr, equivalent}) {
					continue
				}
				kind := mapper.KindFor(equivalent, attr.GetSubresource())
				if kind.Empty() {
					return nil, false, fmt.Errorf("unable to convert to %v: unknown kind", equivalent)
				}
				f := &found{i, scope.Matched{Resource: equivalent, Kind: kind}}
				if l.named(r, attr) {
					return f, false, nil
				}
				if maybe == nil {
					maybe = f
				}
			}
		}
	}
	if maybe != nil && isOpen(q.Open, "request.name") {
		return maybe, true, nil
	}
	return nil, false, nil
}

// ReadsOnlyResource implements scope.ResourceLayer: rules without resource names look at
// nothing but the resource.
func (l *Rules) ReadsOnlyResource() bool {
	for _, list := range [][]v1.NamedRuleWithOperations{l.Rules, l.Exclude} {
		for _, r := range list {
			if len(r.ResourceNames) > 0 {
				return false
			}
		}
	}
	return true
}

func matches(r v1.NamedRuleWithOperations, attr admission.Attributes) bool {
	m := rules.Matcher{Rule: r.RuleWithOperations, Attr: attr}
	return m.Matches()
}

// named reports whether a rule is for the name of a request.
func (l *Rules) named(r v1.NamedRuleWithOperations, attr admission.Attributes) bool {
	if named(r, attr.GetName()) {
		return true
	}
	if !l.GeneratedNames || attr.GetName() != "" {
		return false
	}
	object, err := meta.Accessor(attr.GetObject())
	return err == nil && slices.ContainsFunc(r.ResourceNames, func(name string) bool {
		return strings.HasPrefix(object.GetGenerateName(), name)
	})
}

func named(r v1.NamedRuleWithOperations, name string) bool {
	return len(r.ResourceNames) == 0 || slices.Contains(r.ResourceNames, name)
}

// as is a request with another resource in its place.
type as struct {
	admission.Attributes
	resource schema.GroupVersionResource
}

func (a as) GetResource() schema.GroupVersionResource { return a.resource }

func isOpen(open []scope.Missing, path string) bool {
	for _, m := range open {
		if m.Path == path {
			return true
		}
	}
	return false
}

func openName(q scope.Question) scope.Missing {
	for _, m := range q.Open {
		if m.Path == "request.name" {
			return m
		}
	}
	return scope.Missing{Path: "request.name", Fact: "the name"}
}
