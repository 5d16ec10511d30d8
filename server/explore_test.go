package server

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func textLogger(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

const podThatOptsOut = `apiVersion: v1
kind: Pod
metadata:
  name: price-import
  namespace: shop-prod
  labels:
    image-verify.fennel.example.com/skip: "true"
spec:
  containers:
    - name: import
      image: registry.fennel.example.com/sandbox/price-import:0.0.1
`

// post sends the form of the explore page as a browser without scripts does: with every
// field that is on the page.
func post(t *testing.T, address string, document *goquery.Document, set map[string]string) (*http.Response, *goquery.Document) {
	t.Helper()
	form := url.Values{}
	document.Find("form.left [name]").Each(func(_ int, s *goquery.Selection) {
		kind := s.AttrOr("type", "")
		_, checked := s.Attr("checked")
		switch {
		case goquery.NodeName(s) == "button", (kind == "checkbox" || kind == "radio") && !checked:
		case goquery.NodeName(s) == "textarea":
			form.Set(s.AttrOr("name", ""), s.Text())
		case goquery.NodeName(s) == "select":
			form.Set(s.AttrOr("name", ""), s.Find("option[selected]").AttrOr("value", ""))
		default:
			form.Set(s.AttrOr("name", ""), s.AttrOr("value", ""))
		}
	})
	for name, value := range set {
		form.Set(name, value)
	}
	r := newRequest(t, http.MethodPost, address, form.Encode())
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, body := send(t, r)
	return response, parse(t, body)
}

func row(document *goquery.Document, id string) *goquery.Selection {
	return document.Find(`[id="row-` + id + `"]`)
}

func TestExploreWithoutScript(t *testing.T) {
	s := sampleServer(t)
	const verifier = "ValidatingWebhookConfiguration/image-verifier/pods.image-verifier.fennel.example.com"
	response, first := post(t, s.URL+"/explore", page(t, s.URL+"/explore"), map[string]string{
		"text": podThatOptsOut, "user": "", "groups": "", "name": "", "namespace": "", "operation": "", "subresource": "",
	})
	if response.StatusCode != http.StatusOK {
		t.Fatal(response.Status)
	}
	checkPage(t, first)
	if got := text(row(first, verifier).Find(".verdict")); got != "excluded" {
		t.Errorf("the pod that opts out is %s", got)
	}
	if got := text(row(first, verifier).Find(".why")); !strings.Contains(got, "image-verify.fennel.example.com/skip=true (line 7)") {
		t.Errorf("the reason is %q", got)
	}
	decides := row(first, verifier).Find(".decides")
	if got := decides.AttrOr("data-line", ""); got != "7" {
		t.Errorf("the deciding line is %q", got)
	}
	if got := first.Find("#ask-namespace").AttrOr("value", ""); got != "shop-prod" {
		t.Errorf("the namespace is shown as %q", got)
	}

	// The form comes back with all its guesses; only the text and one field change.
	_, second := post(t, s.URL+"/explore", first, map[string]string{
		"text": strings.Replace(strings.Replace(podThatOptsOut, `/skip: "true"`, `/other: "true"`, 1), "shop-prod", "shop-staging", 1), "user": "mira",
	})
	if got := second.Find("#ask-namespace").AttrOr("value", ""); got != "shop-staging" {
		t.Errorf("a guess that the form sent back was taken for what somebody said: %q", got)
	}
	if got := second.Find("#ask-user"); got.AttrOr("value", "") != "mira" || got.AttrOr("data-guessed", "") != "false" {
		t.Errorf("what was said is shown as %q", got.AttrOr("value", ""))
	}
	if got := text(row(second, verifier).Find(".why")); !strings.Contains(got, "Namespace shop-staging has env=staging") {
		t.Errorf("the reason is %q", got)
	}
}

func TestExploreNamesTheLabelThatKeepsPoliciesOut(t *testing.T) {
	s := sampleServer(t)
	_, document := post(t, s.URL+"/explore", page(t, s.URL+"/explore"), map[string]string{"text": podThatOptsOut, "name": "", "namespace": "", "user": "mira", "groups": ""})
	if got := text(document.Find("#result .lede")); !strings.Contains(got, "1 more would, without the label image-verify.fennel.example.com/skip.") {
		t.Errorf("the lede says %q", got)
	}
}

func TestExploreLeadsFromWhatIsMissingToItsField(t *testing.T) {
	s := sampleServer(t)
	_, document := post(t, s.URL+"/explore", page(t, s.URL+"/explore"), map[string]string{"text": podThatOptsOut, "user": "", "groups": "", "name": "", "namespace": ""})
	link := row(document, "ValidatingAdmissionPolicy/baseline-containers/baseline-containers-prod").Find(".sayable a")
	if link.AttrOr("href", "") != "#ask-user" || text(link) != "who asks" {
		t.Errorf("%q leads to %q", text(link), link.AttrOr("href", ""))
	}
}

func TestExplorePointsAtOnePolicy(t *testing.T) {
	s := sampleServer(t)
	document := page(t, s.URL+"/explore?policy=ValidatingWebhookConfiguration/image-verifier")
	if n := document.Find(".row.focused[open]").Length(); n != 2 {
		t.Errorf("%d rows are open, want both webhooks", n)
	}
	if got := document.Find("form [name=policy]").AttrOr("value", ""); got != "ValidatingWebhookConfiguration/image-verifier" {
		t.Errorf("the form forgets the policy: %q", got)
	}
}

func TestExploreTellsWhatCannotBeRead(t *testing.T) {
	s := sampleServer(t)
	for name, pasted := range map[string]string{
		"broken": "kind: [\n", "tabs": "kind: Pod\n\tx: y\n", "unknown": "apiVersion: x.example.com/v1\nkind: Nothing\n", "empty document": "---\n# nothing\n",
	} {
		response, document := post(t, s.URL+"/explore", page(t, s.URL+"/explore"), map[string]string{"text": pasted})
		if response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", name, response.Status)
		}
		checkPage(t, document)
		if document.Find(".problems .err").Length() == 0 {
			t.Errorf("%s: no problem is named", name)
		}
		if got := document.Find("textarea[name=text]").Text(); strings.TrimSpace(got) != strings.TrimSpace(pasted) {
			t.Errorf("%s: the text came back as %q", name, got)
		}
	}
}

