package flow

import (
	"fmt"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/flow/generate"
)

// Disagreement is a request that the API server and Ambit classify differently.
type Disagreement struct {
	set  *generate.Set
	call *generate.Call
	said words
	// taken is what the API server named, and wrong what is different about Ambit's answer.
	taken string
	got   answer
	wrong []string
	// reproduced says whether it happened again.
	reproduced string
}

func newDisagreement(set *generate.Set, j *judgement) *Disagreement {
	d := &Disagreement{set: set, call: j.e.call, said: j.said.words}
	d.note(j)
	return d
}

// note writes down how the two differ.
func (d *Disagreement) note(j *judgement) {
	d.got, d.wrong, d.taken = j.e.got(), j.wrong, "none"
	for name := range j.in.Schemas {
		if j.in.took(d.got, name) {
			d.taken = name
		}
	}
}

// String is a reproduction: the schemas, the request, what the API server did and what Ambit said.
func (d *Disagreement) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "DISAGREEMENT (%s): %s %q with the query %q as %s\n", d.said.mode, d.call.Method, d.call.Path, d.call.Query.Encode(), d.call.Who)
	fmt.Fprintf(&b, "  API server: %d, classified %v, FlowSchema %s (%s), priority level %s\n", d.got.Code, d.got.Classified, d.taken, d.got.Schema, d.got.Level)
	for _, sentence := range d.wrong {
		fmt.Fprintf(&b, "  %s\n", sentence)
	}
	fmt.Fprintf(&b, "  %s\n  Ambit was asked: %s\n", d.reproduced, d.said.text)
	if d.said.mode == Object {
		fmt.Fprintf(&b, "  with %s, subresource %q\n", d.said.ask.Operation, d.said.ask.Subresource)
	}
	if len(d.set.Without) > 0 {
		fmt.Fprintf(&b, "  without %s\n", strings.Join(d.set.Without, ", "))
	}
	var levels []string
	for _, l := range d.set.Levels {
		levels = append(levels, l.Name)
	}
	fmt.Fprintf(&b, "  priority levels beside the server's own: %s\n", strings.Join(levels, ", "))
	for _, s := range d.set.Schemas {
		written := flowcontrolv1.FlowSchema{TypeMeta: metav1.TypeMeta{APIVersion: flowcontrolv1.SchemeGroupVersion.String(), Kind: "FlowSchema"}, ObjectMeta: s.ObjectMeta, Spec: s.Spec}
		text, err := yaml.Marshal(written)
		if err != nil {
			return err.Error()
		}
		fmt.Fprintf(&b, "---\n%s", text)
	}
	return b.String()
}
