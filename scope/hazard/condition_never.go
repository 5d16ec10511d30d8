package hazard

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/selector"
)

var conditionsContradict = Rule{
	Name:    "conditions-contradict",
	Summary: "Match conditions that cannot all be true.",
	Why:     "All match conditions must hold together. Where they cannot, the policy is never evaluated and the webhook never called.",
	Fix:     "Put alternatives into one condition with ||, or remove the one that is not meant.",
	find: func(r *run) {
		r.each(func(v *view) {
			if !v.hasConditions() {
				return
			}
			claims := map[string]claim{}
			for i, tree := range r.world.treesOf(v.conditions) {
				if tree == nil {
					return
				}
				field := v.conditions.Conditions[i].Field
				for _, c := range claimsOf(tree.Expr(), tree, field) {
					before, again := claims[c.about]
					if !again {
						claims[c.about] = c
						continue
					}
					both := before.allows.And(c.allows)
					if both.Empty() {
						r.add(v, false, Finding{Severity: Warning, Field: field,
							Message: fmt.Sprintf("What it says of %s contradicts %s.", c.about, sayWhere(before.field, field))})
						return
					}
					before.allows = both
					claims[c.about] = before
				}
			}
		})
	},
}

func sayWhere(other, field string) string {
	if other == field {
		return "what it says before"
	}
	return other
}

// claim is one thing that must be so for a condition to hold: what an expression may be.
type claim struct {
	about  string
	allows selector.Extent
	field  string
}

// claimsOf takes a condition apart into claims that must all hold: comparisons with literal
// texts, and expressions that are taken as they are or negated. What is neither is left out.
func claimsOf(e ast.Expr, tree *ast.AST, field string) []claim {
	if args, _, ok := call(e, operators.LogicalAnd); ok {
		return append(claimsOf(args[0], tree, field), claimsOf(args[1], tree, field)...)
	}
	negated := false
	for {
		args, _, ok := call(e, operators.LogicalNot)
		if !ok {
			break
		}
		negated, e = !negated, args[0]
	}
	if args, _, ok := call(e, operators.LogicalOr); ok && negated {
		return append(claimsOf(not(args[0]), tree, field), claimsOf(not(args[1]), tree, field)...)
	}
	about, values, operator, ok := comparison(e, tree)
	if !ok {
		about, values, operator = written(e, tree), []string{"true"}, metav1.LabelSelectorOpIn
	}
	if about == "" {
		return nil
	}
	if negated {
		operator = map[metav1.LabelSelectorOperator]metav1.LabelSelectorOperator{metav1.LabelSelectorOpIn: metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpNotIn: metav1.LabelSelectorOpIn}[operator]
	}
	one := selector.Requirement{Key: about, Operator: operator, Values: values}
	return []claim{{about, one.Extent(), field}}
}

// not negates an expression. Where it stands does not matter.
func not(e ast.Expr) ast.Expr {
	return ast.NewExprFactory().NewCall(0, operators.LogicalNot, e)
}

// comparison reads what an expression says of another: which literal texts it may be.
func comparison(e ast.Expr, tree *ast.AST) (about string, values []string, operator metav1.LabelSelectorOperator, ok bool) {
	args, function, ok := call(e, operators.Equals, operators.NotEquals, operators.In)
	if !ok {
		return "", nil, "", false
	}
	operator = metav1.LabelSelectorOpIn
	if function == operators.NotEquals {
		operator = metav1.LabelSelectorOpNotIn
	}
	if function == operators.In {
		if args[1].Kind() != ast.ListKind {
			return "", nil, "", false
		}
		for _, element := range args[1].AsList().Elements() {
			value, isText := text(element)
			if !isText {
				return "", nil, "", false
			}
			values = append(values, value)
		}
		return written(args[0], tree), values, operator, true
	}
	for i := range args {
		if value, isText := text(args[1-i]); isText {
			return written(args[i], tree), []string{value}, operator, true
		}
	}
	return "", nil, "", false
}

// written is an expression as text, the same for all ways to write it. It is empty for one
// that cannot be written, or whose value is not the same each time.
func written(e ast.Expr, tree *ast.AST) string {
	if e.Kind() == ast.LiteralKind {
		return ""
	}
	text, err := cel.ExprToString(e, tree.SourceInfo())
	if err != nil {
		return ""
	}
	return strings.TrimSpace(text)
}

var conditionsNeverPass = Rule{
	Name:    "conditions-never-pass",
	Summary: "Match conditions keep out every request that the rules match.",
	Why:     "The rules and the conditions have nothing in common: the conditions ask for another resource or operation than the rules do. The policy is never evaluated.",
	Fix:     "Compare the conditions with the rules: the operation, the kind and the resource that they ask for.",
	find: func(r *run) {
		r.each(func(v *view) {
			if !r.conditionsAnswer(v) || v.reachesUnknown() || len(v.reach()) == 0 {
				return
			}
			field := ""
			for _, at := range v.reach() {
				j := r.ask(v.conditions, v, at, probe{object: kindOnly})
				if j.Outcome != scope.NoMatch {
					return
				}
				if field == "" {
					field = j.refusing(r)
				}
			}
			r.add(v, false, Finding{Severity: Warning, Field: field, Message: "It is false for every request that the rules match."})
		})
	},
}

// refusing returns the first condition that is false.
func (j judged) refusing(r *run) string {
	for _, reason := range j.conditions.Explain(r.ctx, j.q, j.Step) {
		if reason.Outcome == scope.NoMatch {
			return reason.Field
		}
	}
	return j.conditions.Conditions[0].Field
}
