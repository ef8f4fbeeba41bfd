package serve_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/cmd/internal/serve"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

// running is a server that a test asks.
type running struct {
	*testing.T
	base, host, token string
	client            *http.Client
}

// known is the id of no handoff, which nobody gets to know without being let in.
const known = "h_0123456789ab"

func start(t *testing.T) *running {
	t.Helper()
	dir := t.TempDir()
	o := service.Options{
		Now: time.Now, Zone: time.UTC, Places: config.Places{WorkDir: dir, Getenv: func(string) string { return "" }}, Index: filepath.Join(dir, "index"),
		Config: func() (*config.Config, error) { return &config.Config{Roots: []index.Root{{Path: dir}}}, nil },
	}
	about := service.New(o)
	live, err := about.GoLive(t.Context(), 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := about.Close(); err != nil {
			t.Error(err)
		}
	})
	address, err := serve.Listen(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	s := serve.New(t.Context(), address, live, nil)
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &running{t, "http://" + u.Host, u.Host, u.Query().Get("token"), client}
}

// ask answers the status, the headers and the body of a request that change makes
// of one with the token.
func (r *running) ask(method, path, body string, change func(*http.Request)) (int, http.Header, string) {
	r.Helper()
	req, err := http.NewRequestWithContext(r.Context(), method, r.base+path, strings.NewReader(body))
	if err != nil {
		r.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.token)
	if change != nil {
		change(req)
	}
	res, err := r.client.Do(req)
	if err != nil {
		r.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		r.Fatal(err)
	}
	return res.StatusCode, res.Header, string(text)
}

func TestWhoIsLetIn(t *testing.T) {
	t.Parallel()
	r := start(t)
	header := func(name, value string) func(*http.Request) {
		return func(req *http.Request) { req.Header.Set(name, value) }
	}
	_, port, err := net.SplitHostPort(r.host)
	if err != nil {
		t.Fatal(err)
	}
	host := func(name string) func(*http.Request) { return func(req *http.Request) { req.Host = name } }
	for _, c := range []struct {
		name, method, path string
		change             func(*http.Request)
		want               int
	}{
		{"the token", "GET", "/", nil, 200},
		{"no token", "GET", "/", header("Authorization", ""), 401},
		{"another token", "GET", "/", header("Authorization", "Bearer "+strings.Repeat("A", 26)), 401},
		{"an empty token", "GET", "/", header("Authorization", "Bearer "), 401},
		{"a wrong token in the address", "GET", "/?token=" + strings.Repeat("A", 26), nil, 401},
		{"an empty token in the address", "GET", "/?token=", nil, 401},
		{"no token for the API", "GET", "/api/v1/status", header("Authorization", ""), 401},
		{"no token for what is not there", "GET", "/nothing", header("Authorization", ""), 401},
		{"the style sheet without a token", "GET", "/static/style.css", header("Authorization", ""), 200},
		{"localhost", "GET", "/", host("localhost:" + port), 200},
		{"another name", "GET", "/", host("rebound.example:" + port), 421},
		{"another name, no token", "GET", "/static/style.css", host("rebound.example:" + port), 421},
		{"a name that begins as an address", "GET", "/", host("127.0.0.1.rebound.example:" + port), 421},
		{"another address", "GET", "/", host("192.0.2.1:" + port), 421},
		{"another port", "GET", "/", host("127.0.0.1:1"), 421},
		{"no port", "GET", "/", host("127.0.0.1"), 421},
		{"another method", "PUT", "/", nil, 405},
		{"a page of somebody else asks", "GET", "/api/v1/status", header("Sec-Fetch-Site", "cross-site"), 403},
		{"a page of another port asks", "GET", "/api/v1/status", header("Sec-Fetch-Site", "same-site"), 403},
		{"a link of somebody else", "GET", "/", func(req *http.Request) {
			req.Header.Set("Sec-Fetch-Site", "cross-site")
			req.Header.Set("Sec-Fetch-Mode", "navigate")
		}, 200},
		{"a form of somebody else", "POST", "/ack/" + known, func(req *http.Request) {
			req.Header.Set("Sec-Fetch-Site", "cross-site")
			req.Header.Set("Sec-Fetch-Mode", "navigate")
		}, 403},
		{"an old browser, a form of somebody else", "POST", "/ack/" + known, header("Origin", "http://evil.example"), 403},
		{"an unknown page", "GET", "/nothing", nil, 404},
		{"up the folders", "GET", "/static/..%2f..%2fetc%2fpasswd", nil, 404},
		{"up the folders, plain", "GET", "/static/../../etc/passwd", nil, 307},
		{"a path for an id", "GET", "/h/..%2f..%2fetc%2fpasswd", nil, 404},
		{"an absolute path for an id", "GET", "/h/%2fetc%2fpasswd/raw", nil, 404},
		{"a path for a file", "GET", "/static/%2fetc%2fpasswd", nil, 404},
	} {
		status, headers, body := r.ask(c.method, c.path, "", c.change)
		if status != c.want {
			t.Errorf("%s: %d, want %d: %.200s", c.name, status, c.want, body)
		}
		for _, name := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy"} {
			if headers.Get(name) == "" {
				t.Errorf("%s: no %s", c.name, name)
			}
		}
		if csp := headers.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: %s", c.name, csp)
		}
		if strings.Contains(body, r.token) {
			t.Errorf("%s: the token is in the answer", c.name)
		}
	}
}

