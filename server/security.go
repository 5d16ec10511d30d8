package server

import (
	"context"
	"crypto/rand"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
)

// checkHost turns requests away that address the server by a name that is not its own.
// A page on the internet can make its own name point to 127.0.0.1 and would then be
// allowed by the browser to read what Ambit says about a cluster.
func (s *server) checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.ownHost(r.Host) {
			s.fail(w, r, &Error{Status: http.StatusMisdirectedRequest, Message: "Ambit is not known under this name. Start it with the name among its allowed hosts, or use 127.0.0.1."})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ownHost reports whether a host, with or without a port, is this server.
func (s *server) ownHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if ip := net.ParseIP(name); ip != nil && ip.IsLoopback() {
		return true
	}
	return slices.ContainsFunc(s.AllowedHosts, func(allowed string) bool {
		return strings.EqualFold(name, allowed)
	})
}

// checkOrigin turns away what another site makes a browser send. Requests that only read
// are safe without it, except for the handshake of a websocket, which no browser
// protects.
func (s *server) checkOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
		if (!reads || r.Header.Get("Upgrade") != "") && !sameOrigin(r) {
			s.fail(w, r, &Error{Status: http.StatusForbidden, Message: "This request comes from another site."})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// sameOrigin reports whether a request comes from a page of this server, or from no page
// at all, as from curl.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

type nonceKey struct{}

// secureHeaders allows a page nothing but its own files. The editor makes its styles at
// run time, which the nonce allows; there are no inline scripts.
func secureHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		nonce := rand.Text()
		h := w.Header()
		h.Set("Content-Security-Policy", strings.Join([]string{
			"default-src 'none'", "script-src 'self'", "style-src 'self' 'nonce-" + nonce + "'", "img-src 'self' data:",
			"connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
		}, "; "))
		h.Set("X-Content-Type-Options", "nosniff")
		// Not no-referrer: with it a browser would hide the origin of the explore form too.
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), nonceKey{}, nonce)))
	})
}

// nonce returns the nonce of a request's answer.
func nonce(r *http.Request) string {
	n, _ := r.Context().Value(nonceKey{}).(string)
	return n
}

// recoverer turns a panic into an error page. The stack is logged, the request is not.
func (s *server) recoverer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler {
				panic(p)
			}
			s.Logger.Error("panic", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
			s.fail(w, r, &Error{Status: http.StatusInternalServerError, Message: "Something in Ambit went wrong. The log says what."})
		}()
		next.ServeHTTP(w, r)
	})
}
