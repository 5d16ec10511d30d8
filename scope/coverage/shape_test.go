package coverage_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/resource"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

// shape is a large cluster: 60 of 100 objects are Pods, the others are of 47 more kinds, in
// 300 namespaces; of 100,000 objects there are 19,226 distinct sets of labels. It is the
// same at every run.
type shape struct {
	objects    []runtime.Object
	kinds      []resource.Resource
	of         []int // the kind of each object
	namespaces map[string]*corev1.Namespace
	resources  *resource.Set
}

const (
	shapeNamespaces = 300
	shapeKinds      = 48
	podLabelSets    = 19000
	otherLabelSets  = 226
)

// Namespace implements scope.Namespaces.
func (s *shape) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	if ns, ok := s.namespaces[name]; ok {
		return ns, scope.Present
	}
	return nil, scope.Absent
}

func (s *shape) facts() *scope.Facts {
	return &scope.Facts{Namespaces: s, Resources: s.resources, Version: version.MustParse(builtin.Version)}
}

// newShape makes a cluster with n objects.
func newShape(n int) *shape {
	s := &shape{namespaces: map[string]*corev1.Namespace{}}
	all := append([]resource.Resource{}, resource.Builtin()...)
	s.kinds = append(s.kinds, findResource(all, "pods"))
	for _, r := range all {
		virtual := slices.Contains([]string{"authentication.k8s.io", "authorization.k8s.io", "admissionregistration.k8s.io"}, r.Group)
		if len(s.kinds) < 33 && r.Subresource == "" && slices.Contains(r.Verbs, "create") && slices.Contains(r.Verbs, "list") && !virtual &&
			r.Resource != "pods" && r.Resource != "namespaces" && r.Version == "v1" && scheme.Scheme.Recognizes(r.Kind) {
			s.kinds = append(s.kinds, r)
		}
	}
	for i := 0; len(s.kinds) < shapeKinds; i++ {
		gvr := schema.GroupVersionResource{Group: fmt.Sprintf("group%d.example.com", i%5), Version: "v1", Resource: fmt.Sprintf("things%d", i)}
		r := resource.Resource{GroupVersionResource: gvr, Kind: gvr.GroupVersion().WithKind(fmt.Sprintf("Thing%d", i)), Namespaced: i%4 != 0, Served: true}
		all, s.kinds = append(all, r), append(s.kinds, r)
	}
	s.resources = resource.NewSet(all, builtin.Cohabiting())
	for i := range shapeNamespaces {
		name := namespaceAt(i)
		s.namespaces[name] = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelMetadataName: name, "env": []string{"prod", "staging", "dev"}[i%3], "team": fmt.Sprint("team-", i%25), "tier": fmt.Sprint(i % 4),
		}}}
	}
	r := rand.New(rand.NewPCG(5, 5))
	for i := range n {
		kind := 0
		if i%10 >= 6 {
			kind = 1 + r.IntN(shapeKinds-1)
		}
		s.of = append(s.of, kind)
		s.objects = append(s.objects, s.object(r, i, kind))
	}
	return s
}

func findResource(all []resource.Resource, name string) resource.Resource {
	i := slices.IndexFunc(all, func(r resource.Resource) bool { return r.Resource == name && r.Subresource == "" })
	return all[i]
}

func namespaceAt(i int) string {
	if i < 6 {
		return fmt.Sprint("kube-", i)
	}
	return fmt.Sprint("ns-", i)
}

func (s *shape) object(r *rand.Rand, i, kind int) runtime.Object {
	k := s.kinds[kind]
	var object runtime.Object = &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{}, "spec": map[string]any{"size": int64(i % 7)}}}
	if t := scheme.Scheme.AllKnownTypes()[k.Kind]; t != nil {
		object = reflect.New(t).Interface().(runtime.Object)
	}
	object.GetObjectKind().SetGroupVersionKind(k.Kind)
	m := object.(metav1.Object)
	set := i * 7 % podLabelSets
	if kind > 0 {
		set = podLabelSets + i%otherLabelSets
	}
	m.SetLabels(labelSetAt(set))
	m.SetName(fmt.Sprintf("app-%d-%x-%05x", set%700, set, i))
	if k.Namespaced {
		m.SetNamespace(namespaceAt(r.IntN(shapeNamespaces)))
	}
	if i%5 == 0 {
		m.SetAnnotations(map[string]string{"example.com/owner": fmt.Sprint("team-", i%25), "checksum": fmt.Sprintf("%x", i)})
	}
	if i%3 != 0 {
		m.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: fmt.Sprint("rs-", set), UID: "x"}})
	}
	if pod, ok := object.(*corev1.Pod); ok {
		s.pod(pod, i, set)
	}
	return object
}

