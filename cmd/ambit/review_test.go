package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/review"
)

// wantedReview is what a fixture says about a change.
type wantedReview struct {
	Verdict review.Verdict `json:"verdict"`
	Objects int            `json:"objects"`
	Changes []wantedChange `json:"changes"`
}

type wantedChange struct {
	Policy  string         `json:"policy"`
	Change  review.Way     `json:"change"`
	Verdict review.Verdict `json:"verdict"`
	// Layers are not looked at where a fixture does not say them.
	Layers    []scope.LayerName `json:"layers"`
	Lost      int               `json:"lost"`
	Gained    int               `json:"gained"`
	Drops     []string          `json:"drops"`
	Witnesses []string          `json:"witnesses"`
}

// Every fixture says what the change comes to. Each witness is given to "ambit explain", which must include it on one
// side and exclude it on the other, by the layer that is named.
func TestReview(t *testing.T) {
	files, err := filepath.Glob("testdata/review/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			args, want := unpackReview(t, archive)
			stdout, stderr, code := run(append([]string{"review", "before.yaml", "after.yaml", "-o", "json"}, args...), nil)
			var got review.Review
			if err := json.Unmarshal([]byte(stdout), &got); err != nil {
				t.Fatalf("%v\n%s%s", err, stdout, stderr)
			}
			if want.Changes == nil {
				want.Changes = []wantedChange{}
			}
			if said := saidBy(got, want); !reflect.DeepEqual(said, want) {
				t.Errorf("got  %+v\nwant %+v\n%s", said, want, stdout)
			}
			if failed := code == 1; failed != want.Verdict.AtLeast(review.Undecided) || code > 1 {
				t.Errorf("exit status %d\n%s", code, stderr)
			}
			for _, c := range got.Changes {
				for _, w := range c.Witnesses {
					confirm(t, c, w, args)
				}
			}
		})
	}
}

// unpackReview writes the files of a fixture, and returns the flags and what is wanted.
func unpackReview(t *testing.T, a *txtar.Archive) (args []string, want wantedReview) {
	t.Helper()
	for _, f := range a.Files {
		switch f.Name {
		case "want.yaml":
			if err := yaml.UnmarshalStrict(f.Data, &want); err != nil {
				t.Fatal(err)
			}
		case "flags":
			args = append(args, strings.Fields(string(f.Data))...)
		default:
			if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
			if f.Name == "cluster.yaml" {
				args = append(args, "-f", f.Name)
			}
		}
	}
	return args, want
}

// saidBy writes a review as fixtures do, with as much as they say.
func saidBy(r review.Review, want wantedReview) wantedReview {
	said := wantedReview{Verdict: r.Verdict, Objects: r.Objects, Changes: []wantedChange{}}
	for i, c := range r.Changes {
		one := wantedChange{Policy: titleOf(c), Change: c.Way, Verdict: c.Verdict, Lost: c.Lost, Gained: c.Gained}
		if i < len(want.Changes) && want.Changes[i].Layers != nil {
			one.Layers = c.Layers
		}
		for _, d := range c.Drops {
			one.Drops = append(one.Drops, fmt.Sprintf("%s %s %d", d.Direction, d.Layer, d.Objects))
		}
		for _, w := range c.Witnesses {
			one.Witnesses = append(one.Witnesses, strings.TrimSpace(string(w.Direction)+" "+string(w.DecidedBy)))
		}
		said.Changes = append(said.Changes, one)
	}
	return said
}

