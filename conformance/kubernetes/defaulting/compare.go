package defaulting

import (
	"encoding/json"
	"fmt"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/builtin"
)

// Compare lets the server and Ambit fill the same object, given by its fields, and returns the difference between
// what CEL would see: "" if there is none, else lines with - for the server and + for Ambit. The fields are changed.
func Compare(gvk schema.GroupVersionKind, fields map[string]any) (string, error) {
	object, err := decodeFields(gvk, fields)
	if err != nil {
		return "", err
	}
	served, err := Serve(gvk, object)
	if err != nil {
		return "", err
	}
	if !builtin.Default(gvk, fields) {
		return "", fmt.Errorf("the table of defaults does not know %v", gvk)
	}
	defaulted, err := decodeFields(gvk, fields)
	if err != nil {
		return "", err
	}
	want, err := View(served)
	if err != nil {
		return "", err
	}
	got, err := View(defaulted)
	if err != nil {
		return "", err
	}
	return cmp.Diff(want, got, ignoreClock), nil
}

// ignoreClock leaves out the one default that is the time of the request (SetDefaults_DeviceTaint).
var ignoreClock = cmpopts.IgnoreMapEntries(func(field string, _ any) bool { return field == "timeAdded" })

func decodeFields(gvk schema.GroupVersionKind, fields map[string]any) (runtime.Object, error) {
	data, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("write object: %w", err)
	}
	return Decode(gvk, data)
}
