package controller

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// asked is an annotation that only this package writes. The controller watches its configurations: a change makes it work
// them out anew from what it has heard of by then, and what it writes has no such annotation.
const asked = "conformance.ambit.invalid/asked"

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

// ask makes the controller write both configurations once more.
func (c *Cluster) ask(ctx context.Context) (*State, error) {
	c.asked++
	_, length := c.process.logSince(0)
	patch := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`, asked, strconv.Itoa(c.asked))
	_, err := c.Client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Patch(ctx, ValidatingName, types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return nil, fmt.Errorf("ask the controller: %w", err)
	}
	_, err = c.Client.AdmissionregistrationV1().MutatingWebhookConfigurations().Patch(ctx, MutatingName, types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return nil, fmt.Errorf("ask the controller: %w", err)
	}
	var state *State
	err = c.until(ctx, patience, func(ctx context.Context) (err error) {
		if state, err = c.read(ctx); err != nil {
			return err
		}
		_, validating := state.Validating.Annotations[asked]
		_, mutating := state.Mutating.Annotations[asked]
		if !validating && !mutating {
			return nil
		}
		logged, _ := c.process.logSince(length)
		state.Refused = refusals(logged)
		if (!validating || state.Refused[ValidatingName] != "") && (!mutating || state.Refused[MutatingName] != "") {
			return nil
		}
		return errors.New("the controller does not write its configurations")
	})
	if err != nil {
		return nil, fmt.Errorf("ask the controller: %w", err)
	}
	return state, nil
}

// read reads both configurations.
func (c *Cluster) read(ctx context.Context) (*State, error) {
	validating, err := c.Client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Get(ctx, ValidatingName, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	mutating, err := c.Client.AdmissionregistrationV1().MutatingWebhookConfigurations().Get(ctx, MutatingName, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return &State{Validating: validating, Mutating: mutating}, nil
}

// refusal is how the controller logs that a configuration could not be written.
var refusal = regexp.MustCompile(`(?:Retrying|Failed to process) request .*obj=(kyverno-resource-(?:validating|mutating)-webhook-cfg)`)

// refusals returns what the API server did not take, by the name of the configuration. A write that came too late for a
// newer version is no refusal.
func refusals(log []byte) map[string]string {
	found := map[string]string{}
	for line := range bytes.Lines(log) {
		m := refusal.FindSubmatch(line)
		if m != nil && bytes.Contains(line, []byte("is invalid")) {
			found[string(m[1])] = string(bytes.TrimSpace(line))
		}
	}
	return found
}
