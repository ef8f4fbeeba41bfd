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

// The bounds of a request.
const (
	maxHeader = 16 << 10
	maxBody   = 64 << 10
)

// policy is what a page of this server may do: look as its style sheet says, run its
// own program, ask this server. Nothing of a handoff can add to that.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// A guard lets through who may ask.
type guard struct {
	address *Address
	token   string // of the whole run
	csrf    string // of the forms of its pages
	origin  *http.CrossOriginProtection
	next    http.Handler
	tickets sync.Map // that were not used yet

	connections connections
}

// ServeHTTP refuses what may not be answered, in the order of what gives least away.
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

// refuse writes an error of a request that gets nothing to see.
func refuse(w http.ResponseWriter, r *http.Request, status int, code, message string) {
	fail(w, r, pages.Frame{}, newRequestError(status, code, message))
}

// secure sets the headers of every response.
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

// foreign reports whether a page of somebody else makes the browser ask. It may
// only have a link here.
func (g *guard) foreign(r *http.Request) bool {
	if g.origin.Check(r) != nil {
		return true
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site != "" && site != "same-origin" && site != "none" && r.Header.Get("Sec-Fetch-Mode") != "navigate"
}

// enter takes the token of the printed address, and leaves it in a cookie instead:
// an address ends up in histories and on screens.
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

// knows reports whether a request brings the token.
func (g *guard) knows(r *http.Request) bool {
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return same(bearer, g.token)
	}
	cookie, err := r.Cookie(g.cookie())
	return err == nil && same(cookie.Value, g.token)
}

// cookie returns the name of the cookie, another for each port: browsers keep cookies by host alone.
func (g *guard) cookie() string { return "handex-" + g.address.port }

// ticket returns a token that is good once: to start a browser it has to be where
// other users of the machine can see it.
func (g *guard) ticket() string {
	t := rand.Text()
	g.tickets.Store(t, true)
	return t
}

func (g *guard) takeTicket(t string) bool {
	_, known := g.tickets.LoadAndDelete(t)
	return known
}

// meant reports whether a form that changes something is of a page of this server,
// or of a program that has the token.
func (g *guard) meant(r *http.Request) bool {
	if _, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return true
	}
	return same(r.PostFormValue("csrf"), g.csrf) || same(r.Header.Get("X-CSRF-Token"), g.csrf)
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

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
