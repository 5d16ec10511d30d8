package admission_test

import (
	"context"
	"fmt"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
)

// paramObjects are the parameters of the test cluster.
var paramObjects = []runtime.Object{
	&corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "limits", Labels: map[string]string{"for": "pods"}}},
	&corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: metav1.ObjectMeta{Namespace: "dev", Name: "limits", Labels: map[string]string{"for": "pods"}}},
	&corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "more", Labels: map[string]string{"for": "pods"}}},
	&rbacv1.ClusterRole{TypeMeta: metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRole"}, ObjectMeta: metav1.ObjectMeta{Name: "limits", Labels: map[string]string{"for": "pods"}}},
}

// memory gives paramObjects to Ambit.
type memory struct{}

func (memory) ListParams(kind schema.GroupVersionKind, namespace string, selector labels.Selector) ([]runtime.Object, bool, string) {
	var found []runtime.Object
	for _, o := range paramObjects {
		a, err := meta.Accessor(o)
		if err == nil && o.GetObjectKind().GroupVersionKind() == kind && (namespace == "" || a.GetNamespace() == namespace) && selector.Matches(labels.Set(a.GetLabels())) {
			found = append(found, o)
		}
	}
	return found, true, ""
}

func (m memory) Param(kind schema.GroupVersionKind, namespace, name string) (runtime.Object, scope.Presence, string) {
	all, _, _ := m.ListParams(kind, namespace, labels.Everything())
	for _, o := range all {
		if a, err := meta.Accessor(o); err == nil && a.GetName() == name {
			return o, scope.Present, ""
		}
	}
	return nil, scope.Absent, ""
}

// TestParamsAgreeWithUpstream walks the grid of param references and compares the layer
// with the API server's CollectParams over real informers.
func TestParamsAgreeWithUpstream(t *testing.T) {
	factory := informers.NewSharedInformerFactory(fake.NewSimpleClientset(paramObjects...), 0)
	kinds := []struct {
		kind  v1.ParamKind
		gvr   schema.GroupVersionResource
		scope meta.RESTScope
	}{
		{v1.ParamKind{APIVersion: "v1", Kind: "ConfigMap"}, gvr("", "v1", "configmaps"), meta.RESTScopeNamespace},
		{v1.ParamKind{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRole"}, gvr("rbac.authorization.k8s.io", "v1", "clusterroles"), meta.RESTScopeRoot},
	}
	for _, k := range kinds {
		if _, err := factory.ForResource(k.gvr); err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	factory.StartWithContext(ctx)
	factory.WaitForCacheSync(ctx.Done())
	facts := testFacts()
	facts.Params = memory{}
	compiler := admission.NewCompiler()
	asked := 0
	for _, k := range kinds {
		informer, err := factory.ForResource(k.gvr)
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range paramRefs() {
			for _, namespace := range []string{"prod", "dev", "kube-system", ""} {
				asked++
				want, wantErr := generic.CollectParams(&k.kind, informer, k.scope, ref, namespace, nil, nil)
				got := paramsStep(t, compiler, facts, k.kind, ref, namespace)
				expect := scope.Match
				switch {
				case wantErr != nil:
					expect = scope.Failed
				case len(want) == 0:
					expect = scope.NoMatch
				}
				if got.Outcome != expect || wantErr != nil && got.Err.Error() != wantErr.Error() {
					t.Errorf("%s, %s, namespace %q: %s (%v), upstream gives %d params and %v", k.kind.Kind, describeRef(ref), namespace, got.Outcome, got.Err, len(want), wantErr)
				}
			}
		}
	}
	t.Logf("%d references", asked)
}

func paramRefs() []*v1.ParamRef {
	refs := []*v1.ParamRef{nil}
	for _, name := range []string{"", "limits", "nope"} {
		for _, selector := range []*metav1.LabelSelector{nil, {}, {MatchLabels: map[string]string{"for": "pods"}}, {MatchLabels: map[string]string{"for": "nothing"}}} {
			for _, namespace := range []string{"", "prod", "ghost"} {
				for _, action := range []v1.ParameterNotFoundActionType{v1.AllowAction, v1.DenyAction} {
					refs = append(refs, &v1.ParamRef{Name: name, Selector: selector, Namespace: namespace, ParameterNotFoundAction: &action})
				}
			}
		}
	}
	return refs
}

// paramsStep asks only the layer of parameters about a request in a namespace.
func paramsStep(t *testing.T, compiler *admission.Compiler, facts *scope.Facts, kind v1.ParamKind, ref *v1.ParamRef, namespace string) scope.Step {
	t.Helper()
	p := &v1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "policy"}}
	p.Spec.ParamKind = &kind
	p.Spec.MatchConstraints = &v1.MatchResources{}
	b := &v1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: "binding"}}
	b.Spec = v1.ValidatingAdmissionPolicyBindingSpec{PolicyName: "policy", ParamRef: ref, ValidationActions: []v1.ValidationAction{v1.Deny}}
	r := podIn(namespace, nil)
	traces, err := scope.NewSet(policyPolicies(compiler, p, b)).Explain(context.Background(), r, facts)
	if err != nil {
		t.Fatal(err)
	}
	for i, layer := range traces[0].Policy.Layers {
		if layer.Name() == scope.Params {
			traces[0].Reasons(context.Background(), i)
			return traces[0].Steps(context.Background())[i]
		}
	}
	t.Fatal("there is no params layer")
	return scope.Step{}
}

func describeRef(ref *v1.ParamRef) string {
	if ref == nil {
		return "no paramRef"
	}
	return fmt.Sprintf("name %q, selector %v, namespace %q, %s", ref.Name, ref.Selector, ref.Namespace, *ref.ParameterNotFoundAction)
}
