package flow

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"sigs.k8s.io/yaml"
)

// schemasOf reads FlowSchemas from YAML documents of a name, a precedence, a priority level
// (global-default if there is none) and rules.
func schemasOf(t testing.TB, documents string) []*flowcontrolv1.FlowSchema {
	t.Helper()
	var all []*flowcontrolv1.FlowSchema
	for _, document := range strings.Split(documents, "---\n") {
		var short struct {
			Name  string
			At    int32
			Level string
			Rules []flowcontrolv1.PolicyRulesWithSubjects
		}
		if err := yaml.UnmarshalStrict([]byte(document), &short); err != nil {
			t.Fatal(err)
		}
		s := &flowcontrolv1.FlowSchema{}
		s.Name, s.Spec.MatchingPrecedence, s.Spec.Rules = short.Name, short.At, short.Rules
		s.Spec.PriorityLevelConfiguration.Name = short.Level
		if short.Level == "" {
			s.Spec.PriorityLevelConfiguration.Name = "global-default"
		}
		all = append(all, s)
	}
	return all
}

// Parts of the schemas below.
const (
	fromDevs     = "subjects: [{kind: Group, group: {name: devs}}]"
	allResources = `resourceRules: [{verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"], clusterScope: true}]`
	getPods      = `resourceRules: [{verbs: [get], apiGroups: [""], resources: [pods], namespaces: ["*"]}]`
)

// document writes a schema of one rule.
func document(name, at string, rule ...string) string {
	return "name: " + name + "\nat: " + at + "\nrules:\n- " + strings.Join(rule, "\n  ") + "\n"
}

