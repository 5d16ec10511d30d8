package request

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// fromText derives a request from a text without any problem.
func fromText(t *testing.T, text string, ask Ask) *Derived {
	t.Helper()
	derived, problems := FromText("", []byte(text), 0, ask, facts(widgets()))
	for _, p := range problems {
		t.Error(p)
	}
	if derived == nil {
		t.Fatal("no request")
	}
	return derived
}

const (
	pods   = "/api/v1/namespaces/default/pods"
	team   = "/api/v1/namespaces/team-a/pods"
	deploy = "/apis/apps/v1/namespaces/default/deployments"
)

// lines are lines with the requests that kubectl sends for them, and with the parts of
// the request that are guessed.
var lines = []struct {
	line    string
	want    []string
	guesses string
}{
	// Where the namespace comes from.
	{"get pods -A", []string{"GET /api/v1/pods"}, "verb"},
	{"kubectl get pods --all-namespaces", []string{"GET /api/v1/pods"}, "verb"},
	{"get pods", []string{"GET " + pods}, "verb namespace"},
	{"get pods -n team-a", []string{"GET " + team}, "verb"},
	{"get pods -nteam-a", []string{"GET " + team}, "verb"},
	{"get pods -n=team-a", []string{"GET " + team}, "verb"},
	{"kubectl -n team-a get pods", []string{"GET " + team}, "verb"},
	{"get pods --namespace team-a", []string{"GET " + team}, "verb"},
	{"get pods --namespace=team-a", []string{"GET " + team}, "verb"},
	{"  # who lists?\n\n  get pods -n 'team-a' # all of them\n", []string{"GET " + team}, "verb"},
	// What is asked for.
	{"get pod web", []string{"GET " + pods + "/web"}, "namespace"},
	{"get po/web", []string{"GET " + pods + "/web"}, "namespace"},
	{"get Pod web", []string{"GET " + pods + "/web"}, "namespace"},
	{"get pods web api", []string{"GET " + pods + "/web"}, "name namespace"},
	{"get pod/web pod/api", []string{"GET " + pods + "/web"}, "name namespace"},
	{"get deployments.apps web", []string{"GET " + deploy + "/web"}, "namespace"},
	{"get deployments.v1.apps/web", []string{"GET " + deploy + "/web"}, "namespace"},
	{"get storageclass.storage", []string{"GET /apis/storage.k8s.io/v1/storageclasses"}, "verb"},
	{"get widgets.example.com", []string{"GET /apis/example.com/v1/namespaces/default/widgets"}, "verb namespace"},
	{"get events -A", []string{"GET /api/v1/events"}, "resource verb"},
	{"get ev -A", []string{"GET /api/v1/events"}, "resource verb"},
	{"get events.events.k8s.io -A", []string{"GET /apis/events.k8s.io/v1/events"}, "verb"},
	{"get nodes", []string{"GET /api/v1/nodes"}, "verb"},
	{"get namespaces foo", []string{"GET /api/v1/namespaces/foo"}, ""},
	{"get ns", []string{"GET /api/v1/namespaces"}, "verb"},
	{"create namespace foo", []string{"POST /api/v1/namespaces"}, ""},
	{"create namespaces foo --subresource=status", []string{"POST /api/v1/namespaces/foo/status"}, ""},
	{"delete ns/foo", []string{"DELETE /api/v1/namespaces/foo"}, ""},
	{"label ns foo team=a", []string{"PATCH /api/v1/namespaces/foo"}, "verb"},
	{"patch ns foo --subresource status -p '{\"status\": {}}' --type=merge", []string{"PATCH /api/v1/namespaces/foo/status"}, ""},
	// Verbs of the API.
	{"list pods", []string{"GET " + pods}, "namespace"},
	{"watch pods -A", []string{"GET /api/v1/pods?watch=true"}, ""},
	{"watch namespaces foo", []string{"GET /api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dfoo"}, ""},
	{"update deploy web", []string{"PUT " + deploy + "/web"}, "namespace"},
	{"deletecollection pods -n team-a", []string{"DELETE " + team}, ""},
	{"create pods/exec web", []string{"POST " + pods + "/web/exec"}, "subresource namespace"},
	{"get pods/log web", []string{"GET " + pods + "/web/log"}, "subresource namespace"},
	{"update pods web --subresource=status", []string{"PUT " + pods + "/web/status"}, "namespace"},
	// What kubectl makes of its commands.
	{"get pods -w", []string{"GET " + pods + "?watch=true"}, "verb namespace"},
	{"get pods --watch-only", []string{"GET " + pods + "?watch=true"}, "verb namespace"},
	{"describe pod web", []string{"GET " + pods + "/web"}, "verb namespace"},
	{"describe pods", []string{"GET " + pods}, "verb namespace"},
	{"apply deployment/web", []string{"PATCH " + deploy + "/web"}, "verb namespace"},
	{"edit deploy web", []string{"PATCH " + deploy + "/web"}, "verb namespace"},
	{"patch deploy web", []string{"PATCH " + deploy + "/web"}, "namespace"},
	{"replace deploy/web", []string{"PUT " + deploy + "/web"}, "verb namespace"},
	{"annotate pods web note- other=1", []string{"PATCH " + pods + "/web"}, "verb namespace"},
	{"label pods --all team=a", []string{"PATCH " + pods + "/each"}, "verb namespace"},
	{"scale deploy/web --replicas=3", []string{"PATCH " + deploy + "/web/scale"}, "verb namespace"},
	{"scale deploy web --replicas 3 --current-replicas 2", []string{"PUT " + deploy + "/web/scale"}, "verb namespace"},
	{"set image deploy/web app=nginx:2", []string{"PATCH " + deploy + "/web"}, "verb namespace"},
	{"rollout restart deploy/web", []string{"PATCH " + deploy + "/web"}, "verb namespace"},
	{"taint nodes n1 gpu=yes:NoSchedule", []string{"PATCH /api/v1/nodes/n1"}, "verb"},
	{"cordon n1", []string{"PATCH /api/v1/nodes/n1"}, "verb"},
	{"run web --image=nginx", []string{"POST " + pods}, "verb namespace"},
	{"create secret generic web --from-literal=a=b", []string{"POST /api/v1/namespaces/default/secrets"}, "namespace"},
	{"create token robot", []string{"POST /api/v1/namespaces/default/serviceaccounts/robot/token"}, "namespace"},
	{"delete pod web --force --grace-period 0", []string{"DELETE " + pods + "/web"}, "namespace"},
	{"delete pods --all", []string{"DELETE " + pods + "/each"}, "verb namespace"},
	{"delete pods", []string{"DELETE " + pods + "/one"}, "verb namespace"},
	{"logs web", []string{"GET " + pods + "/web/log"}, "namespace"},
	{"logs -f deploy/web", []string{"GET " + pods + "/one/log"}, "name namespace"},
	{"exec -it web -- sh -c 'ls | wc'", []string{"POST " + pods + "/web/exec", "GET " + pods + "/web/exec"}, "namespace"},
	{"exec pod/web -- ls", []string{"POST " + pods + "/web/exec", "GET " + pods + "/web/exec"}, "namespace"},
	{"attach web", []string{"POST " + pods + "/web/attach", "GET " + pods + "/web/attach"}, "namespace"},
	{"port-forward svc/web 8080:80", []string{"POST " + pods + "/one/portforward", "GET " + pods + "/one/portforward"}, "name namespace"},
	// By method and URL.
	{"get --raw /healthz", []string{"GET /healthz"}, ""},
	{"kubectl get --raw='/readyz?verbose'", []string{"GET /readyz"}, ""},
	{"create --raw /hooks/run -f body.json", []string{"POST /hooks/run"}, ""},
	{"GET /healthz", []string{"GET /healthz"}, ""},
	{"POST /foo", []string{"POST /foo"}, ""},
	{"get /healthz", []string{"GET /healthz"}, ""},
	{"GET /api/v1 HTTP/1.1", []string{"GET /api/v1"}, ""},
	{"GET /apis/apps/v1", []string{"GET /apis/apps/v1"}, ""},
	{"GET https://cluster.example.com:6443/metrics", []string{"GET /metrics"}, ""},
	{"get /api/v1/namespaces/x/pods/y", []string{"GET /api/v1/namespaces/x/pods/y"}, "resource"},
	{"PUT /apis/apps/v1/namespaces/x/deployments/y/scale", []string{"PUT /apis/apps/v1/namespaces/x/deployments/y/scale"}, "resource"},
	{"GET /api/v1/pods?watch=true", []string{"GET /api/v1/pods?watch=true"}, "resource"},
	{"watch /api/v1/pods", []string{"GET /api/v1/pods?watch=1"}, "resource verb"},
	{"DELETE /api/v1/namespaces/x/pods", []string{"DELETE /api/v1/namespaces/x/pods"}, "resource"},
	// As a question to the authorizer.
	{"auth can-i list pods", []string{"GET " + pods}, "namespace"},
	{"kubectl auth can-i list pods -A", []string{"GET /api/v1/pods"}, ""},
	{"auth can-i get pods", []string{"GET " + pods + "/one"}, "namespace"},
	{"auth can-i get pods/web -n team-a", []string{"GET " + team + "/web"}, ""},
	{"auth can-i get pods --subresource=log", []string{"GET " + pods + "/one/log"}, "namespace"},
	{"auth can-i get /logs/", []string{"GET /logs/"}, ""},
	{"auth can-i post /logs", []string{"POST /logs"}, ""},
}

