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
	end := time.Now().Add(time.Minute)
	// What the server writes meanwhile can keep the folder from being removed.
	for err := os.ErrExist; err != nil; err = os.RemoveAll(filepath.Join(s.home, ".cache", "handex")) {
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	for ; ; time.Sleep(10 * time.Millisecond) {
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
