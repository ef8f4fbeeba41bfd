package relay_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/relay"
)

var message = relay.Message{From: "codex", To: "claude", Source: "discussion/058-codex-response.md", Session: "s-1", Prompt: "Please read on.\n"}

// TestMain lets this program stand for the command that is relayed to.
func TestMain(m *testing.M) {
	if mode := os.Getenv("RELAY_TEST"); mode != "" {
		os.Exit(other(mode))
	}
	os.Exit(m.Run())
}

func other(mode string) int {
	prompt, _ := io.ReadAll(os.Stdin)
	switch mode {
	case "key":
		_, _ = os.Stdout.WriteString("handed over\n\n  agent:claude:main \n")
	case "json":
		_, _ = os.Stdout.WriteString(`{"ok":true,"sessionKey":"k-7"}`)
	case "refuses":
		_, _ = os.Stdout.WriteString(`{"ok":false,"error":{"message":"no such agent"}}`)
	case "silent":
	case "garbage":
		_, _ = os.Stdout.WriteString("\x00\xff\x1b[2J two words")
	case "endless":
		_, _ = os.Stdout.WriteString(strings.Repeat("word ", 50_000) + "\nkey")
	case "fails":
		_, _ = os.Stderr.WriteString("looking\nno such session\x1b[2J\n")
		return 3
	case "hangs":
		time.Sleep(time.Minute)
	case "echo":
		_, _ = os.Stderr.Write(prompt)
		_, _ = os.Stdout.WriteString(strings.Join([]string{os.Getenv("HANDEX_FROM"), os.Getenv("HANDEX_TO"), os.Getenv("HANDEX_SOURCE"), os.Getenv("HANDEX_SESSION")}, ","))
	}
	return 0
}

func TestCommand(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ mode, session, err, told string }{
		{"key", "agent:claude:main", "", ""},
		{"json", "k-7", "", ""},
		{"refuses", "", "refused: no such agent", ""},
		{"silent", "", "", ""},
		{"garbage", "", "", ""},
		{"endless", "", "", ""},
		{"fails", "", "relay.test: exit status 3: no such session\x1b[2J", "looking\nno such session\x1b[2J\n"},
		{"echo", "codex,claude,discussion/058-codex-response.md,s-1", "", "Please read on.\n"},
	} {
		t.Setenv("RELAY_TEST", c.mode)
		var told strings.Builder
		session, err := relay.Command(t.Context(), []string{self, "-x"}, message, &told, 20*time.Second)
		got := ""
		if err != nil {
			got = err.Error()
			if i := strings.LastIndex(got, "/"); c.mode == "fails" {
				got = got[i+1:]
			}
		}
		if session != c.session || got != c.err || told.String() != c.told {
			t.Errorf("%s: %q, %q, told %q; want %q, %q, %q", c.mode, session, got, told.String(), c.session, c.err, c.told)
		}
	}
}

