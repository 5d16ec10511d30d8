package hazard

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

var failCoversSystem = Rule{
	Name:    "fail-covers-kube-system",
	Summary: "A webhook under failurePolicy Fail is asked about what the cluster itself needs to run.",
	Why:     "While the webhook cannot be reached, Pods of the control plane, leases and service account tokens in kube-system are refused, and the cluster may not come up again by itself.",
	Fix:     "Exclude kube-system and kube-node-lease by kubernetes.io/metadata.name in the namespaceSelector, or use failurePolicy Ignore.",
	find: func(r *run) {
		r.each(func(v *view) {
			if !r.refusesWhileDown(v) {
				return
			}
			var covered []string
			for _, need := range needs {
				if name := need.String(); r.certainlyCovers(v, need) && !slices.Contains(covered, name) {
					covered = append(covered, name)
				}
			}
			if len(covered) > 0 {
				r.add(v, false, Finding{Severity: Warning, Field: v.field("failurePolicy"),
					Message: fmt.Sprintf("While the webhook cannot be reached, these are refused: %s.", strings.Join(covered, ", "))})
			}
		})
	},
}

// need is a write without which a cluster does not come up.
type need struct {
	operation   admission.Operation
	resource    schema.GroupVersionResource
	subresource string
	namespace   string
}

// String says it in words.
func (n need) String() string {
	resource := n.resource.Resource
	if n.subresource != "" {
		resource += "/" + n.subresource
	}
	return fmt.Sprintf("%s %s in %s", n.operation, resource, n.namespace)
}

// needs are the writes of the control plane and of nodes: static and add-on Pods, leader
// election, heartbeats, and the tokens that kubelets mount.
var needs = []need{
	{admission.Create, podResource, "", metav1.NamespaceSystem},
	{admission.Update, podResource, "status", metav1.NamespaceSystem},
	{admission.Create, corev1.SchemeGroupVersion.WithResource("serviceaccounts"), "token", metav1.NamespaceSystem},
	{admission.Update, leaseResource, "", metav1.NamespaceSystem},
	{admission.Update, leaseResource, "", corev1.NamespaceNodeLease},
}

var (
	podResource   = corev1.SchemeGroupVersion.WithResource("pods")
	leaseResource = schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}
)

// refusesWhileDown reports whether a policy refuses requests when something that is called
// does not answer.
func (r *run) refusesWhileDown(v *view) bool {
	return v.isWebhook() && v.fails() && v.whole()
}

// certainlyCovers reports whether a policy is certain to be asked about a write, whatever its
// object is: rules and namespaceSelector match, no objectSelector asks, and the match
// conditions are true.
func (r *run) certainlyCovers(v *view, n need) bool {
	if !v.own.object.Selector.Empty() || !r.namespaceCertainlyPasses(v, n.namespace) {
		return false
	}
	for _, at := range v.reach() {
		if at.operation == n.operation && at.GroupVersionResource == n.resource && at.Subresource == n.subresource {
			return v.conditions == nil || len(v.conditions.Conditions) == 0 || r.ask(v.conditions, v, at, probe{object: kindOnly}).Outcome == scope.Match
		}
	}
	return false
}

// namespaceCertainlyPasses reports whether a namespace passes the selector. One that is not
// described has the label with its name, and what else it has is not known.
func (r *run) namespaceCertainlyPasses(v *view, name string) bool {
	selects := v.selects().Namespace
	ns, presence := r.namespace(name)
	switch presence {
	case scope.Present:
		return selects.Has(ns.Labels)
	case scope.Absent:
		// A cluster has it; manifests that do not say so are about other things.
		return false
	}
	if !r.labelsNamespaces() {
		return selects.Everything()
	}
	own := labels.Set{corev1.LabelMetadataName: name}
	return slices.Equal(keysBeside(selects.Keys()), nil) && selects.Has(own)
}

// keysBeside are the keys of a selector that the name of a namespace does not settle.
func keysBeside(keys []string) []string {
	return slices.DeleteFunc(keys, func(key string) bool { return key == corev1.LabelMetadataName })
}

var failCoversItself = Rule{
	Name:    "fail-covers-itself",
	Summary: "A webhook under failurePolicy Fail is asked about the Pods that serve it.",
	Why:     "When no Pod of the webhook runs, the API server refuses to create one, because it cannot ask the webhook. Somebody has to delete the configuration by hand.",
	Fix:     "Exclude the webhook's own namespace by kubernetes.io/metadata.name in the namespaceSelector.",
	find: func(r *run) {
		r.each(func(v *view) {
			if !r.refusesWhileDown(v) || v.client.Service == nil || v.client.Service.Namespace == "" {
				return
			}
			own := need{admission.Create, podResource, "", v.client.Service.Namespace}
			if r.certainlyCovers(v, own) {
				r.add(v, false, Finding{Severity: Error, Field: v.field("namespaceSelector"),
					Message: fmt.Sprintf("It covers namespace %s, where its own service %s is: while the webhook is down its Pods cannot be created.", own.namespace, v.client.Service.Name)})
			}
		})
	},
}
