package server

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// withPopulation is a cluster of one policy and one gate, with a Pod, a ConfigMap and what
// is missing.
func withPopulation() *changing {
	source := newChanging(newGate())
	store := coverage.NewStore()
	for _, name := range []string{"pods", "configmaps"} {
		o := coverage.Object{Namespace: "team-a", Name: "one"}
		o.Resource.Version, o.Resource.Resource = "v1", name
		store.Put(o)
	}
	source.snapshot.Population = cluster.Population{Population: store.Snapshot(), Resources: []cluster.PopulationResource{
		{GroupVersionResource: object("secrets"), State: cluster.Missing},
		{GroupVersionResource: object("services"), State: cluster.Reading},
	}}
	return source
}

func object(resource string) (r schema.GroupVersionResource) {
	r.Version, r.Resource = "v1", resource
	return r
}

func TestCoveragePagesOfTheSample(t *testing.T) {
	s := sampleServer(t)
	for _, path := range []string{
		"/coverage", "/coverage?by=resource", "/coverage?gaps=true&sort=gaps", "/coverage?policy=nothing-is-called-so", "/coverage?operation=DELETE",
		"/coverage/unreached", "/coverage/namespaces/shop-prod", "/coverage/namespaces/-", "/groups",
	} {
		t.Run(path, func(t *testing.T) { checkPage(t, page(t, s.URL+path)) })
	}
}

// TestLinksOfTheMatrix follows a cell to its objects and one of these to what applies to it.
func TestLinksOfTheMatrix(t *testing.T) {
	s := sampleServer(t)
	matrix := page(t, s.URL+"/coverage?policy=secrets-agent-injector&row=checkout-prod")
	cell := matrix.Find(".coverage-matrix a.extent")
	if cell.Length() != 1 {
		t.Fatalf("%d cells, want one", cell.Length())
	}
	objects := page(t, s.URL+cell.AttrOr("href", ""))
	checkPage(t, objects)
	link := objects.Find(".objects tbody a").First()
	object := page(t, s.URL+link.AttrOr("href", ""))
	checkPage(t, object)
	if h1 := text(object.Find("h1")); h1 != text(link) {
		t.Errorf("the link %s leads to %s", text(link), h1)
	}
	rows := object.Find("#result .row .name")
	if !strings.Contains(text(rows), "secrets-agent-injector") {
		t.Errorf("the page of an object shows %q", text(rows))
	}
}

func TestCoverageNamesWhatIsMissing(t *testing.T) {
	s := serve(t, withPopulation())
	document := page(t, s.URL+"/coverage")
	notes := text(document.Find(".note"))
	for _, want := range []string{"Still reading services.", "secrets cannot be read"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q: %q", want, notes)
		}
	}
}

func TestCoverageWithoutAPopulation(t *testing.T) {
	s := serve(t, newChanging(newGate()))
	for _, path := range []string{"/coverage", "/coverage/unreached"} {
		if says := text(page(t, s.URL+path).Find(".empty")); !strings.Contains(says, "have not been read") {
			t.Errorf("%s says %q", path, says)
		}
	}
	page(t, s.URL+"/groups")
	for _, path := range []string{"/coverage/cell?policy=x", "/coverage/objects/pods/team-a/one"} {
		if response, _ := send(t, newRequest(t, http.MethodGet, s.URL+path, "")); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, response.Status)
		}
	}
}

func TestCoverageOfWhatIsNotThere(t *testing.T) {
	s := serve(t, withPopulation())
	for path, want := range map[string]int{
		"/coverage/namespaces/team-b": http.StatusNotFound, "/coverage/namespaces/team-a": http.StatusOK,
		"/coverage/objects/pods/team-a/two": http.StatusNotFound, "/coverage/objects/widgets/team-a/one": http.StatusNotFound,
		"/coverage/objects/pods/team-a/one":           http.StatusOK,
		"/coverage/cell?policy=none&namespace=team-a": http.StatusNotFound,
		"/coverage?operation=CONNECT":                 http.StatusBadRequest,
	} {
		if response, _ := send(t, newRequest(t, http.MethodGet, s.URL+path, "")); response.StatusCode != want {
			t.Errorf("%s: %s, want %d", path, response.Status, want)
		}
	}
}

