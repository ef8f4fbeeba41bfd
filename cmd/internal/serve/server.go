package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/pages"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

// How long a client may take. A browser on the same machine never needs so long, and nobody
// else can keep a connection open for long.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = 60 * time.Second
	idleTimeout   = 60 * time.Second
	endTimeout    = 3 * time.Second
)

// How long making an answer may take.
const (
	// pageWait is how long a page of hits waits for its complete answer, and then for one
	// without facets.
	pageWait = time.Second
	// answerTime is the time after which making any answer is interrupted.
	answerTime = 20 * time.Second
)

// A Server answers browsers and programs.
type Server struct {
	live      *service.Live
	mask      func(string) string
	cache     *cache
	wait      time.Duration // as pageWait
	reporting chan struct{} // has one element while a report is made, as that uses the index for long
	guard     *guard
}

// New returns a server that listens at an address. mask returns a text with credentials
// masked; nil masks nothing. ctx ends work for answers for which nobody waits any more.
func New(ctx context.Context, a *Address, live *service.Live, mask func(string) string) *Server {
	s := &Server{
		live: live, mask: mask, wait: pageWait, reporting: make(chan struct{}, 1), cache: newCache(ctx, live.Now,
			live.Generation),
	}
	s.guard = &guard{
		address: a, token: rand.Text(), csrf: rand.Text(), origin: http.NewCrossOriginProtection(), next: s.routes(),
	}
	return s
}

// URL returns the address of the server for a browser, with the token.
func (s *Server) URL() string { return s.guard.address.URL() + "/?token=" + s.guard.token }

// Ticket returns the address of the server with a token that can be used once.
func (s *Server) Ticket() string { return s.guard.address.URL() + "/?token=" + s.guard.ticket() }

// Serve answers requests until ctx ends, and then waits shortly for requests that are
// running.
func (s *Server) Serve(ctx context.Context) error {
	server := &http.Server{
		Handler: s.guard, MaxHeaderBytes: maxHeader,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnContext: s.guard.connections.add, ConnState: s.guard.connections.note,
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(s.guard.address.listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	err := server.Shutdown(end)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	if ended := <-done; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}

// A handler responds to a request, or returns the error to respond with.
type handler func(http.ResponseWriter, *http.Request) error

// routes returns the handler for all addresses of the server. Any other address is "not
// found".
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, h handler) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			err := within(r.Context(), s.cache.limit, func(ctx context.Context) error { return h(w, r.WithContext(ctx)) })
			if err != nil {
				fail(w, r, s.frame(r, "", ""), err)
			}
		})
	}
	handle("GET /{$}", s.search)
	handle("GET /h/{id}", s.handoff("read"))
	handle("GET /h/{id}/raw", s.handoff("raw"))
	handle("GET /h/{id}/history", s.handoff("history"))
	handle("GET /h/{id}/changes", s.handoff("changes"))
	handle("GET /report/{name}", s.report)
	handle("GET /status", s.status)
	handle("POST /ack/{id}", s.ack)
	handle("GET /complete", s.complete)
	handle("GET /generation", func(w http.ResponseWriter, _ *http.Request) error {
		return respondText(w, textType, strconv.FormatUint(s.live.Generation(), 10)+"\n")
	})
	handle("GET /static/{name}", static)
	handle("GET /api/v1/search", s.apiSearch)
	handle("GET /api/v1/show/{ref}", s.apiShow)
	handle("GET /api/v1/values/{field}", s.apiValues)
	handle("GET /api/v1/latest", s.apiLatest)
	handle("GET /api/v1/status", s.apiStatus)
	handle("GET /api/v1/report/{name}", s.apiReport)
	handle("POST /api/v1/ack", s.apiAck)
	handle("GET /api/v1/openapi.json", func(w http.ResponseWriter, _ *http.Request) error {
		return respondText(w, jsonType, Description)
	})
	handle("/", func(http.ResponseWriter, *http.Request) error { return errNoPage })
	return mux
}

// files are the static files of pages. They are part of the program, so no name leads to
// the disk.
var files = map[string]struct{ mediaType, text string }{
	"style.css": {"text/css; charset=utf-8", pages.Style},
	"app.js":    {"text/javascript; charset=utf-8", pages.Script},
	"icon.svg":  {"image/svg+xml", pages.Icon},
}

// static responds with a static file.
func static(w http.ResponseWriter, r *http.Request) error {
	file, ok := files[r.PathValue("name")]
	if !ok {
		return errNoPage
	}
	return respondText(w, file.mediaType, file.text)
}

