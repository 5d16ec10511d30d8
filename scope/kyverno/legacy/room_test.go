package legacy_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

const secret = `{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: ns, labels: {app: a}}}`

// TestGate says which rules the engine asks at all, by what they do. The expected values follow from
// pkg/webhooks/server.go (WithOperationFilter), pkg/webhooks/resource/handlers.go and updaterequest.go,
// pkg/policycache/store.go and pkg/autogen/v1 (ComputeRules) of github.com/kyverno/kyverno v1.19.1.
func TestGate(t *testing.T) {
	deployment := `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: ns}}`
	eviction := `{apiVersion: policy/v1, kind: Eviction, metadata: {name: a, namespace: ns}}`
	others := `mutate: {targets: [{kind: Pod}], patchStrategicMerge: {a: b}}`
	own := `webhookConfiguration: {matchConditions: [{name: c, expression: "true"}]}, `
	for _, c := range []struct {
		name, spec string
		asked      asked
		want       scope.StepOutcome
	}{
		{"validates on DELETE", one(`{resources: {kinds: [Secret]}}`, check), asked{object: secret, operation: "DELETE"}, scope.Match},
		{"mutates", one(`{resources: {kinds: [Secret]}}`, change), asked{object: secret}, scope.Match},
		{"mutates nothing on DELETE", one(`{resources: {kinds: [Secret]}}`, change), asked{object: secret, operation: "DELETE"}, scope.NoMatch},
		{"generates", one(`{resources: {kinds: [Secret]}}`, `generate: {kind: ConfigMap, name: x}`), asked{object: secret}, scope.Match},
		{"generates nothing for a dry run", one(`{resources: {kinds: [Secret]}}`, `generate: {kind: ConfigMap, name: x}`), asked{object: secret, dryRun: true}, scope.NoMatch},
		{"changes others", one(`{resources: {kinds: [Secret]}}`, others), asked{object: secret}, scope.Match},
		{"changes others on DELETE", one(`{resources: {kinds: [Secret], operations: [DELETE]}}`, others), asked{object: secret, operation: "DELETE"}, scope.Match},
		{"changes others on DELETE only if asked", one(`{resources: {kinds: [Secret]}}`, others), asked{object: secret, operation: "DELETE"}, scope.NoMatch},
		{"verifies images at its own webhook", own + one(`{resources: {kinds: [Secret]}}`, `verifyImages: [{verifyDigest: false, required: false}]`), asked{object: secret}, scope.NoMatch},
		{"checks images at its own webhook", own + one(`{resources: {kinds: [Secret]}}`, `verifyImages: [{}]`), asked{object: secret}, scope.Match},
		{"without kinds nothing is looked up", one(`{any: [{resources: {names: [s]}}]}`, check), asked{object: secret}, scope.NoMatch},
		{"found by another rule that does the same", `rules: [{name: r, match: {any: [{resources: {names: [s]}}]}, ` + check + `}, {name: t, match: {any: [{resources: {kinds: [Secret], names: [x]}}]}, ` + check + `}]`, asked{object: secret}, scope.Match},
		{"not found by a rule that does something else", `rules: [{name: r, match: {any: [{resources: {names: [s]}}]}, ` + check + `}, {name: t, match: {any: [{resources: {kinds: [Secret], names: [x]}}]}, ` + change + `}]`, asked{object: secret}, scope.NoMatch},
		{"a pattern of subresources finds no resource", one(`{any: [{resources: {kinds: ["Secret/*"]}}]}`, check), asked{object: secret}, scope.NoMatch},
		{"a pattern of subresources", one(`{any: [{resources: {kinds: ["Pod/*"]}}]}`, check), asked{object: eviction}, scope.Match},
		{"derived", one(`{any: [{resources: {kinds: [Pod]}}]}`, check), asked{object: deployment}, scope.Match},
		{"derived from what changes others", one(`{any: [{resources: {kinds: [Pod]}}]}`, others), asked{object: deployment}, scope.NoMatch},
		{"old object of what generates", one(`{any: [{resources: {kinds: [Secret], selector: {matchLabels: {app: b}}}}]}`, `generate: {kind: ConfigMap, name: x}`), asked{object: secret + "\n---\n" + strings.Replace(secret, "app: a", "app: b", 1), operation: "UPDATE"}, scope.Match},
		{"old object of what validates", one(`{any: [{resources: {kinds: [Secret], selector: {matchLabels: {app: b}}}}]}`, check), asked{object: secret + "\n---\n" + strings.Replace(secret, "app: a", "app: b", 1), operation: "UPDATE"}, scope.NoMatch},
		{"no rules", `rules: []`, asked{object: secret}, scope.NoMatch},
		{"no namespace, and no need of it", one(`{resources: {kinds: [Pod], namespaceSelector: {}}}`, check), asked{object: secret, namespaces: namespaces{}}, scope.NoMatch},
	} {
		if said := steps(t, written(t, "ClusterPolicy", c.spec)[0], c.asked.question(t)); said[0].Outcome != c.want {
			t.Errorf("%s: %s, want %s", c.name, said[0].Outcome, c.want)
		}
	}
	// What enforces and what audits is evaluated apart (pkg/policycache/cache.go,
	// checkValidationFailureActionOverrides): with the second rule the first has no derived rules, and without it it
	// has some.
	named := func(action string) string {
		return `rules: [{name: a, match: {any: [{resources: {kinds: [Pod]}}]}, validate: {failureAction: Enforce, pattern: {a: b}}}, {name: b, match: {any: [{resources: {kinds: [Deployment], names: [x]}}]}, validate: {failureAction: ` + action + `, pattern: {a: b}}}]`
	}
	for action, want := range map[string]scope.StepOutcome{"Audit": scope.Match, "Enforce": scope.NoMatch} {
		if said := steps(t, written(t, "ClusterPolicy", named(action))[0], asked{object: deployment}.question(t)); said[0].Outcome != want {
			t.Errorf("enforce and %s: %s", action, said[0].Outcome)
		}
	}
	all := written(t, "ClusterPolicy", one(`{any: [{resources: {kinds: [Pod]}}]}`, check), one(`{any: [{resources: {kinds: [Pod]}}]}`, change))
	for i, want := range []scope.StepOutcome{scope.NoMatch, scope.Match} {
		all[i].Annotations = map[string]string{"pod-policies.kyverno.io/autogen-controllers": "all"}
		if said := steps(t, all[i], asked{object: deployment}.question(t)); said[0].Outcome != want {
			t.Errorf("controllers all, policy %d: %s", i, said[0].Outcome)
		}
	}
}

