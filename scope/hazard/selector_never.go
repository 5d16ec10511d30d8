package hazard

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/ambit-k8s/ambit/scope/selector"
)

var selectorMatchesNothing = Rule{
	Name:    "selector-matches-nothing",
	Summary: "The requirements of a selector contradict each other.",
	Why:     "All requirements must hold together. Where two of them cannot, nothing is ever selected, and the policy looks as if everything were in order.",
	Fix:     "Keep one of the requirements that contradict each other, or put the values of both into one In.",
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			if s := p.namespace.Selector; r.ofNamespaces(s.Extent()).Empty() {
				r.add(v, p.inBinding, Finding{Severity: Warning, Field: s.Field,
					Message: "No namespace can pass the selector, whatever its labels are; only objects outside of namespaces pass."})
			}
			if s := p.object.Selector; s.Extent().Empty() {
				r.add(v, p.inBinding, Finding{Severity: Warning, Field: s.Field,
					Message: "No object can pass the selector, whatever its labels are."})
			}
		})
	},
}

var bindingNeverMatches = Rule{
	Name:    "binding-never-matches",
	Summary: "A binding selects nothing of what its policy selects.",
	Why:     "A request must pass the match of the policy and that of the binding. Where they have nothing in common the policy is bound and yet never evaluated.",
	Fix:     "Let the binding select a part of what the policy selects, or widen the policy.",
	find: func(r *run) {
		r.each(func(v *view) {
			if !v.whole() || v.bound == nil {
				return
			}
			own, bound := v.own, v.bound
			if apart(r.ofNamespaces(own.namespace.Selector.Extent()), r.ofNamespaces(bound.namespace.Selector.Extent())) {
				r.add(v, true, Finding{Severity: Warning, Field: bound.namespace.Selector.Field,
					Message: "No namespace passes both this selector and that of the policy."})
			}
			if apart(own.object.Selector.Extent(), bound.object.Selector.Extent()) {
				r.add(v, true, Finding{Severity: Warning, Field: bound.object.Selector.Field,
					Message: "No object passes both this selector and that of the policy, unless an update changes its labels from the one to the other."})
			}
			if r.rulesApart(v) {
				r.add(v, true, Finding{Severity: Warning, Field: bound.rules.RulesField,
					Message: "No request matches both these rules and those of the policy."})
			}
		})
	},
}

// apart reports whether two selectors that each select something have nothing in common.
func apart(a, b selector.Extent) bool {
	return !a.Empty() && !b.Empty() && a.Disjoint(b)
}

// ofNamespaces narrows an extent to what the labels of a Namespace can be: the API server
// gives every one a label with its name.
func (r *run) ofNamespaces(e selector.Extent) selector.Extent {
	if r.labelsNamespaces() {
		return e.WithKey(corev1.LabelMetadataName)
	}
	return e
}

// nameLabelSince is the version since which the API server labels namespaces (feature gate
// NamespaceDefaultLabelName).
var nameLabelSince = version.MajorMinor(1, 21)

func (r *run) labelsNamespaces() bool {
	return r.Facts.Version == nil || r.Facts.Version.AtLeast(nameLabelSince)
}

var selectorCannotNarrow = Rule{
	Name:    "selector-cannot-narrow",
	Summary: "A namespaceSelector is set where it cannot keep anything out.",
	Why:     "Objects outside of namespaces pass every namespaceSelector. A policy for them that is meant for some namespaces holds for the whole cluster.",
	Fix:     "Leave the selector out, and narrow by objectSelector or by a match condition on the object.",
	anyKind: true,
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			s := p.namespace.Selector
			extent := s.Extent()
			if extent.Err() != nil || extent.Everything() || extent.Empty() {
				return
			}
			if r.ofNamespaces(extent).Equal(r.ofNamespaces(selector.Everything())) {
				r.add(v, p.inBinding, Finding{Severity: Warning, Field: s.Field, Message: "Every namespace passes the selector: the API server gives each one the label " + corev1.LabelMetadataName + ".",
					Fix: "Leave the selector out, or name the namespaces that are meant."})
				return
			}
			if len(v.reach()) == 0 || v.reachesUnknown() {
				return
			}
			for _, at := range v.reach() {
				if at.Namespaced || at.GroupVersionResource.Resource == "namespaces" {
					return
				}
			}
			r.add(v, p.inBinding, Finding{Severity: Warning, Field: s.Field, Message: "All resources of the rules are outside of namespaces, so every object passes the selector."})
		})
	},
}
