package legacy_test

import (
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/ambit-k8s/ambit/scope"
)

const (
	hello = `{apiVersion: v1, kind: Pod, metadata: {name: hello-world, namespace: default, labels: {name: hello-world}}}`
	qos   = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: qos-demo, namespace: default, labels: {test: qos}}}`
)

// TestMatchesResourceDescription has the cases of pkg/engine/utils/utils_test.go (TestMatchesResourceDescription) of
// github.com/kyverno/kyverno v1.19.1 that need no roles, and, by the same test with generateName in the place of
// name, those of TestMatchesResourceDescription_GenerateName.
func TestMatchesResourceDescription(t *testing.T) {
	pod := func(name, namespace string) string {
		return `{apiVersion: v1, kind: Pod, metadata: {name: ` + name + `, namespace: ` + namespace + `}}`
	}
	for _, c := range []struct {
		name, blocks, object string
		want                 bool
	}{
		{"any", `match: {any: [{resources: {kinds: [Pod], names: [dev]}}, {resources: {kinds: [Pod], namespaces: [prod]}}]}`, pod("abc", "prod"), true},
		{"any, none", `match: {any: [{resources: {kinds: [Pod], names: [dev]}}, {resources: {kinds: [Pod], namespaces: [prod]}}]}`, pod("abc", "default"), false},
		{"all", `match: {all: [{resources: {kinds: [Pod], names: [abc]}}, {resources: {kinds: [Pod], namespaces: [prod]}}]}`, pod("abc", "prod"), true},
		{"all, but one", `match: {all: [{resources: {kinds: [Pod], names: [xyz]}}, {resources: {kinds: [Pod], namespaces: [prod]}}]}`, pod("abc", "prod"), false},
		{"exclude any", `match: {all: [{resources: {kinds: [Pod]}}]}, exclude: {any: [{resources: {kinds: [Pod], names: [dev]}}, {resources: {kinds: [Pod], namespaces: [default]}}]}`, pod("dev", "prod"), false},
		{"exclude any, none", `match: {all: [{resources: {kinds: [Pod]}}]}, exclude: {any: [{resources: {kinds: [Pod], names: [dev]}}, {resources: {kinds: [Pod], namespaces: [default]}}]}`, pod("abc", "prod"), true},
		{"exclude all", `match: {all: [{resources: {kinds: [Pod]}}]}, exclude: {all: [{resources: {kinds: [Pod], names: [dev]}}, {resources: {kinds: [Pod], namespaces: [prod]}}]}`, pod("dev", "prod"), false},
		{"exclude all, but one", `match: {all: [{resources: {kinds: [Pod]}}]}, exclude: {all: [{resources: {kinds: [Pod], names: [abc]}}, {resources: {kinds: [Pod], namespaces: [default]}}]}`, pod("abc", "prod"), true},
		{"names", `match: {resources: {kinds: [Pod], names: [dev-*]}}`, hello, false},
		{"one of names", `match: {resources: {kinds: [Pod], names: [dev-*, hello-world]}}`, hello, true},
		{"exclude names", `match: {resources: {kinds: [Pod]}}, exclude: {resources: {names: [dev-*, hello-*]}}`, hello, false},
		{"exclude other names", `match: {resources: {kinds: [Pod]}}, exclude: {resources: {names: [dev-*, hello-*]}}`, pod("bye-world", "default"), true},
		{"another kind", `match: {resources: {kinds: [Pod]}}, exclude: {resources: {name: hello-world}}`, strings.Replace(hello, "Pod", "Service", 1), false},
		{"exclude another name", `match: {resources: {kinds: [Pod]}}, exclude: {resources: {name: hello-world}}`, pod("hello-world2", "default"), true},
		{"group, version, kind", `match: {resources: {kinds: [apps/v1/Deployment], selector: {matchLabels: {test: qos}}}}`, qos, true},
		{"version, kind", `match: {resources: {kinds: [v1/Pod]}}`, hello, true},
		{"another version", `match: {resources: {kinds: [apps/v1beta1/Deployment], selector: {matchLabels: {test: qos}}}}`, qos, false},
		{"version of a cluster role", `match: {resources: {kinds: [rbac.authorization.k8s.io/v1beta1/ClusterRole]}}`, `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: secret-reader-demo}}`, false},
		{"case of a kind", `match: {resources: {kinds: [pod]}}`, hello, false},
		{"case of a full kind", `match: {resources: {kinds: [apps/v1/deployment], selector: {matchLabels: {test: qos}}}}`, qos, false},
		// TestResourceDescriptionMatch_MultipleKind, _Name, _Name_Regex, _Label_Expression_NotMatch,
		// _Label_Expression_Match and TestResourceDescriptionExclude_Label_Expression_Match.
		{"several kinds", `match: {resources: {kinds: [Deployment, Pods]}}`, qos, true},
		{"name", `match: {resources: {kinds: [Deployment], name: qos-demo}}`, qos, true},
		{"pattern of a name", `match: {resources: {kinds: [Deployment], name: qos-*}}`, qos, true},
		{"expression", `match: {resources: {kinds: [Deployment], name: qos-*, selector: {matchExpressions: [{key: label2, operator: NotIn, values: [sometest1]}]}}}`, qos, true},
		{"expression that fails", `match: {resources: {kinds: [Deployment], name: qos-*, selector: {matchExpressions: [{key: test, operator: NotIn, values: [sometest1, qos]}]}}}`, qos, false},
		{"exclude expression", `match: {resources: {kinds: [Deployment], name: qos-*}}, exclude: {resources: {selector: {matchExpressions: [{key: test, operator: In, values: [qos]}]}}}`, qos, false},
		// TestMatchesResourceDescriptionWithEmptyExcludeNames and ...VsNil: an exclude block that says nothing
		// excludes nothing.
		{"exclude nothing", `match: {any: [{resources: {kinds: [Pod]}}]}, exclude: {any: [{resources: {names: []}}]}`, hello, true},
		{"exclude block without words", `match: {any: [{resources: {kinds: [Pod]}}]}, exclude: {}`, hello, true},
		{"match nothing", `match: {any: [{resources: {}}]}`, hello, false},
		{"match without words", `match: {}`, hello, false},
	} {
		p := rule(t, c.blocks)
		for _, object := range []string{c.object, strings.Replace(c.object, "{name:", "{generateName:", 1)} {
			// The mutating half sees a generateName before there is a name.
			said := steps(t, p, asked{object: object, user: alice, mutating: true}.question(t))
			if got := said[0].Outcome == scope.Match && said[1].Outcome == scope.Match; got != c.want {
				t.Errorf("%s: %s for %s", c.name, words(said), object)
			}
		}
	}
}

// TestBlocks has what follows from pkg/engine/utils/match.go (doesResourceMatchConditionBlock) and from the tables of
// pkg/utils/match (TestCheckAnnotations, TestCheckSelector, TestCheckSubjects) and pkg/engine/utils/match_test.go
// (TestCheckNameSpace) of github.com/kyverno/kyverno v1.19.1.
func TestBlocks(t *testing.T) {
	labelled := `{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: ns, labels: {test.io/scale: foo, test.io/functional: bar}, annotations: {test/bar: foo, test2/123: bar}}}`
	service := &authenticationv1.UserInfo{Username: "system:serviceaccount:kyverno-system:kyverno"}
	system := `{apiVersion: v1, kind: Namespace, metadata: {name: kube-system, labels: {env: prod}}}`
	for _, c := range []struct {
		name, match string
		asked       asked
		want        scope.StepOutcome
	}{
		{"operation first", `{resources: {kinds: [Pod], operations: [UPDATE]}}`, asked{object: labelled}, scope.NoMatch},
		{"operation", `{resources: {operations: [CREATE]}}`, asked{object: labelled}, scope.Match},
		{"annotation", `{resources: {annotations: {"test/b*": "*"}}}`, asked{object: labelled}, scope.Match},
		{"no annotation", `{resources: {annotations: {"tes/*": "*"}}}`, asked{object: labelled}, scope.NoMatch},
		{"both annotations", `{resources: {annotations: {"test/b*": "*", "test2/*": "*"}}}`, asked{object: labelled}, scope.Match},
		{"one annotation too many", `{resources: {annotations: {"test/b*": "*", "test3/*": "*"}}}`, asked{object: labelled}, scope.NoMatch},
		{"annotation and value of one", `{resources: {annotations: {"test*": "f*", "test2/*": "f*"}}}`, asked{object: labelled}, scope.NoMatch},
		{"empty selector", `{resources: {selector: {}}}`, asked{object: labelled}, scope.Match},
		{"pattern of a label", `{resources: {selector: {matchLabels: {test.io/*: bar}}}}`, asked{object: labelled}, scope.Match},
		{"patterns", `{resources: {selector: {matchLabels: {test.io/*: "*"}}}}`, asked{object: labelled}, scope.Match},
		{"pattern of a value", `{resources: {selector: {matchLabels: {test.io/scale: "f??"}}}}`, asked{object: labelled}, scope.Match},
		{"no such value", `{resources: {selector: {matchLabels: {test.io/*: a*}}}}`, asked{object: labelled}, scope.NoMatch},
		{"no such label", `{resources: {selector: {matchLabels: {scale.test.io/*: bar}}}}`, asked{object: labelled}, scope.NoMatch},
		{"another value", `{resources: {selector: {matchLabels: {test.io/functional: foo}}}}`, asked{object: labelled}, scope.NoMatch},
		{"any label of none", `{resources: {selector: {matchLabels: {"*": "*"}}}}`, asked{object: `{apiVersion: v1, kind: Pod, metadata: {name: a}}`}, scope.NoMatch},
		{"no label's name", `{resources: {selector: {matchLabels: {abc/def/ghi: "*"}}}}`, asked{object: labelled}, scope.NoMatch},
		{"pattern in an expression", `{resources: {selector: {matchExpressions: [{key: "test.io/*", operator: Exists}]}}}`, asked{object: labelled}, scope.NoMatch},
		{"pattern that may take the place of another label", `{resources: {selector: {matchLabels: {test.io/*: bar, test.io/functional: foo}}}}`, asked{object: labelled}, scope.Open},
		{"namespace", `{resources: {namespaces: ["dev-*", "n?"]}}`, asked{object: labelled}, scope.Match},
		{"another namespace", `{resources: {namespaces: [nsx]}}`, asked{object: labelled}, scope.NoMatch},
		{"a Namespace by its name", `{resources: {namespaces: [kube-*]}}`, asked{object: system}, scope.Match},
		{"no namespace", `{resources: {namespaces: [""]}}`, asked{object: `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: admin}}`}, scope.Match},
		{"labels of the namespace", `{resources: {namespaceSelector: {matchLabels: {env: p*}}}}`, asked{object: labelled, namespaces: namespaces{"ns": {"env": "prod"}}}, scope.Match},
		{"labels of another", `{resources: {namespaceSelector: {matchLabels: {env: p*}}}}`, asked{object: labelled, namespaces: namespaces{"ns": {"env": "dev"}}}, scope.NoMatch},
		{"labels that are not known", `{resources: {namespaceSelector: {matchLabels: {env: p*}}}}`, asked{object: labelled}, scope.Open},
		{"the label that every namespace has", `{resources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ns}}}}`, asked{object: labelled}, scope.Match},
		{"namespaceSelector for a Namespace", `{resources: {kinds: [Namespace], namespaceSelector: {matchLabels: {env: prod}}}}`, asked{object: system}, scope.NoMatch},
		{"namespaceSelector for an object without namespace", `{resources: {namespaceSelector: {matchExpressions: [{key: env, operator: DoesNotExist}]}}}`, asked{object: `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: admin}}`}, scope.Match},
		{"namespace that does not exist", `{resources: {kinds: [Pod], namespaceSelector: {}}}`, asked{object: labelled, namespaces: namespaces{}}, scope.Failed},
		{"user", `{subjects: [{kind: User, name: al*}]}`, asked{object: labelled, user: alice}, scope.Match},
		{"another user", `{subjects: [{kind: User, name: bob}]}`, asked{object: labelled, user: alice}, scope.NoMatch},
		{"group", `{subjects: [{kind: User, name: bob}, {kind: Group, name: "dev?"}]}`, asked{object: labelled, user: alice}, scope.Match},
		{"no group", `{subjects: [{kind: Group, name: admin}]}`, asked{object: labelled, user: alice}, scope.NoMatch},
		{"service account", `{subjects: [{kind: ServiceAccount, name: kyverno, namespace: kyverno*}]}`, asked{object: labelled, user: service}, scope.Match},
		{"another service account", `{subjects: [{kind: ServiceAccount, name: kyverno, namespace: kube-system}]}`, asked{object: labelled, user: service}, scope.NoMatch},
		{"no kind of subject", `{subjects: [{kind: Nobody, name: alice}]}`, asked{object: labelled, user: alice}, scope.NoMatch},
		{"nobody in particular", `{subjects: [{kind: User, name: alice}]}`, asked{object: labelled}, scope.Open},
		{"everybody", `{subjects: [{kind: Group, name: "system:*"}]}`, asked{object: labelled}, scope.Match},
		{"who asks does not matter", `{resources: {kinds: [Secret]}, subjects: [{kind: User, name: alice}]}`, asked{object: labelled}, scope.NoMatch},
		{"roles", `{resources: {kinds: [Pod]}, clusterRoles: [admin]}`, asked{object: labelled, user: alice}, scope.Open},
		{"roles that do not matter", `{roles: ["ns:admin"], subjects: [{kind: User, name: bob}]}`, asked{object: labelled, user: alice}, scope.NoMatch},
		{"old object of DELETE", `{resources: {kinds: [Pod], selector: {matchLabels: {test.io/scale: foo}}}}`, asked{object: labelled, operation: "DELETE"}, scope.Match},
		{"subresource", `{resources: {kinds: [Pod/eviction]}}`, asked{object: `{apiVersion: policy/v1, kind: Eviction, metadata: {name: a, namespace: ns}}`}, scope.Match},
		{"subresource that is not named", `{resources: {kinds: [Pod]}}`, asked{object: `{apiVersion: policy/v1, kind: Eviction, metadata: {name: a, namespace: ns}}`}, scope.NoMatch},
		{"kind of what a subresource carries", `{resources: {kinds: [Eviction]}}`, asked{object: `{apiVersion: policy/v1, kind: Eviction, metadata: {name: a, namespace: ns}}`}, scope.NoMatch},
		{"ephemeral containers", `{resources: {kinds: [Pod]}}`, asked{object: labelled, operation: "UPDATE", subresource: "ephemeralcontainers"}, scope.Match},
		{"status", `{resources: {kinds: [Pod]}}`, asked{object: labelled, operation: "UPDATE", subresource: "status"}, scope.NoMatch},
	} {
		said := steps(t, rule(t, "match: {any: ["+c.match+"]}"), c.asked.question(t))[0]
		if said.Outcome != c.want {
			t.Errorf("%s: %s %v, want %s", c.name, said.Outcome, said.Missing, c.want)
		}
	}
}
