package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/OWNER/handex/cmd/internal/gen"
	"github.com/OWNER/handex/index/testkit"
)

// A large answer is written in portions, and is what its pages are together.
func TestLargeAnswers(t *testing.T) {
	t.Parallel()
	const handoffs, page = 700, 350
	m := newMachine(t)
	tree := filepath.Join(t.TempDir(), "tree")
	if _, err := gen.Tree(tree, handoffs, 1); err != nil {
		t.Fatal(err)
	}
	m.must(t, 0, "index", "--root", tree)
	isSummary := func(line string) bool { return strings.HasPrefix(line, `{"type":"summary"`) }
	forms := [][]string{
		{"--jsonl"},
		{"--ids"},
		{"--paths"},
		{"--plain"},
		{"--null"},
		{"--format", "{{.id}} {{.goal}} {{.lines}}"},
		{},
		{"select:id,title,progress", "--jsonl"},
		{"select:id,title,next"},
	}
	for _, form := range testkit.Some(forms, 4) {
		ask := func(words ...string) string {
			return m.must(t, 0, append(append([]string{"search", "--no-refresh", "--root", tree}, words...), form...)...).stdout
		}
		var want strings.Builder
		seen, end := map[string]bool{}, "\n" // only paths are there twice
		if len(form) > 0 && form[0] == "--null" {
			end = "\x00"
		}
		for from := 0; from < handoffs; from += page {
			for line := range strings.SplitAfterSeq(ask(fmt.Sprint("limit:", page), fmt.Sprint("offset:", from)), end) {
				if !isSummary(line) && !seen[line] {
					want.WriteString(line)
				}
				seen[line] = true
			}
		}
		got := ask("limit:0")
		if at := strings.LastIndex(got, `{"type":"summary"`); at >= 0 {
			summary := got[at:]
			got = got[:at]
			if !strings.Contains(summary, fmt.Sprintf(`"total":%d,"shown":%d,"truncated":false,"index"`, handoffs, handoffs)) {
				t.Errorf("%v: %s", form, summary)
			}
		}
		if got != want.String() {
			t.Errorf("%v: the answer has %d bytes, its pages %d", form, len(got), want.Len())
		}
	}
	// One that is not shown to its end says so.
	out := m.must(t, 0, "search", "--no-refresh", "--root", tree, "--ids", "limit:600")
	if n := strings.Count(out.stdout, "\n"); n != 600 || !strings.Contains(out.stderr, "600 of 700 shown") {
		t.Errorf("%d ids\n%s", n, out.stderr)
	}
	out = m.must(t, 0, "search", "--no-refresh", "--root", tree, "--jsonl", "limit:600")
	if !strings.Contains(out.stdout, `"shown":600,"truncated":true,"next_offset":600`) {
		t.Error(out.stdout[strings.LastIndex(out.stdout[:len(out.stdout)-1], "\n"):])
	}
}
