package legacy

import "fmt"

// Block is a match or exclude block as a rule writes it.
type Block struct {
	// Rule is the name of the rule, and Field the place of the block in the policy.
	Rule, Field string
}

// Blocks returns the match blocks of the rules that are written, in their order.
func (l *matchLayer) Blocks() []Block { return l.blocks("match", func(*rule) bool { return true }) }

// Blocks returns the exclude blocks of the rules that are written and have one, in their order.
func (l *excludeLayer) Blocks() []Block {
	return l.blocks("exclude", func(r *rule) bool { return r.Exclude != nil })
}

func (o *room) blocks(name string, has func(*rule) bool) []Block {
	var all []Block
	for _, r := range o.rules {
		if !r.Derived() && has(r) {
			all = append(all, Block{r.Name, fmt.Sprintf("spec.rules[%d].%s", r.Index, name)})
		}
	}
	return all
}

// Exceptions returns the names of the exceptions that name rules of the policy, as namespace/name.
func (l *exceptionsLayer) Exceptions() []string {
	var names []string
	for _, e := range l.exceptions {
		names = append(names, e.Namespace+"/"+e.Name)
	}
	return names
}

// Controllers are the kinds that rules for Pods are extended to.
func (l *matchLayer) Controllers() []string { return l.controllers }
