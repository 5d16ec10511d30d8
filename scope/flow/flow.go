// Package flow turns FlowSchemas into policies: which schema of API Priority and Fairness
// a request falls in, and why the others let it go.
//
// A FlowSchema matches a request if one of its rules does: at least one of the rule's
// subjects, and at least one of its resourceRules or, for other URLs, nonResourceRules.
// The API server asks the schemas in the order of their precedence, then of their names,
// and the first that matches classifies the request. What decides upstream is unexported
// (k8s.io/apiserver/pkg/util/flowcontrol/rule.go), so it is written again here and held to
// it by differential tests.
package flow

import (
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"

	"github.com/ambit-k8s/ambit/scope"
)

// The kinds that flow control is made of. The fields that are read here are the same in
// all versions listed. Priority levels had another field in v1beta2; without them the
// status of a FlowSchema says whether its level exists.
var (
	schemaKind = scope.ObjectKind{
		GroupKind: schema.GroupKind{Group: flowcontrolv1.GroupName, Kind: "FlowSchema"},
		Resource:  "flowschemas", Plural: "FlowSchemas", Versions: []string{"v1", "v1beta3", "v1beta2"},
		Without: "which of them a request falls in is not known",
	}
	levelKind = scope.ObjectKind{
		GroupKind: schema.GroupKind{Group: flowcontrolv1.GroupName, Kind: "PriorityLevelConfiguration"},
		Resource:  "prioritylevelconfigurations", Plural: "PriorityLevelConfigurations", Versions: []string{"v1", "v1beta3"},
		Without: "which FlowSchemas have none, and are ignored for it, is not known",
	}
)

// Compiler implements scope.Compiler and scope.Preset.
type Compiler struct{}

// Kinds implements scope.Compiler.
func (Compiler) Kinds() []scope.ObjectKind { return []scope.ObjectKind{schemaKind, levelKind} }

// Defaults implements scope.Preset.
func (Compiler) Defaults() []runtime.Object {
	var all []runtime.Object
	for _, list := range [][]*flowcontrolv1.FlowSchema{bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas} {
		for _, one := range list {
			copied := one.DeepCopy()
			copied.SetGroupVersionKind(flowcontrolv1.SchemeGroupVersion.WithKind(schemaKind.Kind))
			all = append(all, copied)
		}
	}
	return all
}

// Policies implements scope.Compiler. Where FlowSchemas are missing there are no policies
// at all: any of them may take a request before the others.
func (Compiler) Policies(o scope.Objects) []*scope.Policy {
	if !o.Complete(schemaKind.GroupKind) {
		return nil
	}
	order := NewOrder(
		scope.Typed[*flowcontrolv1.FlowSchema](o, schemaKind.GroupKind),
		NewLevels(scope.Typed[*flowcontrolv1.PriorityLevelConfiguration](o, levelKind.GroupKind), o.Complete(levelKind.GroupKind)),
	)
	all := make([]*scope.Policy, 0, len(order.Schemas))
	for _, s := range order.Schemas {
		p := order.policy(s)
		if p.Origin = "the API server's own"; !s.Imagined {
			p.Origin = o.Origin(schemaKind.GroupKind, "", s.Name)
		}
		all = append(all, p)
	}
	return all
}

// policy builds the layers of one schema.
func (o *Order) policy(s *Schema) *scope.Policy {
	return &scope.Policy{
		Kind: schemaKind.Kind, Name: s.Name, Phase: scope.FlowControl, Source: s.FlowSchema,
		WhenIncluded: func(*scope.Request) scope.Effect { return scope.Classified },
		WhenExcluded: scope.NotClassified,
		Layers: []scope.Layer{
			&Exempt{}, &Subjects{s}, &Rules{Schema: s}, &Rules{Schema: s, NonResource: true}, &Precedence{s, o},
		},
	}
}
