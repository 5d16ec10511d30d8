package hazard_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/hazard"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// Each fixture is a cluster with what must be found in it, and nothing else. The first words
// of its comment say why. A part "complete" says that the cluster was read whole, "version"
// is its version, "kyverno" the release of Kyverno, and "objects" is what runs in it, apart from the resources in "unread", of
// which there may be more. "unread-kinds" and "undiscovered" say what of a complete cluster
// could not be read: kinds as Kind.group, and group versions. Objects are counted one by one, and once more as they come from a
// cluster.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	positive := map[string]bool{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			parts := read(t, file)
			got := lines(find(t, parts))
			if diff := cmp.Diff(got, lines(findStored(t, parts))); parts["objects"] != "" && diff != "" {
				t.Errorf("findings in a population (-one by one +population):\n%s", diff)
			}
			for _, line := range got {
				rule, _, _ := strings.Cut(line, " ")
				positive[rule] = true
			}
			if diff := cmp.Diff(wanted(parts["want"]), got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
	for _, rule := range cluster.HazardRules() {
		if rule.Name == ofFlag {
			continue
		}
		if !positive[rule.Name] {
			t.Errorf("no fixture has a finding of %s", rule.Name)
		}
		if _, err := os.Stat(filepath.Join("testdata", rule.Name+".txtar")); err != nil {
			t.Errorf("%s has no fixture of its own", rule.Name)
		}
	}
}

// ofFlag is a rule about a flag of Kyverno's, which no manifest shows; the test beside it has its finding.
const ofFlag = "kyverno-no-auto-update"

func read(t *testing.T, file string) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	return parts
}

// find finds what is in a fixture, with the objects counted one by one.
func find(t *testing.T, parts map[string]string) []hazard.Finding {
	t.Helper()
	return findAmong(t, parts, population(t, parts))
}

// findStored does the same with the objects as they come from a cluster.
func findStored(t *testing.T, parts map[string]string) []hazard.Finding {
	t.Helper()
	all := population(t, parts)
	return findAmong(t, parts, hazard.NewPopulation(all.store(), all.unread))
}

func findAmong(t *testing.T, parts map[string]string, objects hazard.Objects) []hazard.Finding {
	t.Helper()
	snapshot := load(t, parts)
	for _, p := range snapshot.About.Problems {
		t.Errorf("%s", p)
	}
	in := input(snapshot)
	_, in.Complete = parts["complete"]
	for _, kind := range strings.Fields(parts["unread-kinds"]) {
		in.Unread = append(in.Unread, schema.ParseGroupKind(kind))
	}
	for _, gv := range strings.Fields(parts["undiscovered"]) {
		group, version, _ := strings.Cut(gv, "/")
		in.Undiscovered = append(in.Undiscovered, schema.GroupVersion{Group: group, Version: version})
	}
	if _, ok := parts["objects"]; ok {
		in.Objects = objects
	}
	return hazard.Find(context.Background(), in)
}

// findIn finds what is in manifests, some of which may not be as they should.
func findIn(t *testing.T, parts map[string]string) []hazard.Finding {
	t.Helper()
	return hazard.Find(context.Background(), input(load(t, parts)))
}

func input(s *cluster.Snapshot) hazard.Input {
	return hazard.Input{Policies: s.Policies.Policies(), Facts: s.Facts, Namespaces: s.Namespaces, Kinds: s.HazardInput().Kinds}
}

func load(t *testing.T, parts map[string]string) *cluster.Snapshot {
	t.Helper()
	options := cluster.Options{}
	if v := strings.TrimSpace(parts["version"]); v != "" {
		options.Version = version.MustParseGeneric(v)
	}
	if v := strings.TrimSpace(parts["kyverno"]); v != "" {
		var err error
		if options.Kyverno, err = release.Parse(v); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(path, []byte(parts["cluster.yaml"]), 0o600); err != nil {
		t.Fatal(err)
	}
	snapshot, err := cluster.LoadManifests(context.Background(), []string{path}, false, nil, options)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

// lines writes findings as fixtures do: rule, severity, policy, place, the number of objects if it is known, and the
// other policies that it is about.
func lines(findings []hazard.Finding) []string {
	var all []string
	for _, f := range findings {
		line := fmt.Sprintf("%s %s %s", f.Rule, f.Severity, written(hazard.Ref{Kind: f.Kind, Namespace: f.Namespace, Name: f.Name}))
		if f.Entry != "" {
			line += "/" + f.Entry
		}
		line += " " + f.Field
		if f.Objects != nil {
			line += fmt.Sprintf(" %d", *f.Objects)
		}
		for _, r := range f.Also {
			line += " and " + written(r)
		}
		all = append(all, line)
	}
	slices.Sort(all)
	return all
}

func written(r hazard.Ref) string {
	if r.Namespace == "" {
		return r.Kind + "/" + r.Name
	}
	return r.Kind + "/" + r.Namespace + "/" + r.Name
}

func wanted(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return all
}

// Every finding says where it is and what to do, and every rule why it matters.
func TestFindingsAreWhole(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, f := range find(t, read(t, file)) {
			if f.Message == "" || f.Why == "" || f.Fix == "" || f.Field == "" || f.Kind == "" || f.Policy == nil && f.Kind != "ConfigMap" {
				t.Errorf("%s: %+v is not whole", file, f)
			}
			if !strings.HasSuffix(f.Message, ".") || !strings.HasSuffix(f.Fix, ".") && !strings.HasSuffix(f.Fix, "'.") {
				t.Errorf("%s: no sentence: %q, %q", file, f.Message, f.Fix)
			}
		}
	}
	seen := map[string]bool{}
	for _, r := range cluster.HazardRules() {
		if r.Summary == "" || r.Why == "" || r.Fix == "" || seen[r.Name] {
			t.Errorf("%s is not whole, or is there twice", r.Name)
		}
		seen[r.Name] = true
	}
}

// A selector that asks for a label keeps a Scale out; one that only forbids one lets it in.
func TestBlindSelectorsSayWhatTheyDo(t *testing.T) {
	says := map[string]string{}
	for _, f := range find(t, read(t, "testdata/object-selector-blind.txtar")) {
		says[f.Entry] = f.Message
	}
	for entry, words := range map[string]string{
		"exec.example.com": "never matches pods/exec", "not-exec.example.com": "never matches pods/exec",
		"scale.example.com": "never matches deployments/scale", "not-scale.example.com": "does not narrow deployments/scale",
	} {
		if !strings.Contains(says[entry], words) {
			t.Errorf("%s: %q does not say that it %s", entry, says[entry], words)
		}
	}
}

// Without facts, and after the context was cancelled, there is less to find, and nothing breaks.
func TestFindWithLittle(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, file := range files {
		in := input(load(t, read(t, file)))
		if n := len(hazard.Find(cancelled, in)); n != 0 {
			t.Errorf("%s: %d findings after it was cancelled", file, n)
		}
		in.Facts, in.Namespaces = nil, nil
		hazard.Find(context.Background(), in)
	}
}