// TestNever names what never matches, and why. The expectations follow from the rules of
// the API server (k8s.io/apiserver/pkg/util/flowcontrol/rule.go and
// pkg/endpoints/request/requestinfo.go).
func TestNever(t *testing.T) {
	devs := func(rest string) string { return document("s", "500", fromDevs, rest) }
	for name, c := range map[string]struct {
		schemas string
		extent  Extent
		cause   Cause
		field   string
		// says is a part of the sentence.
		says string
	}{
		"no such level":         {"level: gone\n" + devs(getPods), WholeSchema, CauseDangling, "spec.priorityLevelConfiguration.name", `"gone" does not exist`},
		"no rules":              {"name: s\nat: 500\n", WholeSchema, CauseEmpty, "spec.rules", "it has no rules"},
		"no subjects":           {document("s", "500", getPods), WholeSchema, CauseEmpty, "spec.rules[0].subjects", "without subjects"},
		"nothing to do":         {document("s", "500", fromDevs), WholeSchema, CauseEmpty, "spec.rules[0]", "without resourceRules"},
		"kind without field":    {document("s", "500", "subjects: [{kind: Group, user: {name: devs}}]", getPods), WholeSchema, CauseSubject, "spec.rules[0].subjects[0]", "needs the field group"},
		"kind not known":        {document("s", "500", "subjects: [{kind: Team, user: {name: devs}}]", getPods), WholeSchema, CauseSubject, "spec.rules[0].subjects[0]", `kind "Team"`},
		"accounts everywhere":   {document("s", "500", `subjects: [{kind: ServiceAccount, serviceAccount: {namespace: "*", name: "*"}}]`, getPods), WholeSchema, CauseSubject, "spec.rules[0].subjects[0]", "namespace of a service account"},
		"account by pattern":    {document("s", "500", `subjects: [{kind: ServiceAccount, serviceAccount: {namespace: ci, name: "build-*"}}]`, getPods), WholeSchema, CauseSubject, "spec.rules[0].subjects[0]", `"build-*"`},
		"nodes by pattern":      {document("s", "500", `subjects: [{kind: User, user: {name: "system:node:*"}}]`, getPods), WholeSchema, CauseSubject, "spec.rules[0].subjects[0]", "no node is called"},
		"URL verb":              {devs("nonResourceRules: [{verbs: [create, list], nonResourceURLs: [/metrics]}]"), WholeSchema, CauseVerb, "spec.rules[0].nonResourceRules[0].verbs[0]", `HTTP knows none that makes it "create" or "list"`},
		"one URL verb":          {devs("nonResourceRules: [{verbs: [get, update], nonResourceURLs: [/metrics]}]"), ListItem, CauseVerb, "spec.rules[0].nonResourceRules[0].verbs[1]", `none that makes it "update"`},
		"resource verb":         {devs(`resourceRules: [{verbs: [post], apiGroups: [""], resources: [pods], namespaces: ["*"]}]`), WholeSchema, CauseVerb, "spec.rules[0].resourceRules[0].verbs[0]", `the verb "post"`},
		"all subresources":      {devs(`resourceRules: [{verbs: [get], apiGroups: [""], resources: ["pods/*"], namespaces: ["*"]}]`), WholeSchema, CausePattern, "spec.rules[0].resourceRules[0].resources[0]", `none is called "pods/*"`},
		"every status":          {devs(`resourceRules: [{verbs: [get], apiGroups: [""], resources: [pods, "*/status", pods/], namespaces: ["*"]}]`), ListItem, CausePattern, "spec.rules[0].resourceRules[0].resources[1]", `"*/status" or "pods/"`},
		"star beside others":    {devs(`resourceRules: [{verbs: [get, "*"], apiGroups: [""], resources: [pods], namespaces: ["*"]}]`), ListItem, CausePattern, "spec.rules[0].resourceRules[0].verbs[1]", "only where it is alone"},
		"group with version":    {devs(`resourceRules: [{verbs: [get], apiGroups: [apps/v1], resources: [deployments], namespaces: ["*"]}]`), WholeSchema, CausePattern, "spec.rules[0].resourceRules[0].apiGroups[0]", `"apps/v1"`},
		"namespaces by pattern": {devs(`resourceRules: [{verbs: [get], apiGroups: [""], resources: [pods], namespaces: ["team-*"]}]`), WholeSchema, CausePattern, "spec.rules[0].resourceRules[0].namespaces[0]", `"team-*"`},
		"nowhere":               {devs(`resourceRules: [{verbs: [get], apiGroups: [""], resources: [nodes]}]`), WholeSchema, CauseScope, "spec.rules[0].resourceRules[0].namespaces", "without clusterScope"},
		"no verbs":              {devs(`resourceRules: [{verbs: [], apiGroups: [""], resources: [pods], namespaces: ["*"]}]`), WholeSchema, CauseEmpty, "spec.rules[0].resourceRules[0].verbs", "empty list of verbs"},
		"exec":                  {devs(`resourceRules: [{verbs: [create, get], apiGroups: [""], resources: [pods/exec], namespaces: ["*"]}]`), WholeSchema, CauseBypass, "spec.rules[0].resourceRules[0].resources[0]", `"pods/exec" pass flow control`},
		"exec with any verb":    {devs(`resourceRules: [{verbs: ["*"], apiGroups: [""], resources: [pods, pods/exec], namespaces: ["*"]}]`), ListItem, CauseBypass, "spec.rules[0].resourceRules[0].resources[1]", "unless they are watches"},
		"proxy":                 {devs(`resourceRules: [{verbs: [proxy], apiGroups: [""], resources: [services], namespaces: ["*"]}]`), WholeSchema, CauseBypass, "spec.rules[0].resourceRules[0].verbs[0]", `the verb "proxy" pass flow control`},
		"profiles":              {devs(`nonResourceRules: [{verbs: [get], nonResourceURLs: ["/debug/pprof/*"]}]`), WholeSchema, CauseBypass, "spec.rules[0].nonResourceRules[0].nonResourceURLs[0]", "/debug/pprof/"},
		"resource as URL":       {devs(`nonResourceRules: [{verbs: [get], nonResourceURLs: [/metrics, /apis/apps/v1/deployments]}]`), ListItem, CausePath, "spec.rules[0].nonResourceRules[0].nonResourceURLs[1]", "is the path of a resource"},
		"star within a URL":     {devs(`nonResourceRules: [{verbs: [get], nonResourceURLs: ["/apis/*/v1"]}]`), WholeSchema, CausePattern, "spec.rules[0].nonResourceRules[0].nonResourceURLs[0]", "only at the end"},
		"URL without slash":     {devs(`nonResourceRules: [{verbs: [get], nonResourceURLs: [healthz]}]`), WholeSchema, CausePattern, "spec.rules[0].nonResourceRules[0].nonResourceURLs[0]", "begins with a slash"},
		"exempt takes masters":  {document("s", "2", "subjects: [{kind: Group, group: {name: system:masters}}]", getPods), WholeSchema, CauseShadowed, "spec.rules[0]", "is taken by exempt at 1."},
		"behind catch-all":      {document("catch-all", "10000", "subjects: [{kind: Group, group: {name: system:authenticated}}]", allResources) + "---\n" + document("zz", "10000", fromDevs, getPods), WholeSchema, CauseShadowed, "spec.rules[0]", "is taken by catch-all at 10000."},
		"every verb but one":    {document("a", "400", fromDevs, `resourceRules: [{verbs: [get, list, watch, create, update, patch, delete], apiGroups: ["*"], resources: ["*"], namespaces: ["*"], clusterScope: true}]`) + "---\n" + devs(`resourceRules: [{verbs: ["*"], apiGroups: [""], resources: [pods], namespaces: ["*"]}]`), "", "", "", ""},
		"below and itself":      {document("a", "400", fromDevs, `nonResourceRules: [{verbs: ["*"], nonResourceURLs: ["/metrics/*"]}]`) + "---\n" + devs(`nonResourceRules: [{verbs: [get], nonResourceURLs: ["/metrics"]}]`), "", "", "", ""},
		"all below":             {document("a", "400", fromDevs, `nonResourceRules: [{verbs: ["*"], nonResourceURLs: ["/metrics"]}]`) + "---\n" + devs(`nonResourceRules: [{verbs: [get], nonResourceURLs: ["/metrics/*", /metrics/x]}]`), WholeSchema, CauseShadowed, "spec.rules[0]", "is taken by a at 400."},
		"earlier by name":       {document("a", "500", fromDevs, allResources) + "---\n" + devs(getPods), WholeSchema, CauseShadowed, "spec.rules[0]", "is taken by a at 500."},
		"ignored one first":     {"level: gone\n" + document("s", "400", fromDevs, allResources) + "---\n" + document("t", "500", fromDevs, getPods), WholeSchema, CauseDangling, "spec.priorityLevelConfiguration.name", "does not exist"},
		"one rule":              {document("a", "400", fromDevs, allResources) + "---\n" + devs(getPods) + "- subjects: [{kind: Group, group: {name: ops}}]\n  " + getPods + "\n", WholeRule, CauseShadowed, "spec.rules[0]", "spec.rules[0] matches is taken by a at 400."},
		"one subject":           {document("a", "400", fromDevs, allResources) + "---\n" + document("s", "500", "subjects: [{kind: User, user: {name: alice}}, {kind: Group, group: {name: devs}}]", getPods), RulePart, CauseShadowed, "spec.rules[0].subjects[1]", "for group devs is taken by a at 400."},
	} {
		t.Run(name, func(t *testing.T) {
			got := NewOrder(schemasOf(t, c.schemas), NewLevels(nil, true)).Never()
			if c.extent == "" {
				if len(got) > 0 {
					t.Fatalf("want nothing, got %+v", got)
				}
				return
			}
			if len(got) != 1 {
				t.Fatalf("want one finding, got %+v", got)
			}
			n := got[0]
			if n.Extent != c.extent || n.Cause != c.cause || n.Fields[0] != c.field || !strings.Contains(n.Text, c.says) {
				t.Errorf("got %s %s %s %q", n.Extent, n.Cause, n.Fields, n.Text)
			}
			if (n.Cause == CauseShadowed) != (len(n.Proof) > 0) {
				t.Errorf("%d steps of a proof", len(n.Proof))
			}
		})
	}
}

