package legacy_test

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// variants are all combinations of what a request may differ in.
func variants() []asked {
	var all []asked
	for _, operation := range []string{"CREATE", "UPDATE", "DELETE"} {
		for _, name := range []string{"web", "web-1", "db"} {
			for _, namespace := range []string{"ns", "other"} {
				for _, label := range []string{"a", "ab", "c"} {
					for _, annotation := range []string{"x", "y"} {
						now := fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: %s, labels: {app: %s}, annotations: {team/note: q%s}}}", name, namespace, label, annotation)
						old := fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: %s, labels: {app: c}}}", name, namespace)
						if operation == "UPDATE" {
							now += "\n---\n" + old
						}
						all = append(all, asked{object: now, operation: operation, namespaces: namespaces{"ns": {"env": "prod"}, "other": {"env": "dev"}}})
					}
				}
			}
		}
	}
	return all
}

// TestReads holds the layers to what they say they read: two requests for one resource with the same operation, which
// agree in that, get the same answers.
func TestReads(t *testing.T) {
	var questions []scope.Question
	for _, a := range variants() {
		questions = append(questions, a.question(t))
	}
	for _, spec := range []string{
		one(`{any: [{resources: {kinds: [ConfigMap]}}]}`, check),
		one(`{any: [{resources: {kinds: [ConfigMap], name: web*}}]}`, check),
		one(`{any: [{resources: {kinds: [ConfigMap], names: ["*-1", "d?"]}}]}`, check),
		one(`{any: [{resources: {kinds: [ConfigMap], namespaces: [n*]}}]}`, check),
		one(`{any: [{resources: {kinds: [ConfigMap], selector: {matchLabels: {app: "a*"}}}}]}`, check),
		one(`{any: [{resources: {kinds: [ConfigMap], selector: {matchLabels: {"a*": ab}, matchExpressions: [{key: app, operator: NotIn, values: [c]}]}}}]}`, check),
		one(`{any: [{resources: {kinds: [ConfigMap], annotations: {team/note: "qx"}}}]}`, check),
		one(`{any: [{resources: {kinds: [ConfigMap], annotations: {"team/*": "*y"}}}]}`, check),
		one(`{any: [{resources: {kinds: [ConfigMap], namespaceSelector: {matchLabels: {env: prod}}}}]}`, check),
		one(`{any: [{resources: {kinds: [ConfigMap], selector: {matchLabels: {app: c}}}}]}`, `generate: {kind: Secret, name: x}`),
		`rules: [{name: r, match: {any: [{resources: {kinds: [ConfigMap]}}]}, exclude: {any: [{resources: {names: [db], namespaces: [other]}}]}, ` + check + `}]`,
	} {
		for _, kind := range []string{"ClusterPolicy", "Policy"} {
			for _, layer := range legacy.Layers(written(t, kind, spec)[0], legacy.Engine{Release: release.Default}) {
				seen := map[string]scope.StepOutcome{}
				for _, q := range questions {
					key, outcome := string(q.Request.Operation)+read(q, scope.ReadsOf(layer, q)), layer.Decide(context.Background(), q).Outcome
					if known, ok := seen[key]; ok && known != outcome {
						t.Errorf("%s %s: %s says %s and %s where it reads %s", kind, spec, layer.Name(), known, outcome, key)
					}
					seen[key] = outcome
				}
			}
		}
	}
}

// read writes down what is read of a question.
func read(q scope.Question, r scope.Reads) string {
	text := ""
	if r.Namespace {
		text += " in " + q.Request.Namespace
	}
	if r.NamespaceObject {
		ns, _ := q.Namespace()
		text += fmt.Sprint(" with ", ns.Labels)
	}
	for _, side := range []struct {
		part *scope.Part
		o    any
	}{{r.Object, q.Request.Object}, {r.OldObject, q.Request.OldObject}} {
		o, _ := side.o.(*corev1.ConfigMap)
		if side.part == nil || o == nil {
			text += fmt.Sprint(" ", side.part != nil && q.Request.Operation != admission.Delete)
			continue
		}
		meta := side.part.Fields["metadata"]
		for _, field := range []struct {
			name   string
			values map[string]string
		}{{"name", map[string]string{"": o.Name}}, {"labels", o.Labels}, {"annotations", o.Annotations}} {
			part := meta.Fields[field.name]
			for _, key := range []string{"", "app", "team/note"} {
				value, ok := field.values[key]
				at := part
				if part != nil && !part.Whole && field.name != "name" {
					at = part.Fields[key]
				}
				text += " " + learnt(at, value, ok)
			}
		}
	}
	return text
}

// learnt is what a part tells of a text.
func learnt(part *scope.Part, value string, ok bool) string {
	switch {
	case part == nil:
		return "-"
	case !ok:
		return "none"
	case part.Whole:
		return value
	}
	text := "some"
	for _, test := range part.Tests {
		text += fmt.Sprint(",", test.Answer(value))
	}
	return text
}
