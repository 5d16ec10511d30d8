package rules_test

import (
	"strings"
	"testing"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy/rules"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// decode makes a ClusterPolicy of the rules that are written in a flow, and of an annotation unless it is "-".
func decode(t *testing.T, annotation, written string) *api.Legacy {
	t.Helper()
	text := "---\n{apiVersion: kyverno.io/v1, kind: ClusterPolicy, metadata: {name: p}, spec: {rules: [" + written + "]}}"
	documents, problems := manifest.Read("policy", []byte(text), 0)
	if len(documents) != 1 {
		t.Fatalf("%s: %v", text, problems)
	}
	p, err := api.DecodeLegacy(documents[0].Object)
	if err != nil {
		t.Fatal(err)
	}
	if annotation != "-" {
		p.Annotations = map[string]string{rules.Annotation: annotation}
	}
	return p
}

const all = "CronJob,DaemonSet,Deployment,Job,ReplicaSet,ReplicationController,StatefulSet"

// TestControllers has the cases of pkg/autogen/v1/autogen_test.go (Test_CanAutoGen) of github.com/kyverno/kyverno
// v1.19.1, and some that follow from the function.
func TestControllers(t *testing.T) {
	for _, c := range []struct{ name, rules, want string }{
		{"match name", `{name: r, match: {resources: {kinds: [Namespace], name: "*"}}}`, ""},
		{"match selector", `{name: r, match: {resources: {kinds: [Pod], selector: {matchLabels: {foo: bar}}}}}`, ""},
		{"exclude name", `{name: r, match: {resources: {kinds: [Pod]}}, exclude: {resources: {name: test}}}`, ""},
		{"exclude names", `{name: r, match: {resources: {kinds: [Pod]}}, exclude: {resources: {names: [test]}}}`, ""},
		{"exclude selector", `{name: r, match: {resources: {kinds: [Pod]}}, exclude: {resources: {selector: {matchLabels: {foo: bar}}}}}`, ""},
		{"deny", `{name: r, match: {resources: {kinds: [Pod]}}, validate: {deny: {conditions: []}}}`, all},
		{"mixed kinds", `{name: r, match: {resources: {kinds: [Pod, Deployment]}}, mutate: {patchStrategicMerge: {a: b}}}`, ""},
		{"exclude mixed kinds", `{name: r, match: {resources: {kinds: [Pod]}}, exclude: {resources: {kinds: [Pod, Deployment]}}, mutate: {patchStrategicMerge: {a: b}}}`, ""},
		{"pods", `{name: r, match: {resources: {kinds: [Pod]}}, validate: {pattern: {a: b}}}`, all},
		{"exclude pods", `{name: r, match: {resources: {kinds: [Pod]}}, exclude: {resources: {kinds: [Pod], namespaces: [test]}}, validate: {pattern: {a: b}}}`, all},
		{"JSON patch", `{name: r, match: {resources: {kinds: [Pod]}}, mutate: {patchesJson6902: "- op: add"}}`, ""},
		{"generate", `{name: r, match: {resources: {kinds: [Namespace]}}, generate: {kind: NetworkPolicy, name: deny}}`, ""},
		{"other kinds", `{name: r, match: {resources: {kinds: [Namespace]}}, mutate: {patchStrategicMerge: {a: b}}}`, ""},
		{"pod security", `{name: r, match: {resources: {kinds: [Pod]}}, validate: {podSecurity: {level: baseline}}}`, all},
		{"one rule of several", `{name: r, match: {resources: {kinds: [Pod]}}, validate: {pattern: {a: b}}}, {name: s, match: {resources: {kinds: [Secret], names: [x]}}, validate: {pattern: {a: b}}}`, ""},
		{"annotations without entries", `{name: r, match: {any: [{resources: {kinds: [Pod], annotations: {}}}]}, validate: {pattern: {a: b}}}`, ""},
		{"a version", `{name: r, match: {any: [{resources: {kinds: [v1/Pod]}}]}, validate: {pattern: {a: b}}}`, ""},
	} {
		if got := strings.Join(rules.Controllers(decode(t, "-", c.rules)), ","); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestOf says which rules there are. That follows from pkg/autogen/v1 (ComputeRules) of github.com/kyverno/kyverno
// v1.19.1, whose tests have the names, the version of a CronJob, and two rules for Deployments.
func TestOf(t *testing.T) {
	const pods = `{name: r, match: {any: [{resources: {kinds: [Pod]}}, {resources: {kinds: [Service]}}]}, exclude: {any: [{resources: {namespaces: [x]}}]}, validate: {pattern: {a: b}}}`
	long := "too-long-this-rule-name-will-be-truncated-to-63-characters"
	for _, c := range []struct{ name, annotation, rules, want string }{
		{"default", "-", pods, "r:Pod,Service autogen-r:apps/v1/DaemonSet,apps/v1/Deployment,batch/v1/Job,apps/v1/ReplicaSet,v1/ReplicationController,apps/v1/StatefulSet,Service autogen-cronjob-r:batch/v1/CronJob,batch/v1/CronJob"},
		{"none", "none", pods, "r:Pod,Service"},
		{"empty", "", pods, "r:Pod,Service"},
		{"some", "StatefulSet,Deployment", pods, "r:Pod,Service autogen-r:apps/v1/Deployment,apps/v1/StatefulSet,Service"},
		{"cron jobs", "CronJob", pods, "r:Pod,Service autogen-cronjob-r:batch/v1/CronJob,batch/v1/CronJob"},
		{"blanks", "Deployment, CronJob", pods, "r:Pod,Service autogen-r:apps/v1/Deployment,Service autogen-cronjob-r:batch/v1/CronJob,batch/v1/CronJob"},
		{"unknown", "Rollout", pods, "r:Pod,Service autogen-r:Rollout,Service"},
		{"named like a derived rule", "Job", `{name: autogen-x, match: {resources: {kinds: [Service]}}, validate: {pattern: {a: b}}}, {name: r, match: {resources: {kinds: [Pod]}}, validate: {pattern: {a: b}}}`, "r:Pod autogen-r:batch/v1/Job"},
		{"exclude another kind", "Job", `{name: r, match: {resources: {kinds: [Pod]}}, exclude: {resources: {kinds: [Service]}}, validate: {pattern: {a: b}}}`, "r:Pod"},
		{"manifests", "Job", `{name: r, match: {resources: {kinds: [Pod]}}, validate: {manifests: {attestors: [{}]}}}`, "r:Pod"},
		{"assertions", "Job", `{name: r, match: {resources: {kinds: [Pod]}}, validate: {assert: {object: {}}}}`, "r:Pod"},
		{"images", "Job", `{name: r, match: {resources: {kinds: [Pod]}}, verifyImages: [{}]}`, "r:Pod autogen-r:batch/v1/Job"},
		{"long name", "Job,CronJob", `{name: ` + long + `, match: {resources: {kinds: [Pod]}}, validate: {pattern: {a: b}}}`, long + ":Pod autogen-too-long-this-rule-name-will-be-truncated-to-63-charact:batch/v1/Job autogen-cronjob-too-long-this-rule-name-will-be-truncated-to-63:batch/v1/CronJob"},
	} {
		if got := list(rules.Of(decode(t, c.annotation, c.rules), release.Default)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// pkg/autogen/v1 of v1.17.2 has no groups, and derives from assertions.
	old := release.Release{Major: 1, Minor: 17, Patch: 2}
	if got := list(rules.Of(decode(t, "Job", `{name: r, match: {resources: {kinds: [Pod]}}, validate: {assert: {object: {a: b}}}}`), old)); got != "r:Pod autogen-r:Job" {
		t.Errorf("1.17.2: %s", got)
	}
}

func list(all []rules.Rule) string {
	var words []string
	for i := range all {
		words = append(words, all[i].Name+":"+strings.Join(rules.Kinds(&all[i].Match), ","))
	}
	return strings.Join(words, " ")
}

// TestSorts says what rules do, by api/kyverno/v1/rule_types.go (Has...) and the defaults of the custom resource
// definition.
func TestSorts(t *testing.T) {
	for written, want := range map[string]string{
		`validate: {pattern: {a: b}}`:                      "validates",
		`validate: {}`:                                     "validates",
		`validate: {manifests: {attestors: [{count: 1}]}}`: "validates manifest",
		`mutate: {patchStrategicMerge: {a: b}}`:            "mutates",
		`mutate: {}`:                                       "",
		`mutate: {targets: [{kind: Pod}], patchStrategicMerge: {a: b}}`:            "others",
		`generate: {kind: Secret, name: x}`:                                        "generates",
		`generate: {synchronize: false}`:                                           "",
		`verifyImages: [{imageReferences: ["*"]}]`:                                 "images checks",
		`verifyImages: [{verifyDigest: false, required: false}]`:                   "images",
		`verifyImages: [{verifyDigest: false, required: false}, {required: true}]`: "images checks",
	} {
		p := decode(t, "none", `{name: r, match: {resources: {kinds: [Pod]}}, `+written+`}`)
		r := rules.Of(p, release.Default)[0]
		var said []string
		for _, s := range []struct {
			word string
			is   bool
		}{
			{"validates", r.Validates()}, {"manifest", r.VerifiesManifest()}, {"mutates", r.Mutates()}, {"others", r.MutatesOthers()},
			{"generates", r.Generates()}, {"images", r.VerifiesImages()}, {"checks", r.ChecksImages()},
		} {
			if s.is {
				said = append(said, s.word)
			}
		}
		if got := strings.Join(said, " "); got != want {
			t.Errorf("%s: %s, want %s", written, got, want)
		}
	}
	// The policy of a derived mutation loses its targets.
	p := decode(t, "Job", `{name: r, match: {resources: {kinds: [Pod]}}, mutate: {targets: [{kind: Pod}], patchStrategicMerge: {a: b}}}`)
	if derived := rules.Of(p, release.Default)[1]; !derived.Mutates() || derived.MutatesOthers() {
		t.Error("a derived mutation still has targets")
	}
}
