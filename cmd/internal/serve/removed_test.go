package serve_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Whoever removes the index under a server never gets an answer without the handoffs.
func TestServeRemovedIndex(t *testing.T) {
	tree := exampleTree(t)
	s := startOn(t, tree)
	id := idOf(t, s, "is:escalated is:open project:pipeline")
	if err := os.RemoveAll(filepath.Join(s.home, ".cache", "handex")); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		// Each question is another, so that no kept answer helps.
		path := "/api/v1/search?q=is:escalated+project:pipeline+-zzz" + time.Now().Format("150405000000000")
		status, body := s.ask(http.MethodGet, path, "")
		if status == http.StatusOK && !strings.Contains(body, id) {
			t.Fatalf("answered without %s:\n%s", id, body)
		}
		if status == http.StatusOK {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("in a minute no answer but %d:\n%s", status, body)
		}
	}
}