// The printed address leaves a cookie that no script can read and no page of
// somebody else sends, and is not in the address any more.
func TestCookie(t *testing.T) {
	t.Parallel()
	r := start(t)
	noBearer := func(req *http.Request) { req.Header.Del("Authorization") }
	status, headers, _ := r.ask("GET", "/?token="+r.token+"&q=is%3Aopen", "", noBearer)
	if status != http.StatusSeeOther || headers.Get("Location") != "/?q=is%3Aopen" {
		t.Fatalf("%d to %s", status, headers.Get("Location"))
	}
	cookie := headers.Get("Set-Cookie")
	if !strings.Contains(cookie, "; HttpOnly") || !strings.Contains(cookie, "; SameSite=Strict") {
		t.Errorf("the cookie is %s", cookie)
	}
	name, _, _ := strings.Cut(cookie, ";")
	withCookie := func(req *http.Request) {
		noBearer(req)
		req.Header.Set("Cookie", name)
	}
	if status, _, _ := r.ask("GET", "/", "", withCookie); status != 200 {
		t.Errorf("with the cookie: %d", status)
	}
	if status, _, body := r.ask("POST", "/ack/"+known, "note=x", withCookie); status != http.StatusForbidden {
		t.Errorf("without the token of the form: %d %s", status, body)
	}
	status, headers, _ = r.ask("GET", "//evil.example/?token="+r.token, "", noBearer)
	if location := headers.Get("Location"); status == http.StatusSeeOther && (strings.HasPrefix(location, "//") || strings.Contains(location, "://")) {
		t.Errorf("it leads to %s", location)
	}
}

// refused asks and expects a status, or that the server hangs up before all was
// said.
func (r *running) refused(what string, want int, req *http.Request) {
	r.Helper()
	req.Header.Set("Authorization", "Bearer "+r.token)
	res, err := r.client.Do(req)
	if err != nil {
		if !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, syscall.EPIPE) {
			r.Errorf("%s: %v", what, err)
		}
		return
	}
	if err := res.Body.Close(); err != nil {
		r.Error(err)
	}
	if res.StatusCode != want {
		r.Errorf("%s: %d, want %d", what, res.StatusCode, want)
	}
}

func (r *running) request(method, path, body string) *http.Request {
	r.Helper()
	req, err := http.NewRequestWithContext(r.Context(), method, r.base+path, strings.NewReader(body))
	if err != nil {
		r.Fatal(err)
	}
	return req
}

