package compare

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// world is a state of a cluster.
type world struct {
	policies  []*unstructured.Unstructured
	configMap *corev1.ConfigMap
	flags     config.Flags
	resources *resource.Set
}

// predict asks Ambit.
func (w world) predict() (*webhooks.Prediction, error) {
	in := webhooks.Input{Config: config.Parse(w.configMap), Release: release.Default, Flags: w.flags, Resources: w.resources}
	for _, p := range w.policies {
		switch p.GroupVersionKind().Group {
		case api.Group:
			decoded, err := api.DecodePolicy(p)
			if err != nil {
				return nil, fmt.Errorf("decode policy: %w", err)
			}
			in.Policies = append(in.Policies, decoded)
		case api.LegacyGroup:
			decoded, err := api.DecodeLegacy(p)
			if err != nil {
				return nil, fmt.Errorf("decode policy: %w", err)
			}
			in.Legacy = append(in.Legacy, decoded)
		}
	}
	return webhooks.Predict(in), nil
}
