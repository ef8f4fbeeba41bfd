package serve_test

import (
	"fmt"
	"html"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestHTMLIsValid has every page and file judged by html-validate: the standard and
// what makes pages usable without eyes or mouse.
func TestHTMLIsValid(t *testing.T) {
	t.Parallel()
	judge, err := exec.LookPath("html-validate")
	if err != nil {
		t.Skip("there is no html-validate")
	}
	tree := exampleTree(t)
	s := startOn(t, tree)
	paths := []string{
		"/", "/?q=open", "/?q=projct%3Ax", "/?q=zzzz", "/?q=" + url.QueryEscape("count by format"), "/status", "/nothing", "/h/h_000000000000",
		"/report/digest", "/report/weekly", "/report/standup", "/report/escalations", "/report/health", "/report/timeline", "/report/timeline?q=project%3Awebshop", "/report/digest?q=x%3A",
	}
	for _, id := range regexp.MustCompile(`h_[0-9a-f]{12}`).FindAllString(s.get("/api/v1/search"), -1) {
		paths = append(paths, "/h/"+id, "/h/"+id+"/raw", "/h/"+id+"/history")
	}
	dir := t.TempDir()
	var files []string
	keep := func(text string) {
		file := filepath.Join(dir, fmt.Sprintf("%03d.html", len(files)))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	for _, path := range paths {
		_, page := s.ask("GET", path, "")
		keep(page)
	}
	for _, name := range []string{"digest", "escalations", "health"} {
		keep(s.must(t, 0, "report", name, "--root", tree, "--html").stdout)
	}
	keep(s.must(t, 0, "report", "timeline", "project:webshop", "--root", tree, "--html").stdout)
	out, err := exec.CommandContext(t.Context(), judge, append([]string{"-c", "testdata/html/htmlvalidate.json", "-f", "text"}, files...)...).CombinedOutput()
	if err != nil || len(files) < 50 {
		t.Errorf("of %d files: %v\n%s", len(files), err, out)
	}
}

// TestInsteadKeepsTheQuery checks that a link to what may be meant has all else that was
// asked.
func TestInsteadKeepsTheQuery(t *testing.T) {
	t.Parallel()
	s := startOn(t, exampleTree(t))
	for asked, want := range map[string]string{
		"project:webshp is:open sort:date limit:3": "project:webshop is:open sort:date-desc limit:3",
		"projct:webshop is:open":                   "project:webshop is:open",
	} {
		page := html.UnescapeString(s.get("/?q=" + url.QueryEscape(asked)))
		if link := `href="/?q=` + url.QueryEscape(want) + `"`; !strings.Contains(page, link) {
			t.Errorf("%s: no link %s in\n%s", asked, link, page)
		}
	}
}
