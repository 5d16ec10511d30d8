package controller

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// asked is an annotation that only this package writes. The controller watches its configurations: a change makes it work
// them out anew from what it has heard of by then, and what it writes has no such annotation.
const asked = "conformance.ambit.invalid/asked"

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
