package brief_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/OWNER/handex/cmd/internal/brief"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/index/testkit"
	"github.com/OWNER/handex/parse"
)

// Whatever real projects hold, a briefing is within its budget, and tells what
// comes next and what blocks where the newest handoff says so.
func TestEachRealProject(t *testing.T) {
	t.Parallel()
	corpus := testkit.RealTree(t, 32) // some twenty-five projects
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	s, err := index.Open(t.Context(), index.Options{Dir: filepath.Join(t.TempDir(), "index"), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if _, err := s.Refresh(t.Context(), []index.Root{{Path: corpus}}, index.RefreshOptions{}); err != nil {
		t.Fatal(err)
	}
	status, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(status.Projects) == 0 {
		t.Fatal("there is no project")
	}
	var told atomic.Int64
	t.Run("projects", func(t *testing.T) { // ends when all of them have
		for _, p := range status.Projects {
			t.Run(filepath.Base(p.Root), func(t *testing.T) {
				t.Parallel()
				told.Add(checkProject(t, s, p.Root, now))
			})
		}
	})
	t.Logf("%d projects, %d lists of what is next or blocks", len(status.Projects), told.Load())
}

// checkProject checks the briefings of a project in three sizes. It returns how many lists
// they must have, of what comes next and what blocks.
func checkProject(t *testing.T, s *index.Store, root string, now time.Time) (told int64) {
	t.Helper()
	f, err := brief.Gather(t.Context(), s, root, brief.Options{Trusted: true, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Recent(t.Context(), root, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{600, 2000, 8000} {
		b := brief.Compose(f, brief.Plain, brief.ComposeOptions{Budget: brief.Budget{N: size, Unit: 'c'}, Now: now})
		if b == nil {
			t.Errorf("%s: nothing is told", root)
			continue
		}
		if n := utf8.RuneCountInString(brief.Plain.Write(b)); n > size {
			t.Errorf("%s: %d characters where %d may be", root, n, size)
		}
		for kind, block := range map[parse.Kind]string{parse.Next: "next", parse.Blockers: "blockers"} {
			if size >= 2000 && says(r.Handoffs[0], kind) {
				told++
				if !slices.ContainsFunc(b.Blocks, func(b brief.Block) bool { return b.Name == block }) {
					t.Errorf("%s: at %d nothing is told of %s, though %s has it", root, size, block, r.Handoffs[0].Path)
				}
			}
		}
	}
	return told
}

// finished are the beginnings of items that need not be told.
var finished = regexp.MustCompile(`(?i)^[*_\[( ]*(?:\d+[.)] )?[*_\[( ]*(?:✅|✓|✔|☑|~~|\[x|done|complete|none|n/a|no )|\b(?:done|pass|passed|merged|resolved|closed|completed)\b|✅`)

// says reports whether a handoff has an open item of a kind in a list.
func says(h *index.Handoff, kind parse.Kind) bool {
	return slices.ContainsFunc(h.Items, func(it parse.Item) bool {
		open := it.Checked == nil || !*it.Checked
		return it.Section == kind && open && !finished.MatchString(it.Mark+it.Text) && !parse.SaysNone(it.Text)
	})
}