func TestExploreOffersTheDocuments(t *testing.T) {
	s := sampleServer(t)
	two := podThatOptsOut + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: second, namespace: shop-prod}\n"
	_, document := post(t, s.URL+"/explore", page(t, s.URL+"/explore"), map[string]string{"text": two, "document": "2", "name": "", "namespace": ""})
	choices := document.Find("[name=document]")
	if choices.Length() != 2 {
		t.Fatalf("%d documents to choose from", choices.Length())
	}
	if _, chosen := choices.Last().Attr("checked"); !chosen {
		t.Error("the second document was chosen and is not")
	}
	if got := text(document.Find("#ask .resource")); got != "configmaps" {
		t.Errorf("the request is about %s", got)
	}
}

// Of many documents the page asks for the number and does not list them all.
func TestExploreTakesTheNumberOfADocument(t *testing.T) {
	s := sampleServer(t)
	var many strings.Builder
	for i := range 500 {
		fmt.Fprintf(&many, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: number-%d, namespace: shop-prod}\n---\n", i+1)
	}
	_, document := post(t, s.URL+"/explore", page(t, s.URL+"/explore"), map[string]string{"text": many.String(), "document": "321", "name": "", "namespace": ""})
	field := document.Find("#ask [name=document]")
	if field.Length() != 1 || field.AttrOr("value", "") != "321" || field.AttrOr("max", "") != "500" {
		t.Errorf("the field is %s", htmlOf(t, field))
	}
	if got := document.Find("#ask [name=name]").AttrOr("value", ""); got != "number-321" {
		t.Errorf("the request is about %q", got)
	}
}

func htmlOf(t *testing.T, s *goquery.Selection) string {
	t.Helper()
	html, err := goquery.OuterHtml(s)
	if err != nil {
		t.Fatal(err)
	}
	return html
}

func TestAPIExplain(t *testing.T) {
	s := sampleServer(t)
	wrapped, err := json.Marshal(map[string]any{"text": podThatOptsOut, "ask": map[string]any{"operation": "DELETE"}})
	if err != nil {
		t.Fatal(err)
	}
	for body, operation := range map[string]string{podThatOptsOut: "CREATE", string(wrapped): "DELETE"} {
		response, answer := send(t, newRequest(t, http.MethodPost, s.URL+"/api/v1/explain", body))
		if response.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", response.Status, answer)
		}
		var document struct {
			Request  struct{ Operation string }
			Policies []struct{ Kind, Name, Outcome string }
		}
		if err := json.Unmarshal([]byte(answer), &document); err != nil {
			t.Fatal(err)
		}
		if document.Request.Operation != operation || len(document.Policies) < 30 {
			t.Errorf("got %s of %d policies, want %s", document.Request.Operation, len(document.Policies), operation)
		}
	}
	response, answer := send(t, newRequest(t, http.MethodPost, s.URL+"/api/v1/explain", "kind: ["))
	if response.StatusCode != http.StatusBadRequest || !strings.Contains(answer, `"line": 1`) {
		t.Errorf("%s: %s", response.Status, answer)
	}
	response, answer = send(t, newRequest(t, http.MethodPost, s.URL+"/api/v1/explain", strings.Repeat("#", maxMessage+1)))
	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("%s: %s", response.Status, answer)
	}
}

func TestAPIPolicies(t *testing.T) {
	s := sampleServer(t)
	_, answer := send(t, newRequest(t, http.MethodGet, s.URL+"/api/v1/policies", ""))
	var document struct {
		Policies []struct {
			Sentence string
			Layers   []string
		}
	}
	if err := json.Unmarshal([]byte(answer), &document); err != nil {
		t.Fatal(err)
	}
	for _, p := range document.Policies {
		if !strings.HasSuffix(p.Sentence, ".") || len(p.Layers) == 0 {
			t.Errorf("%+v", p)
		}
	}
}
