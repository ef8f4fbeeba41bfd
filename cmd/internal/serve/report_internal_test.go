package serve

import (
	"net/http"
	"strings"
	"testing"
)

// What is wrong with what a report is asked for is told with its place, and is no fault
// of the server.
func TestBadReports(t *testing.T) {
	t.Parallel()
	s := serverOn(t, 2)
	for ask, want := range map[string]string{
		"weekly?week=never":      "never",
		"weekly?week=2026-02-01": "is not a week",
		"weekly?q=projct:x":      "<mark>",
		"weekly?q=limit:3":       "<mark>",
	} {
		for _, path := range []string{"/report/", "/api/v1/report/"} {
			if path != "/report/" && want == "<mark>" {
				want = `"start":`
			}
			status, body := getFrom(t, s, path+ask)
			if status != http.StatusBadRequest || !strings.Contains(body, want) {
				t.Errorf("%s%s: %d, want 400 and %q\n%s", path, ask, status, want, body)
			}
		}
	}
}
