package coverage_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

const corpus = "../../../shared/corpus"

// maxCorpusObjects bounds the time of the test.
const maxCorpusObjects = 400

// TestCorpusConditions evaluates the expressions of real policies over real objects, and
// compares every pair with the trace of the whole object.
func TestCorpusConditions(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("the corpus is not beside the project")
	}
	ctx := context.Background()
	facts := newWorld(*seed, 1).facts()
	policies := admission.NewCompiler().Compile(admission.Objects{ValidatingWebhooks: hooksOf(corpusExpressions(t))})
	objects := corpusObjects(t)
	set, pop := scope.NewSet(policies), fill(objects, policies, facts).Snapshot()
	counts := map[scope.Outcome]int{}
	for _, ask := range asks[1:] {
		result, err := coverage.NewEvaluator(ask).Update(ctx, pop, policies, facts)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objects {
			traces, err := set.Explain(ctx, derived(t, o, ask, facts), facts)
			if err != nil {
				t.Fatal(err)
			}
			for i, trace := range traces {
				e, ok := result.At(i, o.Resource, o.Namespace, o.Name)
				if o.Resource.Resource == "secrets" && e.Outcome == scope.Unknown {
					continue
				}
				if !ok || e.Outcome != trace.Outcome || e.DecidedBy != trace.DecidedBy {
					t.Fatalf("%s of %s %s: coverage says %s, the trace %s\n%s\n%s", ask.Operation, o.Resource.Resource, o.Name, e.Outcome, trace.Outcome, asJSON(policies[i].Source), asJSON(o.document.Object))
				}
				counts[e.Outcome]++
			}
		}
	}
	t.Logf("%d expressions, %d objects, %v", len(policies), len(objects), counts)
	if len(policies) < 50 || len(objects) < 100 || counts[scope.Included] < 100 || counts[scope.Excluded] < 100 {
		t.Error("the corpus does not reach far enough")
	}
}

// expressionLine finds CEL in policies, on one line.
var expressionLine = regexp.MustCompile(`(?m)^[ -]*expression: +(.+)$`)

// corpusExpressions returns the expressions of conditions and validations in the corpus,
// each once. What they say does not matter here, as long as it is CEL.
func corpusExpressions(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, folder := range []string{"admission", "kyverno-cel"} {
		files, err := filepath.Glob(filepath.Join(corpus, folder, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range expressionLine.FindAllStringSubmatch(string(data), -1) {
				if text := strings.Trim(strings.TrimSpace(m[1]), `"'`); len(text) > 4 && !strings.Contains(text, "variables.") {
					all = append(all, text)
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// hooksOf makes a webhook of each expression.
func hooksOf(expressions []string) []*v1.ValidatingWebhookConfiguration {
	none := v1.SideEffectClassNone
	var all []*v1.ValidatingWebhookConfiguration
	for i, text := range expressions {
		all = append(all, &v1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("hook-%04d", i)}, Webhooks: []v1.ValidatingWebhook{{
			Name: "hook.example.com", SideEffects: &none, MatchConditions: []v1.MatchCondition{{Name: "c", Expression: text}},
			Rules: []v1.RuleWithOperations{{Operations: []v1.OperationType{v1.OperationAll}, Rule: v1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*"}}}},
		}}})
	}
	return all
}

// corpusObjects returns objects of the corpus whose kind is known, each name once. They
// are as a file has them; the API server's system fields are added.
func corpusObjects(t *testing.T) []whole {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus, "objects", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all []whole
	seen := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents, _ := manifest.Read(file, data, 0)
		for _, d := range documents {
			r, known := resources.ForKind(d.Object.GroupVersionKind())
			virtual := r.Group == "authentication.k8s.io" || r.Group == "authorization.k8s.io"
			if typed, _ := d.Typed(); !known || virtual || typed == nil || d.Object.GetName() == "" || len(all) >= maxCorpusObjects {
				continue
			}
			asStored(d.Object, r.Namespaced)
			key := fmt.Sprint(r.GroupVersionResource, d.Object.GetNamespace(), d.Object.GetName())
			if !seen[key] {
				seen[key] = true
				all = append(all, existing(t, d.Object))
			}
		}
	}
	return all
}

func asStored(u *unstructured.Unstructured, namespaced bool) {
	switch {
	case !namespaced:
		u.SetNamespace("")
	case u.GetNamespace() == "":
		u.SetNamespace("default")
	}
	u.SetManagedFields(nil)
	u.SetGenerateName("")
}