// TestNamespacedPolicy is for objects of its own namespace (pkg/engine/internal/match.go, checkNamespacedPolicy).
func TestNamespacedPolicy(t *testing.T) {
	p := written(t, "Policy", one(`{any: [{resources: {kinds: [Secret, Namespace, ClusterRole]}}]}`, check))[0]
	for object, want := range map[string]scope.StepOutcome{
		secret: scope.Match, strings.Replace(secret, "namespace: ns", "namespace: other", 1): scope.NoMatch,
		`{apiVersion: v1, kind: Namespace, metadata: {name: ns}}`:                             scope.NoMatch,
		`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: ns}}`: scope.NoMatch,
	} {
		if said := steps(t, p, asked{object: object}.question(t)); said[0].Outcome != want {
			t.Errorf("%s: %s", object, said[0].Outcome)
		}
	}
}

// TestRulesTogether says what several rules come to: one that matches, is not excluded and has no exception is enough.
func TestRulesTogether(t *testing.T) {
	kinds := `any: [{resources: {kinds: [Secret]}}]`
	excluded := `{name: a, match: {` + kinds + `}, exclude: {any: [{resources: {names: [s]}}]}, ` + check + `}`
	plain := `{name: b, match: {` + kinds + `}, ` + check + `}`
	maybe := `{name: c, match: {any: [{resources: {kinds: [Secret]}, subjects: [{kind: User, name: alice}]}]}, ` + check + `}`
	maybeExcluded := `{name: d, match: {` + kinds + `}, exclude: {any: [{subjects: [{kind: User, name: alice}]}]}, ` + check + `}`
	other := `{name: e, match: {any: [{resources: {kinds: [ConfigMap]}}]}, ` + check + `}`
	for _, c := range []struct{ name, rules, exempt, want string }{
		{"one is excluded", excluded + ", " + plain, "x", "match match match"},
		{"all are excluded", excluded, "x", "match noMatch match"},
		{"none matches", other, "x", "noMatch match match"},
		{"excluded, or perhaps not", excluded + ", " + maybe, "x", "match unknown match"},
		{"perhaps excluded", maybeExcluded, "x", "match unknown match"},
		{"perhaps, and certainly", maybeExcluded + ", " + plain, "x", "match match match"},
		{"perhaps a match", maybe, "x", "unknown match match"},
		{"exempt", plain, "b", "match match noMatch"},
		{"one is exempt, the other excluded", plain + ", " + excluded, "b", "match match noMatch"},
		{"one is exempt, the other perhaps excluded", plain + ", " + maybeExcluded, "b", "match match unknown"},
		{"exempt by a pattern", plain, "?", "match match noMatch"},
		{"excluded, and exempt as well", excluded, "a", "match noMatch noMatch"},
	} {
		p := written(t, "ClusterPolicy", "rules: ["+c.rules+"]")[0]
		x := exception(t, "policyName: a, ruleNames: ['"+c.exempt+"']", `any: [{resources: {kinds: [Secret]}}]`, "")
		if got := words(steps(t, p, asked{object: secret}.question(t), x)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func exception(t *testing.T, ref, match, more string) *api.LegacyException {
	t.Helper()
	text := `{apiVersion: kyverno.io/v2, kind: PolicyException, metadata: {name: x, namespace: here}, spec: {exceptions: [{` + ref + `}], match: {` + match + `}` + more + `}}`
	x, err := api.DecodeLegacyException(object(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestExceptions follows pkg/engine/utils/exceptions.go, api/kyverno/v2 (Contains) and pkg/engine/handlers/validation
// of github.com/kyverno/kyverno v1.19.1; TestCheckMatchesResources_AnyMatches, _AllMatchesFail,
// TestCheckResourceFilter_EmptyStatement and TestCheckMatchesResources_EmptyStatement are among the cases.
func TestExceptions(t *testing.T) {
	plain := "policyName: a, ruleNames: [r]"
	for _, c := range []struct {
		name, kind, ref, match, more string
		want                         scope.StepOutcome
	}{
		{"any", "ClusterPolicy", plain, `any: [{resources: {kinds: [Secret]}}]`, "", scope.NoMatch},
		{"all, but one", "ClusterPolicy", plain, `all: [{resources: {kinds: [Secret]}}, {resources: {names: [x]}}]`, "", scope.Match},
		{"empty filter", "ClusterPolicy", plain, `any: [{}]`, "", scope.Match},
		{"neither any nor all", "ClusterPolicy", plain, `resources: {kinds: [Secret]}`, "", scope.Match},
		{"operations do not count", "ClusterPolicy", plain, `any: [{resources: {operations: [DELETE]}}]`, "", scope.NoMatch},
		{"another policy", "ClusterPolicy", "policyName: a*, ruleNames: [r]", `any: [{resources: {kinds: [Secret]}}]`, "", scope.Match},
		{"another rule", "ClusterPolicy", "policyName: a, ruleNames: [rr]", `any: [{resources: {kinds: [Secret]}}]`, "", scope.Match},
		{"a Policy by its name alone", "Policy", plain, `any: [{resources: {kinds: [Secret]}}]`, "", scope.Match},
		{"a Policy", "Policy", "policyName: ns/a, ruleNames: [r]", `any: [{resources: {kinds: [Secret]}}]`, "", scope.NoMatch},
		{"conditions", "ClusterPolicy", plain, `any: [{resources: {kinds: [Secret]}}]`, `, conditions: {any: [{key: a, operator: Equals, value: a}]}`, scope.Open},
		{"conditions that do not matter", "ClusterPolicy", plain, `any: [{resources: {kinds: [ConfigMap]}}]`, `, conditions: {any: [{key: a, operator: Equals, value: a}]}`, scope.Match},
		{"controls", "ClusterPolicy", plain, `any: [{resources: {kinds: [Secret]}}]`, `, podSecurity: [{controlName: Seccomp}]`, scope.NoMatch},
	} {
		p := written(t, c.kind, one(`{any: [{resources: {kinds: [Secret]}}]}`, check))[0]
		if said := steps(t, p, asked{object: secret}.question(t), exception(t, c.ref, c.match, c.more)); said[2].Outcome != c.want {
			t.Errorf("%s: %s, want %s", c.name, said[2].Outcome, c.want)
		}
	}
	security := written(t, "ClusterPolicy", one(`{any: [{resources: {kinds: [Secret]}}]}`, `validate: {podSecurity: {level: baseline}}`))[0]
	controls := exception(t, plain, `any: [{resources: {kinds: [Secret]}}]`, `, podSecurity: [{controlName: Seccomp}]`)
	if said := steps(t, security, asked{object: secret}.question(t), controls); said[2].Outcome != scope.Match {
		t.Errorf("an exception for controls exempts from the rule: %s", said[2].Outcome)
	}
	controls.Namespace, controls.Spec.Security = "elsewhere", nil
	if said := steps(t, security, asked{object: secret}.question(t), controls); said[2].Outcome != scope.Match {
		t.Errorf("an exception that Kyverno does not accept exempts: %s", said[2].Outcome)
	}
	open := legacy.Engine{Release: release.Default, Exceptions: legacy.Exceptions{Unread: &scope.Missing{Path: "policyexceptions", Fact: "the exceptions"}}}
	if step := legacy.Layers(security, open)[2].Decide(context.Background(), asked{object: secret}.question(t)); step.Outcome != scope.Open {
		t.Errorf("exceptions that cannot be read: %s", step.Outcome)
	}
}

// TestGeneratedName has names of which only the beginning is known: in the validating half the API server has put
// five characters behind a generateName.
func TestGeneratedName(t *testing.T) {
	for pattern, want := range map[string]scope.StepOutcome{
		"web-*": scope.Match, "web-?????": scope.Match, "*": scope.Match, "web-a*": scope.Open, "*-x": scope.Open, "web-abcde": scope.Open,
		"web-abc": scope.NoMatch, "db-*": scope.NoMatch, "w*": scope.Match, "web": scope.NoMatch,
	} {
		p := rule(t, `match: {resources: {kinds: [Pod], name: "`+pattern+`"}}`)
		if said := steps(t, p, asked{object: `{apiVersion: v1, kind: Pod, metadata: {generateName: web-}}`}.question(t)); said[0].Outcome != want {
			t.Errorf("%s: %s, want %s", pattern, said[0].Outcome, want)
		}
	}
}

// TestReasons shows which rule comes closest, what of it fails, and what was observed.
func TestReasons(t *testing.T) {
	rules := `rules: [{name: a, match: {any: [{resources: {kinds: [ConfigMap]}}]}, ` + check + `}, {name: b, match: {any: [{resources: {kinds: [Pod]}}, {resources: {kinds: [Secret], names: [x, "y*"]}}]}, ` + check + `}]`
	for _, c := range []struct {
		name, spec string
		layer      int
		want       string
	}{
		{"closest", rules, 0, `spec.rules[1].match.any[1].resources.names | x, y* | s | object.metadata.name | noMatch | Rule b comes closest.`},
		{"excluded", `rules: [{name: a, match: {any: [{resources: {kinds: [Secret]}}]}, exclude: {any: [{resources: {namespaces: [n*]}}]}, ` + check + `}]`, 1, `spec.rules[0].exclude.any[0].resources.namespaces | n* | ns | request.namespace | noMatch | The exclude block of rule a matches.`},
		{"preconditions", `rules: [{name: a, match: {any: [{resources: {kinds: [Secret]}}]}, preconditions: {all: []}, ` + check + `}]`, 0, `spec.rules[0].match.any[0].resources.kinds | Secret | Secret | request.kind | match | Rule a matches.
spec.rules[0].preconditions |  | not evaluated |  |  | The rule applies only where its preconditions hold. They are not evaluated here.`},
	} {
		p := written(t, "ClusterPolicy", c.spec)[0]
		q := asked{object: secret}.question(t)
		layer := legacy.Layers(p, legacy.Engine{Release: release.Default})[c.layer]
		var lines []string
		for _, r := range layer.Explain(context.Background(), q, layer.Decide(context.Background(), q)) {
			lines = append(lines, fmt.Sprintf("%s | %s | %s | %s | %s | %s", r.Field, r.Want, r.Got, r.Path, r.Outcome, r.Message))
		}
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
}