func TestTooMuch(t *testing.T) {
	t.Parallel()
	r := start(t)
	headers := r.request("GET", "/", "")
	headers.Header.Set("X-Much", strings.Repeat("x", 64<<10))
	r.refused("headers", http.StatusRequestHeaderFieldsTooLarge, headers)
	r.refused("address", http.StatusRequestHeaderFieldsTooLarge, r.request("GET", "/?q="+strings.Repeat("x", 64<<10), ""))
	form := r.request("POST", "/ack/"+known, "note="+strings.Repeat("x", 1<<20))
	form.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.refused("body", http.StatusRequestEntityTooLarge, form)
	if status, _, body := r.ask("GET", "/?q="+strings.Repeat("x", 5000), "", nil); status != 200 || !strings.Contains(body, "a query has at most 4000 bytes") {
		t.Errorf("query: %d %s", status, body)
	}
}

// A client that sends its request a byte at a time is cut off, and others are
// answered meanwhile.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for time limits")
	}
	r := start(t)
	var slow []net.Conn
	for range 20 {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", r.host)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if _, err := fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\n", r.host); err != nil {
			t.Fatal(err)
		}
		slow = append(slow, conn)
	}
	if status, _, _ := r.ask("GET", "/", "", nil); status != 200 {
		t.Errorf("meanwhile: %d", status)
	}
	end := time.Now().Add(8 * time.Second)
	for _, conn := range slow {
		if err := conn.SetReadDeadline(end); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(conn).ReadString('\n'); err == nil && !strings.Contains(line, " 408 ") || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("a slow client was answered %q, %v", line, err)
		}
	}
}

func TestListen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address string
		expose  bool
		want    string
	}{
		{"0.0.0.0:0", false, "0.0.0.0:0: other machines could reach that address"},
		{"[::]:0", false, "[::]:0: other machines could reach that address"},
		{"192.0.2.1:0", false, "192.0.2.1:0: other machines could reach that address"},
		{"example.com:80", false, "example.com:80: other machines could reach that address"},
		{"99999", false, "listen tcp: address 99999: invalid port"},
		{"127.0.0.1:x", false, "listen tcp: lookup tcp/x: unknown port"},
		{"127.0.0.1:1:2", false, `"127.0.0.1:1:2" is not an address such as 127.0.0.1:8080: address 127.0.0.1:1:2: too many colons in address`},
	} {
		a, err := serve.Listen(t.Context(), c.address, c.expose)
		if err == nil {
			_ = a.Close()
			t.Errorf("%s is listened at", c.address)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%s: %v", c.address, err)
		}
	}
	for _, address := range []string{"", "127.0.0.1", "0", ":0", "localhost:0", "127.0.0.1:0"} {
		a, err := serve.Listen(t.Context(), address, false)
		if err != nil {
			t.Errorf("%q: %v", address, err)
			continue
		}
		if !strings.HasPrefix(a.URL(), "http://127.0.0.1:") && !strings.HasPrefix(a.URL(), "http://[::1]:") {
			t.Errorf("%q: %s", address, a.URL())
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Who does not have the token cannot keep out who has by holding connections open.
func TestIdleStrangersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	r := start(t)
	for range 130 {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", r.host)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		// After an answer a connection may be idle for as long as idleTimeout.
		_, _ = fmt.Fprintf(conn, "GET /generation HTTP/1.1\r\nHost: %s\r\n\r\n", r.host)
		_ = conn.SetReadDeadline(time.Now().Add(time.Second)) // it may never be answered
		_, _ = conn.Read(make([]byte, 16))
	}
	r.client.Timeout = 30 * time.Second
	if status, _, _ := r.ask(http.MethodGet, "/generation", "", nil); status != http.StatusOK {
		t.Errorf("who has the token is answered with %d", status)
	}
}
