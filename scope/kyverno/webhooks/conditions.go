package webhooks

import (
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/version"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
)

// study is what there is to know of one expression.
type study struct {
	// err is why it does not compile where webhooks are; empty if it does.
	err string
	// readsNamespace says that it mentions namespaceObject, which is null in a webhook's conditions.
	readsNamespace bool
}

// studies remembers expressions: policies repeat them, a prediction is made for each change of a cluster, and to
// compile one takes a thousand times as long as all the rest. What is said of an expression never changes.
var studies = struct {
	sync.Mutex
	of map[string]study
}{of: map[string]study{}}

// maxStudies bounds the memory for expressions of policies that keep changing.
const maxStudies = 20000

func studyOf(expression string) study {
	expression = strings.TrimSpace(expression)
	studies.Lock()
	defer studies.Unlock()
	if s, ok := studies.of[expression]; ok {
		return s
	}
	if len(studies.of) >= maxStudies {
		clear(studies.of)
	}
	s := study{err: compile(expression), readsNamespace: readsNamespaceObject(expression)}
	studies.of[expression] = s
	return s
}

// compiler has the environment of an API server's webhooks for new expressions. Kyverno builds it with the libraries
// that every API server has that its own release is made for (pkg/cel/compiler/matchconditions.go); releases 1.16 to
// 1.19 are made with API servers 1.34 to 1.36, between which no library was added.
var compiler = sync.OnceValue(func() celplugin.Compiler {
	return celplugin.NewCompiler(environment.MustBaseEnvSet(version.MajorMinor(1, 35)))
})

func compile(expression string) string {
	if expression == "" {
		return "there is no expression"
	}
	result := compiler().CompileCELExpression(&matchconditions.MatchCondition{Expression: expression},
		celplugin.OptionalVariableDeclarations{HasAuthorizer: true}, environment.NewExpressions)
	if result.Error != nil {
		return result.Error.Detail
	}
	return ""
}

// refusal is why a condition cannot stand in a webhook; empty if it can.
func refusal(c v1.MatchCondition) string {
	if errs := validation.IsQualifiedName(c.Name); len(errs) > 0 {
		return "its name is refused: " + strings.Join(errs, "; ")
	}
	return studyOf(c.Expression).err
}

// valid are the conditions if all of them can stand in a webhook, and nil if one cannot (validConditions). A policy
// with an empty list keeps it, and has a webhook of its own.
func valid(conditions []v1.MatchCondition) []v1.MatchCondition {
	for _, c := range conditions {
		if refusal(c) != "" {
			return nil
		}
	}
	return conditions
}

// offloaded leaves out what would fail in the API server because it reads namespaceObject, since 1.19
// (match_conditions.go, webhookMatchConditions).
func (b *builder) offloaded(conditions []v1.MatchCondition) []v1.MatchCondition {
	if !b.in.Release.Grouped() {
		return conditions
	}
	var kept []v1.MatchCondition
	for _, c := range conditions {
		if !studyOf(c.Expression).readsNamespace {
			kept = append(kept, c)
		}
	}
	return kept
}

// onCreate lets through what is no CREATE: a policy that keeps what it generated has to see its trigger change and go
// (restrictMatchConditionsToCreate).
func onCreate(conditions []v1.MatchCondition) []v1.MatchCondition {
	var wrapped []v1.MatchCondition
	for _, c := range conditions {
		c.Expression = "request.operation != 'CREATE' || (" + c.Expression + ")"
		wrapped = append(wrapped, c)
	}
	return wrapped
}

var plain = sync.OnceValues(func() (*cel.Env, error) { return cel.NewEnv(cel.OptionalTypes()) })

// readsNamespaceObject takes an expression that cannot be parsed for one that does, as Kyverno does.
func readsNamespaceObject(expression string) bool {
	env, err := plain()
	if err != nil {
		return true
	}
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return true
	}
	found := false
	ast.PreOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		found = found || e.Kind() == ast.IdentKind && e.AsIdent() == celplugin.NamespaceVarName
	}))
	return found
}
