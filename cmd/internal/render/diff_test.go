package render_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

func TestDiffText(t *testing.T) {
	at := time.Date(2026, time.February, 9, 8, 0, 0, 0, time.UTC)
	before := index.Summary{ID: "h_1", Date: at, Path: "/archive/1.md", VersionOf: "/x/HANDOFF.md"}
	after := index.Summary{ID: "h_2", Date: at.AddDate(0, 0, 1), Path: "/x/HANDOFF.md"}
	const header = "--- h_1 2026-02-09T08:00:00Z /x/HANDOFF.md\n+++ h_2 2026-02-10T08:00:00Z /x/HANDOFF.md\n"
	cases := []struct {
		name, old, new string
		color          bool
		want           string
	}{
		{"same", "a\n", "a\n", false, ""},
		{"line", "a\nb\n", "a\nc\n", false, header + "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
		{"blanks at the end", "a \n", "a\n", false, header + "@@ -1,1 +1,1 @@\n-a \n+a\n"},
		{"no newline", "a", "a\n", false, header + "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"what acts on a terminal", "a\n", "\x1b[31m\xff\u202e\n", false, header + "@@ -1,1 +1,1 @@\n-a\n+^[[31m\\xff<U+202E>\n"},
		{"only the control differs", "^[\n", "\x1b\n", false, header + "@@ -1,1 +1,1 @@\n-^[\n+^[\n"},
		{
			"colour", "a\n", "b\n", true,
			"\x1b[1m--- h_1 2026-02-09T08:00:00Z /x/HANDOFF.md\x1b[0m\n\x1b[1m+++ h_2 2026-02-10T08:00:00Z /x/HANDOFF.md\x1b[0m\n" +
				"\x1b[36m@@ -1,1 +1,1 @@\x1b[0m\n\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			d := render.Diff{Before: before, After: after, Old: []byte(c.old), New: []byte(c.new)}
			if err := render.DiffText(&b, d, render.Options{Color: c.color}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, b.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
