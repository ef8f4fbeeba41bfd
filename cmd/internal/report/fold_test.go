package report_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/report"
)

// What one handoff says stays apart, however alike; what others say alike is counted,
// and their words are kept.
func TestFolding(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var many strings.Builder
	for i := range 400 {
		fmt.Fprintf(&many, "- Moved the customers of region %d to the new table\n", i)
	}
	tests := "- Added tests for the parser\n- Added tests for the lexer\n- Added tests for the printer\n"
	lay(t, root, map[string]string{
		"calc/.git/x": "", "move/.git/x": "",
		"calc/.bon/handoffs/2026-02-08-aaaa0001.md": markdown("2026-02-08", "Done", tests, "Next", tests),
		"calc/.bon/handoffs/2026-02-07-aaaa0002.md": markdown("2026-02-07", "Done", "- Added tests for the scanner\n- Added tests for the lexer\n", "Gotchas", "- The clock of the container runs on UTC"),
		"calc/.bon/handoffs/2026-02-06-aaaa0003.md": markdown("2026-02-06", "Gotchas", "- Container clock runs on UTC"),
		"move/.bon/handoffs/2026-02-08-bbbb0001.md": markdown("2026-02-08", "Done", many.String()),
	})
	r := see(t, root, testNow, time.UTC).must(t, report.Options{Most: -1}, "")
	done := r.Section(report.Done)
	var calc, alike []string
	for _, it := range done.Of("calc") {
		calc = append(calc, it.Text)
		for _, a := range it.Alike {
			alike = append(alike, it.Text+" = "+a.Text)
		}
	}
	if diff := cmp.Diff([]string{"Added tests for the parser", "Added tests for the lexer", "Added tests for the printer"}, calc[:3]); diff != "" {
		t.Errorf("done (-want +got):\n%s", diff)
	}
	if n := len(done.Of("move")); n != 400 {
		t.Errorf("%d of 400 items", n)
	}
	if diff := cmp.Diff([]string{"Added tests for the parser = Added tests for the scanner"}, alike); diff != "" {
		t.Errorf("alike (-want +got):\n%s", diff)
	}
	if n := done.Of("calc")[1].Count; n == nil || n.Value != 2 {
		t.Errorf("the lexer is counted as %v, want 2", n)
	}
	if n := len(r.Section(report.Next).Items); n != 3 {
		t.Errorf("%d next steps, want 3", n)
	}
	if g := r.Section(report.Gotchas); g == nil || len(g.Items) != 1 || len(g.Items[0].Alike) != 1 {
		t.Errorf("gotchas: %+v", g)
	}
}
