package coverage_test

import (
	"fmt"
	"math/rand/v2"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// world is the cluster that generated objects live in.
type world struct {
	*rand.Rand
	namespaces map[string]*corev1.Namespace
}

// Namespace implements scope.Namespaces. Namespace "hidden" is one that nobody described.
func (w *world) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	if ns, ok := w.namespaces[name]; ok {
		return ns, scope.Present
	}
	if name == "hidden" {
		return nil, scope.NotKnown
	}
	return nil, scope.Absent
}

// Param implements scope.ParamSource: the ConfigMaps of namespace prod.
func (w *world) Param(_ schema.GroupVersionKind, namespace, name string) (runtime.Object, scope.Presence, string) {
	if namespace != "prod" {
		return nil, scope.Absent, ""
	}
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}, Data: map[string]string{"app": "web"}}, scope.Present, ""
}

// ListParams implements scope.ParamSource.
func (w *world) ListParams(_ schema.GroupVersionKind, namespace string, _ labels.Selector) ([]runtime.Object, bool, string) {
	if namespace == "hidden" {
		return nil, false, "they may not be listed"
	}
	one, _, _ := w.Param(schema.GroupVersionKind{}, "prod", "a")
	two, _, _ := w.Param(schema.GroupVersionKind{}, "prod", "b")
	return []runtime.Object{one, two}, true, ""
}

var (
	namespaceNames = []string{"prod", "dev", "kube-system", "team-a", "hidden", "ghost"}
	widgetKind     = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
	resources      = func() *resource.Set {
		all := append([]resource.Resource{}, resource.Builtin()...)
		for _, v := range []string{"v1", "v1beta1"} {
			gvr := schema.GroupVersionResource{Group: "example.com", Version: v, Resource: "widgets"}
			all = append(all, resource.Resource{GroupVersionResource: gvr, Kind: widgetKind.GroupKind().WithVersion(v), Namespaced: true, Served: v == "v1"})
		}
		return resource.NewSet(all, builtin.Cohabiting())
	}()
)

func newWorld(seed, round uint64) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, round)), namespaces: map[string]*corev1.Namespace{}}
	for _, name := range namespaceNames[:4] {
		w.relabel(name)
	}
	return w
}

// relabel gives a Namespace other labels.
func (w *world) relabel(name string) {
	all := w.labels()
	if all == nil {
		all = map[string]string{}
	}
	all[corev1.LabelMetadataName] = name
	w.namespaces[name] = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: all}}
}

func (w *world) facts() *scope.Facts {
	return &scope.Facts{Namespaces: w, Resources: resources, Params: w, Version: version.MustParse(builtin.Version)}
}

func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

func some[T any](r *rand.Rand, values ...T) []T {
	var part []T
	for _, v := range values {
		if r.IntN(3) == 0 {
			part = append(part, v)
		}
	}
	if len(part) == 0 {
		part = append(part, pick(r, values...))
	}
	return part
}

func (w *world) chance(n int) bool { return w.IntN(n) == 0 }

