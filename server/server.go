// Package server is the web explorer: pages, the live session behind the explore page,
// and the HTTP API. It reads snapshots from a source and changes nothing.
package server

import (
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/views"
)

// Config is what a server needs to know.
type Config struct {
	// Source gives the snapshots that every page and every answer stands on.
	Source cluster.Source
	// Examples are offered on the explore page; the first one is shown to begin with.
	Examples []views.Example
	// Version is Ambit's own.
	Version string
	// Logger gets errors of the server, and never anything that somebody pasted. Nil
	// discards them.
	Logger *slog.Logger
	// AllowedHosts are names by which the server may be addressed besides the names of the
	// loopback interface. A browser that was talked into taking another name for this
	// server is turned away.
	AllowedHosts []string
}

// server holds what the handlers share.
type server struct {
	Config
	// catalog describes the policies of the newest snapshot that somebody looked at.
	catalog   atomic.Pointer[described]
	describes sync.Mutex
	// turns bounds how many evaluations run at a time, so that many open pages share the
	// processors instead of all being slow.
	turns      chan struct{}
	evaluators recent[*coverage.Evaluator]
	numbers    numbers
	grouped    atomic.Pointer[grouped]
	finder     finder
}

// New returns the handler of the whole explorer.
func New(c Config) http.Handler { return newServer(c).routes() }

func newServer(c Config) *server {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &server{Config: c, turns: make(chan struct{}, parallelEvaluations())}
}
