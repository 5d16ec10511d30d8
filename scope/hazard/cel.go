package hazard

import (
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

// parser reads expressions with the macros that the API server knows, and remembers how
// macros were written.
var parser = sync.OnceValues(func() (*cel.Env, error) {
	set, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.EnableMacroCallTracking()},
	})
	if err != nil {
		return nil, err
	}
	return set.Env(environment.StoredExpressions)
})

// parse returns the syntax tree of an expression, or nil if it is none.
func (w *world) parse(expression string) *ast.AST {
	tree, known := w.trees[expression]
	if !known {
		tree = parse(expression)
		w.trees[expression] = tree
	}
	return tree
}

func parse(expression string) *ast.AST {
	env, err := parser()
	if err != nil {
		return nil
	}
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return nil
	}
	return parsed.NativeRep()
}

// variables are the names under which an expression reaches the request.
var variables = []string{"object", "oldObject", "request", "namespaceObject", "params", "authorizer"}

// paths lists what an expression reads: the longest chain of fields from each mention of a
// variable. What is read in any other way is read whole.
func paths(a *ast.AST) [][]string {
	var all [][]string
	inner := map[int64]bool{}
	ast.PreOrderVisit(a.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if inner[e.ID()] {
			return
		}
		if path, ok := pathOf(e, inner); ok && slices.Contains(variables, path[0]) {
			all = append(all, path)
		}
	}))
	return all
}

// pathOf writes a chain of fields as a path and marks what is inside of it.
func pathOf(e ast.Expr, inner map[int64]bool) ([]string, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		return []string{e.AsIdent()}, true
	case ast.SelectKind:
		operand := e.AsSelect().Operand()
		path, ok := pathOf(operand, inner)
		if !ok {
			return nil, false
		}
		inner[operand.ID()] = true
		return append(path, e.AsSelect().FieldName()), true
	case ast.CallKind:
		call := e.AsCall()
		if !slices.Contains([]string{operators.Index, operators.OptIndex, operators.OptSelect}, call.FunctionName()) {
			return nil, false
		}
		key, ok := text(call.Args()[1])
		path, isPath := pathOf(call.Args()[0], inner)
		if !ok || !isPath {
			return nil, false
		}
		inner[call.Args()[0].ID()] = true
		return append(path, key), true
	}
	return nil, false
}

// readsWhole reports whether an expression does more with a variable than to read fields of it
// and to ask whether it is null.
func readsWhole(a *ast.AST, variable string) bool {
	whole := false
	inner := map[int64]bool{}
	ast.PreOrderVisit(a.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if args, _, ok := call(e, operators.Equals, operators.NotEquals); ok {
			for i := range args {
				if isNull(args[1-i]) {
					inner[args[i].ID()] = true
				}
			}
		}
		if inner[e.ID()] {
			return
		}
		path, ok := pathOf(e, inner)
		whole = whole || ok && len(path) == 1 && path[0] == variable
	}))
	return whole
}

func isNull(e ast.Expr) bool {
	return e.Kind() == ast.LiteralKind && e.AsLiteral() == types.NullValue
}

// text is the value of a literal text.
func text(e ast.Expr) (string, bool) {
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	s, ok := e.AsLiteral().(types.String)
	return string(s), ok
}

// reads reports whether an expression reads something below a path, or the path itself.
func reads(a *ast.AST, path ...string) bool {
	return slices.ContainsFunc(paths(a), func(read []string) bool {
		return len(read) >= len(path) && slices.Equal(read[:len(path)], path)
	})
}

// call is a call of a function with its arguments, if an expression is one.
func call(e ast.Expr, functions ...string) ([]ast.Expr, string, bool) {
	if e.Kind() != ast.CallKind || !slices.Contains(functions, e.AsCall().FunctionName()) {
		return nil, "", false
	}
	return e.AsCall().Args(), e.AsCall().FunctionName(), true
}

// dotted writes an expression that is a chain of fields, such as request.namespace.
func dotted(e ast.Expr) (string, bool) {
	path, ok := pathOf(e, map[int64]bool{})
	return strings.Join(path, "."), ok
}
