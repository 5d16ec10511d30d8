package webhooks_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// fixture is one set of policies with what must come of it. What it does not name is not compared.
type fixture struct {
	Name string `json:"name"`
	// Source says where the expected outcome is from.
	Source  string       `json:"source"`
	Release string       `json:"release"`
	Flags   config.Flags `json:"flags"`
	Config  *selectors   `json:"config"`
	// Data is the rest of the ConfigMap.
	Data     map[string]string `json:"data"`
	Policies []map[string]any  `json:"policies"`

	Want     []webhook `json:"want"`
	Crashes  bool      `json:"crashes"`
	Findings []finding `json:"findings"`
	Orders   []order   `json:"orders"`
	Moved    []moved   `json:"moved"`
}

type selectors struct {
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector"`
	ObjectSelector    *metav1.LabelSelector `json:"objectSelector"`
}

// webhook has the fields of both sorts of webhook that follow from policies.
type webhook struct {
	Name              string                  `json:"name"`
	Path              string                  `json:"path"`
	FailurePolicy     v1.FailurePolicyType    `json:"failurePolicy"`
	MatchPolicy       *v1.MatchPolicyType     `json:"matchPolicy"`
	TimeoutSeconds    *int32                  `json:"timeoutSeconds"`
	NamespaceSelector *metav1.LabelSelector   `json:"namespaceSelector"`
	ObjectSelector    *metav1.LabelSelector   `json:"objectSelector"`
	Rules             []v1.RuleWithOperations `json:"rules"`
	MatchConditions   []v1.MatchCondition     `json:"matchConditions"`
}

// finding names policies as kind, namespace/name.
type finding struct {
	Kind     string            `json:"kind"`
	Severity webhooks.Severity `json:"severity"`
	Policies []string          `json:"policies"`
	// Says is a part of the message.
	Says string `json:"says"`
}

type order struct {
	Winners  []string `json:"winners"`
	Silent   []string `json:"silent"`
	Narrowed []string `json:"narrowed"`
}

type moved struct {
	By       string   `json:"by"`
	Policies []string `json:"policies"`
}

func fixtures(t *testing.T) []fixture {
	t.Helper()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	var all []fixture
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range strings.Split(string(text), "\n---\n")[1:] {
			var f fixture
			if err := yaml.UnmarshalStrict([]byte(document), &f); err != nil {
				t.Fatalf("%s: %v\n%s", file, err, document)
			}
			all = append(all, f)
		}
	}
	return all
}

// input is what the fixture says, on a cluster that serves what every API server does.
func (f *fixture) input(t *testing.T) webhooks.Input {
	t.Helper()
	in := webhooks.Input{Release: release.Default, Flags: f.Flags, Resources: resource.NewSet(resource.Builtin(), nil)}
	if f.Data != nil {
		in.Config = config.Parse(configMap(f.Data))
	}
	if f.Config != nil {
		if in.Config == nil {
			in.Config = &config.Config{Namespace: "kyverno"}
		}
		in.Config.NamespaceSelector, in.Config.ObjectSelector = f.Config.NamespaceSelector, f.Config.ObjectSelector
	}
	if f.Release != "" {
		var err error
		if in.Release, err = release.Parse(f.Release); err != nil {
			t.Fatal(err)
		}
	}
	for _, written := range f.Policies {
		add(t, &in, &unstructured.Unstructured{Object: written})
	}
	return in
}

func configMap(data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: config.Name, Namespace: "kyverno"}, Data: data}
}

func add(t *testing.T, in *webhooks.Input, o *unstructured.Unstructured) {
	t.Helper()
	if o.GroupVersionKind().Group == api.LegacyGroup {
		p, err := api.DecodeLegacy(o)
		if err != nil {
			t.Fatal(err)
		}
		in.Legacy = append(in.Legacy, p)
		return
	}
	p, err := api.DecodePolicy(o)
	if err != nil {
		t.Fatal(err)
	}
	in.Policies = append(in.Policies, p)
}

func words(refs []webhooks.Ref) []string {
	var all []string
	for _, r := range refs {
		all = append(all, r.String())
	}
	return all
}

// webhooksOf has the webhooks of both configurations, sorted by name as far as one configuration goes.
func webhooksOf(p *webhooks.Prediction) []webhook {
	var all []webhook
	for _, w := range p.Validating.Webhooks {
		all = append(all, webhook{
			w.Name, *w.ClientConfig.Service.Path, *w.FailurePolicy, w.MatchPolicy, w.TimeoutSeconds,
			w.NamespaceSelector, w.ObjectSelector, w.Rules, w.MatchConditions,
		})
	}
	for _, w := range p.Mutating.Webhooks {
		all = append(all, webhook{
			w.Name, *w.ClientConfig.Service.Path, *w.FailurePolicy, w.MatchPolicy, w.TimeoutSeconds,
			w.NamespaceSelector, w.ObjectSelector, w.Rules, w.MatchConditions,
		})
	}
	slices.SortStableFunc(all, func(a, b webhook) int { return strings.Compare(a.Name, b.Name) })
	return all
}
