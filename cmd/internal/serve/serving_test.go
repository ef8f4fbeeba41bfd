package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// served is a run of handex serve that a test asks.
type served struct {
	*machine
	t          testing.TB
	url, token string
	base       string
}

// startOn starts handex serve on a folder of handoffs.
func startOn(tb testing.TB, tree string, args ...string) *served {
	tb.Helper()
	m := newMachine(tb)
	return m.startOn(tb, append([]string{"--root", tree}, args...)...)
}

func (m *machine) startOn(tb testing.TB, args ...string) *served {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, told, ended := newSignal(), &bytes.Buffer{}, make(chan int, 1)
	go func() { ended <- m.main(ctx, out, told, append([]string{"serve", "--json"}, args...)...) }()
	tb.Cleanup(func() {
		cancel()
		if status := <-ended; status != 130 {
			tb.Errorf("serve ended with %d\n%s", status, told)
		}
	})
	select {
	case <-out.written:
	case status := <-ended:
		ended <- 130
		tb.Fatalf("serve ended at once with %d\n%s", status, told)
	case <-time.After(time.Minute):
		tb.Fatal("serve tells no address")
	}
	var line struct{ URL, API, Token string }
	if err := json.Unmarshal(out.bytes(), &line); err != nil {
		tb.Fatalf("%v in %q", err, out.bytes())
	}
	u, err := url.Parse(line.URL)
	if err != nil {
		tb.Fatal(err)
	}
	return &served{m, tb, line.URL, line.Token, "http://" + u.Host}
}

// signal is output that tells of its first write.
type signal struct {
	mu      sync.Mutex
	text    bytes.Buffer
	written chan struct{}
	once    sync.Once
}

func newSignal() *signal { return &signal{written: make(chan struct{})} }

func (s *signal) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.once.Do(func() { close(s.written) })
	return s.text.Write(p)
}

func (s *signal) bytes() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.text.Bytes())
}

// request is one with the token.
func (s *served) request(method, path, body string) *http.Request {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// ask answers the status and the body of a request.
func (s *served) ask(method, path, body string) (int, string) {
	s.t.Helper()
	response, err := http.DefaultClient.Do(s.request(method, path, body))
	if err != nil {
		s.t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// get is ask for a page that has to be there.
func (s *served) get(path string) string {
	s.t.Helper()
	status, body := s.ask(http.MethodGet, path, "")
	if status != http.StatusOK {
		s.t.Fatalf("%s: %d\n%s", path, status, body)
	}
	return body
}

// keepBody reads a response's body and leaves it to be read again.
func keepBody(tb testing.TB, r *http.Response) string {
	tb.Helper()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		tb.Fatal(err)
	}
	if err := r.Body.Close(); err != nil {
		tb.Fatal(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	return string(text)
}
