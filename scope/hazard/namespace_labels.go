package hazard

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/selector"
)

var namespaceNameAsLabel = Rule{
	Name:    "namespace-name-as-label",
	Summary: "A namespaceSelector looks for the name of a namespace in a label that does not carry it.",
	Why:     "A selector reads labels and not names. Where no namespace has the label, In selects nothing and NotIn keeps nothing out.",
	Fix:     "Use the key kubernetes.io/metadata.name, which the API server sets to the name of every namespace.",
	anyKind: true,
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			for _, requirement := range p.namespace.Selector.Requirements {
				if severity, message := r.namesAsValues(requirement); message != "" {
					r.add(v, p.inBinding, Finding{Severity: severity, Field: requirement.Field, Message: message})
				}
			}
		})
	},
}

// madeByServer are namespaces that the API server creates, without a label but that of
// their names (k8s.io/kubernetes/pkg/controlplane/controller/systemnamespaces).
var madeByServer = []string{metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease}

// namesAsValues says what is wrong with a requirement whose values are names of namespaces.
func (r *run) namesAsValues(q selector.Requirement) (Severity, string) {
	if q.Key == corev1.LabelMetadataName || q.Operator != metav1.LabelSelectorOpIn && q.Operator != metav1.LabelSelectorOpNotIn {
		return "", ""
	}
	var names []string
	for _, value := range q.Values {
		if _, presence := r.namespace(value); presence == scope.Present || presence == scope.NotKnown && slices.Contains(madeByServer, value) {
			names = append(names, value)
		}
	}
	switch {
	case len(names) == 0:
		return "", ""
	case r.allNamespaces() && !r.carried(q.Key):
		return Warning, fmt.Sprintf("No namespace has a label %s; %s is the name of one.", q.Key, strings.Join(names, ", "))
	case !r.allNamespaces() && strings.HasSuffix(q.Key, "name"):
		return Info, fmt.Sprintf("%s is the name of a namespace, and the API server does not write it into the label %s; it is there only if somebody put it there.", strings.Join(names, ", "), q.Key)
	}
	return "", ""
}

// namespace looks a namespace up.
func (r *run) namespace(name string) (*corev1.Namespace, scope.Presence) {
	if r.Facts.Namespaces == nil {
		return nil, scope.NotKnown
	}
	return r.Facts.Namespaces.Namespace(name)
}

// allNamespaces reports whether there are no namespaces but those that are known.
func (r *run) allNamespaces() bool {
	_, presence := r.namespace("")
	return presence == scope.Absent && len(r.Namespaces) > 0
}

// carried reports whether a known namespace has a label.
func (r *run) carried(key string) bool {
	return slices.ContainsFunc(r.Namespaces, func(ns *corev1.Namespace) bool { _, ok := ns.Labels[key]; return ok })
}

var notInAbsentKey = Rule{
	Name:    "not-in-absent-key",
	Summary: "NotIn lets namespaces pass that do not have the label at all.",
	Why:     "NotIn is true where the label is absent. Namespaces that nobody has classified are then treated like those that were classified and are meant.",
	Fix:     "Add Exists for the same key if unlabelled namespaces are not meant, or label them.",
	anyKind: true,
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			for _, requirement := range p.namespace.Selector.Requirements {
				if requirement.Operator != metav1.LabelSelectorOpNotIn {
					continue
				}
				if requirement.Key == corev1.LabelMetadataName && !r.labelsNamespaces() {
					r.add(v, p.inBinding, Finding{Severity: Warning, Field: requirement.Field, Message: "API servers before 1.21 do not give namespaces the label " + corev1.LabelMetadataName + ", so it keeps nothing out.",
						Fix: "Label the namespaces that are to be left out yourself."})
					continue
				}
				if message := r.unclassified(p.namespace.Selector, requirement); message != "" {
					r.add(v, p.inBinding, Finding{Severity: Info, Field: requirement.Field, Message: message})
				}
			}
		})
	},
}

// unclassified says which namespaces pass a NotIn only because they lack a label that others
// have with a value that passes, too: a label that classifies, and not one that exempts.
func (r *run) unclassified(s *selector.Selector, q selector.Requirement) string {
	if !r.allNamespaces() {
		return ""
	}
	classified := false
	var without []string
	for _, ns := range r.Namespaces {
		value, has := ns.Labels[q.Key]
		classified = classified || has && !slices.Contains(q.Values, value)
		if !has && s.Matches(ns.Labels) {
			without = append(without, ns.Name)
		}
	}
	if !classified || len(without) == 0 {
		return ""
	}
	return fmt.Sprintf("%s without the label %s %s: %s.", plural(len(without), "namespace"), q.Key, verb(len(without), "passes", "pass"), some(without))
}

var noNamespaceMatches = Rule{
	Name:    "no-namespace-matches",
	Summary: "No namespace that exists passes the selectors of a policy.",
	Why:     "Nothing in a namespace is reached until somebody labels one. A misspelt key or value looks the same.",
	Fix:     "Compare the selector with the labels of the namespaces that are meant.",
	anyKind: true,
	find: func(r *run) {
		r.each(func(v *view) {
			selects := r.ofNamespaces(v.selects().Namespace)
			if len(v.parts()) == 0 || !r.allNamespaces() || selects.Err() != nil || selects.Empty() || !v.reachesNamespaces() {
				return
			}
			for _, ns := range r.Namespaces {
				if selects.Has(ns.Labels) {
					return
				}
			}
			p := v.parts()[len(v.parts())-1]
			if p.namespace.Selector.Empty() {
				p = v.parts()[0]
			}
			for _, requirement := range p.namespace.Selector.Requirements {
				if _, said := r.namesAsValues(requirement); said != "" {
					return
				}
			}
			r.add(v, p.inBinding, Finding{Severity: Info, Field: p.namespace.Selector.Field,
				Message: fmt.Sprintf("Of %s none passes.", plural(len(r.Namespaces), "namespace"))})
		})
	},
}

// reachesNamespaces reports whether the policy reaches anything in a namespace.
func (v *view) reachesNamespaces() bool {
	return slices.ContainsFunc(v.reach(), func(at *reached) bool { return at.Namespaced })
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// some lists names, and not more than anybody reads.
func some(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
