package compare

import (
	"testing"

	"github.com/ambit-k8s/ambit/conformance/kyverno/generate"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
)

// testFlags starts the controller with flags that change its webhooks.
func (s running) testFlags(t *testing.T) {
	for i, c := range []struct {
		written []string
		flags   config.Flags
	}{
		{[]string{"--forceFailurePolicyIgnore=true"}, config.Flags{ForceFailurePolicyIgnore: true}},
		{[]string{"--excludeBootstrapResources=true", "--webhookTimeout=25"}, config.Flags{ExcludeBootstrapResources: true, WebhookTimeout: 25}},
		{[]string{"--admissionReports=false"}, config.Flags{NoAdmissionReports: true}},
		{[]string{"--autoUpdateWebhooks=false"}, config.Flags{NoAutoUpdateWebhooks: true}},
	} {
		t.Run(c.written[0], func(t *testing.T) {
			// The webhooks are made anew, so those that nothing updates are of these policies, too.
			if _, err := s.Replace(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if err := s.Restart(t.Context(), c.written...); err != nil {
				t.Fatal(err)
			}
			for n := range uint64(2) {
				number := 1000 + 2*uint64(i) + n
				o, err := s.bring(t.Context(), generate.New(*fromSeed, number).Batch(), c.flags)
				if err != nil {
					t.Fatal(err)
				}
				if len(o.differences) > 0 {
					t.Errorf("seed %d, batch %d: %s", *fromSeed, number, s.said(t.Context(), o))
				}
			}
		})
	}
	if _, err := s.Replace(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
}
