package hazard

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

// cheap are the functions whose cost does not grow with an object, or so slowly that no object
// that the API server accepts brings an expression near its limit
// (k8s.io/apiserver/pkg/apis/cel, PerCallLimit; k8s.io/apiserver/pkg/cel/library, CostEstimator).
var cheap = []string{
	operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional,
	operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater,
	operators.GreaterEquals, operators.NotStrictlyFalse,
	operators.In, operators.Index, operators.OptIndex, operators.OptSelect, operators.Add, operators.Negate,
	"size", "startsWith", "endsWith", "string", "int", "dyn", "type",
	"optional.of", "optional.none", "hasValue", "value", "orValue", "or",
}

// affordable reports whether an expression is certain to be evaluated within its cost limit,
// for every request of a sort. What is not evaluated, because something before it decides,
// costs nothing.
func (r *run) affordable(v *view, at *reached, p probe, expression string) bool {
	tree := r.world.parse(expression)
	return tree == nil || r.affords(v, at, p, tree, tree.Expr())
}

func (r *run) affords(v *view, at *reached, p probe, tree *ast.AST, e ast.Expr) bool {
	if at.bounds(e) {
		return true
	}
	args, function, ok := call(e, operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional)
	if !ok {
		return false
	}
	said := func(e ast.Expr) scope.StepOutcome { return r.says(v, at, p, written(e, tree)) }
	switch function {
	case operators.LogicalNot:
		return r.affords(v, at, p, tree, args[0])
	case operators.Conditional:
		if !r.affords(v, at, p, tree, args[0]) {
			return false
		}
		first := said(args[0])
		return (first == scope.NoMatch || r.affords(v, at, p, tree, args[1])) &&
			(first == scope.Match || r.affords(v, at, p, tree, args[2]))
	}
	decides := scope.Match
	if function == operators.LogicalAnd {
		decides = scope.NoMatch
	}
	for _, arg := range args {
		if !r.affords(v, at, p, tree, arg) {
			return false
		}
		if said(arg) == decides {
			return true
		}
	}
	return true
}

// maxRounds bounds how often the loops over lists that are written out may run together.
const maxRounds = 1000

// bounds reports whether the cost of an expression as a whole does not grow with an object.
func (s *sort) bounds(e ast.Expr) bool {
	bounded, loops, rounds := true, 0, 1
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.ComprehensionKind:
			switch over := e.AsComprehension().IterRange(); {
			case over.Kind() == ast.ListKind:
				rounds *= max(1, over.AsList().Size())
			case ofRequest(over):
				loops++
			default:
				bounded = bounded && s.ofNull(over)
			}
			bounded = bounded && loops < 2 && rounds <= maxRounds
		case ast.CallKind:
			c := e.AsCall()
			short := c.IsMemberFunction() && (ofRequest(c.Target()) || s.ofNull(c.Target()))
			bounded = bounded && (short || slices.Contains(cheap, c.FunctionName()))
		}
	}))
	return bounded
}

// ofRequest reports whether a value is one of the request itself, which is no longer than the
// names in it.
func ofRequest(e ast.Expr) bool {
	path, ok := pathOf(e, map[int64]bool{})
	return ok && len(path) > 1 && path[0] == "request" && path[1] != "options"
}

// ofNull reports whether a value is a field of an object that is null: reading it is an error
// at once.
func (s *sort) ofNull(e ast.Expr) bool {
	path, ok := pathOf(e, map[int64]bool{})
	if !ok || len(path) < 2 {
		return false
	}
	switch path[0] {
	case "object":
		return s.operation == admission.Delete
	case "oldObject":
		return s.operation == admission.Create || s.operation == admission.Connect
	}
	return false
}
