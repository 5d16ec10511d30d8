package live

import (
	"io"
	"net"
	"sync"
	"testing"
)

// proxy stands between Ambit and the API server, so that the way can be cut without ending the server.
type proxy struct {
	address string
	to      string

	mu       sync.Mutex
	listener net.Listener
	open     map[net.Conn]bool
}

// newProxy listens on a free port and passes connections on.
func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	p := &proxy{to: to, address: "127.0.0.1:0", open: map[net.Conn]bool{}}
	p.restore(t)
	t.Cleanup(p.cut)
	return p
}

// restore listens again, always on the same port.
func (p *proxy) restore(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp", p.address)
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listener, p.address = listener, listener.Addr().String()
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			go p.pass(from)
		}
	}()
}

// pass copies both ways until either side ends.
func (p *proxy) pass(from net.Conn) {
	to, err := net.Dial("tcp", p.to)
	if err != nil {
		from.Close()
		return
	}
	p.mu.Lock()
	p.open[from], p.open[to] = true, true
	p.mu.Unlock()
	var both sync.WaitGroup
	end := func(a, b net.Conn) {
		_, _ = io.Copy(a, b)
		a.Close()
		b.Close()
	}
	both.Go(func() { end(from, to) })
	both.Go(func() { end(to, from) })
	both.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, from)
	delete(p.open, to)
}

// cut ends all connections and refuses new ones.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listener.Close()
	for c := range p.open {
		c.Close()
	}
}
