package views

import (
	"testing"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
)

// flowSpec is a FlowSchema, written as its name and the fields of its spec.
type flowSpec struct{ name, fields string }

// schemas compiles FlowSchemas. Of the priority levels nothing is known beside those that
// every API server has, unless complete says that there are no others.
func schemas(t testing.TB, complete bool, specs ...flowSpec) []*scope.Policy {
	t.Helper()
	of := map[schema.GroupKind][]runtime.Object{}
	kinds := flow.Compiler{}.Kinds()
	for _, s := range specs {
		written := read(t, s.fields, &flowcontrolv1.FlowSchemaSpec{})
		fs := &flowcontrolv1.FlowSchema{Spec: *written}
		fs.Name = s.name
		of[kinds[0].GroupKind] = append(of[kinds[0].GroupKind], fs)
	}
	return flow.Compiler{}.Policies(scope.Objects{
		Of:       of,
		Complete: func(k schema.GroupKind) bool { return complete || k == kinds[0].GroupKind },
		Origin:   func(schema.GroupKind, string, string) string { return "" },
	})
}

// serverSchemas are those that an API server has by itself, as it stores them.
func serverSchemas(t testing.TB) []flowSpec {
	t.Helper()
	var specs []flowSpec
	for _, o := range (flow.Compiler{}).Defaults() {
		if fs, ok := o.(*flowcontrolv1.FlowSchema); ok {
			specs = append(specs, flowSpec{fs.Name, manifestText(fs.Spec)})
		}
	}
	return specs
}