func (w *world) labels() map[string]string {
	all := map[string]string{}
	for _, key := range []string{"app", "tier", "env", "example.com/skip"} {
		if w.chance(2) {
			all[key] = pick(w.Rand, "prod", "dev", "web")
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

var alice = &authenticationv1.UserInfo{Username: "alice", Groups: []string{"devs", "system:authenticated"}}

// object makes an object as the API server could have it.
func (w *world) object() *unstructured.Unstructured {
	kind := pick(w.Rand, "v1/Pod", "v1/Pod", "v1/Pod", "apps/v1/Deployment", "v1/Service", "v1/ConfigMap", "v1/Secret", "v1/Namespace", "batch/v1/Job",
		"rbac.authorization.k8s.io/v1/ClusterRole", "example.com/v1/Widget", "autoscaling/v1/HorizontalPodAutoscaler", "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration")
	return w.objectOf(kind)
}

func (w *world) objectOf(kind string) *unstructured.Unstructured {
	name := pick(w.Rand, "web", "prod", "admin") + fmt.Sprint("-", w.IntN(1000))
	metadata := map[string]any{"name": name, "uid": fmt.Sprint("uid-", w.IntN(5)), "creationTimestamp": "2026-01-01T00:00:00Z", "resourceVersion": fmt.Sprint(w.IntN(100))}
	u := &unstructured.Unstructured{Object: map[string]any{"metadata": metadata}}
	if all := w.labels(); all != nil {
		u.SetLabels(all)
	}
	if w.chance(2) {
		u.SetAnnotations(map[string]string{pick(w.Rand, "note", "owner"): pick(w.Rand, "a", "b")})
	}
	if w.chance(3) {
		u.SetFinalizers([]string{"example.com/hold"})
	}
	version := kind[:len(kind)-len(kind[lastSlash(kind):])]
	u.SetAPIVersion(version)
	u.SetKind(kind[lastSlash(kind)+1:])
	switch u.GetKind() {
	case "ClusterRole", "ValidatingWebhookConfiguration":
	case "Namespace":
		name := pick(w.Rand, namespaceNames...)
		u.SetName(name)
		if ns := w.namespaces[name]; ns != nil {
			u.SetLabels(ns.Labels)
		}
	default:
		u.SetNamespace(pick(w.Rand, namespaceNames...))
	}
	w.fill(u)
	return u
}

func lastSlash(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' {
			return i
		}
	}
	return -1
}

// fill adds what a kind has beside metadata.
func (w *world) fill(u *unstructured.Unstructured) {
	switch u.GetKind() {
	case "Pod":
		u.Object["spec"] = w.podSpec()
		if w.chance(2) {
			u.Object["status"] = map[string]any{"phase": pick(w.Rand, "Running", "Pending")}
		}
	case "Deployment":
		app := map[string]any{"app": "web"}
		u.Object["spec"] = map[string]any{"replicas": int64(w.IntN(4)), "selector": map[string]any{"matchLabels": app},
			"template": map[string]any{"metadata": map[string]any{"labels": app}, "spec": w.podSpec()}}
	case "Job":
		u.Object["spec"] = map[string]any{"template": map[string]any{"metadata": map[string]any{}, "spec": w.podSpec()}}
		if w.chance(2) {
			u.Object["spec"].(map[string]any)["selector"] = map[string]any{"matchLabels": map[string]any{"job": "a"}}
		}
	case "Service":
		u.Object["spec"] = map[string]any{"type": pick(w.Rand, "ClusterIP", "NodePort"), "ports": []any{map[string]any{"port": int64(80)}}}
		if w.chance(2) {
			u.Object["spec"].(map[string]any)["clusterIP"] = "10.0.0.1"
		}
	case "ConfigMap", "Secret":
		if w.chance(2) {
			u.Object["data"] = map[string]any{pick(w.Rand, "a", "b"): "eA=="}
		}
	case "HorizontalPodAutoscaler":
		u.Object["spec"] = map[string]any{"maxReplicas": int64(3), "scaleTargetRef": map[string]any{"kind": "Deployment", "name": "web"}}
	case "Widget":
		if w.chance(4) {
			return
		}
		spec := map[string]any{"size": pick[any](w.Rand, int64(1), 1.0, "1", nil)}
		if w.chance(2) {
			spec["parts"] = []any{map[string]any{"name": "a", "image": pick(w.Rand, "x", "y")}, map[string]any{"name": "b"}}
		}
		u.Object["spec"] = spec
	}
}

func (w *world) podSpec() map[string]any {
	spec := map[string]any{"restartPolicy": "Always"}
	var containers []any
	for i := range 1 + w.IntN(2) {
		c := map[string]any{"name": fmt.Sprint("c", i), "image": pick(w.Rand, "registry.example.com/a:1", "docker.io/b:2")}
		if w.chance(2) {
			c["securityContext"] = map[string]any{"privileged": w.chance(2)}
		}
		if w.chance(3) {
			c["resources"] = map[string]any{"limits": map[string]any{"cpu": pick(w.Rand, "1", "500m")}}
		}
		containers = append(containers, c)
	}
	spec["containers"] = containers
	if w.chance(2) {
		spec["hostNetwork"] = w.chance(2)
	}
	if w.chance(2) {
		spec["serviceAccountName"] = "default"
	}
	if w.chance(3) {
		spec["securityContext"] = pick[any](w.Rand, map[string]any{"runAsUser": int64(1)}, map[string]any{})
	}
	if w.chance(3) {
		spec["nodeSelector"] = map[string]any{"disk": "ssd"}
	}
	return spec
}
