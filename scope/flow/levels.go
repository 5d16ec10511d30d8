package flow

import (
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"

	"github.com/ambit-k8s/ambit/scope"
)

// Levels knows the PriorityLevelConfigurations of a cluster.
type Levels struct {
	byName   map[string]*flowcontrolv1.PriorityLevelConfiguration
	complete bool
}

// NewLevels indexes priority levels. Those that every API server creates, and creates
// again when they are deleted, exist whether or not they are listed; complete says that
// no others exist beside the listed ones.
func NewLevels(listed []*flowcontrolv1.PriorityLevelConfiguration, complete bool) *Levels {
	l := &Levels{byName: map[string]*flowcontrolv1.PriorityLevelConfiguration{}, complete: complete}
	for _, all := range [][]*flowcontrolv1.PriorityLevelConfiguration{
		bootstrap.SuggestedPriorityLevelConfigurations, bootstrap.MandatoryPriorityLevelConfigurations, listed,
	} {
		for _, level := range all {
			l.byName[level.Name] = level
		}
	}
	return l
}

// find looks for the priority level of a schema. Where not all levels are known, the
// condition that the API server keeps in the status of the schema tells.
func (l *Levels) find(s *flowcontrolv1.FlowSchema) (*flowcontrolv1.PriorityLevelConfiguration, scope.Presence) {
	if level, ok := l.byName[s.Spec.PriorityLevelConfiguration.Name]; ok {
		return level, scope.Present
	}
	if l.complete {
		return nil, scope.Absent
	}
	for _, c := range s.Status.Conditions {
		switch {
		case c.Type != flowcontrolv1.FlowSchemaConditionDangling:
		case c.Status == flowcontrolv1.ConditionTrue:
			return nil, scope.Absent
		case c.Status == flowcontrolv1.ConditionFalse:
			return nil, scope.Present
		}
	}
	return nil, scope.NotKnown
}
