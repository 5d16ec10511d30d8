package condition

import (
	"context"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"

	"github.com/ambit-k8s/ambit/scope"
)

// openProgram evaluates an expression over a request of which parts are open. It stands
// in for the API server's program in the API server's own evaluation loop, so that
// activation, cost and budget are upstream's.
type openProgram struct {
	cel.Program
	ast        *ast.AST
	expression string
	// watched is the same program once more, which keeps the value of every sub-expression.
	// It is another one because cel-go then counts no cost.
	watched func() (cel.Program, error)
}

// evaluation is what one run of open programs shares: what is open, and what each
// program saw. It travels in the context because the loop between is upstream's.
type evaluation struct {
	open []opened
	// details has the state of each program that ran; nil if nobody wants to see it.
	details map[*openProgram]*cel.EvalDetails
}

// opened is a part of a request that is open.
type opened struct {
	scope.Missing
	path []string
}

type evaluationKey struct{}

// ContextEval implements cel.Program.
func (p *openProgram) ContextEval(ctx context.Context, input any) (ref.Val, *cel.EvalDetails, error) {
	e := ctx.Value(evaluationKey{}).(*evaluation)
	vars, patterns := openVariables(input.(interpreter.Activation), e.open)
	partial, err := cel.PartialVars(vars, patterns...)
	if err != nil {
		return nil, nil, err
	}
	if e.details == nil {
		return p.Program.ContextEval(ctx, partial)
	}
	watched, err := p.watched()
	if err != nil {
		return nil, nil, err
	}
	value, details, err := watched.ContextEval(ctx, partial)
	e.details[p] = details
	return value, details, err
}

// openVariables opens parts of an activation. A variable as a whole, and fields of the
// request, are opened by cel-go's attribute patterns. Fields of objects are opened in
// the value itself: a pattern for object.metadata.uid would also leave "object == null"
// open.
func openVariables(vars interpreter.Activation, open []opened) (interpreter.Activation, []*cel.AttributePatternType) {
	var patterns []*cel.AttributePatternType
	var deep map[string]fields
	for _, m := range open {
		if m.Path == "authorizer" {
			patterns = append(patterns, cel.AttributePattern("authorizer"), cel.AttributePattern("authorizer.requestResource"))
			continue
		}
		path := m.path
		if len(path) == 1 || path[0] == celplugin.RequestVarName {
			pattern := cel.AttributePattern(path[0])
			for _, field := range path[1:] {
				pattern.QualString(field)
			}
			patterns = append(patterns, pattern)
			continue
		}
		if deep == nil {
			deep = map[string]fields{}
		}
		if deep[path[0]] == nil {
			deep[path[0]] = fields{}
		}
		deep[path[0]].add(path[1:], path)
	}
	if deep == nil {
		return vars, patterns
	}
	return &openActivation{Activation: vars, deep: deep}, patterns
}

// fields is a tree of open fields; a leaf is the unknown value itself.
type fields map[string]any

// add opens a field, unless something above it is open already.
func (f fields) add(rest, path []string) {
	if len(rest) == 1 {
		trail := types.NewAttributeTrail(path[0])
		for _, name := range path[1:] {
			types.QualifyAttribute(trail, name)
		}
		f[rest[0]] = types.NewUnknown(0, trail)
		return
	}
	switch next := f[rest[0]].(type) {
	case fields:
		next.add(rest[1:], path)
	case nil:
		inner := fields{}
		f[rest[0]] = inner
		inner.add(rest[1:], path)
	}
}

// openActivation gives out values with open fields inside.
type openActivation struct {
	interpreter.Activation
	deep map[string]fields
}

// ResolveName implements interpreter.Activation.
func (a *openActivation) ResolveName(name string) (any, bool) {
	value, ok := a.Activation.ResolveName(name)
	if f := a.deep[name]; ok && f != nil {
		if m, isMap := value.(traits.Mapper); isMap {
			return &openMap{Mapper: m, open: f}, true
		}
	}
	return value, ok
}

// openMap is a map with fields whose values, and whose presence, are not known.
type openMap struct {
	traits.Mapper
	open fields
}

// Find implements traits.Mapper.
func (m *openMap) Find(key ref.Val) (ref.Val, bool) {
	value, found := m.Mapper.Find(key)
	name, _ := key.Value().(string)
	switch o := m.open[name].(type) {
	case *types.Unknown:
		return o, true
	case fields:
		if inner, ok := value.(traits.Mapper); ok && found {
			return &openMap{Mapper: inner, open: o}, true
		}
	}
	return value, found
}

// Get implements traits.Indexer.
func (m *openMap) Get(key ref.Val) ref.Val {
	if value, found := m.Find(key); found {
		return value
	}
	return m.Mapper.Get(key)
}

// Contains implements traits.Container: whether an open field is there is not known.
func (m *openMap) Contains(key ref.Val) ref.Val {
	if value, found := m.Find(key); found && types.IsUnknown(value) {
		return value
	}
	return m.Mapper.Contains(key)
}

// Equal implements ref.Val: two maps may differ in what is open; anything else is not
// a map, and that is known.
func (m *openMap) Equal(other ref.Val) ref.Val {
	if _, ok := other.(traits.Mapper); !ok {
		return m.Mapper.Equal(other)
	}
	return m.unknown()
}

// unknown returns one of the open leaves.
func (m *openMap) unknown() ref.Val {
	for _, f := range m.open {
		switch o := f.(type) {
		case *types.Unknown:
			return o
		case fields:
			return (&openMap{open: o}).unknown()
		}
	}
	return types.NewUnknown(0, nil)
}
