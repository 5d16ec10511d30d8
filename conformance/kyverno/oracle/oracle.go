// Package oracle asks Kyverno's own code which webhooks it would write for some policies, without a cluster. The code runs
// in a process of its own, because it needs other releases of the Kubernetes modules than Ambit.
package oracle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/conformance/kyverno/controller"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
)

// Question is a state of a cluster.
type Question struct {
	Policies  []*unstructured.Unstructured
	ConfigMap *corev1.ConfigMap
	Flags     config.Flags
}

// Answer is what the controller would send to the API server.
type Answer struct {
	Validating *v1.ValidatingWebhookConfiguration `json:"validating"`
	Mutating   *v1.MutatingWebhookConfiguration   `json:"mutating"`
	// Crash is what the controller would end with; it then writes nothing.
	Crash string `json:"crash"`
	// Unreadable says why a policy cannot be decoded, so that no API server would have it.
	Unreadable string `json:"unreadable"`
}

// Oracle is a running process.
type Oracle struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	encoder *json.Encoder
	decoder *json.Decoder
	// resources are sent with the first question.
	resources []*metav1.APIResourceList
}

// Start starts one for a cluster that serves some resources.
func Start(ctx context.Context, resources []*metav1.APIResourceList) (*Oracle, error) {
	binary, err := controller.Tool(ctx, "oracle")
	if err != nil {
		return nil, fmt.Errorf("build oracle: %w", err)
	}
	o := &Oracle{command: exec.CommandContext(ctx, binary), resources: resources}
	o.command.Stderr = os.Stderr
	if o.stdin, err = o.command.StdinPipe(); err != nil {
		return nil, fmt.Errorf("start oracle: %w", err)
	}
	out, err := o.command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start oracle: %w", err)
	}
	o.encoder, o.decoder = json.NewEncoder(o.stdin), json.NewDecoder(out)
	if err := o.command.Start(); err != nil {
		return nil, fmt.Errorf("start oracle: %w", err)
	}
	return o, nil
}

// Ask asks one question.
func (o *Oracle) Ask(q Question) (Answer, error) {
	err := o.encoder.Encode(map[string]any{
		"resources": o.resources, "policies": q.Policies, "configMap": q.ConfigMap,
		"flags": map[string]any{
			"forceFailurePolicyIgnore": q.Flags.ForceFailurePolicyIgnore, "noAutoUpdateWebhooks": q.Flags.NoAutoUpdateWebhooks,
			"excludeBootstrapResources": q.Flags.ExcludeBootstrapResources, "noAdmissionReports": q.Flags.NoAdmissionReports,
			"webhookTimeout": q.Flags.WebhookTimeout,
		},
	})
	if err != nil {
		return Answer{}, fmt.Errorf("ask oracle: %w", err)
	}
	o.resources = nil
	var a Answer
	if err := o.decoder.Decode(&a); err != nil {
		return Answer{}, fmt.Errorf("read oracle's answer: %w", err)
	}
	return a, nil
}

// Stop ends the process.
func (o *Oracle) Stop() error {
	return errors.Join(o.stdin.Close(), o.command.Wait())
}
