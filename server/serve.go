package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"
)

// DefaultAddress is where the explorer listens unless told otherwise: only people on this
// machine reach it.
const DefaultAddress = "127.0.0.1:8080"

// grace is how long requests may take to end once the server stops.
const grace = 5 * time.Second

// stoppingKey is where a request's context holds the context that ends when the server
// begins to stop.
type stoppingKey struct{}

// Serve serves a handler on a listener until the context ends, and then lets running
// requests end. Open sessions are told that the server goes away, and come back.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	base := context.WithValue(context.WithoutCancel(ctx), stoppingKey{}, ctx)
	srv := &http.Server{
		Handler:           handler,
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := srv.Shutdown(end); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("stop the server: %w", err)
	}
	return nil
}

// untilStop ends with the server as well as with its parent. A session needs it, because
// it lives on a connection that the HTTP server has handed over and does not know any more.
func untilStop(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	if stopping, ok := parent.Value(stoppingKey{}).(context.Context); ok {
		stop := context.AfterFunc(stopping, cancel)
		return ctx, func() { stop(); cancel() }
	}
	return ctx, cancel
}

// Listen opens an address for Serve, and says in a sentence what to do if it is taken.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is taken; is another Ambit running there? Choose another address (%w)", address, err)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", address, err)
	}
	return listener, nil
}
