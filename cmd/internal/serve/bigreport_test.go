package serve_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBigReport opens reports of everything in the tree that HANDEX_LOAD names, and
// tells how long that takes. A file stays below 3 MB whatever it is of.
func TestBigReport(t *testing.T) {
	t.Parallel()
	tree := os.Getenv("HANDEX_LOAD")
	if tree == "" {
		t.Skip("HANDEX_LOAD names no tree of handoffs")
	}
	m := newMachine(t)
	b := open(t, 1280, 900, "file:")
	for _, args := range [][]string{{"digest", "--since", "2000-01-01"}, {"digest", "--since", "2000-01-01", "--limit", "0"}, {"health", "--limit", "0"}} {
		out := m.must(t, 0, append(append([]string{"report"}, args...), "--root", tree, "--html")...)
		file := filepath.Join(t.TempDir(), "report.html")
		if err := os.WriteFile(file, []byte(out.stdout), 0o600); err != nil {
			t.Fatal(err)
		}
		b.run(chromedp.Navigate("file://" + file))
		opened := value[float64](b, "performance.getEntriesByType('navigation')[0].loadEventEnd")
		shown := value[int](b, "document.querySelectorAll('.report a[href^=\"#h_\"]').length")
		t.Logf("%v: %d bytes, %d links to handoffs, opened in %.0f ms", args, len(out.stdout), shown, opened)
		if len(out.stdout) > 3_000_000 {
			t.Errorf("%v: %d bytes", args, len(out.stdout))
		}
		b.harmless("the file")
	}
}
