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

// How long a client may take. A person's browser on the same machine takes none of
// these, and nobody else can keep a connection for long.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = 60 * time.Second
	idleTimeout   = 60 * time.Second
	endTimeout    = 3 * time.Second
)

const (
	// pageWait is how long a page of hits waits for each of two forms of its answer.
	pageWait = time.Second
	// answerTime is how long any answer may take.
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

// New returns a server that listens at an address. mask takes out of a text what nobody
// should see; nil takes out nothing. ctx ends what is made without anybody waiting for
// it.
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

// URL returns the address to open, with the token.
func (s *Server) URL() string { return s.guard.address.URL() + "/?token=" + s.guard.token }

// Ticket returns an address that is good for one use.
func (s *Server) Ticket() string { return s.guard.address.URL() + "/?token=" + s.guard.ticket() }

// Serve answers until ctx ends.
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

// A handler answers a request, or returns the error to answer with.
type handler func(http.ResponseWriter, *http.Request) error

// routes returns all there is. What is not here is not found, whatever it is.
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

// files are those of the pages. They are in the program: no name leads to the disk.
var files = map[string]struct{ mediaType, text string }{
	"style.css": {"text/css; charset=utf-8", pages.Style},
	"app.js":    {"text/javascript; charset=utf-8", pages.Script},
	"icon.svg":  {"image/svg+xml", pages.Icon},
}

func static(w http.ResponseWriter, r *http.Request) error {
	file, ok := files[r.PathValue("name")]
	if !ok {
		return errNoPage
	}
	return respondText(w, file.mediaType, file.text)
}

// options returns how pages are written.
func (s *Server) options() pages.Options {
	return pages.Options{
		Links: pages.Links{
			Handoff: handoffLink,
			Search:  searchLink,
		},
		Mask: s.mask, Zone: s.live.Zone, Now: s.live.Now(),
	}
}

func handoffLink(id string) string { return "/h/" + url.PathEscape(id) }

// frame returns what surrounds a page.
func (s *Server) frame(r *http.Request, title, at string) pages.Frame {
	f := pages.Frame{
		Title: title, Theme: "auto", CSRF: s.guard.csrf, Generation: s.live.Generation(), Reports: s.reportNames(), Here: at,
	}
	if c, err := r.Cookie("handex-theme"); err == nil && (c.Value == "light" || c.Value == "dark") {
		f.Theme = c.Value
	}
	return f
}

// load returns the handoff that a reference names, of a file of several the newest, and
// why its file is shown as last indexed, "" if it is current.
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

// loadStatus returns what is indexed.
func (s *Server) loadStatus(ctx context.Context) (status *index.Status, err error) {
	err = s.live.Do(ctx, func(v *service.View) error {
		status, err = v.Status(ctx)
		return err
	})
	return status, err
}

// masked returns a text without what nobody should see.
func (s *Server) masked(text string) string {
	if s.mask == nil {
		return text
	}
	return s.mask(text)
}

// An Address is where the server listens, and by which names it lets itself be
// called.
type Address struct {
	listener net.Listener
	name     string // the name in the address it was given, "" for a number
	port     string
	loopback bool
}

// ErrExposed refuses an address that others could reach.
var ErrExposed = errors.New("other machines could reach that address")

// Listen takes an address HOST:PORT, HOST, PORT or :PORT; empty is a free port of
// 127.0.0.1. Addresses that are not this machine's own are refused with ErrExposed
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

// split reads an address.
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

// Close ends listening; a Server does that itself.
func (a *Address) Close() error { return a.listener.Close() }

// URL returns the address by which a browser on this machine reaches the server.
func (a *Address) URL() string {
	host, _, err := net.SplitHostPort(a.listener.Addr().String())
	if ip, parseErr := netip.ParseAddr(host); err != nil || parseErr != nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, a.port)
}

// isCalled reports whether a Host header names this server. A name that anybody
// could point to an address of this machine does not: a page of that name could
// read what is answered to it.
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