// A line means the requests that kubectl sends for it (k8s.io/kubectl/pkg/cmd), of which
// the API server's own code says what they are. What nobody said is told as a guess.
func TestLines(t *testing.T) {
	for _, tc := range lines {
		t.Run(tc.line, func(t *testing.T) {
			derived, problems := FromText("", []byte(tc.line), 0, Ask{}, facts(widgets()))
			if derived == nil {
				t.Fatalf("no request: %v", problems)
			}
			if diff := cmp.Diff(sent(t, tc.want...), derived.Request.Access); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if derived.Request.Operation != "" {
				t.Errorf("it is to reach admission as %s", derived.Request.Operation)
			}
			want, got := strings.Fields(tc.guesses), []string{}
			for _, g := range derived.Guesses {
				got = append(got, strings.TrimPrefix(g.Field, "request."))
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(want, got) {
				t.Errorf("guesses: %v", derived.Guesses)
			}
		})
	}
}

// troubled are lines with what is wrong with them, and the column in which it is.
var troubled = []struct {
	line     string
	severity manifest.Severity
	column   int
	says     string
}{
	{"get", manifest.Error, 1, "what to get"},
	{"kubectl", manifest.Error, 1, "what the request does"},
	{"get podz", manifest.Error, 5, "near is pods"},
	{"get deplyoments", manifest.Error, 5, "near is deployments"},
	{"get unheard.of", manifest.Error, 5, "CustomResourceDefinition"},
	{"get all", manifest.Error, 5, "request of its own"},
	{"get pods,services", manifest.Error, 5, "several types"},
	{"get pods --as-grup x", manifest.Error, 10, "near is --as-group"},
	{"get pods -Z", manifest.Error, 10, "-Z"},
	{"get pods -n", manifest.Error, 10, "needs a value"},
	{"get pods --as-group devs", manifest.Error, 10, "--as"},
	{"get pods 'web", manifest.Error, 10, "no end"},
	{"get pod web -A", manifest.Error, 13, "all namespaces at once"},
	{"auth can-i get namespaces", manifest.Error, 16, "nobody said the name"},
	{"auth whoami", manifest.Error, 1, "can-i"},
	{"auth can-i --list", manifest.Error, 1, "can-i"},
	{"auth can-i get", manifest.Error, 1, "needs a verb and a resource"},
	{"apply -f pod.yaml", manifest.Error, 7, "paste the object"},
	{"rollout history deploy/web", manifest.Error, 1, "known is rollout restart"},
	{"kubectl drain n1", manifest.Error, 9, "drain"},
	{"GET pods", manifest.Error, 1, "path of a URL"},
	{"GET /healthz now", manifest.Error, 14, "\"now\""},
	{"OPTIONS /api/v1/pods", manifest.Error, 1, "takes no OPTIONS"},
	{"GET /apis/apps/v1/watch", manifest.Error, 5, "cannot be read"},
	{"describe --raw /healthz", manifest.Error, 10, "--raw"},
	{"get pods -o wide", manifest.Warning, 10, "ignored: -o"},
	{"get pods -A | grep web", manifest.Warning, 13, "for the shell"},
	{"get nodes -n team-a", manifest.Warning, 11, "in no namespace"},
	{"get pods/log", manifest.Warning, 5, "--subresource log"},
	{"get --raw /healthz -n team-a", manifest.Warning, 20, "the URL says the namespace"},
	{"auth can-i post pods", manifest.Warning, 12, "say create"},
	{"auth can-i create /hooks", manifest.Warning, 12, "say post"},
	{"auth can-i use pods", manifest.Warning, 12, "no request has the verb use"},
	{"get pods web --subresource lug", manifest.Warning, 14, "it has attach, binding"},
	{"auth can-i get /api/v1/pods", manifest.Warning, 16, "asks no nonResourceRules"},
	{"GET /api/v1/podz", manifest.Warning, 5, "near is"},
}

// What cannot be understood is said in a sentence with its place, and what is merely left
// out is a warning.
func TestLinesInTrouble(t *testing.T) {
	for _, tc := range troubled {
		t.Run(tc.line, func(t *testing.T) {
			derived, problems := FromText("in", []byte("\n"+tc.line), 0, Ask{}, facts())
			if len(problems) != 1 {
				t.Fatalf("problems: %v", problems)
			}
			p := problems[0]
			if (derived == nil) != (tc.severity == manifest.Error) {
				t.Errorf("derived %v", derived)
			}
			if p.Severity != tc.severity || p.Line != 2 || p.Source != "in" || !strings.Contains(p.String(), tc.says) || p.Hint == "" {
				t.Errorf("%s: %s", p.Severity, p)
			}
			if p.Column != tc.column {
				t.Errorf("column %d: %s", p.Column, p)
			}
		})
	}
}

// Only a line that begins as a command is one. Everything else is read as a manifest.
func TestIsLine(t *testing.T) {
	for text, want := range map[string]bool{
		"get pods":                         true,
		"# a comment\nget pods\n# another": true,
		"kubectl frobnicate":               true,
		"POST /x":                          true,
		"get pods\nget services":           false,
		"get: pods":                        false,
		"create : {}":                      false,
		"{\"kind\": \"Pod\"}":              false,
		"pods":                             false,
		"- get pods":                       false,
		"":                                 false,
		"# get pods":                       false,
		"kind: Pod":                        false,
		"get \xff":                         false,
	} {
		if got := IsLine(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// Who asks is completed as the API server completes an impersonated user; what cannot be
// known stays open, and what is known of it stays in the user.
func TestWhoSendsALine(t *testing.T) {
	for line, want := range map[string]string{
		"list nodes":           "nobody; open: request.userInfo; guesses: ",
		"list nodes --as jane": "jane system:authenticated; open: request.userInfo.groups; guesses: system:authenticated",
		"list nodes --as jane --as-group devs --as-group=ops": "jane devs,ops,system:authenticated; open: ; guesses: devs, ops, system:authenticated",
		"list nodes --as=system:serviceaccount:a:b":           "system:serviceaccount:a:b system:serviceaccounts,system:serviceaccounts:a,system:authenticated; open: ; guesses: system:serviceaccounts, system:serviceaccounts:a, system:authenticated",
		"list nodes --as system:anonymous":                    "system:anonymous system:unauthenticated; open: ; guesses: system:unauthenticated",
	} {
		derived := fromText(t, line, Ask{})
		who := "nobody"
		if u := derived.Request.User; u != nil {
			who = u.Username + " " + strings.Join(u.Groups, ",")
		}
		var open, guesses []string
		for _, m := range derived.Request.Open {
			open = append(open, m.Path)
		}
		for _, g := range derived.Guesses {
			guesses = append(guesses, g.Value)
		}
		if got := fmt.Sprintf("%s; open: %s; guesses: %s", who, strings.Join(open, " "), strings.Join(guesses, " ")); got != want {
			t.Errorf("%s:\n got %s\nwant %s", line, got, want)
		}
	}
}

// A line stands where it stands, also when a comment is before it, and has no parts.
func TestLineOfALine(t *testing.T) {
	derived := fromText(t, "# first\nlist nodes", Ask{})
	if _, line, ok := derived.LineOf("request.verb"); line != 2 || ok {
		t.Errorf("line %d, %t", line, ok)
	}
	if got := derived.Documents; len(got) != 1 || got[0].Line != 2 {
		t.Errorf("documents: %+v", got)
	}
}
