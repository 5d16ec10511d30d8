package server

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

const (
	guardPage = "/policies/ValidatingWebhookConfiguration/guard"
	podsGuard = "pods.guard.example.com"
)

// dropsOf reads a funnel aloud: each layer with what remains and what is said below.
func dropsOf(section *goquery.Selection) []string {
	return section.Find(".drop:not(.end)").Map(func(_ int, s *goquery.Selection) string {
		parts := []string{text(s.Find(".at")), text(s.Find(".n"))}
		if lost := text(s.Find(".lost > a")); lost != "" {
			parts = append(parts, lost)
		}
		s.Find(".drop-groups li").Each(func(_ int, g *goquery.Selection) { parts = append(parts, text(g)) })
		if note := text(s.Find(".note")); note != "" {
			parts = append(parts, note)
		}
		return strings.Join(parts, " | ")
	})
}

// endsOf reads aloud what became of the objects that no layer left out.
func endsOf(section *goquery.Selection) string {
	return strings.Join(section.Find(".drop-ends .verdict, .drop-ends .drop-groups li").Map(func(_ int, s *goquery.Selection) string { return text(s) }), " | ")
}

// TestFunnel follows the pods of the shop by hand: three are in dev; of the other five two
// carry a team, and two have no labels at all.
func TestFunnel(t *testing.T) {
	s := shopServer(t)
	first := []string{
		"Objects of its resources | 8",
		"Resource rules | 8",
		"Namespace selector | 5 | 3 fall out | 3 pods: the namespace has env=dev; needs env In [prod]",
		"Object selector | 2 | 3 fall out | 2 pods: the object has no labels; needs team Exists | 1 pod: the object has no label team; needs team Exists | 2 of them have no labels at all: a selector that asks for a label never finds an object without any.",
	}
	for _, c := range []struct {
		query, lede, ends string
		drops             []string
	}{
		{
			"", "Of 8 objects of its resources it may reach 2.",
			"2 cannot be told | 2 pods: condition no-robots depends on who asks",
			append(first[:4:4], "Match conditions | 2"),
		}, {
			"?as=mira", "Of 8 objects of its resources it reaches 2.", "2 reached",
			append(first[:4:4], "Match conditions | 2"),
		}, {
			"?operation=UPDATE&as=robot", "Of 8 objects of its resources it reaches none.", "",
			append(first[:4:4], "Match conditions | 0 | 2 fall out | 2 pods: condition no-robots is false"),
		}, {
			"?operation=DELETE&as=mira", "Of 8 objects of its resources it reaches none.", "",
			[]string{"Objects of its resources | 8", "Resource rules | 0 | 8 fall out | 8 pods: the request has DELETE; needs CREATE, UPDATE", "Namespace selector | 0", "Object selector | 0", "Match conditions | 0"},
		},
	} {
		document := page(t, s.URL+guardPage+c.query)
		checkPage(t, document)
		section := document.Find(`[id="` + podsGuard + `"] .drops`)
		if got := text(section.Find(".drops-lede")); got != c.lede {
			t.Errorf("%s\ngot  %s\nwant %s", c.query, got, c.lede)
		}
		if got := strings.Join(dropsOf(section), "\n"); got != strings.Join(c.drops, "\n") {
			t.Errorf("%s\n%s\nwant\n%s", c.query, got, strings.Join(c.drops, "\n"))
		}
		if got := endsOf(section); got != c.ends {
			t.Errorf("%s: in the end %q, want %q", c.query, got, c.ends)
		}
	}
}

// TestFunnelOfErrors has a service without the label that a condition reads.
func TestFunnelOfErrors(t *testing.T) {
	document := page(t, shopServer(t).URL+guardPage)
	section := document.Find(`[id="services.guard.example.com"] .drops`)
	if got, want := text(section.Find(".drops-lede")), "Of 2 objects of its resources it reaches 1; 1 fails and is skipped."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := endsOf(section); !strings.HasPrefix(got, "1 reached | 1 fail and are skipped | 1 service: condition sized fails: ") {
		t.Errorf("the end reads %q", got)
	}
}

