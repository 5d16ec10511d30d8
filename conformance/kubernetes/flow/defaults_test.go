package flow

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"

	"github.com/ambit-k8s/ambit/scope/flow"
)

// What stands in for the schemas of a cluster of which only manifests are known is what a fresh API server has.
func TestDefaults(t *testing.T) {
	s := startSession(t)
	var in Installed
	if err := s.list(t.Context(), &in); err != nil {
		t.Fatal(err)
	}
	schemas, levels := map[string]flowcontrolv1.FlowSchemaSpec{}, map[string]flowcontrolv1.PriorityLevelConfigurationSpec{}
	for name, schema := range in.Schemas {
		schemas[name] = schema.Spec
	}
	for name, level := range in.Levels {
		levels[name] = level.Spec
	}
	wantSchemas := map[string]flowcontrolv1.FlowSchemaSpec{}
	for _, object := range (flow.Compiler{}).Defaults() {
		schema := object.(*flowcontrolv1.FlowSchema)
		wantSchemas[schema.Name] = schema.Spec
	}
	if diff := cmp.Diff(schemas, wantSchemas); diff != "" {
		t.Errorf("schemas (-server +Ambit):\n%s", diff)
	}
	wantLevels := map[string]flowcontrolv1.PriorityLevelConfigurationSpec{}
	for _, all := range [][]*flowcontrolv1.PriorityLevelConfiguration{bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations} {
		for _, level := range all {
			wantLevels[level.Name] = level.Spec
		}
	}
	if diff := cmp.Diff(levels, wantLevels); diff != "" {
		t.Errorf("priority levels (-server +Ambit):\n%s", diff)
	}
}
