package views

import (
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
)

// mostRules is how many rules of a FlowSchema a sentence says.
const mostRules = 3

// takes says whom and what a FlowSchema takes.
func takes(fs *flowcontrolv1.FlowSchema) Sentence {
	rules := fs.Spec.Rules
	if len(rules) == 0 {
		return Sentence{}.plain("Takes ").strong("nothing").plain(", for it has no rules.")
	}
	s := Sentence{}.plain("Takes ")
	for i := range rules {
		if i == mostRules {
			s = s.plain("; and what ").strong(many(len(rules)-i, "more rule", "more rules")).plain(" say")
			if len(rules)-i == 1 {
				s[len(s)-1].Text += "s"
			}
			break
		}
		if i > 0 {
			s = s.plain("; and ")
		}
		s = s.plain(what(&rules[i]) + " from ").strong(whom(rules[i].Subjects))
	}
	return s.plain(".")
}