// TestNeverOfDefaults finds nothing in the schemas that every API server creates.
func TestNeverOfDefaults(t *testing.T) {
	var all []*flowcontrolv1.FlowSchema
	for _, object := range (Compiler{}).Defaults() {
		all = append(all, object.(*flowcontrolv1.FlowSchema))
	}
	o := NewOrder(all, NewLevels(nil, true))
	if got := o.Never(); len(got) > 0 {
		t.Errorf("%+v", got)
	}
	for _, reach := range o.Reaches() {
		if reach.Witness == nil && reach.Schema.Name != flowcontrolv1.FlowSchemaNameCatchAll {
			t.Errorf("no request shows that %s is reached", reach.Schema.Name)
		}
	}
}

// TestProof shows that a schema is taken by two others together, what each of them takes,
// and what the proof takes for granted about groups.
func TestProof(t *testing.T) {
	schemas := document("reads", "300", "subjects: [{kind: Group, group: {name: system:serviceaccounts}}]",
		`resourceRules: [{verbs: [get, list], apiGroups: ["*"], resources: ["*"], namespaces: ["*"]}]`) + "---\n" +
		document("ci", "400", `subjects: [{kind: User, user: {name: bob}}, {kind: ServiceAccount, serviceAccount: {namespace: ci, name: "*"}}]`,
			`resourceRules: [{verbs: ["*"], apiGroups: [""], resources: [secrets, pods], namespaces: [ci]}]`) + "---\n" +
		document("s", "500", "subjects: [{kind: ServiceAccount, serviceAccount: {namespace: ci, name: build}}]",
			`resourceRules: [{verbs: [get, create], apiGroups: [""], resources: [pods], namespaces: [ci]}]`)
	all := schemasOf(t, schemas)
	got := NewOrder(all, NewLevels(nil, true)).Never()
	if len(got) != 1 || !got[0].Whole() {
		t.Fatalf("got %+v", got)
	}
	// ci alone matches all of it, although reads takes a part before.
	n := got[0]
	if n.By == nil || n.By.Name != "ci" || n.Text != "Every request that it matches is matched by ci at 400, too, which is asked first." || len(n.Assumptions) > 0 {
		t.Errorf("got %+v", n)
	}

	all[1].Spec.Rules[0].ResourceRules[0].Verbs = []string{"create"}
	got = NewOrder(all, NewLevels(nil, true)).Never()
	if len(got) != 1 || len(got[0].Proof) != 2 {
		t.Fatalf("got %+v", got)
	}
	n = got[0]
	if n.By != nil || n.Text != "Every request that it matches falls in an earlier schema: reads at 300, ci at 400." || !slices.Equal(n.Assumptions, []string{AssumeAccounts}) {
		t.Errorf("got %+v", n)
	}
	first, second := n.Proof[0], n.Proof[1]
	if first.Text() != "get pods of core, in ci, from service account ci/build: reads at 300 matches them." || first.Field != "spec.rules[0].resourceRules[0]" || first.BySubject != "spec.rules[0].subjects[0]" {
		t.Errorf("%s %+v", first.Text(), first)
	}
	if second.Text() != "create pods of core, in ci, from service account ci/build: ci at 400 matches them." || second.ByField != "spec.rules[0].resourceRules[0]" || second.BySubject != "spec.rules[0].subjects[1]" {
		t.Errorf("%s %+v", second.Text(), second)
	}
}

