package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"handex/cmd/internal/pages"
	"handex/cmd/internal/render"
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

// A Server answers browsers and programs.
type Server struct {
	backend Backend
	mask    func(string) string
	guard   *guard
	http    *http.Server
}

// New makes a server that listens at an address. mask takes out of a text what
// nobody should see; nil takes out nothing.
func New(a *Address, b Backend, mask func(string) string) *Server {
	s := &Server{backend: b, mask: mask}
	s.guard = newGuard(a, s.routes())
	s.http = &http.Server{
		Handler:           s.guard,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeader,
	}
	return s
}

// URL is the address to open, with the token.
func (s *Server) URL() string { return s.guard.address.URL() + "/?token=" + s.guard.token }

// Ticket is an address that is good for one use.
func (s *Server) Ticket() string { return s.guard.address.URL() + "/?token=" + s.guard.ticket() }

// Serve answers until ctx ends.
func (s *Server) Serve(ctx context.Context) error {
	s.http.BaseContext = func(net.Listener) context.Context { return ctx }
	done := make(chan error, 1)
	go func() { done <- s.http.Serve(s.guard.address.listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	err := s.http.Shutdown(end)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}
	return errors.Join(err, ignoreClosed(<-done))
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// routes are all there is. What is not here is not found, whatever it is.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page(s.search))
	mux.HandleFunc("GET /h/{id}", s.page(s.handoff("read")))
	mux.HandleFunc("GET /h/{id}/raw", s.page(s.handoff("raw")))
	mux.HandleFunc("GET /h/{id}/history", s.page(s.handoff("history")))
	mux.HandleFunc("GET /report/{name}", s.page(s.report))
	mux.HandleFunc("GET /status", s.page(s.status))
	mux.HandleFunc("POST /ack/{id}", s.page(s.ack))
	mux.HandleFunc("GET /complete", s.program(s.complete))
	mux.HandleFunc("GET /generation", s.generation)
	mux.HandleFunc("GET /static/{name}", static)
	s.handleAPI(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, r, http.StatusNotFound, "not-found", "there is no such page")
	})
	return mux
}

// options are how pages are written.
func (s *Server) options() pages.Options {
	return pages.Options{
		Links: pages.Links{
			Handoff: func(id string) string { return "/h/" + url.PathEscape(id) },
			Search:  searchLink,
		},
		Mask: s.mask, Zone: s.backend.Zone(), Now: s.backend.Now(),
	}
}

func searchLink(query string) string {
	if query == "" {
		return ""
	}
	return "/?q=" + url.QueryEscape(query)
}

// frame is what surrounds a page.
func (s *Server) frame(r *http.Request, title, at string) pages.Frame {
	f := pages.Frame{Title: title, Theme: "auto", CSRF: s.guard.csrf, Generation: s.backend.Generation(), Reports: s.backend.Reports(), Here: at}
	if c, err := r.Cookie("handex-theme"); err == nil && (c.Value == "light" || c.Value == "dark") {
		f.Theme = c.Value
	}
	return f
}

// page answers a browser: a handler's error becomes a page that tells it.
func (s *Server) page(handle func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := handle(w, r); err != nil {
			status, fault := faultOf(err)
			fail(w, status, fault.Text)
		}
	}
}

// program answers a program: a handler's error becomes the JSON that tells it.
func (s *Server) program(handle func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := handle(w, r); err != nil {
			status, fault := faultOf(err)
			answerJSON(w, status, fault.Wire)
		}
	}
}

// faultOf is an error as it is answered.
func faultOf(err error) (int, *Error) {
	fault, ok := errors.AsType[*Error](err)
	if !ok {
		fault = &Error{Code: "failed", Text: "handex: " + render.Line(err.Error()) + "\n", Wire: wireFault("failed", err.Error())}
	}
	switch fault.Code {
	case "not-found":
		return http.StatusNotFound, fault
	case "index-busy", "index-damaged", "disk-full":
		return http.StatusServiceUnavailable, fault
	case "failed":
		return http.StatusInternalServerError, fault
	case "forbidden":
		return http.StatusForbidden, fault
	case "too-large":
		return http.StatusRequestEntityTooLarge, fault
	}
	return http.StatusBadRequest, fault
}

// wireFault is an error as programs get it, in the shape of the command line's.
func wireFault(code, message string) any {
	return map[string]map[string]string{"error": {"code": code, "message": message}}
}

// newFault is an error of the request itself.
func newFault(code, message string) *Error {
	return &Error{Code: code, Text: "handex: " + message + "\n", Wire: wireFault(code, message)}
}