func TestCommandEnds(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("RELAY_TEST", "hangs")
	_, err = relay.Command(t.Context(), []string{self}, message, io.Discard, 50*time.Millisecond)
	if err == nil || !strings.HasSuffix(err.Error(), " did not end within 50ms") {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := relay.Command(ctx, []string{self}, message, io.Discard, time.Second); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := relay.Command(t.Context(), []string{"/no/such/program"}, message, io.Discard, time.Second); err == nil {
		t.Error("a program that is not there was run")
	}
}

func TestPost(t *testing.T) {
	for _, c := range []struct {
		name    string
		status  int
		reply   string
		session string
		err     string
	}{
		{"ok", 200, `{"session_key":"k-1"}`, "k-1", ""},
		{"accepted", 202, "", "", ""},
		{"no key", 200, `{"ok":true}`, "", ""},
		{"a key of two words", 200, `{"key":"two words"}`, "", ""},
		{"says no", 200, `{"ok":false,"error":"no such agent"}`, "", "the gateway refused: no such agent"},
		{"says nothing", 200, `{"ok":false}`, "", "the gateway refused"},
		{"an error of its own form", 200, `{"error":{"code":7}}`, "", `the gateway refused: {"code":7}`},
		{"no error", 200, `{"error":null}`, "", ""},
		{"forbidden", 403, `{"error":{"message":"bad token"}}`, "", "the gateway refused the message: 403 Forbidden: bad token"},
		{"broken", 500, "<html>\noops", "", "the gateway refused the message: 500 Internal Server Error: <html>"},
		{"a page in between", 200, "<html>log in</html>", "", "the gateway's reply is not a JSON object: <html>log in</html>"},
		{"a list", 200, "[]", "", "the gateway's reply is not a JSON object: []"},
		{"null", 200, "null", "", "the gateway's reply is not a JSON object: null"},
		{"cut short", 200, `{"session_key":"k`, "", `the gateway's reply is not a JSON object: {"session_key":"k`},
		{"too long", 200, `{"session_key":"` + strings.Repeat("k", 70_000) + `"}`, "", "the gateway's reply is longer than 65536 bytes"},
		{"elsewhere", 302, "", "", "the gateway refused the message: 302 Found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got map[string]any
			var header http.Header
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/hook" {
					t.Errorf("followed to %s", r.URL.Path)
				}
				header = r.Header
				if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
					t.Error(err)
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.reply)
			}))
			defer server.Close()
			session, err := relay.Gateway{URL: server.URL + "/hook", Token: "sesame", Limit: 10 * time.Second}.Post(t.Context(), message, "once")
			said := ""
			if err != nil {
				said = err.Error()
			}
			if session != c.session || said != c.err {
				t.Errorf("%q, %q; want %q, %q", session, said, c.session, c.err)
			}
			want := map[string]any{
				"from": "codex", "to": "claude", "source_file": "discussion/058-codex-response.md", "session_key": "s-1",
				"message": "Please read on.\n", "idempotency_key": "once",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("posted (-want +got):\n%s", diff)
			}
			if header.Get("Authorization") != "Bearer sesame" || header.Get("Content-Type") != "application/json" {
				t.Errorf("header %v", header)
			}
		})
	}
}

// What goes wrong on the way is told without the URL, which may hold a secret.
func TestPostOnTheWay(t *testing.T) {
	server := func(serve func(net.Conn)) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				serve(conn)
			}
		}()
		return "http://" + l.Addr().String() + "/?key=secret"
	}
	reset := func(conn net.Conn) {
		_, _ = conn.Read(make([]byte, 10))
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
	var held []net.Conn
	silent := func(conn net.Conn) { held = append(held, conn) }
	halfway := func(conn net.Conn) {
		_, _ = conn.Read(make([]byte, 4096))
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"session_key\"")
		_ = conn.Close()
	}
	noise := func(conn net.Conn) {
		_, _ = io.WriteString(conn, "220 mail.example ESMTP\r\n")
		_ = conn.Close()
	}
	for _, c := range []struct {
		name  string
		serve func(net.Conn)
		want  string
	}{
		{"reset", reset, "the gateway cannot be reached, or closed the connection: "},
		{"silent", silent, "the gateway did not reply within 300ms; it may still have received the message"},
		{"halfway", halfway, "the gateway cannot be reached, or closed the connection: unexpected EOF"},
		{"noise", noise, "the gateway cannot be reached, or closed the connection: "},
	} {
		_, err := relay.Gateway{URL: server(c.serve), Limit: 300 * time.Millisecond}.Post(t.Context(), message, "once")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	_, err := relay.Gateway{URL: "http://127.0.0.1:1/", Limit: time.Second}.Post(t.Context(), message, "once")
	if err == nil || !strings.HasPrefix(err.Error(), "the gateway cannot be reached, or closed the connection: ") {
		t.Error(err)
	}
}

func TestGatewayCheck(t *testing.T) {
	for url, want := range map[string]string{
		"http://127.0.0.1:8080/x": "",
		"https://example.org":     "",
		"ws://127.0.0.1:18789":    "the gateway ws://127.0.0.1:18789 uses WebSocket: send through a command with --via",
		"example.org/x":           `the gateway "example.org/x" is not an http or https URL`,
		"file:///etc/passwd":      `the gateway "file:///etc/passwd" is not an http or https URL`,
		"http://":                 `the gateway "http://" is not an http or https URL`,
		"http://\x7f":             "the gateway \"http://\\x7f\" is not a URL",
	} {
		got := ""
		if err := (relay.Gateway{URL: url}).Check(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}
