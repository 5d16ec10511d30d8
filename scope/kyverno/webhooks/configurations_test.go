package webhooks_test

import (
	"maps"
	"testing"

	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// What stands around the webhooks follows pkg/controllers/webhook/utils.go, objectMeta and newClientConfig: the label that
// says who manages them wins over those of the ConfigMap.
func TestConfigurations(t *testing.T) {
	in := webhooks.Input{Release: release.Default, Config: config.Parse(configMap(map[string]string{
		"webhookLabels": `{"webhook.kyverno.io/managed-by":"me","a":"b"}`, "webhookAnnotations": `{"c":"d"}`,
	}))}
	in.Config.Namespace = "security"
	for _, f := range fixtures(t) {
		if f.Name == "A5 same group, mixed Fail+Ignore" {
			in.Policies = f.input(t).Policies
		}
	}
	p := webhooks.Predict(in)
	if p.Validating.Name != "kyverno-resource-validating-webhook-cfg" || len(p.Validating.Webhooks) != 0 {
		t.Errorf("validating: %+v", p.Validating)
	}
	if want := map[string]string{"webhook.kyverno.io/managed-by": "kyverno", "a": "b"}; !maps.Equal(p.Mutating.Labels, want) {
		t.Errorf("labels: %v", p.Mutating.Labels)
	}
	if p.Mutating.Annotations["c"] != "d" || p.Mutating.Kind != "MutatingWebhookConfiguration" || len(p.Mutating.Webhooks) != 2 {
		t.Errorf("mutating: %+v", p.Mutating)
	}
	for _, w := range p.Mutating.Webhooks {
		s := w.ClientConfig.Service
		if s.Namespace != "security" || s.Name != "kyverno-svc" || *s.Port != 443 || *s.Path != "/mpol/aa-ignore/zz-fail" {
			t.Errorf("%s: %+v", w.Name, s)
		}
		if w.ReinvocationPolicy != nil || w.AdmissionReviewVersions[0] != "v1" || *w.SideEffects != "NoneOnDryRun" {
			t.Errorf("%s: %+v", w.Name, w)
		}
	}
	// Both webhooks evaluate both policies; the rules of each are those of one.
	for _, e := range p.Entries {
		if len(e.Members) != 2 || len(e.Givers) != 1 {
			t.Errorf("%s: members %v, givers %v", e.Name, e.Members, e.Givers)
		}
	}
}
