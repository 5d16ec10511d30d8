package static

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func get(t *testing.T, address, encoding string) *http.Response {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, address, nil)
	request.Header.Set("Accept-Encoding", encoding)
	recorder := httptest.NewRecorder()
	Handler().ServeHTTP(recorder, request)
	return recorder.Result()
}

func TestEveryEntryIsBuiltAndServed(t *testing.T) {
	types := map[string]string{
		"explore.js":  "text/javascript; charset=utf-8",
		"policies.js": "text/javascript; charset=utf-8",
		"page.js":     "text/javascript; charset=utf-8",
		"ambit.css":   "text/css; charset=utf-8",
		"icon.svg":    "image/svg+xml",
	}
	for name, want := range types {
		response := get(t, Path(name), "")
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", name, response.StatusCode)
		}
		if got := response.Header.Get("Content-Type"); got != want {
			t.Errorf("%s: content type %q, want %q", name, got, want)
		}
		if got := response.Header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
			t.Errorf("%s: cache control %q lets a browser ask again", name, got)
		}
		if body, err := io.ReadAll(response.Body); err != nil || len(body) == 0 {
			t.Errorf("%s: %d bytes, %v", name, len(body), err)
		}
	}
}

func TestCompressedBodyIsThePlainOne(t *testing.T) {
	plain, err := io.ReadAll(get(t, Path("ambit.css"), "").Body)
	if err != nil {
		t.Fatal(err)
	}
	response := get(t, Path("ambit.css"), "br, gzip")
	if got := response.Header.Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("content encoding %q, want gzip", got)
	}
	reader, err := gzip.NewReader(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	if string(unzipped) != string(plain) {
		t.Error("the compressed style sheet differs from the plain one")
	}
}

func TestUnknownNames(t *testing.T) {
	for _, address := range []string{"/static/", "/static/manifest.json", "/static/../static.go", "/static/explore.js"} {
		if got := get(t, address, "").StatusCode; got != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", address, got)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("Path of a file that is not built does not panic")
		}
	}()
	Path("nothing.js")
}
