package flow

import (
	"fmt"
	"slices"

	authenticationv1 "k8s.io/api/authentication/v1"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/flow/generate"
	"github.com/ambit-k8s/ambit/scope/request"
)

// kinds are those of objects that can be written without anything in them, by group and resource.
var kinds = map[[2]string]string{
	{"", "configmaps"}: "ConfigMap", {"", "pods"}: "Pod", {"", "services"}: "Service", {"", "nodes"}: "Node", {"", "namespaces"}: "Namespace",
	{"apps", "deployments"}: "Deployment", {"coordination.k8s.io", "leases"}: "Lease", {"rbac.authorization.k8s.io", "clusterroles"}: "ClusterRole",
}

// operations are what admission calls the verbs of writes.
var operations = map[string]string{"create": "CREATE", "update": "UPDATE", "patch": "UPDATE", "delete": "DELETE", "deletecollection": "DELETE"}

// sentAs are the verbs with which an object may be written, of which nobody says which one it is.
func sentAs(verb string) []string {
	if operations[verb] == "UPDATE" {
		return []string{"update", "patch"}
	}
	return []string{verb}
}

// written is the object of a write as somebody would paste it, with the operation.
func written(info *apirequest.RequestInfo, who generate.Persona) (words, bool) {
	kind, operation := kinds[[2]string{info.APIGroup, info.Resource}], operations[info.Verb]
	namespaced, _ := generate.Served(info.APIGroup, info.Resource)
	ofCollection := info.Verb == "create" || info.Verb == "deletecollection"
	switch {
	case !info.IsResourceRequest || kind == "" || operation == "" || info.Name == "*" || info.Namespace == "*", ofCollection == (info.Name != ""):
		return words{}, false
	case info.Subresource != "" && (info.Subresource != "status" || operation != "UPDATE" || !generate.HasSubresource(info.APIGroup, info.Resource, "status")):
		return words{}, false
	case namespaced == (info.Namespace == "") && kind != "Namespace":
		return words{}, false
	}
	version, name := info.APIVersion, info.Name
	if info.APIGroup != "" {
		version = info.APIGroup + "/" + version
	}
	if name == "" {
		name = "web"
	}
	text := fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n", version, kind, name)
	if namespaced {
		text += fmt.Sprintf("  namespace: %s\n", info.Namespace)
	}
	user := &authenticationv1.UserInfo{Username: who.User, Groups: slices.Clone(who.Groups)}
	if who.Nobody {
		user.Username = "system:anonymous"
	}
	return words{mode: Object, text: text, ask: request.Ask{
		Operation: operation, Subresource: info.Subresource, User: user, Collection: info.Verb == "deletecollection",
	}}, true
}
