package requests

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"

	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
)

var (
	// places are namespaces. Each has an object of the name base of each resource before the policies come, and team-b one of
	// the name special, so that there is something to change and to delete.
	places = []string{"team-a", "team-b", "team-c", "kube-system", "kyverno"}
	// users are in different ways known to policies and ConfigMap. All may do everything.
	users = []*authenticationv1.UserInfo{
		nil, nil,
		{Username: "alice", Groups: []string{"developers"}},
		{Username: "bob", Groups: []string{"developers"}},
		{Username: "carol", Groups: []string{"skipped-ones"}},
		{Username: "dave", Groups: []string{"developers"}},
	}
	labels = []map[string]any{nil, {"app": "web"}, {"app": "db"}, {"team": "x"}, {"team": "y"}, {"app": "web", "team": "x"}}
	notes  = []map[string]any{nil, {"owner": "me"}, {"owner": ""}}
)

// request is one request. It is a dry run, so that nothing changes.
type request struct {
	resource            resource
	operation           string
	namespace, name     string
	labels, annotations map[string]any
	user                *authenticationv1.UserInfo
}

// String says what is asked.
func (r request) String() string {
	who := "admin"
	if r.user != nil {
		who = r.user.Username
	}
	return fmt.Sprintf("%s %s %s %s/%s by %s, labels %v, annotations %v", r.operation, r.resource.version, r.resource.plural, r.namespace, r.name, who, r.labels, r.annotations)
}

// makeUp makes up a request.
func makeUp(g *rand.Rand) request {
	r := request{
		resource: resources[g.IntN(len(resources))], user: users[g.IntN(len(users))],
		labels: labels[g.IntN(len(labels))], annotations: notes[g.IntN(len(notes))],
	}
	if r.resource.namespaced {
		r.namespace = places[g.IntN(len(places))]
	}
	r.operation = []string{"CREATE", "CREATE", "CREATE", "UPDATE", "DELETE"}[g.IntN(5)]
	if r.resource.plural == "pods" || r.resource.plural == "replicasets" || r.resource.version == "autoscaling/v2" {
		r.operation = "CREATE"
	}
	switch {
	case r.operation != "CREATE" && r.hasSpecial() && g.IntN(2) == 0:
		r.name = "special"
	case r.operation != "CREATE":
		r.name = "base"
	case r.hasSpecial():
		r.name = []string{"fresh", "base-filtered"}[g.IntN(2)]
	default:
		r.name = []string{"fresh", "base-filtered", "special", "special"}[g.IntN(4)]
	}
	return r
}

// hasSpecial reports whether an object of the name special exists beforehand.
func (r request) hasSpecial() bool { return r.namespace == "team-b" }

// beforehand are the objects that exist before the policies come.
func beforehand() []request {
	var all []request
	for _, resource := range resources {
		if resource.plural == "pods" || resource.plural == "replicasets" || resource.version == "autoscaling/v2" {
			continue
		}
		if !resource.namespaced {
			all = append(all, request{resource: resource, name: "base"})
			continue
		}
		for _, place := range places {
			all = append(all, request{resource: resource, namespace: place, name: "base"})
		}
		all = append(all, request{resource: resource, namespace: "team-b", name: "special"})
	}
	return all
}

// object is what is written.
func (r request) object() map[string]any {
	metadata := map[string]any{"name": r.name}
	if r.namespace != "" {
		metadata["namespace"] = r.namespace
	}
	if r.labels != nil {
		metadata["labels"] = r.labels
	}
	if r.annotations != nil {
		metadata["annotations"] = r.annotations
	}
	object := map[string]any{"apiVersion": r.resource.version, "kind": r.resource.kind, "metadata": metadata}
	maps.Copy(object, r.resource.spec)
	return object
}

// path is that of the resource's objects.
func (r request) path() string {
	path := "/apis/" + r.resource.version
	if r.resource.version == "v1" {
		path = "/api/v1"
	}
	if r.namespace != "" {
		path += "/namespaces/" + r.namespace
	}
	return path + "/" + r.resource.plural
}

// call is the HTTP request.
func (r request) call() (oracle.Call, error) {
	call := oracle.Call{Path: r.path(), Query: url.Values{"dryRun": {"All"}}, User: r.user}
	switch r.operation {
	case "CREATE":
		call.Method = http.MethodPost
	case "UPDATE":
		call.Method, call.Path = http.MethodPut, call.Path+"/"+r.name
	case "DELETE":
		call.Method, call.Path = http.MethodDelete, call.Path+"/"+r.name
		return call, nil
	}
	body, err := json.Marshal(r.object())
	if err != nil {
		return call, fmt.Errorf("write object: %w", err)
	}
	call.Body = body
	return call, nil
}
