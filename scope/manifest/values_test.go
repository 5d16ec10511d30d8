package manifest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Values mean what they mean to kubectl: YAML 1.1 booleans, whole numbers as int64,
// timestamps as text, merge keys merged.
func TestValues(t *testing.T) {
	for yaml, want := range map[string]any{
		"yes":                    true,
		"Off":                    false,
		`"yes"`:                  "yes",
		"5":                      int64(5),
		"-9007199254740993":      int64(-9007199254740993),
		"0x10":                   int64(16),
		"017":                    int64(15),
		"1.5":                    1.5,
		"1e3":                    int64(1000),
		"99999999999999999999":   1e20,
		"2026-01-02":             "2026-01-02",
		"2026-01-02T03:04:05Z":   "2026-01-02T03:04:05Z",
		"~":                      nil,
		"12:30":                  "12:30",
		"{a: 1, on: 2, 3: 4}":    map[string]any{"a": int64(1), "true": int64(2), "3": int64(4)},
		"{<<: {a: 1}, b: 2}":     map[string]any{"a": int64(1), "b": int64(2)},
		"[&x {a: 1}, *x]":        []any{map[string]any{"a": int64(1)}, map[string]any{"a": int64(1)}},
		"|\n    a\n    b":        "a\nb\n",
		`"\u00e4\t"`:             "ä\t",
		"[*nothing for aliases]": nil,
	} {
		documents, problems := Read("", []byte("apiVersion: v1\nkind: Thing\nvalue: "+yaml+"\n"), 0)
		if strings.Contains(yaml, "nothing") {
			if len(problems) != 1 {
				t.Errorf("%s: no problem", yaml)
			}
			continue
		}
		if len(problems) > 0 || len(documents) != 1 {
			t.Errorf("%s: %d documents, %v", yaml, len(documents), problems)
			continue
		}
		if diff := cmp.Diff(want, documents[0].Object.Object["value"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", yaml, diff)
		}
	}
}

// YAML and JSON that mean the same give the same objects.
func TestJSONValues(t *testing.T) {
	documents, problems := Read("", []byte(`{"apiVersion":"v1","kind":"Thing","a":5,"b":1.0,"c":"😀\/","d":null}`), 0)
	if len(problems) > 0 || len(documents) != 1 {
		t.Fatal(problems)
	}
	want := map[string]any{"apiVersion": "v1", "kind": "Thing", "a": int64(5), "b": 1.0, "c": "😀/", "d": nil}
	if diff := cmp.Diff(want, documents[0].Object.Object); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n"

func TestEncodings(t *testing.T) {
	for name, tc := range map[string]struct {
		data    string
		limit   int64
		want    int
		problem string
	}{
		"byte order mark": {data: "\ufeff" + pod, want: 1},
		"CRLF":            {data: strings.ReplaceAll(pod+"---\n"+pod, "\n", "\r\n"), want: 2},
		"UTF-16":          {data: "\xff\xfea\x00", problem: "in.yaml: it is encoded as UTF-16, as PowerShell writes it; save it as UTF-8."},
		"Latin-1":         {data: pod + "---\na: b\nc: \xe4\n", want: 1, problem: "in.yaml, document 2, line 7: the text is not UTF-8; save the file as UTF-8."},
		"too big":         {data: pod, limit: 20, problem: "in.yaml: it has 47 bytes, more than the limit of 20 bytes; split it, or leave out what is not needed."},
		"just fits":       {data: pod, limit: int64(len(pod)), want: 1},
		"binary":          {data: "a: \x00\n", problem: "in.yaml, document 1, line 1: it contains control characters; give a text file."},
		"nothing":         {data: " \n# a comment\n---\n...\n"},
		"directive":       {data: "%YAML 1.1\n---\n" + pod + "---\n" + pod, want: 2},
		"infinity":        {data: pod + "spec: .inf\n", problem: "in.yaml, document 1, line 1: it contains a number that JSON does not have (.nan or .inf); put quotes around it."},
		"braces":          {data: "{apiVersion: v1, kind: Pod}", want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			documents, problems := Read("in.yaml", []byte(tc.data), tc.limit)
			if len(documents) != tc.want {
				t.Errorf("%d documents, want %d", len(documents), tc.want)
			}
			want := tc.problem
			if want != "" {
				want += "\n"
			}
			if diff := cmp.Diff(want, lines(problems, Problem.String)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// laughs is the usual bomb: each line is ten times the one before.
func laughs() string {
	var b strings.Builder
	b.WriteString(pod + "spec:\n  a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol,lol]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "  a%d: &a%d [%s]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10))
	}
	return b.String()
}

// What is made to explode ends quickly, with a sentence, and takes nothing else along.
func TestExplosions(t *testing.T) {
	for name, tc := range map[string]struct{ data, problem string }{
		"billion laughs": {laughs(), "its aliases (*name) repeat or contain each other so often that it grows beyond 4.0 MiB"},
		"long text repeated": {
			pod + "data: &d " + strings.Repeat("x", 1<<20) + "\nmore: [*d, *d, *d, *d, *d, *d]\n",
			"its aliases (*name) repeat or contain each other so often that it grows beyond 4.0 MiB",
		},
		"contains itself": {pod + "spec: &s {a: *s}\n", "its aliases (*name) repeat or contain each other so often that it grows beyond 4.0 MiB"},
		"deep YAML":       {pod + "spec: " + strings.Repeat("[", 600) + strings.Repeat("]", 600) + "\n", "its values are nested more than 500 levels deep"},
		"deeper YAML":     {pod + "spec: " + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "\n", "its values are nested too deep"},
		"deep JSON":       {`{"a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + "}\n", "its values are nested more than 500 levels deep"},
		"deeper JSON":     {`{"a":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}\n", "the JSON cannot be read: "},
		"unclosed":        {pod + "spec: " + strings.Repeat("{", 5000) + "\n", "a value is missing here"},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			documents, problems := Read("in.yaml", []byte(tc.data+"---\n"+pod), 0)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			if len(documents) != 1 || len(problems) != 1 {
				t.Fatalf("%d documents, problems %v", len(documents), problems)
			}
			if !strings.HasPrefix(problems[0].Message, tc.problem) {
				t.Errorf("want %q, got %q", tc.problem, problems[0].Message)
			}
		})
	}
}

// A few aliases are what anchors are for.
func TestAliases(t *testing.T) {
	documents, problems := Read("", []byte(pod+"  labels: &l {app: web}\nspec: {selector: *l}\n"), 0)
	if len(documents) != 1 || len(problems) != 0 {
		t.Fatal(problems)
	}
	if line, ok := documents[0].LineOf("spec.selector.app"); line != 5 || !ok {
		t.Errorf("line %d, %t", line, ok)
	}
}
