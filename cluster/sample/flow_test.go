package sample

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// TestFlowDefaults holds the objects that a server has by itself to those that it creates.
func TestFlowDefaults(t *testing.T) {
	text, err := objects.ReadFile("25-flow-defaults.yaml")
	if err != nil {
		t.Fatal(err)
	}
	documents, problems := manifest.Read("25-flow-defaults.yaml", text, 0)
	for _, p := range problems {
		t.Error(p)
	}
	schemas, levels := map[string]*flowcontrolv1.FlowSchema{}, map[string]*flowcontrolv1.PriorityLevelConfiguration{}
	for _, d := range documents {
		object, problems := d.Typed()
		for _, p := range problems {
			t.Error(p)
		}
		switch object := object.(type) {
		case *flowcontrolv1.FlowSchema:
			schemas[object.Name] = object
		case *flowcontrolv1.PriorityLevelConfiguration:
			levels[object.Name] = object
		default:
			t.Errorf("%T is no default of flow control", object)
		}
	}
	wantSchemas := slices.Concat(bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas)
	wantLevels := slices.Concat(bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations)
	if len(documents) != len(wantSchemas)+len(wantLevels) {
		t.Errorf("there are %d objects, want %d and %d", len(documents), len(wantSchemas), len(wantLevels))
	}
	for _, want := range wantSchemas {
		got := schemas[want.Name]
		if got == nil {
			t.Errorf("there is no FlowSchema %s", want.Name)
			continue
		}
		if diff := cmp.Diff(want.Spec, got.Spec) + cmp.Diff(want.Annotations, got.Annotations); diff != "" {
			t.Errorf("FlowSchema %s (-want +got):\n%s", want.Name, diff)
		}
	}
	for _, want := range wantLevels {
		got := levels[want.Name]
		if got == nil {
			t.Errorf("there is no PriorityLevelConfiguration %s", want.Name)
			continue
		}
		if diff := cmp.Diff(want.Spec, got.Spec) + cmp.Diff(want.Annotations, got.Annotations); diff != "" {
			t.Errorf("PriorityLevelConfiguration %s (-want +got):\n%s", want.Name, diff)
		}
	}
}
