package views

import (
	"github.com/ambit-k8s/ambit/scope"
)

// layersOf describes the layers of a policy, those of the policy itself and those of its
// binding apart.
func layersOf(p *scope.Policy) (own, bound []Layer) {
	rooms := isKyverno(p)
	for _, l := range p.Layers {
		v := NewLayer(l)
		if rooms {
			v.Room = roomOf(v.Name)
		}
		for i, x := range v.Excerpts {
			v.Excerpts[i].Text = excerpt(p, x.Field)
		}
		switch v.Name {
		case scope.Exemption, scope.WebhookExemption, scope.Binding:
			// They hold for every policy of the kind, or say that there is no binding; the
			// page says both in words.
		case scope.BindingResourceRules, scope.BindingNamespaceSelector, scope.BindingObjectSelector, scope.Params:
			bound = append(bound, v)
		default:
			own = append(own, v)
		}
	}
	return own, bound
}

// describe says in one sentence what a policy sees.
func describe(p *scope.Policy, own, bound []Layer) Sentence {
	if policyMissing(p) {
		return Sentence{}.plain("A binding to the policy ").quoted(p.Name).plain(", which does not exist: it does nothing.")
	}
	if isKyverno(p) {
		return kyvernoSentence(p, own)
	}
	s := Sentence{}.plain("Sees ").layers(own, "every request")
	if narrows(bound) {
		s = s.plain("; the binding narrows it to ").layers(bound, "requests")
	}
	if p.Entry == "" && !isWebhook(p.Phase) {
		return s.plain("; but ").strong("no binding").plain(" puts it to work.")
	}
	return s.plain("; ").strong(onError(p.FailurePolicy)).plain(".")
}

// layers continues a sentence with what each layer asks for. Anything stands for the
// resource rules where they ask for nothing.
func (s Sentence) layers(layers []Layer, anything string) Sentence {
	ruled := false
	for _, l := range layers {
		if len(l.Rules) > 0 {
			s, ruled = s.strong(rulesPhrase(l.Rules)), true
		} else if len(l.Exclude) > 0 || l.Name == scope.ResourceRules && !l.Narrows {
			s, ruled = s.plain(anything), true
		} else if l.Name == scope.ResourceRules {
			s, ruled = s.strong("no request, for it has no rules"), true
		}
		if len(l.Exclude) > 0 {
			s = s.plain(", but not ").strong(rulesPhrase(l.Exclude))
		}
		if !ruled && l.Narrows && l.Selector != nil {
			s, ruled = s.plain(anything), true
		}
		s = s.asks(l)
	}
	return s
}

// asks continues a sentence with one selector, one list of conditions or one parameter.
func (s Sentence) asks(l Layer) Sentence {
	switch {
	case !l.Narrows:
		return s
	case l.OfNamespace:
		return s.namespacePhrase(l.Selector)
	case l.OfObject:
		return s.objectPhrase(l.Selector)
	case len(l.Conditions) == 1:
		return s.plain(", when the condition ").quoted(l.Conditions[0].Name).plain(" holds")
	case len(l.Conditions) > 1:
		return s.plain(", when ").strong(many(len(l.Conditions), "condition", "conditions")).plain(" hold")
	}
	return s
}

// narrows reports whether any of the layers of a binding that select requests asks for something.
func narrows(bound []Layer) bool {
	for _, l := range bound {
		if l.Narrows && l.Name != scope.Params {
			return true
		}
	}
	return false
}

// policyMissing reports whether a binding names a policy that is not there.
func policyMissing(p *scope.Policy) bool { return p.Source == nil && p.Entry != "" }

// unbound reports whether an admission policy has no binding.
func unbound(p *scope.Policy) bool { return p.Entry == "" && !isWebhook(p.Phase) }
