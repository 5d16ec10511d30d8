package hazard_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope/hazard"
)

// editable is manifests in which the fixes of findings are carried out, as a person would.
type editable struct{ documents []map[string]any }

func newEditable(t *testing.T, text string) *editable {
	t.Helper()
	e := &editable{}
	for _, document := range strings.Split(text, "---\n") {
		var d map[string]any
		if err := yaml.Unmarshal([]byte(document), &d); err != nil {
			t.Fatal(err)
		}
		if d != nil {
			e.documents = append(e.documents, d)
		}
	}
	return e
}

func (e *editable) text(t *testing.T) string {
	t.Helper()
	var all []string
	for _, d := range e.documents {
		text, err := yaml.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	return strings.Join(all, "---\n")
}

// instead is the fix of a rule for all operations, and merged that of two webhooks that differ
// in their rules.
var (
	instead = regexp.MustCompile(`^Write (.*) instead of \*`)
	merged  = regexp.MustCompile(`^Put the rules of both into one webhook.* It can be (.*)\.$`)
)

// apply carries out a fix, and reports whether there is something that can be done word by word.
func (e *editable) apply(t *testing.T, f hazard.Finding) bool {
	t.Helper()
	document := e.document(t, f.Kind, f.Name)
	steps := stepsOf(f.Field)
	switch m := instead.FindStringSubmatch(f.Fix); {
	case m != nil:
		var list []any
		for _, o := range strings.Split(m[1], ", ") {
			list = append(list, o)
		}
		set(document, steps, list)
		return true
	case f.Rule == "called-twice":
		m := merged.FindStringSubmatch(f.Fix)
		if m != nil {
			e.merge(document, m[1], f.Entry)
		}
		return m != nil
	case steps[len(steps)-1] == "expression":
		steps = steps[:len(steps)-1]
	}
	if steps[len(steps)-1] == "resourceRules" {
		return false
	}
	remove(document, steps)
	return true
}

func (e *editable) document(t *testing.T, kind, name string) map[string]any {
	t.Helper()
	for _, d := range e.documents {
		if d["kind"] == kind && d["metadata"].(map[string]any)["name"] == name {
			return d
		}
	}
	t.Fatalf("there is no %s %s", kind, name)
	return nil
}

// merge puts the rules of one webhook of a configuration into another.
func (e *editable) merge(document map[string]any, into, from string) {
	webhooks := document["webhooks"].([]any)
	at := func(name string) int {
		return slices.IndexFunc(webhooks, func(w any) bool { return w.(map[string]any)["name"] == name })
	}
	to := webhooks[at(into)].(map[string]any)
	to["rules"] = append(to["rules"].([]any), webhooks[at(from)].(map[string]any)["rules"].([]any)...)
	document["webhooks"] = slices.Delete(webhooks, at(from), at(from)+1)
}

// stepsOf takes a field apart: webhooks, 0, rules. Numbers have leading zeros, so that they
// sort.
func stepsOf(field string) []string {
	steps := regexp.MustCompile(`[^.\[\]]+`).FindAllString(field, -1)
	for i, s := range steps {
		if n, err := strconv.Atoi(s); err == nil {
			steps[i] = strings.Repeat("0", 4-len(strconv.Itoa(n))) + strconv.Itoa(n)
		}
	}
	return steps
}

// remove takes an item out of a list, and set changes what stands at a path.
func remove(node any, steps []string) {
	last := len(steps) - 1
	list := get(node, steps[:last]).([]any)
	i, _ := strconv.Atoi(steps[last])
	set(node, steps[:last], slices.Delete(slices.Clone(list), i, i+1))
}

func set(node any, steps []string, value any) {
	switch at := get(node, steps[:len(steps)-1]).(type) {
	case map[string]any:
		at[steps[len(steps)-1]] = value
	case []any:
		i, _ := strconv.Atoi(steps[len(steps)-1])
		at[i] = value
	}
}

func get(node any, steps []string) any {
	for _, step := range steps {
		switch at := node.(type) {
		case map[string]any:
			node = at[step]
		case []any:
			i, _ := strconv.Atoi(step)
			node = at[i]
		}
	}
	return node
}
