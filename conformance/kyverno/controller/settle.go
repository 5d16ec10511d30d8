package controller

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// patience is how long anything may take: the machine may be busy.
const patience = time.Minute

// Settled waits until the controller has acted on all that was written before, and returns what it wrote. The controller
// is settled once it goes by the present ConfigMap, says of each policy that it has a webhook, and, asked twice, writes the
// same. A watch of the controller may still lag behind in theory, as it hears of each kind by itself.
func (c *Cluster) Settled(ctx context.Context) (*State, error) {
	if c.frozen {
		return c.read(ctx)
	}
	if err := c.until(ctx, patience, c.seen); err != nil {
		return nil, fmt.Errorf("wait until the controller has seen the policies: %w", err)
	}
	var last *State
	for range 50 {
		state, err := c.ask(ctx)
		if err != nil {
			return nil, err
		}
		if state.equal(last) && (len(state.Refused) > 0 || c.current(state)) {
			return state, nil
		}
		last = state
	}
	return nil, errors.New("the controller writes something else each time that it is asked\n" + c.process.tail())
}

// current reports whether the controller goes by the present ConfigMap.
func (c *Cluster) current(s *State) bool {
	want := strconv.Itoa(c.batch)
	return c.batch == 0 || s.Validating.Annotations[batch] == want && s.Mutating.Annotations[batch] == want
}

// seen returns a policy for which the controller does not say yet that it has worked out the webhooks.
//
// Where the API server refuses a configuration, the controller takes back what it said of all policies, so that there is
// nothing to wait for.
func (c *Cluster) seen(ctx context.Context) error {
	if logged, _ := c.process.logSince(c.replaced); len(refusals(logged)) > 0 {
		return nil
	}
	stored, err := c.Policies(ctx)
	if err != nil {
		return err
	}
	for _, p := range stored {
		if !admits(p) || configured(p) {
			continue
		}
		return fmt.Errorf("%s %s has no webhook yet", p.GetKind(), p.GetName())
	}
	return nil
}

// admits reports whether Kyverno would say of a policy that it has a webhook.
func admits(p *unstructured.Unstructured) bool {
	switch p.GetKind() {
	case "PolicyException":
		return false
	case "ClusterPolicy", "Policy":
		admission, written, _ := unstructured.NestedBool(p.Object, "spec", "admission")
		return admission || !written
	}
	enabled, written, _ := unstructured.NestedBool(p.Object, "spec", "evaluation", "admission", "enabled")
	generated, _, _ := unstructured.NestedBool(p.Object, "status", "generated")
	return (enabled || !written) && !generated
}

// configured reports whether the status of a policy says that it has a webhook.
func configured(p *unstructured.Unstructured) bool {
	for path, wanted := range map[string]string{"conditionStatus": "WebhookConfigured", "": "Ready"} {
		fields := []string{"status", path, "conditions"}
		if path == "" {
			fields = []string{"status", "conditions"}
		}
		conditions, _, _ := unstructured.NestedSlice(p.Object, fields...)
		for _, c := range conditions {
			if c, ok := c.(map[string]any); ok && c["type"] == wanted && c["status"] == "True" {
				return true
			}
		}
	}
	return false
}
