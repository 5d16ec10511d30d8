package flow

import (
	"cmp"
	"slices"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"

	"github.com/ambit-k8s/ambit/scope"
)

// Schema is a FlowSchema as the API server uses it.
type Schema struct {
	*flowcontrolv1.FlowSchema
	// Imagined says that nobody stored the schema: it is mandatory, and the API server uses
	// its own until it is stored.
	Imagined bool
	// Level is the priority level that the schema names; nil unless HasLevel is Present.
	Level *flowcontrolv1.PriorityLevelConfiguration
	// HasLevel says whether the priority level exists. The API server ignores a schema
	// whose level does not.
	HasLevel scope.Presence
}

// Dangling reports whether the API server ignores the schema, because its priority level
// does not exist.
func (s *Schema) Dangling() bool { return s.HasLevel == scope.Absent }

// isFallback reports whether the schema takes what no schema matches. There is one of
// that name in every order.
func (s *Schema) isFallback() bool {
	return s.Name == flowcontrolv1.FlowSchemaNameCatchAll && !s.Dangling()
}

// Order is all FlowSchemas in the order in which the API server asks them: by
// matchingPrecedence, then by name. Those whose priority level does not exist stand in
// their place and are not asked.
type Order struct {
	Schemas []*Schema
}

// NewOrder sorts FlowSchemas and finds their priority levels. The mandatory schemas are
// imagined where they are missing, exempt before and catch-all behind all others
// (k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go, digestFlowSchemasLocked).
func NewOrder(schemas []*flowcontrolv1.FlowSchema, levels *Levels) *Order {
	o := &Order{}
	has := map[string]bool{}
	for _, written := range schemas {
		s := &Schema{FlowSchema: written}
		s.Level, s.HasLevel = levels.find(written)
		o.Schemas = append(o.Schemas, s)
		has[s.Name] = has[s.Name] || !s.Dangling()
	}
	slices.SortStableFunc(o.Schemas, func(a, b *Schema) int {
		return cmp.Or(cmp.Compare(a.Spec.MatchingPrecedence, b.Spec.MatchingPrecedence), cmp.Compare(a.Name, b.Name))
	})
	if !has[flowcontrolv1.FlowSchemaNameExempt] {
		o.Schemas = slices.Insert(o.Schemas, 0, imagined(bootstrap.MandatoryFlowSchemaExempt, levels))
	}
	if !has[flowcontrolv1.FlowSchemaNameCatchAll] {
		o.Schemas = append(o.Schemas, imagined(bootstrap.MandatoryFlowSchemaCatchAll, levels))
	}
	return o
}

func imagined(schema *flowcontrolv1.FlowSchema, levels *Levels) *Schema {
	s := &Schema{FlowSchema: schema.DeepCopy(), Imagined: true}
	s.SetGroupVersionKind(flowcontrolv1.SchemeGroupVersion.WithKind(schemaKind.Kind))
	s.Level, s.HasLevel = levels.find(schema)
	return s
}

// OrderOf returns the order that policies of flow control belong to, or nil if there are
// no such policies among them.
func OrderOf(policies []*scope.Policy) *Order {
	for _, p := range policies {
		for _, layer := range p.Layers {
			if precedence, ok := layer.(*Precedence); ok {
				return precedence.Order
			}
		}
	}
	return nil
}

// subjects are those of all rules of the schema.
func (s *Schema) subjects() []flowcontrolv1.Subject {
	var all []flowcontrolv1.Subject
	for _, rule := range s.Spec.Rules {
		all = append(all, rule.Subjects...)
	}
	return all
}
