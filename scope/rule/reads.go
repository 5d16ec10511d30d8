package rule

import (
	"encoding/json"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// Reads implements scope.Reader: rules read the name only to compare it with those that
// they list. With GeneratedNames a request without a name is told from all others, and its
// object's generateName is read.
func (l *Rules) Reads(q scope.Question) scope.Reads {
	if l.ReadsOnlyResource() {
		return scope.Reads{}
	}
	tests := []scope.Test{}
	for _, list := range [][]v1.NamedRuleWithOperations{l.Rules, l.Exclude} {
		for _, r := range list {
			for _, name := range r.ResourceNames {
				tests = append(tests, scope.Test{Text: name})
			}
		}
	}
	if !l.GeneratedNames || q.Attributes.GetName() != "" {
		return scope.Reads{Name: true, NameTests: tests}
	}
	object := &scope.Part{}
	object.At("metadata", "generateName").Whole = true
	return scope.Reads{Name: true, NameTests: append(tests, scope.Test{}), Object: object}
}

// NamesResource implements scope.Namer: a rule names a resource if it would match some
// request for it, whatever the operation, the name and the scope.
func (l *Rules) NamesResource(q scope.Question) bool {
	if len(l.Rules) == 0 {
		return l.EmptyMatches && l.Broken == nil
	}
	l.opening.Do(l.open)
	found, _, err := l.opened.match(l.opened.Rules, q)
	return found != nil || err != nil
}

// open makes the rules that leave open everything but the resource.
func (l *Rules) open() {
	l.opened = &Rules{MatchPolicy: l.MatchPolicy}
	for _, r := range l.Rules {
		named := v1.NamedRuleWithOperations{RuleWithOperations: r.RuleWithOperations}
		named.Operations, named.Scope = []v1.OperationType{v1.OperationAll}, nil
		l.opened.Rules = append(l.opened.Rules, named)
	}
}

// Key implements scope.Keyed.
func (l *Rules) Key() string {
	l.keying.Do(func() {
		if l.Broken != nil {
			return
		}
		text, err := json.Marshal([]any{l.name, l.stage, l.onError, l.EmptyMatches, l.GeneratedNames, l.MatchPolicy, l.Rules, l.Exclude})
		if err == nil {
			l.key = string(text)
		}
	})
	return l.key
}
