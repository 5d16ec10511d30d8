package webhooks_test

import (
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

var releases = []release.Release{
	{Major: 1, Minor: 16}, {Major: 1, Minor: 17, Patch: 1}, {Major: 1, Minor: 18, Patch: 2}, {Major: 1, Minor: 19}, release.Default,
}

// FuzzPredict feeds policies as somebody may paste them, and a ConfigMap. Nothing may panic, and what comes out must
// hang together: every rule has a policy that gave it, every entry stands in its configuration, every finding says
// something.
func FuzzPredict(f *testing.F) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for i, document := range strings.Split(string(text), "\n---\n")[1:] {
			f.Add([]byte(document), byte(i), `{"namespaceSelector":{"matchLabels":{"a":"b"}}}`, "[Event,*,*][*/*,kube-system,*]")
		}
	}
	set := resource.NewSet(resource.Builtin(), nil)
	f.Fuzz(func(t *testing.T, document []byte, choice byte, selectors, filters string) {
		var pasted struct {
			Policies []map[string]any `json:"policies"`
		}
		if yaml.Unmarshal(document, &pasted) != nil {
			return
		}
		data := map[string]string{"webhooks": selectors, "resourceFilters": filters}
		in := webhooks.Input{Release: releases[int(choice)%len(releases)], Config: config.Parse(configMap(data))}
		if choice&64 != 0 {
			in.Resources = set
		}
		in.Flags.ExcludeBootstrapResources = choice&128 != 0
		for _, written := range pasted.Policies {
			o := &unstructured.Unstructured{Object: written}
			if p, err := api.DecodePolicy(o); err == nil && o.GroupVersionKind().Group == api.Group {
				in.Policies = append(in.Policies, p)
			} else if p, err := api.DecodeLegacy(o); err == nil {
				in.Legacy = append(in.Legacy, p)
			}
		}
		p := webhooks.Predict(in)
		for _, e := range p.Entries {
			if len(e.Rules) > 0 && len(e.Givers) == 0 {
				t.Errorf("nobody gave the rules of %s", e.Name)
			}
			for _, g := range e.Givers {
				if !slices.Contains(e.Members, g) {
					t.Errorf("%s gives rules to %s and is not evaluated there", g, e.Name)
				}
			}
		}
		if n := len(p.Validating.Webhooks) + len(p.Mutating.Webhooks); n != len(p.Entries) {
			t.Errorf("%d webhooks, %d entries", n, len(p.Entries))
		}
		for _, f := range p.Findings {
			if f.Message == "" || f.Why == "" || f.Fix == "" || f.Severity == "" {
				t.Errorf("finding %s says too little", f.Kind)
			}
		}
		for _, policy := range in.Policies {
			p.Moved(webhooks.RefOf(policy))
		}
	})
}
