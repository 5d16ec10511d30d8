package server

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/ambit-k8s/ambit/cluster"
)

const podsGuardObjects = guardPage + "/" + podsGuard + "/objects"

func namesOf(document *goquery.Document) string {
	return strings.Join(document.Find(".fallen-objects tbody td:first-child").Map(func(_ int, s *goquery.Selection) string { return text(s) }), " ")
}

func TestFallenListsWhatALayerLeftOut(t *testing.T) {
	s := shopServer(t)
	for _, c := range []struct{ query, names, lede, observed string }{
		{"?layer=namespaceSelector", "dev-1 dev-2 dev-3", "3 objects fall out at the namespace selector.", "the namespace has env=dev"},
		{"?layer=objectSelector", "bare-1 bare-2 stray", "3 objects fall out at the object selector.", "the object has no labels"},
		{"?outcome=included&as=mira", "api web", "2 objects are reached.", ""},
		{"?outcome=unknown", "api web", "Of 2 objects it cannot be told whether pods.guard.example.com reaches them.", "condition no-robots depends on who asks"},
		{"?outcome=excluded&as=mira", "dev-1 dev-2 dev-3 bare-1 bare-2 stray", "6 objects fall out.", "the namespace has env=dev"},
	} {
		document := page(t, s.URL+podsGuardObjects+c.query)
		checkPage(t, document)
		if got := namesOf(document); got != c.names {
			t.Errorf("%s: %s, want %s", c.query, got, c.names)
		}
		if got := text(document.Find(".lede")); got != c.lede {
			t.Errorf("%s\ngot  %s\nwant %s", c.query, got, c.lede)
		}
		if got := text(document.Find(".fallen-objects tbody tr").First().Find("td").Slice(3, goquery.ToEnd)); got != c.observed {
			t.Errorf("%s: observed %q, want %q", c.query, got, c.observed)
		}
	}
}

// TestFallenWithoutChoice lists all objects of the rules' resources with what became of
// each.
func TestFallenWithoutChoice(t *testing.T) {
	document := page(t, shopServer(t).URL+podsGuardObjects+"?as=mira")
	checkPage(t, document)
	outcomes := document.Find(".fallen-objects .verdict").Map(func(_ int, s *goquery.Selection) string { return text(s) })
	if got := strings.Join(outcomes, ", "); got != "excluded, excluded, excluded, reached, excluded, excluded, excluded, reached" {
		t.Errorf("%s: %s", namesOf(document), got)
	}
}

// TestFallenGroupIsALinkAway goes from the funnel to the objects of one reason and back.
func TestFallenGroupIsALinkAway(t *testing.T) {
	s := shopServer(t)
	funnel := page(t, s.URL+guardPage+"?as=mira")
	link := funnel.Find(`.drop-groups a`).FilterFunction(func(_ int, a *goquery.Selection) bool { return text(a) == "2 pods" }).AttrOr("href", "")
	document := page(t, s.URL+link)
	checkPage(t, document)
	if got := namesOf(document); got != "bare-1 bare-2" {
		t.Errorf("the group has %s", got)
	}
	cells := document.Find(".fallen-reasons .chosen td").Map(func(_ int, s *goquery.Selection) string { return text(s) })
	if got := strings.Join(cells, " | "); got != "2 pods | the object has no labels | team Exists | webhooks[0].objectSelector.matchExpressions[0]" {
		t.Errorf("the reason is %q", got)
	}
	if got := document.Find(".fallen-objects a").First().AttrOr("href", ""); got != "/coverage/objects/pods/shop/bare-1?as=mira" {
		t.Errorf("the object's page is %q", got)
	}
	if got := document.Find(".meta a").AttrOr("href", ""); got != guardPage+"?as=mira#"+podsGuard {
		t.Errorf("back is %q", got)
	}
}

func TestFallenIsPaged(t *testing.T) {
	s := serve(t, cluster.Fixed(shopSnapshot(t, manyPods(250))))
	first := page(t, s.URL+podsGuardObjects+"?layer=namespaceSelector")
	if got := text(first.Find(".list-head span")); got != "1 to 100 of 250" {
		t.Errorf("the first page says %q", got)
	}
	last := page(t, s.URL+podsGuardObjects+"?layer=namespaceSelector&page=3")
	if got := strings.Fields(namesOf(last)); len(got) != 50 || got[0] != "pod-0200" || got[49] != "pod-0249" {
		t.Errorf("the last page has %v", got)
	}
	if first.Find("[rel=prev]").Length() != 0 || last.Find("[rel=next]").Length() != 0 {
		t.Error("a link leads past an end")
	}
	second := page(t, s.URL+first.Find("[rel=next]").AttrOr("href", ""))
	if got := strings.Fields(namesOf(second)); len(got) != 100 || got[0] != "pod-0100" {
		t.Errorf("the second page begins with %v", got[:min(len(got), 1)])
	}
	past := page(t, s.URL+podsGuardObjects+"?layer=namespaceSelector&page=9")
	if text(past.Find(".empty")) == "" {
		t.Error("a page past the end is not empty")
	}
}

// TestFallenExports has all objects with what decided, not a page of them.
func TestFallenExports(t *testing.T) {
	s := serve(t, cluster.Fixed(shopSnapshot(t, manyPods(250))))
	_, body := send(t, newRequest(t, http.MethodGet, s.URL+podsGuardObjects+"?layer=namespaceSelector&format=csv", ""))
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := ",v1,pods,dev,pod-0249,excluded,namespaceSelector,webhooks[0].namespaceSelector.matchLabels[\"env\"],env In [prod],env=dev,"
	if got := strings.Join(rows[len(rows)-1], ","); len(rows) != 251 || got != want {
		t.Errorf("%d rows, the last is\n%s\nwant\n%s", len(rows), got, want)
	}
	_, body = send(t, newRequest(t, http.MethodGet, s.URL+podsGuardObjects+"?layer=namespaceSelector&format=json", ""))
	var objects []struct{ Name, Layer, Got string }
	if err := json.Unmarshal([]byte(body), &objects); err != nil || len(objects) != 250 {
		t.Fatalf("%v, %d objects", err, len(objects))
	}
	if o := objects[0]; o.Name != "pod-0000" || o.Layer != "namespaceSelector" || o.Got != "env=dev" {
		t.Errorf("the first is %+v", o)
	}
}

func TestFallenSaysWhatIsWrong(t *testing.T) {
	s := shopServer(t)
	for path, status := range map[string]int{
		guardPage + "/none/objects":              http.StatusNotFound,
		podsGuardObjects + "?layer=binding":      http.StatusNotFound,
		podsGuardObjects + "?outcome=somehow":    http.StatusBadRequest,
		podsGuardObjects + "?operation=PATCH":    http.StatusBadRequest,
		"/policies/Nothing/at-all/entry/objects": http.StatusNotFound,
	} {
		response, body := send(t, newRequest(t, http.MethodGet, s.URL+path, ""))
		if response.StatusCode != status || !strings.HasSuffix(text(parse(t, body).Find(".lede")), ".") {
			t.Errorf("%s: %s", path, response.Status)
		}
	}
}

// TestPlainCell keeps spreadsheets from calculating what a manifest says.
func TestPlainCell(t *testing.T) {
	for in, want := range map[string]string{"": "", "web": "web", "=1+1": "'=1+1", "-x": "'-x", "@sum": "'@sum", "a=b": "a=b"} {
		if got := plainCell(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
