package serve

import (
	"context"
	"net"
	"net/http"
	"slices"
	"sync"
)

// maxConnections bounds what can be open at once.
const maxConnections = 128

// connections are those that are open, the oldest first. A new one beyond the bound
// takes the place of the oldest that has not shown the token, or is closed: whoever does
// not have the token cannot keep out who has.
type connections struct {
	mu   sync.Mutex
	open []*connection
}

// A connection is admitted once a request on it has shown the token.
type connection struct {
	net.Conn
	admitted bool
}

type connectionKey struct{}

// add counts a connection that was just accepted. The context is that of its requests.
func (c *connections) add(ctx context.Context, conn net.Conn) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	added := &connection{Conn: conn}
	c.open = append(c.open, added)
	if len(c.open) > maxConnections {
		i := slices.IndexFunc(c.open, func(one *connection) bool { return !one.admitted })
		_ = c.open[i].Close()
		c.open = slices.Delete(c.open, i, i+1)
	}
	return context.WithValue(ctx, connectionKey{}, added)
}

// note forgets a connection that was closed.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	if state != http.StateClosed && state != http.StateHijacked {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = slices.DeleteFunc(c.open, func(one *connection) bool { return one.Conn == conn })
}

// admit marks the connection of a request that has shown the token.
func (c *connections) admit(r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one, ok := r.Context().Value(connectionKey{}).(*connection); ok {
		one.admitted = true
	}
}
