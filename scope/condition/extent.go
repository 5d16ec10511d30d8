package condition

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"

	"github.com/ambit-k8s/ambit/scope"
)

// extent finds out what of the request an expression can see, as a tree of fields under
// each variable. Where reads lists paths, extent also follows the elements of lists
// through comprehensions, and tells a field whose value is used from one that is only
// asked for: what is not in the tree cannot change the value of the expression, nor its
// cost.
type extent struct {
	roots *scope.Part
	// bound are the variables of comprehensions; nil for one that stands for no place.
	bound map[string]*scope.Part
}

// extentOf returns the tree of an expression; its first level is the variables.
func extentOf(a *ast.AST) *scope.Part {
	e := &extent{roots: &scope.Part{}, bound: map[string]*scope.Part{}}
	e.use(a.Expr())
	return e.roots
}

// use visits an expression whose value matters as a whole.
func (e *extent) use(x ast.Expr) {
	if x.Kind() == ast.SelectKind && x.AsSelect().IsTestOnly() && e.place(x) != nil {
		return
	}
	if p := e.place(x); p != nil {
		p.Whole = true
		return
	}
	e.inside(x)
}

// place returns the place in the tree that a chain of fields leads to, and nil for
// everything else, of which it has visited nothing then.
func (e *extent) place(x ast.Expr) *scope.Part {
	switch x.Kind() {
	case ast.IdentKind:
		return e.variable(x.AsIdent())
	case ast.SelectKind:
		if p := e.place(x.AsSelect().Operand()); p != nil {
			return p.Field(x.AsSelect().FieldName())
		}
	case ast.CallKind:
		call := x.AsCall()
		switch call.FunctionName() {
		case operators.Index, operators.OptIndex, operators.OptSelect:
			return e.element(call)
		}
	}
	return nil
}

// variable is the place of a variable. One that is written with a dot before it is never
// that of a comprehension.
func (e *extent) variable(name string) *scope.Part {
	name, global := strings.CutPrefix(name, ".")
	if p, ok := e.bound[name]; ok && !global {
		return p
	}
	for _, known := range variables {
		if known == name {
			return e.roots.Field(name)
		}
	}
	return nil
}

// element is the place of a field that is written as an index, or of an item of a list.
func (e *extent) element(call ast.CallExpr) *scope.Part {
	if call.Args()[1].Kind() != ast.LiteralKind {
		return nil
	}
	switch key := call.Args()[1].AsLiteral().(type) {
	case types.String:
		if p := e.place(call.Args()[0]); p != nil {
			return p.Field(string(key))
		}
	case types.Int, types.Uint:
		if p := e.place(call.Args()[0]); p != nil {
			return p.Item()
		}
	}
	return nil
}

// inside visits what an expression is made of.
func (e *extent) inside(x ast.Expr) {
	switch x.Kind() {
	case ast.SelectKind:
		e.use(x.AsSelect().Operand())
	case ast.CallKind:
		e.call(x.AsCall())
	case ast.ComprehensionKind:
		e.comprehension(x.AsComprehension())
	case ast.ListKind:
		for _, element := range x.AsList().Elements() {
			e.use(element)
		}
	case ast.MapKind:
		for _, entry := range x.AsMap().Entries() {
			e.use(entry.AsMapEntry().Key())
			e.use(entry.AsMapEntry().Value())
		}
	case ast.StructKind:
		for _, field := range x.AsStruct().Fields() {
			e.use(field.AsStructField().Value())
		}
	}
}

// call visits a call. Some calls look at less than the whole value of an argument.
func (e *extent) call(call ast.CallExpr) {
	args := call.Args()
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	switch name := call.FunctionName(); {
	case (name == operators.Equals || name == operators.NotEquals) && len(args) == 2:
		if isNull(args[0]) && e.place(args[1]) != nil || isNull(args[1]) && e.place(args[0]) != nil {
			return
		}
	case name == operators.In && len(args) == 2:
		if key, ok := literal(args[0]).(types.String); ok {
			if p := e.place(args[1]); p != nil {
				p.Keys = true
				p.Field(string(key))
				return
			}
		}
	case name == "size" && len(args) == 1:
		if p := e.place(args[0]); p != nil {
			p.Item()
			return
		}
	case name == "hasValue" && len(args) == 1:
		if e.place(args[0]) != nil {
			return
		}
	}
	if e.test(call.FunctionName(), args) {
		return
	}
	for _, arg := range args {
		e.use(arg)
	}
}

// tests are the calls that ask one question of a text.
var tests = map[string]scope.TestKind{
	operators.Equals: scope.TestEqual, operators.NotEquals: scope.TestEqual,
	"startsWith": scope.TestPrefix, "endsWith": scope.TestSuffix, "contains": scope.TestContains,
}

// test notes a call that asks a question of something that is always a text: a name or a
// label. Other fields may be of any type, and then a comparison sees more of them.
func (e *extent) test(name string, args []ast.Expr) bool {
	kind, ok := tests[name]
	if !ok || len(args) != 2 {
		return false
	}
	if _, ok := literal(args[0]).(types.String); ok && kind == scope.TestEqual {
		args = []ast.Expr{args[1], args[0]}
	}
	text, ok := literal(args[1]).(types.String)
	if !ok || !e.isText(args[0]) {
		return false
	}
	p := e.place(args[0])
	if t := (scope.Test{Kind: kind, Text: string(text)}); !slices.Contains(p.Tests, t) {
		p.Tests = append(p.Tests, t)
	}
	return true
}