func TestCoverageExports(t *testing.T) {
	s := serve(t, withPopulation())
	for path, want := range map[string]string{
		"/coverage":                         "kind,name,entry,namespace,mark,applicable,included,error,unknown",
		"/coverage?by=resource":             "kind,name,entry,resource,mark,applicable,included,error,unknown",
		"/coverage/unreached":               "resource,namespace,name",
		"/coverage/namespaces/team-a":       "kind,name,entry,mark,applicable,included,error,unknown",
		"/coverage/objects/pods/team-a/one": "kind,name,entry,outcome,decidedBy,effect",
		"/groups":                           "group,namespaces,objects,empty,within,selectedNamespaces,selectedObjects,kind,policy,writtenNamespaceSelector,writtenObjectSelector",
		"/coverage/cell?policy=ValidatingWebhookConfiguration/hook/0&namespace=team-a": "resource,namespace,name,outcome,decidedBy,effect",
	} {
		join := "?"
		if strings.Contains(path, "?") {
			join = "&"
		}
		response, body := send(t, newRequest(t, http.MethodGet, s.URL+path+join+"format=csv", ""))
		records, err := csv.NewReader(strings.NewReader(body)).ReadAll()
		if err != nil || response.Header.Get("Content-Type") != "text/csv; charset=utf-8" || len(records) == 0 || strings.Join(records[0], ",") != want {
			t.Errorf("%s: %v, %s, %v", path, err, response.Header.Get("Content-Type"), records)
			continue
		}
		_, body = send(t, newRequest(t, http.MethodGet, s.URL+path+join+"format=json", ""))
		var rows []map[string]any
		if err := json.Unmarshal([]byte(body), &rows); err != nil || len(rows) != len(records)-1 {
			t.Errorf("%s: %v, %d rows as JSON, %d as CSV", path, err, len(rows), len(records)-1)
		}
	}
}

// TestMatrixForTheScript holds that the script gets as many cells as there are pairs.
func TestMatrixForTheScript(t *testing.T) {
	s := serve(t, withPopulation())
	_, body := send(t, newRequest(t, http.MethodGet, s.URL+"/coverage?by=resource&format=matrix", ""))
	var got struct {
		Columns []struct{ ID string }
		Rows    []struct{ Key, Cells string }
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Columns) != 1 || len(got.Rows) != 2 || len(got.Rows[0].Cells) != 1 {
		t.Errorf("%d columns, %d rows: %s", len(got.Columns), len(got.Rows), body)
	}
}

// TestCoverageKeepsWhoAsks holds that the groups of the address are in the form, and in every
// link to what was asked about.
func TestCoverageKeepsWhoAsks(t *testing.T) {
	s := sampleServer(t)
	document := page(t, s.URL+"/coverage?as=mira&as-group=devs,oncall")
	if got := document.Find("#coverage-filter [name=as-group]").AttrOr("value", ""); got != "devs, oncall" {
		t.Errorf("the field has %q", got)
	}
	links := document.Find(".coverage-matrix tbody a, .exports a, .tabs a, .sums a")
	if links.Length() < 10 {
		t.Fatalf("%d links", links.Length())
	}
	for _, link := range links.EachIter() {
		if href := link.AttrOr("href", ""); !strings.Contains(href, "as=mira&as-group=devs&as-group=oncall") {
			t.Errorf("%s forgets who asks", href)
		}
	}
}

// TestObjectsLeadToExplore follows the links of the lists, of which Secrets have none.
func TestObjectsLeadToExplore(t *testing.T) {
	s := sampleServer(t)
	cell := page(t, s.URL+"/coverage/cell?operation=UPDATE&as=mira&policy=ValidatingWebhookConfiguration/image-verifier/pods.image-verifier.fennel.example.com&namespace=shop-prod")
	link := cell.Find(".objects tbody tr").First().Find("td:last-child a")
	name := text(cell.Find(".objects tbody th").First())
	explore := page(t, s.URL+link.AttrOr("href", ""))
	checkPage(t, explore)
	for selector, want := range map[string]string{"textarea[name=text]": "name: " + name + "\n", "textarea[name=oldObject]": "name: " + name + "\n"} {
		if got := explore.Find(selector).Text(); !strings.Contains(got, want) {
			t.Errorf("%s has %q, want %s", selector, got, want)
		}
	}
	if got := explore.Find("[name=operation] [selected]").AttrOr("value", "") + " " + explore.Find("[name=user]").AttrOr("value", ""); got != "UPDATE mira" {
		t.Errorf("it asks about %s", got)
	}
	for path, want := range map[string]bool{
		"/coverage/objects/configmaps/kube-system/coredns":                                                       true,
		"/coverage/unreached?resource=secrets":                                                                   false,
		"/coverage/unreached?resource=leases.coordination.k8s.io":                                                true,
		"/policies/ValidatingWebhookConfiguration/image-verifier/pods.image-verifier.fennel.example.com/objects": true,
	} {
		if n := page(t, s.URL+path).Find(`main a[href^="/explore?object="]`).Length(); (n > 0) != want {
			t.Errorf("%s has %d links to explore", path, n)
		}
	}
}

// TestObjectsOfAClusterAreNotShown holds that what Ambit does not keep is not offered.
func TestObjectsOfAClusterAreNotShown(t *testing.T) {
	s := serve(t, withPopulation())
	if n := page(t, s.URL+"/coverage/objects/pods/team-a/one").Find(`a[href^="/explore?object="]`).Length(); n > 0 {
		t.Errorf("%d links to explore", n)
	}
	for _, object := range []string{"pods/team-a/one", "pods", ""} {
		want := http.StatusNotFound
		if object == "" {
			want = http.StatusOK
		}
		if response, _ := send(t, newRequest(t, http.MethodGet, s.URL+"/explore?object="+object, "")); response.StatusCode != want {
			t.Errorf("%q: %s", object, response.Status)
		}
	}
}
