package condition

import (
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/interpreter"
	"github.com/google/cel-go/parser"

	"github.com/ambit-k8s/ambit/scope"
)

// maxValues bounds the sub-expressions that are shown for one condition.
const maxValues = 24

// values lists the sub-expressions that decided, from left to right: what the logical
// operators joined, and what each comparison or call was given. What was not evaluated,
// because something before it had decided, is left out.
func (p *openProgram) values(details *cel.EvalDetails) []scope.Value {
	if details == nil {
		return nil
	}
	c := &collector{program: p, state: details.State(), seen: map[string]bool{}}
	c.visit(p.ast.Expr(), true)
	return c.values
}

type collector struct {
	program *openProgram
	state   interpreter.EvalState
	seen    map[string]bool
	values  []scope.Value
}

// visit walks down the logical structure. top is true for the whole expression, whose
// value is the result itself and needs no mention.
func (c *collector) visit(e ast.Expr, top bool) {
	if len(c.values) >= maxValues {
		return
	}
	switch e.Kind() {
	case ast.CallKind:
		call := e.AsCall()
		switch call.FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional:
			for _, arg := range call.Args() {
				c.visit(arg, false)
			}
			return
		}
		if call.IsMemberFunction() {
			c.add(call.Target())
		}
		for _, arg := range call.Args() {
			c.add(arg)
		}
	case ast.ComprehensionKind:
		c.add(e.AsComprehension().IterRange())
	}
	if !top {
		c.add(e)
	}
}

// add notes the value of one sub-expression, if it was evaluated and is not a literal.
func (c *collector) add(e ast.Expr) {
	if e.Kind() == ast.LiteralKind || e.Kind() == ast.ListKind || e.Kind() == ast.MapKind {
		return
	}
	value, ok := c.state.Value(e.ID())
	if !ok {
		return
	}
	text, err := parser.Unparse(e, c.program.ast.SourceInfo())
	if err != nil || c.seen[text] {
		return
	}
	c.seen[text] = true
	start, end := c.locate(text)
	c.values = append(c.values, scope.Value{Expression: text, Value: format(value), Start: start, End: end})
}

// locate finds a sub-expression in the source. CEL keeps positions of operators only, so
// the text is searched; where it was written with other spacing, there is no position.
func (c *collector) locate(text string) (start, end int) {
	if i := strings.Index(c.program.expression, text); i >= 0 {
		return i, i + len(text)
	}
	return 0, 0
}
