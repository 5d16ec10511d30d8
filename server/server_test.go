package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/cluster/sample"
	"github.com/ambit-k8s/ambit/views"
)

// sampleSource is the built-in sample, compiled once for all tests.
var sampleSource = sync.OnceValues(sample.Source)

func sampleServer(t testing.TB) *httptest.Server {
	t.Helper()
	source, err := sampleSource()
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, source)
}

func serve(t testing.TB, source cluster.Source) *httptest.Server {
	t.Helper()
	all, err := sample.Examples()
	if err != nil {
		t.Fatal(err)
	}
	var examples []views.Example
	for _, e := range all {
		examples = append(examples, views.Example{ID: e.Name, Title: e.Title, Text: e.Text})
	}
	s := httptest.NewServer(New(Config{Source: source, Examples: examples, Version: "v0.0.0-test"}))
	t.Cleanup(s.Close)
	return s
}

// send sends a request and returns the answer with its whole body.
func send(t testing.TB, r *http.Request) (*http.Response, string) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

func newRequest(t testing.TB, method, url, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// page reads a page that must be there.
func page(t testing.TB, url string) *goquery.Document {
	t.Helper()
	response, body := send(t, newRequest(t, http.MethodGet, url, ""))
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", url, response.Status)
	}
	return parse(t, body)
}

func parse(t testing.TB, html string) *goquery.Document {
	t.Helper()
	document, err := goquery.NewDocumentFromReader(strings.NewReader(html))
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// text is what a selection says, with white space as a browser shows it.
func text(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }

// checkPage holds every page to what all of them promise: one heading, unique IDs, no
// inline script or style, a name for every field, and links that lead somewhere.
func checkPage(t *testing.T, document *goquery.Document) {
	t.Helper()
	if n := document.Find("h1").Length(); n != 1 {
		t.Errorf("%d headings of the first rank, want one", n)
	}
	if n := document.Find("script:not([src]), style, [style], [onclick], [onload]").Length(); n > 0 {
		t.Errorf("%d inline scripts or styles", n)
	}
	if title := document.Find("title").Text(); !strings.HasSuffix(title, " · Ambit") {
		t.Errorf("the title is %q", title)
	}
	ids := map[string]bool{}
	document.Find("[id]").Each(func(_ int, s *goquery.Selection) {
		id, _ := s.Attr("id")
		if ids[id] {
			t.Errorf("the ID %s is there twice", id)
		}
		ids[id] = true
	})
	document.Find("input:not([type=hidden]), select, textarea").Each(func(_ int, s *goquery.Selection) {
		if s.AttrOr("aria-label", "") == "" && s.Closest("label").Length() == 0 {
			t.Errorf("the field %s has no label", s.AttrOr("name", ""))
		}
	})
	const pressed = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]"
	document.Find("summary, button, a[href]").Find(pressed).Each(func(_ int, s *goquery.Selection) {
		t.Errorf("%s %q stands within something else that can be pressed", goquery.NodeName(s), text(s))
	})
	document.Find("a[href^='#']").Each(func(_ int, s *goquery.Selection) {
		if id := strings.TrimPrefix(s.AttrOr("href", ""), "#"); !ids[id] {
			t.Errorf("a link to %s, which is not on the page", id)
		}
	})
}