// isText reports whether a chain of fields leads to a name or a label.
func (e *extent) isText(x ast.Expr) bool {
	path, ok := pathOf(x, map[int64]bool{})
	if !ok {
		return false
	}
	if _, isBound := e.bound[path[0]]; isBound {
		return false
	}
	switch path[0] {
	case celplugin.RequestVarName:
		return len(path) == 2 && (path[1] == "name" || path[1] == "namespace")
	case celplugin.ObjectVarName, celplugin.OldObjectVarName:
		return len(path) == 3 && path[1] == "metadata" && (path[2] == "name" || path[2] == "namespace") ||
			len(path) == 4 && path[1] == "metadata" && path[2] == "labels"
	}
	return false
}

// comprehension visits a comprehension with its variables bound to what they stand for. A
// mapping that is iterated over is in the tree as a whole, because its keys are seen.
func (e *extent) comprehension(c ast.ComprehensionExpr) {
	outer := e.bound
	inner := make(map[string]*scope.Part, len(outer)+3)
	for name, p := range outer {
		inner[name] = p
	}
	over := e.place(c.IterRange())
	if over == nil {
		e.use(c.IterRange())
	}
	accumulator := (*scope.Part)(nil)
	if isBind(c) {
		accumulator = e.place(c.AccuInit())
	}
	if accumulator == nil {
		e.use(c.AccuInit())
	}
	item := (*scope.Part)(nil)
	if over != nil {
		item = over.Item()
	}
	inner[c.IterVar()] = item
	if c.HasIterVar2() {
		inner[c.IterVar()], inner[c.IterVar2()] = nil, item
	}
	inner[c.AccuVar()] = accumulator
	e.bound = inner
	if accumulator == nil {
		e.use(c.LoopCondition())
		e.use(c.LoopStep())
	}
	e.use(c.Result())
	e.bound = outer
}

// isBind recognises a comprehension that only gives a value a name.
func isBind(c ast.ComprehensionExpr) bool {
	return c.IterRange().Kind() == ast.ListKind && c.IterRange().AsList().Size() == 0
}

func literal(x ast.Expr) any {
	if x.Kind() == ast.LiteralKind {
		return x.AsLiteral()
	}
	return nil
}

func isNull(x ast.Expr) bool {
	_, ok := literal(x).(types.Null)
	return ok
}

// readsOf turns the tree of an expression into what a layer says that it reads. Match
// conditions are given no Namespace (plugin/webhook/matchconditions/matcher.go, Match).
func readsOf(roots *scope.Part) scope.Reads {
	r := scope.Reads{Object: roots.Fields[celplugin.ObjectVarName], OldObject: roots.Fields[celplugin.OldObjectVarName]}
	r.AnyResource = anywhere(roots)
	if request := roots.Fields[celplugin.RequestVarName]; request != nil {
		all := request.Whole || request.Items != nil
		if name := request.Fields["name"]; all || name != nil {
			r.Name, r.NameTests = readsText(name, all)
		}
		r.Namespace = all || request.Fields["namespace"] != nil
	}
	if authorizer := roots.Fields[celplugin.AuthorizerVarName]; authorizer != nil && authorizer.Fields["requestResource"] != nil || roots.Fields["authorizer.requestResource"] != nil {
		r.Name, r.NameTests, r.Namespace = true, nil, true
	}
	return r
}

// ofResource are the fields of a request that depend on the resource, or on the kind in which
// the object is seen.
var ofResource = []string{"kind", "resource", "subResource", "requestKind", "requestResource", "requestSubResource"}

// anywhere reports whether an expression sees nothing that depends on the resource: of
// objects only what all of them have in the same place.
func anywhere(roots *scope.Part) bool {
	request := roots.Fields[celplugin.RequestVarName]
	if request != nil && (request.Whole || request.Items != nil || slices.ContainsFunc(ofResource, func(f string) bool { return request.Fields[f] != nil })) {
		return false
	}
	for _, name := range []string{celplugin.ObjectVarName, celplugin.OldObjectVarName} {
		object := roots.Fields[name]
		if object == nil {
			continue
		}
		metadata := object.Fields["metadata"]
		if object.Whole || object.Keys || object.Items != nil || len(object.Fields) > 1 || len(object.Fields) == 1 && metadata == nil {
			return false
		}
		if metadata == nil {
			continue
		}
		if metadata.Whole || metadata.Keys || metadata.Items != nil {
			return false
		}
		for field := range metadata.Fields {
			if field != "name" && field != "namespace" && field != "labels" {
				return false
			}
		}
	}
	return roots.Fields[celplugin.AuthorizerVarName] == nil && roots.Fields["authorizer.requestResource"] == nil
}

// readsText says what is read of a text: certain questions, or all of it.
func readsText(p *scope.Part, all bool) (reads bool, only []scope.Test) {
	if all || p.Whole || p.Keys || p.Items != nil || len(p.Fields) > 0 || len(p.Tests) == 0 {
		return true, nil
	}
	return true, p.Tests
}