// TestFunnelOfBinding shows the layers of the policy and its binding in one funnel.
func TestFunnelOfBinding(t *testing.T) {
	document := page(t, shopServer(t).URL+"/policies/ValidatingAdmissionPolicy/limits")
	checkPage(t, document)
	want := "Objects of its resources | 8\nResource rules | 8\nBinding: namespace selector | 3 | 5 fall out | 5 pods: the namespace has env=prod; needs env In [dev]"
	if got := strings.Join(dropsOf(document.Find(`[id="limits-dev"] .drops`)), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFunnelSaysWhatItIsAbout(t *testing.T) {
	s := shopServer(t)
	for query, want := range map[string]string{
		"": "As if each of the 10 objects that exist were created now, whoever asks.",
		"?operation=UPDATE&as=mira&as-group=devs,ops": "As if each of the 10 objects that exist were updated without a change now, by mira, a member of devs and ops.",
		"?operation=DELETE&as-group=devs":             "As if each of the 10 objects that exist were deleted now, by a member of devs.",
	} {
		document := page(t, s.URL+guardPage+query)
		if got := text(document.Find(".drops-ask > p").First()); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", query, got, want)
		}
	}
	response, _ := send(t, newRequest(t, http.MethodGet, s.URL+guardPage+"?operation=CONNECT", ""))
	if response.StatusCode != http.StatusBadRequest {
		t.Errorf("CONNECT of an object that exists: %s", response.Status)
	}
}

// TestFunnelNamesWhatIsMissing marks as lower bounds only what the rules name.
func TestFunnelNamesWhatIsMissing(t *testing.T) {
	snapshot := shopSnapshot(t, shopObjects)
	snapshot.Population.Resources = []cluster.PopulationResource{
		{GroupVersionResource: podsResource, State: cluster.Reading, Objects: 8},
		{GroupVersionResource: servicesResource, State: cluster.LeftOut},
	}
	document := page(t, serve(t, cluster.Fixed(snapshot)).URL+guardPage)
	checkPage(t, document)
	pods, services := document.Find(`[id="`+podsGuard+`"] .drops`), document.Find(`[id="services.guard.example.com"] .drops`)
	if got, want := text(pods.Find(".note li")), "Pods are still being read, 8 so far."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if services.Find(".note").Length() != 0 || text(services.Find(".reads").First()) != "Left out on purpose: services." {
		t.Errorf("the services read %q", text(services))
	}
}

// TestFunnelBeforeAnythingIsRead does not say that there is nothing.
func TestFunnelBeforeAnythingIsRead(t *testing.T) {
	snapshot := shopSnapshot(t, nil)
	snapshot.Population.Resources[0] = cluster.PopulationResource{GroupVersionResource: podsResource, State: cluster.Missing, Why: "It cannot be read: forbidden."}
	snapshot.Population.Resources[1].Why = "Only the metadata are read."
	document := page(t, serve(t, cluster.Fixed(snapshot)).URL+guardPage)
	pods, services := document.Find(`[id="`+podsGuard+`"] .drops`), document.Find(`[id="services.guard.example.com"] .drops`)
	if got := text(pods.Find(".drops-lede")) + " " + text(pods.Find(".note li")); got != "No object of its resources has been read. Pods: it cannot be read: forbidden." {
		t.Errorf("the pods read %q", got)
	}
	if got := text(services.Find(".drops-lede")) + " " + text(services.Find(".reads")); got != "None of the objects that exist is of a resource that its rules name. Services: only the metadata are read." {
		t.Errorf("the services read %q", got)
	}
}

// TestFunnelWithoutPopulation keeps the page, and says why there are no numbers.
func TestFunnelWithoutPopulation(t *testing.T) {
	snapshot := shopSnapshot(t, nil)
	snapshot.Population = cluster.Population{}
	s := serve(t, cluster.Fixed(snapshot))
	document := page(t, s.URL+guardPage)
	checkPage(t, document)
	if document.Find(".drops").Length() != 0 || document.Find(".layer").Length() == 0 || !strings.Contains(document.Find("main").Text(), "Which objects exist has not been read here") {
		t.Error("the page does not say that nothing is known about objects")
	}
	for _, path := range []string{guardPage + "?format=csv", guardPage + "/" + podsGuard + "/objects", "/api/v1/coverage"} {
		if response, _ := send(t, newRequest(t, http.MethodGet, s.URL+path, "")); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, response.Status)
		}
	}
}

func TestFunnelExports(t *testing.T) {
	s := shopServer(t)
	response, body := send(t, newRequest(t, http.MethodGet, s.URL+guardPage+"?format=csv&as=mira", ""))
	if got := response.Header.Get("Content-Disposition"); got != `attachment; filename="ambit-guard-funnel.csv"` {
		t.Errorf("the file is %s", got)
	}
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(rows[3], ","), "ValidatingWebhookConfiguration,guard,pods.guard.example.com,namespaceSelector,5,3"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var document struct{ Policies []funnelTotal }
	r := newRequest(t, http.MethodGet, s.URL+guardPage+"?as=mira", "")
	r.Header.Set("Accept", "application/json")
	_, body = send(t, r)
	if err := json.Unmarshal([]byte(body), &document); err != nil {
		t.Fatal(err)
	}
	if p := document.Policies[0]; p.Entry != podsGuard || p.Applicable != 8 || p.Included != 2 || p.Funnel[2].Fallen != 3 {
		t.Errorf("the JSON says %+v", p)
	}
}

// TestAPICoverage has the document of the contract.
func TestAPICoverage(t *testing.T) {
	_, body := send(t, newRequest(t, http.MethodGet, shopServer(t).URL+"/api/v1/coverage?as=mira", ""))
	var document coverage.Document
	if err := json.Unmarshal([]byte(body), &document); err != nil {
		t.Fatal(err)
	}
	if document.Objects != 10 || document.Operation != "CREATE" {
		t.Errorf("%d objects, %s", document.Objects, document.Operation)
	}
	for _, p := range document.Policies {
		if p.Entry == "limits-dev" && (p.Applicable != 8 || p.Included != 3 || p.Funnel[len(p.Funnel)-1].Remaining != 3 || p.Kind != "ValidatingAdmissionPolicy") {
			t.Errorf("the binding reaches %+v", p)
		}
		if p.Entry == podsGuard && p.Funnel[2] != (coverage.FunnelDocument{Layer: scope.NamespaceSelector, Remaining: 5}) {
			t.Errorf("the webhook's funnel is %+v", p.Funnel)
		}
	}
}