// TestNeverGivesUp bounds the work: what is not compared to the end is said to be open, and
// nothing is said to be reached.
func TestNeverGivesUp(t *testing.T) {
	o := NewOrder(schemasOf(t, document("a", "400", fromDevs, allResources)+"---\n"+document("s", "500", fromDevs, getPods)), NewLevels(nil, true))
	for _, left := range []int{maxWork, 4, 1, 0} {
		e := newEarlier(o)
		e.left = left
		reach := newStudy(e, 2).reach()
		if reach.Schema.Name != "s" || len(reach.Never) != 1 || reach.Witness != nil {
			t.Fatalf("with %d: %+v", left, reach)
		}
		if whole := left == maxWork; reach.Never[0].Whole() != whole || len(reach.Never[0].Open) > 0 == whole {
			t.Errorf("with %d: %+v", left, reach.Never[0])
		}
	}
}

// TestReachesOfAnything holds that any schema can be studied, however it is written, and
// that what is to show that a schema is reached does so.
func TestReachesOfAnything(t *testing.T) {
	g := &generator{rand.New(rand.NewPCG(3, 3))}
	witnesses := 0
	for range 5_000 {
		o := g.order()
		for _, reach := range o.Reaches() {
			for _, n := range reach.Never {
				if len(n.Fields) == 0 || !strings.HasSuffix(n.Text, ".") || n.Schema != reach.Schema {
					t.Fatalf("%+v\n%s", n, written(o))
				}
			}
			if reach.Witness != nil {
				checkWitness(t, o, &reach)
				witnesses++
			}
		}
	}
	if witnesses < 5_000 {
		t.Errorf("only %d schemas are reached", witnesses)
	}
}
