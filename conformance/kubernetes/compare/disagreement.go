package compare

import (
	"context"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/generate"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
	"github.com/ambit-k8s/ambit/scope"
)

// Disagreement is a verdict of Ambit that is not what the API server did.
type Disagreement struct {
	mode    Mode
	lane    generate.Lane
	request *generate.Request
	// policies is the one policy with its binding; nil if it cannot be said which of several it was.
	policies *oracle.Policies

	id        string
	outcome   scope.Outcome
	decidedBy scope.LayerName
	effect    scope.Effect
	steps     []string
	seen      sight
	message   string
	// reproduced says whether it happened again with this policy alone.
	reproduced string
}

// note writes down what Ambit said.
func (d *Disagreement) note(ctx context.Context, t *scope.Trace) {
	d.id, d.outcome, d.decidedBy, d.effect = t.Policy.ID(), t.Outcome, t.DecidedBy, t.Effect
	d.steps = nil
	for i, step := range t.Steps(ctx) {
		line := fmt.Sprintf("%s: %s", t.Policy.Layers[i].Name(), step.Outcome)
		if step.Err != nil {
			line += " (" + step.Err.Error() + ")"
		}
		d.steps = append(d.steps, line)
	}
}

// sort is what disagreements of one sort have in common; one of each is enough.
func (d *Disagreement) sort() string {
	kind, _, _ := strings.Cut(d.id, "/")
	_, resource := d.request.Way()
	return fmt.Sprint(d.mode, kind, d.outcome, d.decidedBy, d.seen, d.request.Operation, resource)
}

// String is a reproduction: the policy, the request, what the API server did and what Ambit said.
func (d *Disagreement) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "DISAGREEMENT (%s, lane %s): %s\n", d.mode, d.lane, d.id)
	fmt.Fprintf(&b, "  API server: %s; answer: %s\n", d.seen, d.message)
	fmt.Fprintf(&b, "  Ambit: %s by %q, effect %q; %s\n", d.outcome, d.decidedBy, d.effect, strings.Join(d.steps, ", "))
	fmt.Fprintf(&b, "  %s\n", d.reproduced)
	r := d.request
	fmt.Fprintf(&b, "  request: %s: %s %s?%s as %s\n", r.Title, r.Call.Method, r.Call.Path, r.Call.Query.Encode(), r.Call.User.Username)
	fmt.Fprintf(&b, "  body: %s\n", shorten(string(r.Call.Body)))
	if r.OldObject != nil {
		fmt.Fprintf(&b, "  labels of the old object: %v\n", labelsIn(encoded(r.OldObject)))
	}
	if d.mode == Pasted {
		fmt.Fprintf(&b, "  pasted: %s\n", shorten(string(encoded(r.Pasted))))
	}
	if d.policies != nil {
		fmt.Fprintf(&b, "%s\n", asYAML(d.policies))
	}
	return b.String()
}

func shorten(text string) string {
	if len(text) > 1500 {
		return text[:1500] + "..."
	}
	return text
}

// asYAML writes policies without the address of the recorder.
func asYAML(p *oracle.Policies) string {
	var b strings.Builder
	for _, object := range p.Described() {
		text, err := yaml.Marshal(object)
		if err != nil {
			return err.Error()
		}
		b.WriteString("---\n")
		b.Write(text)
	}
	return b.String()
}
