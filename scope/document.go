package scope

import (
	"context"
	"encoding/json"
)

// Document is the answer of "ambit explain" and of the HTTP API, as the contract has it.
type Document struct {
	Request  json.RawMessage  `json:"request"`
	Policies []PolicyDocument `json:"policies"`
}

// PolicyDocument is one trace in a Document.
type PolicyDocument struct {
	Kind      string          `json:"kind"`
	Name      string          `json:"name"`
	Namespace string          `json:"namespace"`
	Entry     string          `json:"entry"`
	Outcome   Outcome         `json:"outcome"`
	DecidedBy LayerName       `json:"decidedBy,omitempty"`
	Effect    Effect          `json:"effect,omitempty"`
	Missing   []Missing       `json:"missing,omitempty"`
	Layers    []LayerDocument `json:"layers"`
}

// LayerDocument is one step in a PolicyDocument.
type LayerDocument struct {
	Name    LayerName   `json:"name"`
	Outcome StepOutcome `json:"outcome"`
	Reasons []Reason    `json:"reasons,omitempty"`
}

// NewDocument writes traces as the contract has them, with all layers and reasons.
func NewDocument(ctx context.Context, request json.RawMessage, traces []*Trace) Document {
	d := Document{Request: request, Policies: make([]PolicyDocument, 0, len(traces))}
	for _, t := range traces {
		p := PolicyDocument{
			Kind: t.Policy.Kind, Name: t.Policy.Name, Namespace: t.Policy.Namespace, Entry: t.Policy.Entry,
			Outcome: t.Outcome, DecidedBy: t.DecidedBy, Effect: t.Effect, Missing: t.Missing(),
		}
		for i, step := range t.Steps(ctx) {
			if step.Aside {
				continue
			}
			p.Layers = append(p.Layers, LayerDocument{Name: t.Policy.Layers[i].Name(), Outcome: step.Outcome, Reasons: t.Reasons(ctx, i)})
		}
		d.Policies = append(d.Policies, p)
	}
	return d
}
