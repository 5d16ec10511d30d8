package request

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/request/urlinfo"
)

// sent is what the API server's own code reads from requests, such as "GET /healthz", that
// differ in nothing but their verb.
func sent(t *testing.T, requests ...string) scope.Access {
	t.Helper()
	var all scope.Access
	for i, one := range requests {
		method, target, _ := strings.Cut(one, " ")
		info, err := urlinfo.Read(method, target)
		if err != nil {
			t.Fatal(err)
		}
		a := scope.Access{APIGroup: info.APIGroup, Resource: info.Resource, Subresource: info.Subresource, Namespace: info.Namespace}
		if !info.IsResourceRequest {
			a.Path = info.Path
		}
		verbs := append(all.Verbs, info.Verb)
		if all.Verbs = nil; i > 0 && cmp.Diff(all, a) != "" {
			t.Fatalf("%q differs in more than the verb", one)
		}
		all = a
		all.Verbs = verbs
	}
	return all
}

const (
	somePod   = "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec: {}\n"
	someSpace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"
	someRole  = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: viewer}\n"
)

// review writes an AdmissionReview about a pod or a Namespace.
func review(resource, kind, fields string) string {
	return "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nrequest:\n  kind: {group: '', version: v1, kind: " + kind + "}\n" +
		"  resource: {group: '', version: v1, resource: " + resource + "}\n  userInfo: {username: jane}\n" + fields
}

// What flow control sees of a write is what the API server reads from the requests by which
// it can be sent.
func TestAccessOfWrites(t *testing.T) {
	const podFields = "  name: web\n  namespace: shop\n  object: {apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}}\n"
	const spaceFields = "  name: shop\n  namespace: shop\n  object: {apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n"
	options := func(kind string) string { return "  options: {apiVersion: meta.k8s.io/v1, kind: " + kind + "}\n" }
	const pod, space = "/api/v1/namespaces/shop/pods", "/api/v1/namespaces"
	for name, tc := range map[string]struct {
		text string
		ask  Ask
		want []string
	}{
		"create":                     {somePod, Ask{}, []string{"POST " + pod}},
		"update":                     {somePod, Ask{Operation: "UPDATE"}, []string{"PUT " + pod + "/web", "PATCH " + pod + "/web"}},
		"update said to be a patch":  {somePod, Ask{Operation: "UPDATE", Verb: "patch"}, []string{"PATCH " + pod + "/web"}},
		"create said to be applied":  {somePod, Ask{Verb: "patch"}, []string{"PATCH " + pod + "/web"}},
		"delete":                     {somePod, Ask{Operation: "DELETE"}, []string{"DELETE " + pod + "/web"}},
		"delete all":                 {somePod, Ask{Collection: true}, []string{"DELETE " + pod}},
		"status":                     {somePod, Ask{Subresource: "status"}, []string{"PUT " + pod + "/web/status", "PATCH " + pod + "/web/status"}},
		"exec":                       {somePod, Ask{Subresource: "exec"}, []string{"POST " + pod + "/web/exec", "GET " + pod + "/web/exec"}},
		"eviction":                   {somePod, Ask{Subresource: "eviction"}, []string{"POST " + pod + "/web/eviction"}},
		"create a Namespace":         {someSpace, Ask{}, []string{"POST " + space}},
		"update a Namespace":         {someSpace, Ask{Operation: "UPDATE"}, []string{"PUT " + space + "/shop", "PATCH " + space + "/shop"}},
		"apply a new Namespace":      {someSpace, Ask{Verb: "patch"}, []string{"PATCH " + space + "/shop"}},
		"delete a Namespace":         {someSpace, Ask{Operation: "DELETE"}, []string{"DELETE " + space + "/shop"}},
		"delete all Namespaces":      {someSpace, Ask{Collection: true}, []string{"DELETE " + space}},
		"finalize a Namespace":       {someSpace, Ask{Subresource: "finalize"}, []string{"PUT " + space + "/shop/finalize"}},
		"cluster scope":              {someRole, Ask{}, []string{"POST /apis/rbac.authorization.k8s.io/v1/clusterroles"}},
		"reviewed create":            {review("pods", "Pod", "  operation: CREATE\n"+podFields), Ask{}, []string{"POST " + pod}},
		"reviewed server-side apply": {review("pods", "Pod", "  operation: CREATE\n"+podFields+options("PatchOptions")), Ask{}, []string{"PATCH " + pod + "/web"}},
		"reviewed create by PUT":     {review("pods", "Pod", "  operation: CREATE\n"+podFields+options("UpdateOptions")), Ask{}, []string{"PUT " + pod + "/web"}},
		"reviewed create by POST":    {review("pods", "Pod", "  operation: CREATE\n"+podFields+options("CreateOptions")), Ask{}, []string{"POST " + pod}},
		"reviewed patch":             {review("pods", "Pod", "  operation: UPDATE\n"+podFields+options("PatchOptions")), Ask{}, []string{"PATCH " + pod + "/web"}},
		"reviewed update":            {review("pods", "Pod", "  operation: UPDATE\n"+podFields+options("UpdateOptions")), Ask{}, []string{"PUT " + pod + "/web"}},
		"reviewed delete":            {review("pods", "Pod", "  operation: DELETE\n  name: web\n  namespace: shop\n"+options("DeleteOptions")), Ask{}, []string{"DELETE " + pod + "/web"}},
		"reviewed delete of all":     {review("pods", "Pod", "  operation: DELETE\n  namespace: shop\n"), Ask{}, []string{"DELETE " + pod}},
		"reviewed Namespace":         {review("namespaces", "Namespace", "  operation: CREATE\n"+spaceFields), Ask{}, []string{"POST " + space}},
		"reviewed applied Namespace": {review("namespaces", "Namespace", "  operation: CREATE\n"+spaceFields+options("PatchOptions")), Ask{}, []string{"PATCH " + space + "/shop"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(sent(t, tc.want...), derive(t, tc.text, tc.ask).Request.Access); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A proxy passes on every method that is a verb.
func TestAccessOfProxies(t *testing.T) {
	got := derive(t, somePod, Ask{Subresource: "proxy"}).Request.Access.Verbs
	const at = " /api/v1/namespaces/shop/pods/web/proxy"
	if diff := cmp.Diff(sent(t, "POST"+at, "GET"+at, "PUT"+at, "PATCH"+at, "DELETE"+at).Verbs, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The namespace in which flow control finds a request for a Namespace is its name, so that
// without one there is no request to ask about, and admission is asked all the same.
func TestNamespaceWithoutName(t *testing.T) {
	derived, problems := FromText("in.yaml", []byte("apiVersion: v1\nkind: Namespace\nmetadata: {labels: {a: b}}\n"), 0, Ask{Operation: "UPDATE"}, facts())
	if derived == nil || derived.Request.Reaches(scope.FlowControl) || !derived.Request.Reaches(scope.ValidatingWebhooks) {
		t.Errorf("derived %+v", derived)
	}
	if len(problems) != 1 || !strings.Contains(problems[0].Message, "nobody said the name") {
		t.Errorf("problems: %v", problems)
	}
}

// A verb that a write cannot have is refused with those that it can.
func TestImpossibleVerb(t *testing.T) {
	derived, problems := FromText("in.yaml", []byte(somePod), 0, Ask{Operation: "UPDATE", Verb: "list"}, facts())
	if derived != nil || len(problems) != 1 || !strings.Contains(problems[0].Hint, "update or patch") {
		t.Errorf("derived %v, problems %v", derived, problems)
	}
}
