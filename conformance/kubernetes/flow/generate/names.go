package generate

import "slices"

// resource is what requests and rules are about.
type resource struct {
	group, version, name string
	namespaced           bool
	subresources         []string
}

// resources has some that the server serves, one that it does not, and one plural that two groups have.
var resources = []resource{
	{"", "v1", "pods", true, []string{"status", "log", "exec", "attach", "portforward", "proxy", "eviction", "binding"}},
	{"", "v1", "services", true, []string{"status", "proxy"}},
	{"", "v1", "configmaps", true, nil},
	{"", "v1", "events", true, nil},
	{"events.k8s.io", "v1", "events", true, nil},
	{"", "v1", "nodes", false, []string{"status", "proxy"}},
	{"", "v1", namespaces, false, []string{"status", "finalize"}},
	{"apps", "v1", "deployments", true, []string{"status", "scale"}},
	{"coordination.k8s.io", "v1", "leases", true, nil},
	{"rbac.authorization.k8s.io", "v1", "clusterroles", false, nil},
	{"authorization.k8s.io", "v1", "subjectaccessreviews", false, nil},
	{unserved, "v1", "widgets", true, []string{"status"}},
}

// unserved is the group that the API server does not know.
const unserved = "widgets.example.com"

// Served says whether the API server serves a resource, and whether its objects are in namespaces.
func Served(group, name string) (namespaced, ok bool) {
	r, ok := known(group, name)
	return r.namespaced, ok && r.group == group && group != unserved
}

// HasSubresource reports whether a resource has a subresource.
func HasSubresource(group, name, subresource string) bool {
	r, _ := known(group, name)
	return r.group == group && slices.Contains(r.subresources, subresource)
}

// namespaces is the resource whose objects the API server treats as if they were in themselves.
const namespaces = "namespaces"

// namespaceNames begin with one another, because a service account is found by the beginning of its name.
var namespaceNames = []string{"team", "team-a", "team-a-b", "kube", "kube-system", "default"}

var users = []string{
	"alice", "Alice", "ali", "bob", "*", "system:kube-scheduler", "system:kube-controller-manager", "system:anonymous",
	"system:serviceaccount:team:robot", "system:serviceaccount:team-a:robot", "system:serviceaccount:team-a:builder",
	"system:serviceaccount:team-a-b:robot", "system:serviceaccount:kube:robot", "system:serviceaccount:kube-system:robot",
	"system:serviceaccount:default:default",
	// These look like service accounts, and are none.
	"system:serviceaccount:team-a:", "system:serviceaccount:team-a:*", "system:serviceaccount:team-a",
	"system:serviceaccount:team-a:robot:more", "system:serviceaccount::robot", "serviceaccount:team-a:robot", "robot",
}

var groups = []string{
	"devs", "dev", "ops", "*", "system:nodes", "system:masters", "system:authenticated", "system:unauthenticated",
	"system:serviceaccounts", "system:serviceaccounts:team", "system:serviceaccounts:team-a", "system:serviceaccounts:kube-system",
}

var accountNames = []string{"*", "robot", "builder", "default"}

// verbs are those that the API lets rules have.
var verbs = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "proxy"}

// urls are what rules say, and paths what requests ask for.
var urls = []string{
	"/", "/*", "/healthz", "/healthz/*", "/healthz/etcd", "/livez", "/readyz", "/hea", "/metrics", "/metrics/", "/version", "/api", "/api/*",
	"/api/v1", "/apis", "/apis/*", "/apis/apps", "/apis/apps/v1", "/openapi/v3", "/openapi/*", "/logs", "/debug/*", "/debug/pprof/", "/nowhere/below/*",
}

var paths = []string{
	"/", "/healthz", "/healthz/", "/healthz/etcd", "/healthz/ping/more", "/healthzz", "/livez", "/livez/ping", "/readyz", "/readyz/ping",
	"/metrics", "/metrics/", "/metrics/slis", "/version", "/version/", "/api", "/api/", "/api/v1", "/api/v1/", "/apis", "/apis/apps", "/apis/apps/",
	"/apis/apps/v1", "/apis/nowhere.example.com/v1", "/openapi/v2", "/openapi/v3", "/openapi/v3/apis/apps/v1", "/openid/v1/jwks",
	"/.well-known/openid-configuration", "/logs", "/logs/", "/debug/pprof", "/debug/pprof/", "/debug/pprof/cmdline", "/debug/flags/v",
	"/nowhere", "/nowhere/below", "/nowhere/below/", "/nowhere/below/this", "//healthz", "/HEALTHZ", "/*", "/healthz/*",
}

// methods are those of requests to other URLs than resources. Any word is a method of HTTP, so that a request may even
// have a verb that is meant for resources.
var methods = []string{"GET", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "LIST", "CREATE", "WATCH", "PROXY", "*"}

func (g *Generator) resourceNames() []string {
	r := pick(g, resources)
	names := []string{r.name}
	for _, s := range r.subresources {
		names = append(names, r.name+"/"+s)
	}
	return append(names, r.name+"/*", "*/status", "*/"+pick(g, []string{"*", "scale", "exec"}))
}

// known returns the resource of a name in a group, or any of that name.
func known(group, name string) (resource, bool) {
	for _, r := range resources {
		if r.name == name && r.group == group {
			return r, true
		}
	}
	i := slices.IndexFunc(resources, func(r resource) bool { return r.name == name })
	if i < 0 {
		return resource{}, false
	}
	return resources[i], true
}
