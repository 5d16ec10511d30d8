package request

import (
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// Offers are worth making because of the most common trap of all: a policy for pods is
// tried on a Deployment, or the other way round.

// owner is an object that a controller creates others from.
type owner struct {
	*unstructured.Unstructured
	name, namespace string
}

// controllers lists, for each kind that a controller creates objects from, what these
// are.
var controllers = map[string]func(owner) []Offer{
	"apps/Deployment":        fromDeployment,
	"apps/ReplicaSet":        func(o owner) []Offer { return o.pods("replicaset-controller") },
	"apps/StatefulSet":       fromStatefulSet,
	"apps/DaemonSet":         func(o owner) []Offer { return o.pods("daemon-set-controller") },
	"batch/Job":              fromJob,
	"batch/CronJob":          fromCronJob,
	"/ReplicationController": func(o owner) []Offer { return o.pods("replication-controller") },
	"/PodTemplate":           fromPodTemplate,
}

// offers returns what controllers create because of an object.
func offers(object *manifest.Document) []Offer {
	if object == nil {
		return nil
	}
	kind := object.Object.GroupVersionKind()
	create, ok := controllers[kind.Group+"/"+kind.Kind]
	if !ok {
		return nil
	}
	o := owner{Unstructured: object.Object, name: object.Object.GetName(), namespace: object.Object.GetNamespace()}
	if o.name == "" {
		o.name = object.Object.GetGenerateName()
	}
	return create(o)
}

// mapAt returns a copy of a mapping inside the object; empty if there is none.
func (o owner) mapAt(path ...string) map[string]any {
	found, ok, err := unstructured.NestedFieldNoCopy(o.Object, path...)
	if m, isMap := found.(map[string]any); ok && err == nil && isMap {
		return runtime.DeepCopyJSON(m)
	}
	return map[string]any{}
}

// reference is the owner reference that the controller writes, without the uid, which is
// not known.
func (o owner) reference() []any {
	return []any{map[string]any{
		"apiVersion": o.GetAPIVersion(), "kind": o.GetKind(), "name": o.name, "controller": true, "blockOwnerDeletion": true,
	}}
}

// made is an object in the owner's namespace with the labels and annotations of a template.
func (o owner) made(apiVersion, kind string, spec map[string]any, template ...string) map[string]any {
	metadata := map[string]any{"ownerReferences": o.reference()}
	if o.namespace != "" {
		metadata["namespace"] = o.namespace
	}
	for _, field := range []string{"labels", "annotations"} {
		if copied := o.mapAt(append(template, "metadata", field)...); len(copied) > 0 {
			metadata[field] = copied
		}
	}
	return map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata, "spec": spec}
}

// pod is the Pod that a template makes, with a generated name.
func (o owner) pod(template ...string) map[string]any {
	pod := o.made("v1", "Pod", o.mapAt(append(template, "spec")...), template...)
	if o.name != "" {
		pod["metadata"].(map[string]any)["generateName"] = o.name + "-"
	}
	return pod
}

// pods offers the Pod of a kind that has its template in the usual place.
func (o owner) pods(account string) []Offer {
	return []Offer{o.offer(o.pod("spec", "template"), account, "")}
}

// offer writes an object down, with the controller's service account asking.
func (o owner) offer(object map[string]any, account, note string) Offer {
	data, err := yaml.Marshal(object)
	if err != nil {
		note = "it cannot be written: " + err.Error()
	}
	return Offer{Title: fmt.Sprintf("the %s of this %s", object["kind"], o.GetKind()), Manifest: string(data), User: serviceAccount(account), Note: note}
}

// serviceAccount is the user that a controller of kube-controller-manager asks as.
func serviceAccount(name string) *authenticationv1.UserInfo {
	if name == "" {
		return nil
	}
	return &authenticationv1.UserInfo{
		Username: "system:serviceaccount:kube-system:" + name,
		Groups:   []string{"system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"},
	}
}

// label adds a label that the controller writes.
func label(object map[string]any, key, value string) {
	metadata := object["metadata"].(map[string]any)
	labels, ok := metadata["labels"].(map[string]any)
	if !ok {
		labels = map[string]any{}
		metadata["labels"] = labels
	}
	labels[key] = value
}
