package request

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

func accessReview(kind, rest string) string {
	return "apiVersion: authorization.k8s.io/v1\nkind: " + kind + "\n" + rest
}

const listEvents = `spec:
  user: jane
  groups: [devs, "system:authenticated"]
  resourceAttributes:
    verb: list
    group: ""
    version: v1
    resource: events
    namespace: shop
`

// What a review says is the request, and what was said beside it goes before that.
func TestAccessReviews(t *testing.T) {
	local := strings.Replace(listEvents, "    namespace: shop\n", "", 1)
	const path = "spec:\n  user: jane\n  nonResourceAttributes: {path: /logs, verb: get}\n"
	for name, tc := range map[string]struct {
		text string
		ask  Ask
		want string
	}{
		"as it is":                     {accessReview("SubjectAccessReview", listEvents), Ask{}, "GET /api/v1/namespaces/shop/events"},
		"local":                        {accessReview("LocalSubjectAccessReview", "metadata: {namespace: shop}\n"+listEvents), Ask{}, "GET /api/v1/namespaces/shop/events"},
		"local without a namespace":    {accessReview("LocalSubjectAccessReview", "metadata: {namespace: team-a}\n"+local), Ask{}, "GET /api/v1/namespaces/team-a/events"},
		"all namespaces":               {accessReview("SubjectAccessReview", local), Ask{}, "GET /api/v1/events"},
		"a path":                       {accessReview("SubjectAccessReview", path), Ask{}, "GET /logs"},
		"said: all namespaces":         {accessReview("SubjectAccessReview", listEvents), Ask{AllNamespaces: true}, "GET /api/v1/events"},
		"said: another namespace":      {accessReview("SubjectAccessReview", listEvents), Ask{Namespace: "team-a"}, "GET /api/v1/namespaces/team-a/events"},
		"said: another verb":           {accessReview("SubjectAccessReview", listEvents), Ask{Verb: "deletecollection"}, "DELETE /api/v1/namespaces/shop/events"},
		"said: another resource":       {accessReview("SubjectAccessReview", listEvents), Ask{Resource: "deploy"}, "GET /apis/apps/v1/namespaces/shop/deployments"},
		"said: a subresource":          {accessReview("SubjectAccessReview", listEvents), Ask{Resource: "deploy", Verb: "patch", Name: "web", Subresource: "scale"}, "PATCH /apis/apps/v1/namespaces/shop/deployments/web/scale"},
		"said: a path":                 {accessReview("SubjectAccessReview", listEvents), Ask{Path: "/healthz"}, "GET /healthz"},
		"said: a path and its verb":    {accessReview("SubjectAccessReview", listEvents), Ask{Path: "/hooks", Verb: "post"}, "POST /hooks"},
		"said: the path of a resource": {accessReview("SubjectAccessReview", path), Ask{Path: "/api/v1/namespaces/x/pods/y"}, "GET /api/v1/namespaces/x/pods/y"},
		"said: a resource for a path":  {accessReview("SubjectAccessReview", path), Ask{Resource: "ns", Name: "shop"}, "GET /api/v1/namespaces/shop"},
		"said for a line":              {"get pods", Ask{Namespace: "team-a"}, "GET /api/v1/namespaces/team-a/pods"},
		"said for a line: a name":      {"get pods", Ask{Namespace: "team-a", Name: "web"}, "GET /api/v1/namespaces/team-a/pods/web"},
		"said without a text":          {" \n", Ask{Verb: "watch", Resource: "po", AllNamespaces: true}, "GET /api/v1/pods?watch=1"},
		"a path without a text":        {"", Ask{Verb: "get", Path: "/metrics"}, "GET /metrics"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(sent(t, tc.want), fromText(t, tc.text, tc.ask).Request.Access); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The request is written as a SubjectAccessReviewSpec, in which what is open is missing.
func TestAccessReviewIsWritten(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		ask  Ask
		want string
	}{
		"all is known": {accessReview("SubjectAccessReview", listEvents), Ask{}, `{"user": "jane", "groups": ["devs", "system:authenticated"],
			"resourceAttributes": {"verb": "list", "version": "v1", "resource": "events", "namespace": "shop"}}`},
		"nobody asks": {accessReview("SelfSubjectAccessReview", strings.Replace(strings.Replace(listEvents, "  user: jane\n", "", 1), "  groups: [devs, \"system:authenticated\"]\n", "", 1)), Ask{},
			`{"resourceAttributes": {"verb": "list", "version": "v1", "resource": "events", "namespace": "shop"}}`},
		"open groups": {"GET /healthz", Ask{User: &authenticationv1.UserInfo{Username: "jane"}}, `{"user": "jane", "nonResourceAttributes": {"path": "/healthz", "verb": "get"}}`},
		"an open verb": {"exec web -n shop --as system:anonymous", Ask{}, `{"user": "system:anonymous", "groups": ["system:unauthenticated"],
			"resourceAttributes": {"version": "v1", "resource": "pods", "subresource": "exec", "namespace": "shop", "name": "web"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			var want, got any
			if err := json.Unmarshal([]byte(tc.want), &want); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(fromText(t, tc.text, tc.ask).Review, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// resourceSpec and pathSpec write the spec of a review on six lines with the kind.
func resourceSpec(fields string) string {
	return "spec:\n  user: jane\n  groups: [\"system:authenticated\"]\n  resourceAttributes: {" + fields + "}\n"
}

func pathSpec(fields string) string {
	return strings.Replace(resourceSpec(fields), "resourceAttributes", "nonResourceAttributes", 1)
}

// doubtful are reviews with what is wrong with them, and the line in which it is.
var doubtful = []struct {
	rest     string
	ask      Ask
	severity manifest.Severity
	line     int
	says     string
}{
	{"spec: {user: jane}\n", Ask{}, manifest.Error, 3, "does not say what the request is for"},
	{resourceSpec("verb: get, version: v1, resource: pods, namespace: x") + "  nonResourceAttributes: {path: /x, verb: get}\n", Ask{}, manifest.Error, 7, "has both"},
	{resourceSpec("version: v1, resource: pods, namespace: x"), Ask{}, manifest.Error, 6, "does not say the verb"},
	{resourceSpec("verb: get"), Ask{}, manifest.Error, 6, "does not say the resource"},
	{pathSpec("verb: get"), Ask{}, manifest.Error, 6, "does not say the URL path"},
	{pathSpec("verb: get, path: healthz"), Ask{}, manifest.Error, 6, "begin it with /"},
	{pathSpec("verb: get, path: \"*\""), Ask{}, manifest.Error, 6, "begin it with /"},
	{"spec: {user: [jane]}\n", Ask{}, manifest.Error, 3, "must be text"},
	{resourceSpec("verb: list, version: v1, resource: pods"), Ask{Resource: "pods", Path: "/x"}, manifest.Error, 6, "only one"},
	{resourceSpec("verb: list, version: v1, resource: pods"), Ask{Namespace: "x", AllNamespaces: true}, manifest.Error, 6, "only one"},
	{resourceSpec("verb: list, version: v1, resource: pods"), Ask{Resource: "podz"}, manifest.Error, 6, "near is pods"},

	{resourceSpec("verb: list, version: v1, resource: pods, colour: red"), Ask{}, manifest.Warning, 6, "no field spec.resourceAttributes.colour"},
	{resourceSpec("verb: \"*\", version: v1, resource: pods"), Ask{}, manifest.Warning, 6, "every verb"},
	{resourceSpec("verb: get, resource: \"*\""), Ask{}, manifest.Warning, 6, "every resource"},
	{resourceSpec("verb: POST, resource: pods, namespace: x"), Ask{}, manifest.Warning, 6, "say create"},
	{resourceSpec("verb: List, resource: pods, namespace: x"), Ask{}, manifest.Warning, 6, "say list"},
	{resourceSpec("verb: impersonate, resource: users"), Ask{}, manifest.Warning, 6, "no resource users"},
	{pathSpec("verb: create, path: /x"), Ask{}, manifest.Warning, 6, "say post"},
	{pathSpec("verb: update, path: /x"), Ask{}, manifest.Warning, 6, "say put"},
	{pathSpec("verb: list, path: /x"), Ask{}, manifest.Warning, 6, "say get"},
	{pathSpec("verb: get, path: /x/*"), Ask{}, manifest.Warning, 6, "without a star"},
	{pathSpec("verb: get, path: /api/v1/pods"), Ask{}, manifest.Warning, 6, "asks no nonResourceRules"},
	{resourceSpec("verb: list, resource: gadgets"), Ask{}, manifest.Warning, 6, "no resource gadgets"},
	{resourceSpec("verb: list, resource: Pod"), Ask{}, manifest.Warning, 6, "called pods"},
	{resourceSpec("verb: get, resource: pods/log, namespace: x"), Ask{}, manifest.Warning, 6, "the subresource log"},
	{resourceSpec("verb: get, resource: pods, subresource: lug, namespace: x"), Ask{}, manifest.Warning, 6, "has no subresource lug"},
	{resourceSpec("verb: list, resource: deployments"), Ask{}, manifest.Warning, 6, "say the group apps"},
	{resourceSpec("verb: list, group: apps, version: v1beta1, resource: deployments"), Ask{}, manifest.Warning, 6, "it has v1"},
	{resourceSpec("verb: list, resource: pods, labelSelector: {rawSelector: a=b}"), Ask{}, manifest.Warning, 6, "labelSelector"},
	{resourceSpec("verb: list, resource: pods, fieldSelector: {rawSelector: a=b}"), Ask{}, manifest.Warning, 6, "fieldSelector"},
	{resourceSpec("verb: get, resource: namespaces, name: shop"), Ask{}, manifest.Warning, 6, "in the namespace shop"},
	{resourceSpec("verb: list, resource: nodes, namespace: shop"), Ask{}, manifest.Warning, 6, "in no namespace"},
	{resourceSpec("verb: list, resource: pods"), Ask{Operation: "UPDATE"}, manifest.Warning, 6, "flow control alone is asked"},
	{resourceSpec("verb: create, resource: pods"), Ask{}, manifest.Warning, 6, "all namespaces at once"},
}

// A review that is not valid says where and what to do; one that no request is like is
// answered with a warning.
func TestAccessReviewsInTrouble(t *testing.T) {
	for _, tc := range doubtful {
		t.Run(tc.says, func(t *testing.T) {
			derived, problems := FromText("in", []byte(accessReview("SubjectAccessReview", tc.rest)), 0, tc.ask, facts())
			if (derived == nil) != (tc.severity == manifest.Error) {
				t.Errorf("derived %v", derived)
			}
			for _, p := range problems {
				if p.Severity == tc.severity && p.Line == tc.line && strings.Contains(p.String(), tc.says) && p.Hint != "" {
					return
				}
			}
			t.Errorf("problems: %v", problems)
		})
	}
}

// A LocalSubjectAccessReview is for its own namespace, and other versions have other fields.
func TestOtherReviews(t *testing.T) {
	for text, says := range map[string]string{
		accessReview("LocalSubjectAccessReview", "metadata: {namespace: other}\n"+listEvents):                                     "same namespace",
		accessReview("LocalSubjectAccessReview", "metadata: {namespace: x}\nspec: {nonResourceAttributes: {path: /, verb: get}}"): "write a SubjectAccessReview",
		"apiVersion: authorization.k8s.io/v1beta1\nkind: SubjectAccessReview\n" + listEvents:                                      "authorization.k8s.io/v1",
	} {
		derived, problems := FromText("in", []byte(text), 0, Ask{}, facts())
		if derived != nil || len(problems) != 1 || !strings.Contains(problems[0].String(), says) {
			t.Errorf("%s: derived %v, problems %v", says, derived, problems)
		}
	}
}

// A user without a name may be anybody of the groups, and groups without the one that
// everybody has get it.
func TestWhoOfAccessReview(t *testing.T) {
	text := accessReview("SubjectAccessReview", "spec:\n  groups: [devs]\n  nonResourceAttributes: {path: /x, verb: get}\n")
	derived := fromText(t, text, Ask{})
	want := []scope.Missing{{Path: "request.userInfo.username", Fact: "the name of the user"}}
	if diff := cmp.Diff(want, derived.Request.Open); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"devs", "system:authenticated"}, derived.Request.User.Groups); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	said := fromText(t, text, Ask{User: &authenticationv1.UserInfo{Username: "system:serviceaccount:a:b"}})
	if got := said.Request.User; got.Username != "system:serviceaccount:a:b" || len(got.Groups) != 3 || len(said.Request.Open) > 0 {
		t.Errorf("%+v, open %v", got, said.Request.Open)
	}
}

// The parts of the request stand in the review under other names.
func TestLinesOfAccessReview(t *testing.T) {
	derived := fromText(t, accessReview("SubjectAccessReview", listEvents), Ask{})
	path := fromText(t, accessReview("SubjectAccessReview", "spec:\n  user: jane\n  groups:\n  - system:authenticated\n  nonResourceAttributes:\n    path: /x\n    verb: get\n"), Ask{})
	for _, tc := range []struct {
		derived *Derived
		path    string
		line    int
		ok      bool
	}{
		{derived, "request.userInfo", 4, true},
		{derived, "request.userInfo.username", 4, true},
		{derived, "request.userInfo.groups", 5, true},
		{derived, "request.verb", 7, true},
		{derived, "request.resource", 10, true},
		{derived, "request.namespace", 11, true},
		{derived, "request.subresource", 6, false},
		{derived, "priorityLevelConfiguration/x", 3, false},
		{path, "request.userInfo.groups[0]", 6, true},
		{path, "request.path", 8, true},
		{path, "request.verb", 9, true},
	} {
		if _, line, ok := tc.derived.LineOf(tc.path); line != tc.line || ok != tc.ok {
			t.Errorf("%s: line %d, %t; want %d, %t", tc.path, line, ok, tc.line, tc.ok)
		}
	}
}
