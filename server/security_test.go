package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
)

func TestPolicyOfThePages(t *testing.T) {
	s := sampleServer(t)
	nonces := map[string]bool{}
	for _, path := range []string{"/", "/about", "/nowhere", "/healthz"} {
		response, body := send(t, newRequest(t, http.MethodGet, s.URL+path, ""))
		csp := response.Header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'", "connect-src 'self'"} {
			if !strings.Contains(csp, want) {
				t.Errorf("%s: no %s in %s", path, want, csp)
			}
		}
		if strings.Contains(csp, "unsafe") {
			t.Errorf("%s: %s", path, csp)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin"} {
			if got := response.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		_, rest, _ := strings.Cut(csp, "'nonce-")
		nonce, _, _ := strings.Cut(rest, "'")
		if len(nonce) < 20 || nonces[nonce] {
			t.Errorf("%s: the nonce %q is short or used before", path, nonce)
		}
		nonces[nonce] = true
		if path != "/healthz" && parse(t, body).Find("meta[name=csp-nonce]").AttrOr("content", "") != nonce {
			t.Errorf("%s: the page does not know its nonce", path)
		}
	}
}

func TestHost(t *testing.T) {
	h := New(Config{Source: cluster.Fixed(&cluster.Snapshot{Facts: &scope.Facts{}, Policies: scope.NewSet(nil)}), AllowedHosts: []string{"ambit.example.com"}})
	for host, want := range map[string]int{
		"127.0.0.1:8080": 200, "127.9.9.9": 200, "localhost": 200, "ambit.localhost:80": 200, "[::1]:8080": 200, "[::1]": 200,
		"AMBIT.example.com": 200, "ambit.example.com.:443": 200,
		"evil.example.com": 421, "127.0.0.1.evil.example.com": 421, "10.0.0.1:8080": 421, "": 421, "localhost.evil.com": 421, "notlocalhost": 421,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("host %q: %d, want %d", host, w.Code, want)
		}
	}
}

func TestOrigin(t *testing.T) {
	s := sampleServer(t)
	own := s.URL
	for _, c := range []struct {
		method, path string
		header       map[string]string
		want         int
	}{
		{"POST", "/api/v1/explain", nil, 400},
		{"POST", "/api/v1/explain", map[string]string{"Origin": own}, 400},
		{"POST", "/api/v1/explain", map[string]string{"Origin": "http://evil.example.com"}, 403},
		{"POST", "/explore", map[string]string{"Origin": "null"}, 403},
		{"POST", "/explore", map[string]string{"Origin": own, "Sec-Fetch-Site": "cross-site"}, 403},
		{"GET", "/explore/socket", map[string]string{"Origin": "http://evil.example.com", "Upgrade": "websocket", "Connection": "Upgrade"}, 403},
		{"GET", "/about", map[string]string{"Origin": "http://evil.example.com"}, 200},
	} {
		r := newRequest(t, c.method, s.URL+c.path, "")
		for name, value := range c.header {
			r.Header.Set(name, value)
		}
		if response, _ := send(t, r); response.StatusCode != c.want {
			t.Errorf("%s %s %v: %s, want %d", c.method, c.path, c.header, response.Status, c.want)
		}
	}
}

func TestStaticFilesAreKept(t *testing.T) {
	s := sampleServer(t)
	href := page(t, s.URL+"/").Find("link[rel=stylesheet]").AttrOr("href", "")
	response, body := send(t, newRequest(t, http.MethodGet, s.URL+href, ""))
	if response.StatusCode != http.StatusOK || !strings.Contains(response.Header.Get("Cache-Control"), "immutable") || body == "" {
		t.Errorf("%s: %s, %s", href, response.Status, response.Header.Get("Cache-Control"))
	}
}

func TestPagesAreCompressed(t *testing.T) {
	s := sampleServer(t)
	r := newRequest(t, http.MethodGet, s.URL+"/policies", "")
	r.Header.Set("Accept-Encoding", "gzip")
	response, _ := send(t, r)
	if got := response.Header.Get("Content-Encoding"); got != "gzip" {
		t.Errorf("the encoding is %q", got)
	}
}

func TestNothingPastedIsLogged(t *testing.T) {
	var log strings.Builder
	source, err := sampleSource()
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(New(Config{Source: source, Logger: textLogger(&log)}))
	defer s.Close()
	send(t, newRequest(t, http.MethodPost, s.URL+"/api/v1/explain", "kind: Secret-of-mine\n\tx"))
	send(t, newRequest(t, http.MethodPost, s.URL+"/api/v1/explain", strings.Repeat("x", maxMessage+1)))
	if log.Len() > 0 {
		t.Errorf("the log says %s", log.String())
	}
}
