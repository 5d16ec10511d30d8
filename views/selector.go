package views

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/selector"
)

// Chip is one requirement of a selector: key, operator in words, values.
type Chip struct{ Key, Operator, Values, Field string }

// Chips returns the requirements of a selector in the order in which they are written.
func Chips(s *selector.Selector) []Chip {
	chips := make([]Chip, 0, len(s.Requirements))
	for _, r := range s.Requirements {
		chips = append(chips, Chip{Key: r.Key, Operator: operatorWord(r.Operator), Values: list(r.Values, "or"), Field: r.Field})
	}
	return chips
}

// chipsOf returns the requirements of a selector as it is written; one that is absent has none.
func chipsOf(written *metav1.LabelSelector) []Chip {
	if written == nil {
		return nil
	}
	return Chips(selector.New(written, ""))
}

func operatorWord(o metav1.LabelSelectorOperator) string {
	switch o {
	case metav1.LabelSelectorOpIn:
		return "is"
	case metav1.LabelSelectorOpNotIn:
		return "is not"
	case metav1.LabelSelectorOpExists:
		return "exists"
	}
	return "does not exist"
}

func selectorText(written *metav1.LabelSelector) string { return metav1.FormatLabelSelector(written) }

// namespacePhrase continues "Sees CREATE of pods": in namespaces labelled env=prod,
// except in kube-system. A namespace's name is a label too and reads as a name.
func (s Sentence) namespacePhrase(sel *selector.Selector) Sentence {
	var labelled, named, except []string
	for _, r := range sel.Requirements {
		switch {
		case r.Key == corev1.LabelMetadataName && r.Operator == metav1.LabelSelectorOpIn:
			named = append(named, r.Values...)
		case r.Key == corev1.LabelMetadataName && r.Operator == metav1.LabelSelectorOpNotIn:
			except = append(except, r.Values...)
		default:
			labelled = append(labelled, requirementPhrase(r))
		}
	}
	switch {
	case len(named) > 0:
		s = s.plain(" in ").strong(listSome(named, 4))
		if len(labelled) > 0 {
			s = s.plain(", if the namespace is ").strong(list(labelled, "and"))
		}
	case len(labelled) > 0:
		s = s.plain(" in namespaces ").strong(list(labelled, "and"))
	}
	if len(except) > 0 {
		s = s.plain(", except in ").strong(listSome(except, 4))
	}
	return s
}

// objectPhrase continues the sentence with what is asked of the object's labels.
func (s Sentence) objectPhrase(sel *selector.Selector) Sentence {
	var only, unless []string
	for _, r := range sel.Requirements {
		switch r.Operator {
		case metav1.LabelSelectorOpNotIn:
			unless = append(unless, r.Key+"="+list(r.Values, "or"))
		case metav1.LabelSelectorOpDoesNotExist:
			unless = append(unless, r.Key)
		default:
			only = append(only, requirementPhrase(r))
		}
	}
	if len(only) > 0 {
		s = s.plain(", only objects ").strong(list(only, "and"))
	}
	if len(unless) > 0 {
		s = s.plain(", unless the object is labelled ").strong(list(unless, "or"))
	}
	return s
}

func requirementPhrase(r selector.Requirement) string {
	switch r.Operator {
	case metav1.LabelSelectorOpIn:
		return "labelled " + r.Key + "=" + list(r.Values, "or")
	case metav1.LabelSelectorOpNotIn:
		return "not labelled " + r.Key + "=" + list(r.Values, "or")
	case metav1.LabelSelectorOpExists:
		return "labelled " + r.Key
	}
	return "without label " + r.Key
}

// Selection is which namespaces pass a selector.
type Selection struct {
	Pass, Fail []string
}

// Select asks a selector about every namespace.
func Select(s *selector.Selector, namespaces []*corev1.Namespace) Selection {
	var sel Selection
	for _, ns := range namespaces {
		if s.Matches(ns.Labels) {
			sel.Pass = append(sel.Pass, ns.Name)
		} else {
			sel.Fail = append(sel.Fail, ns.Name)
		}
	}
	return sel
}
