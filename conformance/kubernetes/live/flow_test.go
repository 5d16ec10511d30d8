package live

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/seed"
	"github.com/ambit-k8s/ambit/scope/flow"
)

// sampleFile reads objects of the built-in sample.
func sampleFile(t *testing.T, name string) []*unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "cluster", "sample", name))
	if err != nil {
		t.Fatal(err)
	}
	objects, err := seed.Documents(text)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// stored returns what the server stores of an object of flow control.
func (w *world) stored(t *testing.T, object *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	plural := map[string]string{"FlowSchema": "flowschemas", "PriorityLevelConfiguration": "prioritylevelconfigurations"}[object.GetKind()]
	got, err := w.client.Resource(flowcontrolv1.SchemeGroupVersion.WithResource(plural)).Get(t.Context(), object.GetName(), metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// schemas returns the FlowSchemas of a snapshot by their names, those left out that nobody stored.
func schemas(s *cluster.Snapshot) map[string]*flow.Schema {
	order := flow.OrderOf(s.Policies.Policies())
	if order == nil {
		return nil
	}
	all := map[string]*flow.Schema{}
	for _, one := range order.Schemas {
		if !one.Imagined {
			all[one.Name] = one
		}
	}
	return all
}

// flowControl holds the snapshot, and the defaults that the sample has as a file, to what the server stores by itself;
// then the sample's own FlowSchemas to what the server says of their priority levels.
func flowControl(t *testing.T, w *world, source cluster.Source) {
	defaults := sampleFile(t, "25-flow-defaults.yaml")
	count := len(slices.DeleteFunc(slices.Clone(defaults), func(u *unstructured.Unstructured) bool { return u.GetKind() != "FlowSchema" }))
	s := eventually(t, source, "the server's own FlowSchemas", func(s *cluster.Snapshot) bool { return len(schemas(s)) == count })
	for _, p := range s.About.Problems {
		t.Error(p)
	}
	before := map[string]*unstructured.Unstructured{}
	for _, object := range defaults {
		live := w.stored(t, object)
		before[object.GetKind()+object.GetName()] = live
		if diff := cmp.Diff(plain(t, live), plain(t, object)); diff != "" {
			t.Errorf("%s %s (-stored +sample):\n%s", object.GetKind(), object.GetName(), diff)
		}
		if object.GetKind() == "FlowSchema" && schemas(s)[object.GetName()].Dangling() {
			t.Errorf("%s is taken for dangling", object.GetName())
		}
	}
	own := sampleFile(t, "26-flow-schemas.yaml")
	if err := seed.Apply(t.Context(), w.server.Config, slices.Concat(defaults, own)); err != nil {
		t.Fatal(err)
	}
	for _, object := range defaults {
		was, is := before[object.GetKind()+object.GetName()], w.stored(t, object)
		if was.GetGeneration() != is.GetGeneration() || was.GetUID() != is.GetUID() {
			t.Errorf("%s %s was changed by seeding what is there already", object.GetKind(), object.GetName())
		}
	}
	for _, object := range own {
		if object.GetKind() == "FlowSchema" {
			danglingAlike(t, source, object.GetName())
		}
	}
}

// danglingAlike holds Ambit to the condition by which the server says that the priority level of a FlowSchema does not
// exist.
func danglingAlike(t *testing.T, source cluster.Source, name string) {
	t.Helper()
	eventually(t, source, "what the server says of the level of "+name, func(s *cluster.Snapshot) bool {
		one := schemas(s)[name]
		if one == nil {
			return false
		}
		i := slices.IndexFunc(one.Status.Conditions, func(c flowcontrolv1.FlowSchemaCondition) bool {
			return c.Type == flowcontrolv1.FlowSchemaConditionDangling
		})
		return i >= 0 && one.Dangling() == (one.Status.Conditions[i].Status == flowcontrolv1.ConditionTrue)
	})
}

// plain returns what the author of an object decides: its annotations and its spec, as JSON has them.
func plain(t *testing.T, u *unstructured.Unstructured) map[string]any {
	t.Helper()
	text, err := (&unstructured.Unstructured{Object: map[string]any{
		"kind": u.GetKind(), "spec": u.Object["spec"], "annotations": u.GetAnnotations(),
	}}).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	again := &unstructured.Unstructured{}
	if err := again.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	return again.Object
}

const account = `apiVersion: v1
kind: ServiceAccount
metadata: {name: robot, namespace: default}`

// identities holds the snapshot to knowing new service accounts, and the groups that the server's own bindings name.
func identities(t *testing.T, w *world, source cluster.Source) {
	w.apply(t, account)
	eventually(t, source, "a new service account", func(s *cluster.Snapshot) bool {
		return slices.Contains(s.Identities.ServiceAccounts, types.NamespacedName{Namespace: "default", Name: "robot"}) &&
			slices.Contains(s.Identities.Groups, "system:masters") && slices.Contains(s.Identities.Users, "system:kube-scheduler")
	})
}
