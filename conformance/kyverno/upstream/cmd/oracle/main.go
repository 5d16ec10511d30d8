package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-logr/logr"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// question is a state of a cluster.
type question struct {
	// Resources are those that the cluster serves; absent, those of the question before.
	Resources []*metav1.APIResourceList    `json:"resources,omitempty"`
	Policies  []*unstructured.Unstructured `json:"policies"`
	// ConfigMap is the one named kyverno.
	ConfigMap *corev1.ConfigMap `json:"configMap"`
	Flags     flags             `json:"flags"`
}

// flags are those of the controller that decide what it writes.
type flags struct {
	ForceFailurePolicyIgnore  bool  `json:"forceFailurePolicyIgnore"`
	NoAutoUpdateWebhooks      bool  `json:"noAutoUpdateWebhooks"`
	ExcludeBootstrapResources bool  `json:"excludeBootstrapResources"`
	NoAdmissionReports        bool  `json:"noAdmissionReports"`
	WebhookTimeout            int32 `json:"webhookTimeout"`
}

// answer is what the controller would write. A crash of the controller is an answer, too.
type answer struct {
	Validating *admissionregistrationv1.ValidatingWebhookConfiguration `json:"validating,omitempty"`
	Mutating   *admissionregistrationv1.MutatingWebhookConfiguration   `json:"mutating,omitempty"`
	Crash      string                                                  `json:"crash,omitempty"`
	// Unreadable says why a policy cannot be decoded, so that no API server would have it.
	Unreadable string `json:"unreadable,omitempty"`
}

func main() {
	log.SetLogger(logr.Discard()) // Kyverno logs every ConfigMap.
	if err := run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, in io.Reader, out io.Writer) error {
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(out)
	var world *world
	for {
		var q question
		err := decoder.Decode(&q)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read question: %w", err)
		}
		if q.Resources != nil {
			if world, err = serving(ctx, q.Resources); err != nil {
				return err
			}
		}
		if world == nil {
			return errors.New("the first question does not say which resources there are")
		}
		a, err := world.answer(ctx, q)
		if err != nil {
			return err
		}
		if err := encoder.Encode(a); err != nil {
			return fmt.Errorf("write answer: %w", err)
		}
	}
}
