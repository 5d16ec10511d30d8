package condition

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/ambit-k8s/ambit/scope"
)

// variables are the names under which an expression can reach the request.
var variables = []string{"object", "oldObject", "request", "namespaceObject", "params", "authorizer", "authorizer.requestResource"}

// reads lists the paths that an expression reads: the longest chain of fields from each
// mention of a variable. A comprehension over a field reads the field whole.
func reads(a *ast.AST) [][]string {
	var paths [][]string
	inner := map[int64]bool{}
	ast.PreOrderVisit(a.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if inner[e.ID()] {
			return
		}
		if path, ok := pathOf(e, inner); ok {
			paths = append(paths, path)
		}
	}))
	return paths
}

// pathOf writes a chain of fields as a path and marks what is inside the chain.
func pathOf(e ast.Expr, inner map[int64]bool) ([]string, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		name := strings.TrimPrefix(e.AsIdent(), ".")
		return []string{name}, slices.Contains(variables, name)
	case ast.SelectKind:
		operand := e.AsSelect().Operand()
		path, ok := pathOf(operand, inner)
		if ok {
			inner[operand.ID()] = true
		}
		return append(path, e.AsSelect().FieldName()), ok
	case ast.CallKind:
		call := e.AsCall()
		if !slices.Contains([]string{operators.Index, operators.OptIndex, operators.OptSelect}, call.FunctionName()) || call.Args()[1].Kind() != ast.LiteralKind {
			return nil, false
		}
		key, isString := call.Args()[1].AsLiteral().(types.String)
		path, ok := pathOf(call.Args()[0], inner)
		if !ok || !isString {
			return nil, false
		}
		inner[call.Args()[0].ID()] = true
		return append(path, string(key)), true
	}
	return nil, false
}

// touches reports whether any open part of a request can matter to an expression.
func (p *program) touches(open []opened) bool {
	return slices.ContainsFunc(open, func(o opened) bool {
		return slices.ContainsFunc(p.reads(), func(path []string) bool { return scope.Overlap(o.path, path) })
	})
}
