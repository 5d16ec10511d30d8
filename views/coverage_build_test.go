package views

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/resource"
)

var (
	pods   = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	nodes  = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}
	claims = schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumeclaims"}
)

// covering is a small cluster: who is reached can be counted on one's fingers.
type covering struct {
	catalog    *Catalog
	result     *coverage.Result
	namespaces []*corev1.Namespace
}

// spaces is a source of namespaces.
type spaces []*corev1.Namespace

func (s spaces) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	for _, ns := range s {
		if ns.Name == name {
			return ns, scope.Present
		}
	}
	return nil, scope.Absent
}

// cover puts policies over two Pods in team-a, of which one has the label skip, three in
// kube-system, a claim in team-a, and a Node.
func cover(t testing.TB, policies ...string) covering {
	t.Helper()
	c := covering{namespaces: []*corev1.Namespace{
		{ObjectMeta: metav1.ObjectMeta{Name: "kube-system", Labels: map[string]string{"kubernetes.io/metadata.name": "kube-system"}}},
		{ObjectMeta: metav1.ObjectMeta{Name: "team-a", Labels: map[string]string{"kubernetes.io/metadata.name": "team-a", "tenant": "a"}}},
	}}
	store := coverage.NewStore()
	store.Put(coverage.Object{Resource: pods, Namespace: "team-a", Name: "web", Labels: map[string]string{"app": "web"}})
	store.Put(coverage.Object{Resource: pods, Namespace: "team-a", Name: "debug", Labels: map[string]string{"skip": "yes"}})
	for i := range 3 {
		store.Put(coverage.Object{Resource: pods, Namespace: "kube-system", Name: fmt.Sprintf("dns-%d", i)})
	}
	store.Put(coverage.Object{Resource: claims, Namespace: "team-a", Name: "data"})
	store.Put(coverage.Object{Resource: nodes, Name: "node-1"})
	compiled := compile(t, policies...)
	c.catalog = NewCatalog(compiled, c.namespaces)
	facts := &scope.Facts{Namespaces: spaces(c.namespaces), Resources: resource.NewSet(resource.Builtin(), nil)}
	var err error
	c.result, err = coverage.NewEvaluator(coverage.Ask{}).Update(context.Background(), store.Snapshot(), compiled, facts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// guard is a webhook on the creation of Pods, with more fields.
func guard(name, fields string) string {
	return fmt.Sprintf(`{"kind": "ValidatingWebhookConfiguration", "metadata": {"name": %q}, "webhooks": [{"name": "%s.example.com",
"rules": [{"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"]}]%s}]}`, name, name, fields)
}

const (
	// notSystem leaves out kube-system, notSkipped the Pods with the label skip.
	notSystem  = `, "namespaceSelector": {"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system"]}]}`
	notSkipped = `, "objectSelector": {"matchExpressions": [{"key": "skip", "operator": "DoesNotExist"}]}`
)
