package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope"
)

// writeJSON writes the document of the contract as JSON.
func writeJSON(ctx context.Context, w io.Writer, a answer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(scope.NewDocument(ctx, a.derived.Review, a.traces)); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// writeYAML writes the document of the contract as YAML.
func writeYAML(ctx context.Context, w io.Writer, a answer) error {
	data, err := yaml.Marshal(scope.NewDocument(ctx, a.derived.Review, a.traces))
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	if _, err := w.Write(data); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}
