package live

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/discovery"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/server"
)

const (
	// aggregated leads the API server to an address of this machine, which a Service may name only as an external one.
	aggregated = `apiVersion: v1
kind: Service
metadata: {name: slow, namespace: default}
spec: {type: ExternalName, externalName: localhost}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.slow.example.com}
spec:
  group: slow.example.com
  version: v1
  groupPriorityMinimum: 1000
  versionPriority: 10
  insecureSkipTLSVerify: true
  service: {namespace: default, name: slow, port: %s}`
	everything = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: everything}
spec:
  matchConstraints: {resourceRules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: ["*"]}]}
  validations: [{expression: "true"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: everything-everywhere}
spec: {policyName: everything, validationActions: [Deny]}`
	waits = "waits.slow.example.com"
	group = `{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "slow.example.com/v1", "resources": [
{"name": "waits", "singularName": "wait", "namespaced": true, "kind": "Wait", "verbs": ["create", "get", "list", "watch"]}]}`
	list = `{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": {"resourceVersion": "1"}, "items": [
{"metadata": {"name": "one", "namespace": "default", "resourceVersion": "1"}}]}`
)

// slowAPI is an API server that says what it serves and leaves everything else without an answer, until it is woken.
type slowAPI struct {
	awake chan struct{}
	port  string
}

func newSlowAPI(t *testing.T) *slowAPI {
	t.Helper()
	a := &slowAPI{awake: make(chan struct{})}
	backend := httptest.NewTLSServer(a)
	t.Cleanup(backend.Close)
	t.Cleanup(backend.CloseClientConnections)
	address, err := url.Parse(backend.URL)
	if err != nil {
		t.Fatal(err)
	}
	a.port = address.Port()
	return a
}

func (a *slowAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.URL.Path == "/apis/slow.example.com/v1":
		fmt.Fprint(w, group)
	case !strings.HasPrefix(r.URL.Path, "/apis/slow.example.com/v1/"):
		http.NotFound(w, r)
	case r.URL.Query().Get("watch") != "":
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	default:
		select {
		case <-a.awake:
			fmt.Fprint(w, list)
		case <-r.Context().Done():
		}
	}
}

// discovered waits until the API server lists the resources of the group.
func (w *world) discovered(t *testing.T) {
	t.Helper()
	client := discovery.NewDiscoveryClientForConfigOrDie(w.server.Config)
	for range 600 {
		_, lists, _ := client.ServerGroupsAndResources()
		for _, l := range lists {
			if l.GroupVersion == "slow.example.com/v1" && len(l.APIResources) > 0 {
				return
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the API server does not list the aggregated API")
}

// silentAPI has an aggregated API whose lists get no answer: all else is read, the pages name what is missing, and once
// it answers nothing is missing any more.
func silentAPI(t *testing.T, w *world, all cluster.Source) {
	slow := newSlowAPI(t)
	manifest := fmt.Sprintf(aggregated, slow.port)
	w.apply(t, everything+"\n---\n"+manifest)
	defer func() {
		w.delete(t, everything+"\n---\n"+manifest)
		eventually(t, all, "no policies", func(s *cluster.Snapshot) bool { return names(s) == "" })
	}()
	w.discovered(t)
	source := w.watch(t, "", inFull)
	began := time.Now()
	eventually(t, source, "all that answers", func(s *cluster.Snapshot) bool {
		return synced(s) && othersAreRead(s) && resourceOf(s, waits).State == cluster.Reading
	})
	t.Logf("all else was read after %v", time.Since(began).Round(time.Millisecond))
	s := eventually(t, source, "that one resource is missing", func(s *cluster.Snapshot) bool { return resourceOf(s, waits).State == cluster.Missing })
	if why := resourceOf(s, waits).Why; why != "It cannot be read: there is no answer within 30s." || !othersAreRead(s) || s.Population.Complete() {
		t.Errorf("%s; resources are %+v", why, s.Population.Resources)
	}
	pages := httptest.NewServer(server.New(server.Config{Source: source}))
	defer pages.Close()
	for path, wanted := range map[string][]string{
		"/coverage": {waits + " cannot be read, so the numbers here are lower bounds.", ">at least "},
		"/policies/ValidatingAdmissionPolicy/everything": {"These numbers are lower bounds: not all objects have been read.",
			"Waits.slow.example.com: it cannot be read: there is no answer within 30s."},
	} {
		text := pageText(t, pages.URL+path)
		for _, want := range wanted {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q", path, want)
			}
		}
	}
	close(slow.awake)
	eventually(t, source, "an answer at last", func(s *cluster.Snapshot) bool {
		r := resourceOf(s, waits)
		return r.State == cluster.Read && r.Objects == 1 && s.Population.Complete()
	})
	if text := pageText(t, pages.URL+"/coverage"); strings.Contains(text, "lower bounds") {
		t.Error("the numbers are still said to be lower bounds")
	}
}

// othersAreRead reports whether everything has been read but the objects of the slow API.
func othersAreRead(s *cluster.Snapshot) bool {
	for _, r := range s.Population.Resources {
		if r.GroupResource().String() != waits && r.State != cluster.Read && r.State != cluster.LeftOut {
			return false
		}
	}
	return len(s.Population.Resources) > 1
}

// pageText is the HTML of a page.
func pageText(t *testing.T, address string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", address, response.Status, err)
	}
	return string(text)
}
