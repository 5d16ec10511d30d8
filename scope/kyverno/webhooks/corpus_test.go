package webhooks_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// corpus has Kyverno's own end-to-end tests of its webhooks, one in each folder: policies, and what the two
// configurations must contain. It lies beside the project, not in it.
const corpus = "../../../../shared/corpus/kyverno-webhooks"

// asChart is the ConfigMap of Kyverno's Helm chart as far as those tests depend on it.
var asChart = map[string]string{
	"webhookAnnotations": `{"admissions.enforcer/disabled":"true"}`,
	"webhooks": `{"namespaceSelector":{"matchExpressions":[
		{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kube-system"]},
		{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kyverno"]}]}}`,
}

// TestCorpus holds the prediction to Kyverno's end-to-end tests.
func TestCorpus(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(corpus, "*"))
	if err != nil || len(folders) == 0 {
		t.Skipf("the corpus of Kyverno's end-to-end tests is not here: %v", err)
	}
	checked := 0
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			set := resource.NewSet(resource.Builtin(), nil)
			in := webhooks.Input{Release: release.Default, Resources: set, Config: config.Parse(configMap(asChart))}
			in.Flags.ForceFailurePolicyIgnore = strings.HasPrefix(filepath.Base(folder), "force-failure-policy-ignore--")
			var expected []*unstructured.Unstructured
			for _, o := range objects(t, folder) {
				switch gvk := o.GroupVersionKind(); {
				case strings.HasSuffix(gvk.Kind, "WebhookConfiguration") && strings.HasPrefix(o.GetName(), "kyverno-resource-"):
					expected = append(expected, o)
				case strings.HasSuffix(gvk.Kind, "Policy") && strings.HasSuffix(gvk.Group, "kyverno.io") && o.Object["spec"] != nil:
					add(t, &in, o)
				}
			}
			p := webhooks.Predict(in)
			for _, want := range expected {
				var got any = p.Validating
				if want.GetKind() == "MutatingWebhookConfiguration" {
					got = p.Mutating
				}
				if hooks, _, _ := unstructured.NestedSlice(want.Object, "webhooks"); len(hooks) > 0 {
					checked++
				}
				defaulted := asStored(t, got)
				if diff := contained(want.Object, defaulted, "$"); diff != "" {
					t.Errorf("%s: %s\n%s", want.GetKind(), diff, text(t, defaulted["webhooks"]))
				}
			}
		})
	}
	t.Logf("%d configurations with webhooks compared", checked)
}

// TestCorpusPolicies feeds real policies, all at once and each alone.
func TestCorpusPolicies(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus, "..", "kyverno*", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Skipf("the corpus of Kyverno's policies is not here: %v", err)
	}
	set := resource.NewSet(resource.Builtin(), nil)
	in := webhooks.Input{Resources: set, Config: config.Parse(configMap(asChart))}
	for _, file := range files {
		for _, o := range read(t, file) {
			if g := o.GroupVersionKind().Group; g == api.Group || g == api.LegacyGroup && o.GetKind() != "PolicyException" {
				add(t, &in, o)
			}
		}
	}
	for _, in.Release = range releases {
		p := webhooks.Predict(in)
		t.Logf("%s: %d policies, %d entries, %d findings", in.Release, len(in.Policies)+len(in.Legacy), len(p.Entries), len(p.Findings))
	}
	for _, policy := range in.Policies {
		webhooks.Predict(webhooks.Input{Policies: []*api.Policy{policy}, Release: release.Default, Resources: set, Config: in.Config})
	}
}

// objects reads a folder, but for what the test does.
func objects(t *testing.T, folder string) []*unstructured.Unstructured {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*unstructured.Unstructured
	for _, file := range files {
		if strings.Contains(file, "chainsaw-test") {
			continue
		}
		all = append(all, read(t, file)...)
	}
	return all
}

func read(t *testing.T, file string) []*unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []*unstructured.Unstructured
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(document, &o.Object); err != nil {
			t.Fatal(err)
		}
		if o.Object != nil {
			all = append(all, o)
		}
	}
	return all
}

// asStored adds the API server's defaults.
func asStored(t *testing.T, configuration any) map[string]any {
	t.Helper()
	var o map[string]any
	if err := yaml.Unmarshal([]byte(text(t, configuration)), &o); err != nil {
		t.Fatal(err)
	}
	hooks, _ := o["webhooks"].([]any)
	for _, w := range hooks {
		w := w.(map[string]any)
		if w["reinvocationPolicy"] == nil && o["kind"] == "MutatingWebhookConfiguration" {
			w["reinvocationPolicy"] = "Never"
		}
		for field, value := range map[string]any{
			"matchPolicy": "Equivalent", "timeoutSeconds": float64(10),
			"namespaceSelector": map[string]any{}, "objectSelector": map[string]any{},
		} {
			if w[field] == nil {
				w[field] = value
			}
		}
		rules, _ := w["rules"].([]any)
		for _, r := range rules {
			if r := r.(map[string]any); r["scope"] == nil {
				r["scope"] = "*"
			}
		}
	}
	return o
}

// contained says where a value lacks something of what is wanted: fields may be more, elements of a list may not.
func contained(want, got any, path string) string {
	switch want := want.(type) {
	case map[string]any:
		for key, w := range want {
			if item, ok := strings.CutPrefix(key, "(contains(@,'"); ok {
				list, _ := got.([]any)
				if !slices.Contains(list, any(strings.TrimSuffix(item, "'))"))) {
					return path + " lacks " + item
				}
				continue
			}
			m, _ := got.(map[string]any)
			if diff := contained(w, m[key], path+"."+key); diff != "" {
				return diff
			}
		}
		return ""
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			return fmt.Sprintf("%s has %d elements, not %d", path, len(list), len(want))
		}
		for i := range want {
			if diff := contained(want[i], list[i], fmt.Sprintf("%s[%d]", path, i)); diff != "" {
				return diff
			}
		}
		return ""
	}
	if fmt.Sprint(want) != fmt.Sprint(got) {
		return fmt.Sprintf("%s is %v, not %v", path, got, want)
	}
	return ""
}