// confirm explains a witness on both sides, in a cluster that has its namespace.
func confirm(t *testing.T, c review.Change, w review.Witness, args []string) {
	t.Helper()
	sees, other := "before.yaml", "after.yaml"
	if w.Direction == review.Gained {
		sees, other = other, sees
	}
	if err := os.WriteFile("witness.json", w.Request, 0o600); err != nil {
		t.Fatal(err)
	}
	args = append([]string{"explain", "witness.json", "-o", "json"}, args...)
	if w.MadeUp {
		labels, err := json.Marshal(w.NamespaceLabels)
		if err != nil {
			t.Fatal(err)
		}
		var of struct {
			Request struct{ Namespace string } `json:"request"`
		}
		if err := json.Unmarshal(w.Request, &of); err != nil {
			t.Fatal(err)
		}
		namespace := fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q,"labels":%s}}`, of.Request.Namespace, labels)
		if err := os.WriteFile("namespace.json", []byte(namespace), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "-f", "namespace.json")
	}
	if outcome, _ := explained(t, c, append(args, "-f", sees)); outcome != scope.Included {
		t.Errorf("%s is %s in %s: %s", titleOf(c), outcome, sees, w.Request)
	}
	if outcome, by := explained(t, c, append(args, "-f", other)); outcome != scope.Excluded || by != w.DecidedBy {
		t.Errorf("%s is %s by %q in %s, want excluded by %q: %s", titleOf(c), outcome, by, other, w.DecidedBy, w.Request)
	}
}

// explained is how "ambit explain" says that the policy of a change ends; a policy that is not there is excluded by nothing.
func explained(t *testing.T, c review.Change, args []string) (outcome scope.Outcome, by scope.LayerName) {
	t.Helper()
	stdout, stderr, code := run(args, nil)
	var document scope.Document
	if err := json.Unmarshal([]byte(stdout), &document); err != nil || code != 0 {
		t.Fatalf("%v: %v\n%s%s", args, err, stdout, stderr)
	}
	for _, p := range document.Policies {
		if p.Kind == c.Kind && p.Namespace == c.Namespace && p.Name == c.Name && p.Entry == c.Entry {
			return p.Outcome, p.DecidedBy
		}
	}
	return scope.Excluded, absentPolicy
}

// titleOf names the policy of a change that came as JSON.
func titleOf(c review.Change) string {
	return (&scope.Policy{Kind: c.Kind, Namespace: c.Namespace, Name: c.Name, Entry: c.Entry}).Title()
}

// absentPolicy is what keeps a request out where there is no such policy.
const absentPolicy scope.LayerName = ""

// The other formats name the policy, the verdict and what shows it.
func TestReviewFormats(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/review/narrowed-namespaces.txtar")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	args, _ := unpackReview(t, archive)
	for format, want := range map[string][]string{
		"text": {
			"coverageChange  ValidatingWebhookConfiguration guard / guard.example.com  narrowed",
			"lost: 2 existing objects, by namespaceSelector: pods team-a/one, pods team-a/two", "CREATE pods witness in namespace team-a",
		},
		"yaml":     {"verdict: coverageChange", "kind: AdmissionReview"},
		"markdown": {"| coverageChange | ValidatingWebhookConfiguration guard / guard.example.com | narrowed |"},
		"sarif":    {`"ruleId": "coverageChange"`, `"uri": "after.yaml"`, `"startLine": 1`, `"level": "error"`},
		"junit":    {`<testsuite name="ambit review" tests="1" failures="1">`, `type="coverageChange"`, "lost: CREATE pods witness"},
	} {
		stdout, stderr, code := run(append([]string{"review", "before.yaml", "after.yaml", "-o", format}, args...), nil)
		if code != 1 || !strings.Contains(stderr, "1 policy changed: 1 coverageChange") {
			t.Errorf("%s: exit status %d, %s", format, code, stderr)
		}
		for _, text := range want {
			if !strings.Contains(stdout, text) {
				t.Errorf("%s has no %q:\n%s", format, text, stdout)
			}
		}
	}
}

func TestReviewFailOn(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/review/condition-moved.txtar") // It is undecided.
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	unpackReview(t, archive)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"before.yaml", "after.yaml"}, 1, "1 undecided"},
		{[]string{"before.yaml", "after.yaml", "--fail-on", "coverageChange"}, 0, ""},
		{[]string{"before.yaml", "after.yaml", "--fail-on", "never"}, 0, ""},
		{[]string{"before.yaml", "after.yaml", "--fail-on", "volumeOnly"}, 1, "1 undecided"},
		{[]string{"before.yaml", "after.yaml", "--fail-on", "identical"}, 2, "say volumeOnly, undecided, coverageChange or never"},
		{[]string{"before.yaml", "after.yaml", "-o", "csv"}, 2, "say text, json, yaml, markdown, sarif or junit"},
		{[]string{"before.yaml", "nowhere.yaml"}, 2, "nowhere.yaml"},
		{[]string{"-", "-"}, 2, "only one of BEFORE, AFTER and -f can come from standard input"},
		{[]string{"-", "after.yaml", "-f", "-"}, 2, "only one of BEFORE, AFTER and -f can come from standard input"},
		{[]string{"before.yaml"}, 2, "accepts 2 arg(s)"},
	} {
		_, stderr, code := run(append([]string{"review"}, c.args...), nil)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit status %d, want %d; %q", c.args, code, c.code, stderr)
		}
	}
}

// What cannot be read on one side may hold a change, so that a review of the rest is no clean one.
func TestReviewBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"before.yaml": "kind: [", "after.yaml": "kind: ["} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, stderr, code := run([]string{"review", "before.yaml", "after.yaml"}, nil)
	if code != 2 || !strings.Contains(stderr, "before.yaml") || !strings.Contains(stderr, "after.yaml") || !strings.Contains(stderr, "there may be more changes") {
		t.Errorf("exit status %d: %s", code, stderr)
	}
}

// Nothing changed between a collection of real policies and itself.
func TestReviewOfTheSame(t *testing.T) {
	for _, folder := range []string{"admission", "kyverno-cel", "kyverno", "flowcontrol"} {
		t.Run(folder, func(t *testing.T) {
			path := realPolicies + "/" + folder
			if _, err := os.Stat(path); err != nil {
				t.Skipf("the corpus is not here: %v", err)
			}
			if stdout, _, _ := run([]string{"review", path, path}, nil); stdout != nothingChanged+"\n" {
				t.Errorf("%.500s", stdout)
			}
		})
	}
}
