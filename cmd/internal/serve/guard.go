package serve

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/OWNER/handex/cmd/internal/pages"
)

// Limits of a request, in bytes.
const (
	maxHeader = 16 << 10
	maxBody   = 64 << 10
)

// policy is the content security policy of all pages: they may use the style sheet and
// program of this server and send requests to it. Nothing in a handoff can add to that.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// A guard passes on the requests of those who have the token, and refuses all others.
type guard struct {
	address *Address
	token   string // of the whole run
	csrf    string // of the forms of its pages
	origin  *http.CrossOriginProtection
	next    http.Handler
	tickets sync.Map // that were not used yet

	connections connections
}

// ServeHTTP passes on a request, or refuses it. The checks are in the order of which
// refusal gives least away.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	switch {
	case !g.address.isCalled(r.Host):
		refuse(w, r, http.StatusMisdirectedRequest, "bad-host", "unknown host name; use the address that handex printed")
	case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost:
		w.Header().Set("Allow", "GET, HEAD, POST")
		refuse(w, r, http.StatusMethodNotAllowed, "bad-method", "the method "+r.Method+" is not allowed")
	case g.foreign(r):
		refuse(w, r, http.StatusForbidden, "foreign-origin", "requests from other sites are refused")
	case r.URL.Query().Has("token"):
		g.enter(w, r)
	case strings.HasPrefix(r.URL.Path, "/static/"):
		g.next.ServeHTTP(w, r) // what a refusal is shown with; nothing in it is anybody's
	case !g.knows(r):
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, r, http.StatusUnauthorized, "no-token",
			"open the address that handex serve printed; programs send its token as: Authorization: Bearer TOKEN")
	default:
		g.connections.admit(r)
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		g.next.ServeHTTP(w, r)
	}
}

// refuse writes an error as the response to a request that is not passed on.
func refuse(w http.ResponseWriter, r *http.Request, status int, code, message string) {
	fail(w, r, pages.Frame{}, newRequestError(status, code, message))
}

// secure sets the security headers of every response.
func secure(h http.Header) {
	for name, value := range map[string]string{
		"Content-Security-Policy":      policy,
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Permissions-Policy":           "camera=(), geolocation=(), microphone=()",
		"Cache-Control":                "no-store",
	} {
		h.Set(name, value)
	}
}

// foreign reports whether the page of another site caused a request. Such a page may only
// link here.
func (g *guard) foreign(r *http.Request) bool {
	if g.origin.Check(r) != nil {
		return true
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site != "" && site != "same-origin" && site != "none" && r.Header.Get("Sec-Fetch-Mode") != "navigate"
}

// enter checks the token in the address of a request, sets it as a cookie, and redirects to
// the address without it: an address ends up in histories and on screens.
func (g *guard) enter(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("token")
	if r.Method != http.MethodGet || !same(token, g.token) && !g.takeTicket(token) {
		refuse(w, r, http.StatusUnauthorized, "no-token",
			"that is not the token of this run; open the address that handex serve printed")
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: g.cookie(), Value: g.token, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
	})
	address := *r.URL
	values := address.Query()
	values.Del("token")
	address.RawQuery = values.Encode()
	address.Scheme, address.Host = "", ""
	http.Redirect(w, r, "/"+strings.TrimLeft(address.RequestURI(), "/"), http.StatusSeeOther)
}

// knows reports whether a request has the token, as a bearer token or a cookie.
func (g *guard) knows(r *http.Request) bool {
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return same(bearer, g.token)
	}
	cookie, err := r.Cookie(g.cookie())
	return err == nil && same(cookie.Value, g.token)
}

// cookie returns the name of the cookie. It contains the port, as browsers keep cookies by
// host alone.
func (g *guard) cookie() string { return "handex-" + g.address.port }

// ticket returns a new token that can be used once. It is passed to the command that starts
// a browser, which other users of the machine can see.
func (g *guard) ticket() string {
	t := rand.Text()
	g.tickets.Store(t, true)
	return t
}

// takeTicket reports whether t is a ticket that was not used, and makes it unusable.
func (g *guard) takeTicket(t string) bool {
	_, known := g.tickets.LoadAndDelete(t)
	return known
}

// meant reports whether a request that changes something comes from a form of this server,
// or from a program that has the token.
func (g *guard) meant(r *http.Request) bool {
	if _, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return true
	}
	return same(r.PostFormValue("csrf"), g.csrf) || same(r.Header.Get("X-CSRF-Token"), g.csrf)
}

// same reports whether two secrets are equal, in a time that does not depend on where they
// differ.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// maxConnections is the maximum number of open connections.
const maxConnections = 128

// connections are the open connections, the oldest first. If there are too many, the oldest
// that has not shown the token is closed, which can be the new one: a client without the
// token cannot keep out one that has it.
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

// add adds a connection that was just accepted, and returns the context for its requests.
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

// note removes a connection that was closed.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	if state != http.StateClosed && state != http.StateHijacked {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = slices.DeleteFunc(c.open, func(one *connection) bool { return one.Conn == conn })
}

// admit marks the connection of a request as one that has shown the token.
func (c *connections) admit(r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one, ok := r.Context().Value(connectionKey{}).(*connection); ok {
		one.admitted = true
	}
}
