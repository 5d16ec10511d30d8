package config_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/config"
)

func parse(key, value string) *config.Config {
	return config.Parse(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "kyverno"}, Data: map[string]string{key: value}})
}

// TestFilters has the cases of pkg/config/types_test.go (Test_parseKinds) of Kyverno 1.19.1.
func TestFilters(t *testing.T) {
	type f = config.Filter
	for text, want := range map[string][]f{
		"":                    nil,
		"[]":                  {{}},
		"[*]":                 {{Group: "*", Version: "*", Kind: "*"}},
		"[*/*]":               {{Group: "*", Version: "*", Kind: "*", Subresource: "*"}},
		"[Pod/*]":             {{Group: "*", Version: "*", Kind: "Pod", Subresource: "*"}},
		"[v1/Pod/*]":          {{Group: "*", Version: "v1", Kind: "Pod", Subresource: "*"}},
		"[v1/Pod]":            {{Group: "*", Version: "v1", Kind: "Pod"}},
		"[Node]":              {{Group: "*", Version: "*", Kind: "Node"}},
		"[Node,*,*]":          {{Group: "*", Version: "*", Kind: "Node", Namespace: "*", Name: "*"}},
		"[Pod,default,nginx]": {{Group: "*", Version: "*", Kind: "Pod", Namespace: "default", Name: "nginx"}},
		"[Pod,*]":             {{Group: "*", Version: "*", Kind: "Pod", Namespace: "*"}},
		"[Pod,default,nginx],[Pod,kube-system,api-server]": {
			{Group: "*", Version: "*", Kind: "Pod", Namespace: "default", Name: "nginx"},
			{Group: "*", Version: "*", Kind: "Pod", Namespace: "kube-system", Name: "api-server"},
		},
		"[Pod,default,nginx]Pod,kube-system,api-server[Pod,kube-system,api-server]": {
			{Group: "*", Version: "*", Kind: "Pod", Namespace: "default", Name: "nginx"},
			{Group: "*", Version: "*", Kind: "Pod", Namespace: "kube-system", Name: "api-server"},
		},
		"[Pod,default,nginx,unexpected]": {{}},
	} {
		got := parse("resourceFilters", text).Filters
		for i := range got {
			if !strings.Contains(text, got[i].Written) || got[i].Written == "" {
				t.Errorf("%s: written %q", text, got[i].Written)
			}
			got[i].Written = ""
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	if c := parse("resourceFilters", "[Pod,default,nginx,unexpected]"); len(c.Problems) != 1 {
		t.Errorf("four parts: %v", c.Problems)
	}
}

// TestIdentities has the cases of pkg/config/types_test.go (Test_parseExclusions).
func TestIdentities(t *testing.T) {
	for text, want := range map[string][2]string{
		"": {}, "abc": {"abc"}, " abc ": {"abc"}, "abc,,,def,": {"abc def"}, "abc ,def ": {"abc def"}, "abc,!def": {"abc", "def"},
		"!def,abc": {"abc", "def"}, "!,abc": {"abc"}, "  ! def ,abc": {"abc", "def"},
	} {
		c := parse("excludeGroups", text)
		if got := [2]string{strings.Join(c.Excluded.Groups, " "), strings.Join(c.Included.Groups, " ")}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A ConfigMap as Kyverno's chart writes it, and what of it cannot be read (pkg/config/config.go, load).
func TestParse(t *testing.T) {
	if c := config.Parse(nil); c.NamespaceSelector != nil || c.Filters != nil || c.Namespace != "" {
		t.Errorf("no ConfigMap: %+v", c)
	}
	c := parse("webhooks", `{"namespaceSelector":{"matchExpressions":[{"key":"a","operator":"Exists"}],"matchLabels":null},"objectSelector":{}}`)
	if c.NamespaceSelector == nil || len(c.NamespaceSelector.MatchExpressions) != 1 || c.ObjectSelector == nil || c.Namespace != "kyverno" {
		t.Errorf("%+v", c)
	}
	// The form of 1.13.0 and before.
	if c := parse("webhooks", `[{"namespaceSelector":{}}]`); c.NamespaceSelector != nil || len(c.Problems) != 1 {
		t.Errorf("a list: %+v", c)
	}
	if c := parse("webhookLabels", `{"a":"b"}`); c.WebhookLabels["a"] != "b" {
		t.Errorf("labels: %v", c.WebhookLabels)
	}
	if c := parse("matchConditions", `[{"name":"a","expression":"true"}]`); len(c.MatchConditions) != 1 {
		t.Errorf("conditions: %v", c.MatchConditions)
	}
}

// What cannot be read is said for people, with its key and the place (pkg/config/config.go, load, logs the decoder's error).
func TestProblems(t *testing.T) {
	const (
		noSelector   = ", so no selector of it stands on any webhook"
		noLabels     = ", so the webhook configurations get no labels of it"
		noConditions = ", so webhooks of legacy policies have no conditions of it"
	)
	for _, c := range []struct{ key, text, want string }{
		{"webhooks", "", "data.webhooks is empty, where Kyverno reads JSON" + noSelector},
		{"webhooks", `{"broken"`, "data.webhooks is no JSON: something is opened in it and never closed" + noSelector},
		{"webhooks", "namespaceSelector:\n  matchLabels: {}", "data.webhooks is no JSON: it goes wrong in line 1 at namespaceSelector:" + noSelector},
		{"webhooks", `[{"namespaceSelector":{}}]`, "data.webhooks is a list, where Kyverno reads an object since 1.13.1" + noSelector},
		{"webhooks", `"off"`, "data.webhooks is a text, where Kyverno reads an object" + noSelector},
		{
			"webhooks", `{"namespaceSelector":{"matchExpressions":{"key":"a"}}}`,
			"data.webhooks: namespaceSelector.matchExpressions is an object, where Kyverno reads a list" + noSelector,
		},
		{
			"webhooks", "{\n  'namespaceSelector': {\"matchLabels\": {}}\n}",
			"data.webhooks is no JSON: it goes wrong in line 2 at 'namespaceSelector': {\"m…" + noSelector,
		},
		{"webhookLabels", `{"a":1}`, "a value in data.webhookLabels is a number, where Kyverno reads a text" + noLabels},
		{"webhookLabels", "{\"a\": \"b\n\"}", "data.webhookLabels is no JSON: line 1 ends within a text" + noLabels},
		{"webhookAnnotations", `{"a":true}`, "a value in data.webhookAnnotations is a boolean, where Kyverno reads a text, so the webhook configurations get no annotations of it"},
		{"matchConditions", `{"name":"a"}`, "data.matchConditions is an object, where Kyverno reads a list" + noConditions},
		{"matchConditions", `[{"name":"a"},]`, "data.matchConditions is no JSON: it goes wrong in line 1 at ]" + noConditions},
	} {
		if got := parse(c.key, c.text).Problems; len(got) != 1 || got[0] != c.want {
			t.Errorf("%s %s:\ngot  %q\nwant %q", c.key, c.text, got, c.want)
		}
	}
}
