package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

// liveOn returns what a server answers from, with so many handoffs.
func liveOn(t *testing.T, handoffs int) *service.Live {
	t.Helper()
	dir := t.TempDir()
	for i := range handoffs {
		text := fmt.Sprintf("# Handoff: %d\n\n**Date**: 2026-02-01\n\n## Next steps\n- Write rule %d\n", i, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("handoff-%d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now := func() time.Time { return time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC) }
	s := service.New(service.Options{
		Now: now, Clock: now, Zone: time.UTC,
		Places: config.Places{WorkDir: dir, StateHome: t.TempDir(), Getenv: func(string) string { return "" }},
		Index:  t.TempDir(), Roots: []index.Root{{Path: dir}}, FormatTime: time.Time.String,
		Config: func() (*config.Config, error) { return &config.Config{}, nil },
	})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	live, err := s.GoLive(t.Context(), 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	return live
}

// serverOn returns a server without its guard.
func serverOn(t *testing.T, handoffs int) *Server {
	t.Helper()
	a, err := Listen(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return New(t.Context(), a, liveOn(t, handoffs), nil)
}

func getFrom(t *testing.T, s *Server, path string) (status int, body string) {
	t.Helper()
	w := httptest.NewRecorder()
	s.routes().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

// No answer is waited for beyond the time there is for one, and none is cut short.
func TestSlowAnswers(t *testing.T) {
	t.Parallel()
	s := serverOn(t, 3)
	s.cache.limit = time.Nanosecond
	for path, want := range map[string]string{
		"/": "", "/?q=rule": "Narrow the query", "/report/weekly": "narrow the query", "/status": "narrow the query", "/h/h_000000": "narrow the query",
		"/api/v1/search?q=rule": "narrow the query", "/api/v1/show/h_000000": "narrow the query", "/api/v1/values/project": "narrow the query",
		"/api/v1/latest": "narrow the query", "/api/v1/status": "narrow the query", "/api/v1/report/weekly": "narrow the query",
	} {
		status, body := getFrom(t, s, path)
		page := strings.HasPrefix(path, "/?") || path == "/"
		if !page && status != http.StatusServiceUnavailable || page && status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
		}
		if !strings.Contains(body, want) || !strings.Contains(body, "takes too long") {
			t.Errorf("%s: the answer does not say that it takes too long:\n%s", path, body)
		}
	}
	// A report that another one keeps waiting has no more time than others, and is made
	// when the other is done.
	s.cache.limit = 10 * time.Millisecond
	s.reporting <- struct{}{}
	if status, body := getFrom(t, s, "/report/digest"); status != http.StatusServiceUnavailable ||
		!strings.Contains(body, "another report is being made") {
		t.Errorf("%d\n%s", status, body)
	}
	<-s.reporting
	s.cache.limit = time.Hour
	if status, body := getFrom(t, s, "/report/digest"); status != http.StatusOK {
		t.Errorf("%d\n%s", status, body)
	}
}

// What takes too long is stopped, and is not begun anew by everybody who asks again.
func TestCacheStopsSlowAnswers(t *testing.T) {
	t.Parallel()
	var now clock
	c := now.cacheOf(t)
	c.limit = time.Millisecond
	begun := 0
	build := func(ctx context.Context) (any, error) {
		begun++
		<-ctx.Done()
		return nil, fmt.Errorf("cut short: %w", ctx.Err())
	}
	for range 2 {
		if _, err := c.get("q", time.Hour, build); !errors.Is(err, errSlow) {
			t.Errorf("the error is %v", err)
		}
	}
	if _, err := c.getWithin(time.Hour, "q", build); !errors.Is(err, errSlow) || begun != 1 {
		t.Errorf("it was begun %d times, %v", begun, err)
	}
	now.at.Store(60)
	fast, _ := counted()
	expect(t, c, time.Hour, fast, 1)
}

// A query that asks for all gets as many handoffs as a page can have.
func TestUnboundedSearch(t *testing.T) {
	t.Parallel()
	const more = 5
	s := serverOn(t, maxLimit+more)
	for _, text := range []string{"limit:0", "limit:5000"} {
		for _, path := range []string{"/?q=", "/api/v1/search?q="} {
			_, body := getFrom(t, s, path+text)
			n := strings.Count(body, "<li><article>") + strings.Count(body, `"path":`)
			if n != maxLimit || !strings.Contains(body, "at most 1,000 handoffs are shown at once") {
				t.Errorf("%s%s: %d hits, and whether it says so: %v", path, text, n, strings.Contains(body, "at most 1,000"))
			}
		}
	}
	if _, body := getFrom(t, s, "/?q=limit:0&from=1000"); strings.Count(body, "<li><article>") != more || strings.Contains(body, "at most 1,000") {
		t.Errorf("the last page has other hits than the last %d", more)
	}
}
