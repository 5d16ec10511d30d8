package views

import (
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"

	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/flow"
)

// FlowOrigin says where a FlowSchema comes from.
type FlowOrigin struct {
	// Word is mandatory, suggested or added.
	Word string
	// Changed says that it is one of the API server's, with another spec.
	Changed bool
	// Note is a sentence about it, where there is one to say.
	Note string
}

// added is the word for a schema that is none of the API server's own.
const added = "added"

// newFlowOrigin compares a schema with those that an API server has by itself
// (k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap).
func newFlowOrigin(s *flow.Schema) FlowOrigin {
	o := FlowOrigin{Word: added}
	server := schemaIn(bootstrap.MandatoryFlowSchemas, s.Name)
	if server != nil {
		o.Word = "mandatory"
	} else if server = schemaIn(bootstrap.SuggestedFlowSchemas, s.Name); server != nil {
		o.Word = "suggested"
	}
	if s.Imagined {
		o.Note = "It is not stored; the API server uses its own."
		return o
	}
	if server == nil || apiequality.Semantic.DeepEqual(server.Spec, s.Spec) {
		return o
	}
	o.Changed = true
	o.Note = "It differs from the one that Kubernetes " + builtin.Version + " creates."
	if o.Word == "mandatory" {
		o.Note = "It differs from what the API server insists on, and is put back before long."
	}
	return o
}

func schemaIn(list []*flowcontrolv1.FlowSchema, name string) *flowcontrolv1.FlowSchema {
	for _, fs := range list {
		if fs.Name == name {
			return fs
		}
	}
	return nil
}

// String is the origin in a word or two.
func (o FlowOrigin) String() string {
	if o.Changed {
		return o.Word + ", changed"
	}
	return o.Word
}
