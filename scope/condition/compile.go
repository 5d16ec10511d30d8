package condition

import (
	"fmt"
	"slices"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/version"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/ambit-k8s/ambit/scope"
)

// Compiler compiles match conditions and remembers each expression, because clusters
// repeat the same few of them. It is safe for concurrent use.
type Compiler struct {
	exact celplugin.Compiler
	envs  map[bool]func() (*cel.Env, error)

	mu       sync.Mutex
	programs map[programKey]*program
}

type programKey struct {
	expression string
	hasParams  bool
}

// program is one compiled expression, twice: exact is the API server's own, open is the
// same expression planned so that parts of the request may be left open and the value
// of every sub-expression can be seen. The second is made when it is first needed; reads
// tells whether it is, at the price of parsing alone.
type program struct {
	exact celplugin.CompilationResult
	reads func() [][]string
	open  func() *openProgram
	// extent is what of a request the expression can see, and alone the layer that has it for
	// its only condition.
	extent func() scope.Reads
	alone  func() *Conditions
}

// maxPrograms bounds the memory of a Compiler whose policies keep changing.
const maxPrograms = 20000

// NewCompiler makes a compiler with the API server's environment for stored
// expressions.
func NewCompiler() *Compiler {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	c := &Compiler{exact: celplugin.NewCompiler(base), programs: map[programKey]*program{}, envs: map[bool]func() (*cel.Env, error){}}
	for _, hasParams := range []bool{false, true} {
		c.envs[hasParams] = sync.OnceValues(func() (*cel.Env, error) { return openEnv(base, hasParams) })
	}
	return c
}

// Compile makes the layer of a policy's match conditions. field is the path of the list
// in the policy; params says whether the policy has a paramKind.
func (c *Compiler) Compile(conditions []v1.MatchCondition, field string, hasParams bool) *Conditions {
	l := &Conditions{}
	for i, m := range conditions {
		p := c.program(m.Expression, hasParams)
		l.programs = append(l.programs, p)
		l.Conditions = append(l.Conditions, Condition{Name: m.Name, Expression: m.Expression, Field: fmt.Sprintf("%s[%d].expression", field, i), Err: compileError(p)})
	}
	l.prepare(conditions)
	return l
}

// prepare makes the evaluators of the layer out of its programs.
func (l *Conditions) prepare(conditions []v1.MatchCondition) {
	results := make([]celplugin.CompilationResult, len(conditions))
	for i, m := range conditions {
		results[i] = l.programs[i].exact
		results[i].ExpressionAccessor = &matchconditions.MatchCondition{Name: m.Name, Expression: m.Expression}
	}
	l.exact = celplugin.NewCondition(results)
	l.open = sync.OnceValue(func() celplugin.ConditionEvaluator { return openCondition(results, l.programs) })
}

// openCondition puts open programs in the place of those that the API server compiled. One
// that does not compile stays as it is.
func openCondition(exact []celplugin.CompilationResult, programs []*program) celplugin.ConditionEvaluator {
	results := slices.Clone(exact)
	for i, p := range programs {
		if o := p.open(); o != nil {
			results[i].Program = o
		}
	}
	return celplugin.NewCondition(results)
}

func (c *Compiler) program(expression string, hasParams bool) *program {
	key := programKey{expression, hasParams}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.programs[key]; ok {
		return p
	}
	if len(c.programs) >= maxPrograms {
		clear(c.programs)
	}
	p := &program{exact: c.exact.CompileCELExpression(&matchconditions.MatchCondition{Expression: expression},
		celplugin.OptionalVariableDeclarations{HasParams: hasParams, HasAuthorizer: true}, environment.StoredExpressions)}
	parsed := sync.OnceValue(func() *ast.AST { return c.parse(expression, hasParams) })
	p.reads = sync.OnceValue(func() [][]string {
		if a := parsed(); a != nil {
			return reads(a)
		}
		return nil
	})
	p.extent = sync.OnceValue(func() scope.Reads {
		switch a := parsed(); {
		case p.exact.Error != nil:
			return scope.Reads{}
		case a == nil:
			return scope.ReadsAll()
		default:
			return readsOf(extentOf(a))
		}
	})
	p.alone = sync.OnceValue(func() *Conditions { return aloneOf(p, expression) })
	p.open = sync.OnceValue(func() *openProgram {
		if p.exact.Error != nil {
			return nil
		}
		return c.compileOpen(expression, hasParams)
	})
	c.programs[key] = p
	return p
}

// parse returns the syntax tree of an expression, or nil if it has none.
func (c *Compiler) parse(expression string, hasParams bool) *ast.AST {
	env, err := c.envs[hasParams]()
	if err != nil {
		return nil
	}
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return nil
	}
	return parsed.NativeRep()
}

// compileOpen plans an expression that the exact compiler has accepted.
func (c *Compiler) compileOpen(expression string, hasParams bool) *openProgram {
	env, err := c.envs[hasParams]()
	if err != nil {
		return nil
	}
	ast, issues := env.Compile(expression)
	if issues.Err() != nil {
		return nil
	}
	plan := func(options ...cel.EvalOption) (cel.Program, error) {
		return env.Program(ast, cel.EvalOptions(append(options, cel.OptPartialEval)...), cel.InterruptCheckFrequency(celconfig.CheckFrequency))
	}
	decides, err := plan()
	if err != nil {
		return nil
	}
	return &openProgram{
		Program: decides, ast: ast.NativeRep(), expression: expression,
		watched: sync.OnceValues(func() (cel.Program, error) { return plan(cel.OptTrackState) }),
	}
}

// openEnv declares what the API server declares for match conditions
// (k8s.io/apiserver/pkg/admission/plugin/cel/compile.go, createEnvForOpts), and keeps
// track of macros so that sub-expressions can be written as they were.
func openEnv(base *environment.EnvSet, hasParams bool) (*cel.Env, error) {
	request, namespace := celplugin.BuildRequestType(), celplugin.BuildNamespaceType()
	options := []cel.EnvOption{
		cel.EnableMacroCallTracking(),
		cel.Variable(celplugin.ObjectVarName, cel.DynType),
		cel.Variable(celplugin.OldObjectVarName, cel.DynType),
		cel.Variable(celplugin.NamespaceVarName, namespace.CelType()),
		cel.Variable(celplugin.RequestVarName, request.CelType()),
		cel.Variable(celplugin.AuthorizerVarName, library.AuthorizerType),
		cel.Variable(celplugin.RequestResourceAuthorizerVarName, library.ResourceCheckType),
	}
	if hasParams {
		options = append(options, cel.Variable(celplugin.ParamsVarName, cel.DynType))
	}
	set, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        options,
		DeclTypes:         []*apiservercel.DeclType{namespace, request},
	}, environment.StrictCostOpt)
	if err != nil {
		return nil, fmt.Errorf("extend the CEL environment: %w", err)
	}
	return set.Env(environment.StoredExpressions)
}