func (s *shape) pod(p *corev1.Pod, i, set int) {
	p.Spec = corev1.PodSpec{ServiceAccountName: "default", HostNetwork: i%50 == 0, RestartPolicy: corev1.RestartPolicyAlways, NodeName: fmt.Sprint("node-", i%500)}
	for c := range 1 + set%3 {
		p.Spec.Containers = append(p.Spec.Containers, corev1.Container{
			Name: fmt.Sprint("c", c), Image: fmt.Sprintf("registry-%d.example.com/app-%d:%d", set%9, set%700, c),
			VolumeMounts: []corev1.VolumeMount{{Name: fmt.Sprintf("kube-api-access-%05x", i), MountPath: "/var/run"}},
		})
	}
}

// labelSetAt is one of the distinct sets of labels.
func labelSetAt(i int) map[string]string {
	if i >= podLabelSets {
		return map[string]string{"app.kubernetes.io/name": fmt.Sprint("app-", i), "app.kubernetes.io/managed-by": "Helm", "team": fmt.Sprint("team-", i%25)}
	}
	labels := map[string]string{"app": fmt.Sprint("app-", i%700), "pod-template-hash": fmt.Sprintf("%x", i), "team": fmt.Sprint("team-", i%25), "tier": fmt.Sprint(i % 4)}
	if i%11 == 0 {
		labels["example.com/skip"] = "true"
	}
	if i%3 == 0 {
		labels["version"] = fmt.Sprint("v", i%17)
	}
	return labels
}

var nobody = &authenticationv1.UserInfo{Username: "system:serviceaccount:ci:deployer", Groups: []string{"system:serviceaccounts", "system:authenticated"}}

// store puts the objects into a store, with what the policies read of them.
func (s *shape) store(policies []*scope.Policy) *coverage.Store {
	store := coverage.NewStore()
	projector := coverage.NewProjector(store, policies, s.facts())
	for i, o := range s.objects {
		store.Put(s.stored(projector, i, o))
	}
	return store
}

func (s *shape) stored(projector *coverage.Projector, i int, o runtime.Object) coverage.Object {
	m := o.(metav1.Object)
	gvr := s.kinds[s.of[i]].GroupVersionResource
	return coverage.Object{Resource: gvr, Namespace: m.GetNamespace(), Name: m.GetName(), Labels: m.GetLabels(), Content: projector.Project(gvr, o)}
}

// webhooks makes n webhooks: 38 of 100 have a namespaceSelector, 30 an objectSelector, and
// 27 match conditions unless these are left out.
func (s *shape) webhooks(n int, conditions bool) []*v1.ValidatingWebhookConfiguration {
	none := v1.SideEffectClassNone
	all := make([]*v1.ValidatingWebhookConfiguration, n)
	for i := range all {
		w := v1.ValidatingWebhook{Name: "hook.example.com", SideEffects: &none, Rules: s.rules(i)}
		if p := i * 37 % 100; p < 38 {
			w.NamespaceSelector = namespaceSelectorAt(i)
		}
		if p := i * 53 % 100; p < 30 {
			w.ObjectSelector = objectSelectorAt(i)
		}
		if p := i * 71 % 100; p < 27 && conditions {
			w.MatchConditions = conditionsAt(i)
		}
		if i%6 == 0 {
			ignore := v1.Ignore
			w.FailurePolicy = &ignore
		}
		all[i] = &v1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("hook-%03d", i)}, Webhooks: []v1.ValidatingWebhook{w}}
		webhook.DefaultValidating(all[i])
	}
	return all
}

