package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
)

// Each fixture is a command line with its files, and what comes of it. That no FlowSchema is
// among the manifests is nothing that coverage looks at.
func TestCoverageCommandLines(t *testing.T) {
	for _, file := range archives(t, "testdata/coverage/*.txtar") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			parts := unpack(t, file)
			stdout, stderr, code := run(strings.Fields(parts["args"]), []byte(parts["stdin"]))
			got := map[string]string{"stdout": stdout, "stderr": withoutFlow(stderr), "status": fmt.Sprintln(code)}
			for name, got := range got {
				if diff := cmp.Diff(parts[name], got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

func withoutFlow(stderr string) string {
	var kept strings.Builder
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "note: There are no FlowSchemas") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// contract is the document as DESIGN has it.
type contract struct {
	Objects   int
	Operation string
	Policies  []struct {
		Kind, Namespace, Name, Entry         string
		Applicable, Included, Error, Unknown int
		Funnel                               []struct {
			Layer     string
			Remaining int
		}
	}
}

// coverageOf runs coverage over the objects of the text fixture.
func coverageOf(t *testing.T, args ...string) string {
	t.Helper()
	file := archives(t, "testdata/coverage/text.txtar")[0]
	unpack(t, file)
	stdout, stderr, code := run(append([]string{"coverage", "-f", "cluster.yaml"}, args...), nil)
	if code != 0 {
		t.Fatalf("status %d: %s", code, stderr)
	}
	return stdout
}

// The webhook for Pods sees one of three: one is in kube-system, one has no label app.
func TestCoverageDocument(t *testing.T) {
	for _, output := range []string{"json", "yaml"} {
		t.Run(output, func(t *testing.T) {
			text := []byte(coverageOf(t, "-o", output))
			if output == "json" && !json.Valid(text) {
				t.Fatal("it is no JSON")
			}
			var got contract
			if err := yaml.UnmarshalStrict(text, &got); err != nil {
				t.Fatal(err)
			}
			if got.Objects != 12 || got.Operation != "CREATE" || len(got.Policies) != 5 {
				t.Fatalf("%d objects, %s, %d policies", got.Objects, got.Operation, len(got.Policies))
			}
			for _, p := range got.Policies {
				if p.Entry != "pods.guard.example.com" {
					continue
				}
				if p.Kind != "ValidatingWebhookConfiguration" || p.Name != "guard" || p.Applicable != 3 || p.Included != 1 || p.Error+p.Unknown != 0 {
					t.Errorf("%+v", p)
				}
				var funnel []string
				for _, f := range p.Funnel {
					funnel = append(funnel, fmt.Sprint(f.Layer, " ", f.Remaining))
				}
				want := "exemption 3, resourceRules 3, namespaceSelector 2, objectSelector 1, matchConditions 1"
				if got := strings.Join(funnel, ", "); got != want {
					t.Errorf("the funnel is %s, want %s", got, want)
				}
				return
			}
			t.Error("the webhook is not in the document")
		})
	}
}

// Every policy has its line, and a layer that it does not have an empty cell.
func TestCoverageCSV(t *testing.T) {
	lines, err := csv.NewReader(strings.NewReader(coverageOf(t, "-o", "csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 6 {
		t.Fatalf("%d lines for 5 policies", len(lines))
	}
	column := map[string]int{}
	for i, name := range lines[0] {
		column[name] = i
	}
	found := 0
	for _, line := range lines[1:] {
		cells := func(names ...string) string {
			var all []string
			for _, name := range names {
				i, ok := column[name]
				if !ok {
					t.Fatalf("there is no column %q in %q", name, lines[0])
				}
				all = append(all, line[i])
			}
			return strings.Join(all, " ")
		}
		got := cells("applicable", "included", "excluded", "error", "unknown", "remaining after namespaceSelector", "remaining after binding.namespaceSelector")
		want, ok := map[string]string{
			"pods.guard.example.com": "3 1 2 0 0 2 ", "in-kube-system": "1 0 1 0 0 1 0", "in-shop": "1 0 0 0 1 1 1", "everywhere": "1 0 0 1 0 1 ",
		}[cells("entry")]
		if ok {
			found++
			if got != want {
				t.Errorf("%s: %q, want %q", cells("entry"), got, want)
			}
		}
	}
	if found != 4 {
		t.Errorf("only %d of 4 policies have a line", found)
	}
}

// Missing facts are said once, and not again for what lies inside of something missing.
func TestDependsOn(t *testing.T) {
	got := dependsOn([]scope.Missing{
		{Path: "request.userInfo", Fact: "who asks"}, {Path: "object.spec.priority", Fact: "what is written"}, {Path: "object.metadata.uid", Fact: "what is written"},
		{Path: "object.spec", Fact: "the content"}, {Path: "object.specs", Fact: "what is written"},
	})
	if want := "who asks (request.userInfo); what is written (object.metadata.uid, object.specs); the content (object.spec)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What was not read is said by name, and only what is missing makes the numbers doubtful.
func TestReportUnread(t *testing.T) {
	of := func(group, resource string, state cluster.ReadState, why string) cluster.PopulationResource {
		return cluster.PopulationResource{GroupVersionResource: schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}, State: state, Why: why}
	}
	read, leftOut := of("", "pods", cluster.Read, ""), of("", "events", cluster.LeftOut, "")
	missing := of("example.com", "widgets", cluster.Missing, "It cannot be read: forbidden.")
	reading := of("apps", "deployments", cluster.Reading, "")
	const bounds = "note: Not all objects were read, so all numbers are lower bounds.\n"
	for name, tc := range map[string]struct {
		resources []cluster.PopulationResource
		want      string
	}{
		"all":      {[]cluster.PopulationResource{read}, ""},
		"left out": {[]cluster.PopulationResource{read, leftOut}, "note: Left out on purpose: events.\n"},
		"missing":  {[]cluster.PopulationResource{read, missing}, "note: widgets.example.com: It cannot be read: forbidden.\n" + bounds},
		"reading":  {[]cluster.PopulationResource{reading}, "note: deployments.apps: They have not all been read yet.\n" + bounds},
	} {
		t.Run(name, func(t *testing.T) {
			var got strings.Builder
			reportUnread(&got, cluster.Population{Resources: tc.resources})
			if diff := cmp.Diff(tc.want, got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
