package main

import (
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// writeWebhookDocuments writes the configurations one after the other, as "kubectl apply" takes them.
func writeWebhookDocuments(w io.Writer, p *webhooks.Prediction) error {
	for i, document := range p.List().Items {
		data, err := yaml.Marshal(document)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(w, "---")
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	return nil
}

// writeWebhookYAML writes the List of the contract as YAML.
func writeWebhookYAML(w io.Writer, p *webhooks.Prediction) error {
	data, err := yaml.Marshal(p.List())
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// writeWebhookJSON writes the List of the contract as JSON.
func writeWebhookJSON(w io.Writer, p *webhooks.Prediction) error {
	return encodeJSON(w, p.List())
}