// rules are for Pods in most webhooks, in half of these also for what makes Pods; for
// everything in some, and for two kinds in others.
func (s *shape) rules(i int) []v1.RuleWithOperations {
	on := func(group string, resources ...string) v1.RuleWithOperations {
		return v1.RuleWithOperations{Operations: []v1.OperationType{v1.Create, v1.Update}, Rule: v1.Rule{APIGroups: []string{group}, APIVersions: []string{"v1"}, Resources: resources}}
	}
	switch {
	case i%10 < 3:
		return []v1.RuleWithOperations{on("", "pods")}
	case i%10 < 6:
		return []v1.RuleWithOperations{on("apps", "deployments", "replicasets", "statefulsets", "daemonsets"), on("batch", "jobs", "cronjobs"), on("", "pods", "replicationcontrollers")}
	case i%10 < 9:
		a, b := s.kinds[i%shapeKinds], s.kinds[(i*7+3)%shapeKinds]
		return []v1.RuleWithOperations{on(a.Group, a.Resource), on(b.Group, b.Resource)}
	}
	everything := on("*", "*")
	everything.APIVersions = []string{"*"}
	return []v1.RuleWithOperations{everything}
}

func namespaceSelectorAt(i int) *metav1.LabelSelector {
	switch i % 4 {
	case 0:
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpNotIn, Values: []string{"kube-0", "kube-1", fmt.Sprint("ns-", 6+i)}}}}
	case 1:
		return &metav1.LabelSelector{MatchLabels: map[string]string{"env": "prod"}}
	case 2:
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "team", Operator: metav1.LabelSelectorOpIn, Values: []string{fmt.Sprint("team-", i%25), "team-1"}}}}
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "policy.example.com/ignore", Operator: metav1.LabelSelectorOpDoesNotExist}}}
}

func objectSelectorAt(i int) *metav1.LabelSelector {
	switch i % 4 {
	case 0:
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "example.com/skip", Operator: metav1.LabelSelectorOpDoesNotExist}}}
	case 1:
		return &metav1.LabelSelector{MatchLabels: map[string]string{"team": fmt.Sprint("team-", i%25)}}
	case 2:
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpNotIn, Values: []string{fmt.Sprint("app-", i), "app-3"}}, {Key: "tier", Operator: metav1.LabelSelectorOpExists}}}
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "version", Operator: metav1.LabelSelectorOpIn, Values: []string{"v1", "v2", fmt.Sprint("v", i%17)}}}}
}

// conditionsAt has the conditions that people write: about who asks, the namespace, labels,
// annotations, names, and the object's content; some fail on most kinds.
func conditionsAt(i int) []v1.MatchCondition {
	texts := []string{
		"!request.userInfo.username.startsWith('system:node:')", "!('system:masters' in request.userInfo.groups)", fmt.Sprintf("request.userInfo.username != 'system:serviceaccount:ns-%d:robot'", i),
		fmt.Sprintf("request.namespace != 'ns-%d'", 6+i), "!request.namespace.startsWith('kube-')",
		fmt.Sprintf("!has(object.metadata.labels) || !('example.com/skip-%d' in object.metadata.labels)", i%5), fmt.Sprintf("object.metadata.?labels[?'app'].orValue('') != 'app-%d'", i%20),
		"has(object.metadata.annotations) && 'example.com/owner' in object.metadata.annotations", "!has(object.metadata.ownerReferences)", fmt.Sprintf("!object.metadata.name.startsWith('app-%d-')", i%3),
		"!has(object.spec.hostNetwork) || !object.spec.hostNetwork", fmt.Sprintf("object.spec.containers.exists(c, c.image.startsWith('registry-%d.'))", i%9), "object.spec.containers.all(c, !c.image.endsWith(':latest'))",
		"has(object.spec) && object.spec.size > 3", "object.metadata.labels.team == 'team-1' || object.metadata.labels.tier == '2'",
	}
	conditions := []v1.MatchCondition{{Name: "first", Expression: texts[i%len(texts)]}}
	if i%2 == 0 {
		conditions = append(conditions, v1.MatchCondition{Name: "second", Expression: texts[(i*5+2)%len(texts)]})
	}
	return conditions
}