// options returns the options for writing pages.
func (s *Server) options() pages.Options {
	return pages.Options{
		Links: pages.Links{
			Handoff: handoffLink,
			Search:  searchLink,
		},
		Mask: s.mask, Zone: s.live.Zone, Now: s.live.Now(),
	}
}

// handoffLink returns the address of the page of a handoff.
func handoffLink(id string) string { return "/h/" + url.PathEscape(id) }

// frame returns the frame of a page with a title. at is its name in the navigation bar.
func (s *Server) frame(r *http.Request, title, at string) pages.Frame {
	f := pages.Frame{
		Title: title, Theme: "auto", CSRF: s.guard.csrf, Generation: s.live.Generation(), Reports: s.reportNames(), Here: at,
	}
	if c, err := r.Cookie("handex-theme"); err == nil && (c.Value == "light" || c.Value == "dark") {
		f.Theme = c.Value
	}
	return f
}

// load returns the handoff that a reference names; if it names several, the newest. stale
// says why the handoff is shown as last indexed, "" if it is current.
func (s *Server) load(ctx context.Context, ref string) (h *index.Handoff, stale string, err error) {
	err = s.live.Do(ctx, func(v *service.View) error {
		found, err := v.Newest(ctx, ref)
		if err == nil {
			h, stale, err = v.LoadFresh(ctx, found.ID)
		}
		return err
	})
	return h, stale, err
}

// loadStatus returns the status of the index.
func (s *Server) loadStatus(ctx context.Context) (status *index.Status, err error) {
	err = s.live.Do(ctx, func(v *service.View) error {
		status, err = v.Status(ctx)
		return err
	})
	return status, err
}

// masked returns a text with credentials masked.
func (s *Server) masked(text string) string {
	if s.mask == nil {
		return text
	}
	return s.mask(text)
}

// An Address is where the server listens, with the host names that it accepts in requests.
type Address struct {
	listener net.Listener
	name     string // the name in the address it was given, "" for a number
	port     string
	loopback bool
}

// ErrExposed is the error for an address that other machines could reach.
var ErrExposed = errors.New("other machines could reach that address")

// Listen listens at an address HOST:PORT, HOST, PORT or :PORT; an empty one is a free port
// of 127.0.0.1. Addresses that other machines could reach are refused with ErrExposed
// unless expose is set.
func Listen(ctx context.Context, address string, expose bool) (*Address, error) {
	host, port, err := split(address)
	if err != nil {
		return nil, err
	}
	ip, err := netip.ParseAddr(host)
	named := err != nil
	loopback := ip.IsLoopback() || strings.EqualFold(host, "localhost")
	if !loopback && !expose {
		return nil, fmt.Errorf("%s: %w", address, ErrExposed)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && loopback && !tcp.IP.IsLoopback() {
		return nil, errors.Join(fmt.Errorf("%s: %w", address, ErrExposed), l.Close())
	}
	a := &Address{listener: l, loopback: loopback}
	if named {
		a.name = strings.ToLower(host)
	}
	_, a.port, err = net.SplitHostPort(l.Addr().String())
	return a, err
}

// split splits an address into host and port, with defaults for what is missing: 127.0.0.1
// and a free port.
func split(address string) (host, port string, err error) {
	switch {
	case address == "":
		return "127.0.0.1", "0", nil
	case strings.Trim(address, "0123456789") == "":
		return "127.0.0.1", address, nil
	case !strings.Contains(address, ":"):
		return address, "0", nil
	}
	host, port, err = net.SplitHostPort(address)
	if err != nil {
		return "", "", fmt.Errorf("%q is not an address such as 127.0.0.1:8080: %w", address, err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return host, port, nil
}

// Close stops listening; a Server does that itself.
func (a *Address) Close() error { return a.listener.Close() }

// URL returns the address under which a browser on this machine reaches the server.
func (a *Address) URL() string {
	host, _, err := net.SplitHostPort(a.listener.Addr().String())
	if ip, parseErr := netip.ParseAddr(host); err != nil || parseErr != nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, a.port)
}

// isCalled reports whether a Host header names this server. Names that others could point
// to an address of this machine are not accepted: a page under such a name could read the
// responses.
func (a *Address) isCalled(header string) bool {
	host, port, err := net.SplitHostPort(header)
	if err != nil {
		host, port = strings.Trim(header, "[]"), "80"
	}
	if port != a.port {
		return false
	}
	host = strings.ToLower(host)
	if ip, err := netip.ParseAddr(host); err == nil {
		return !a.loopback || ip.IsLoopback()
	}
	return host == "localhost" || host == a.name
}
