package digest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/digest"
)

func TestSplit(t *testing.T) {
	for _, tc := range []struct {
		body string
		want []string
		done string // an x for each piece that is finished, a dot for others
	}{
		{"- one\n- two\n", []string{"one", "two"}, ".."},
		{"1. one\n   goes on\n2. **two**: [a link](docs/x.md) here\n", []string{"one goes on", "two: a link here"}, ".."},
		{"- [x] one\n- [ ] two\n- ✅ three\n- ~~four~~\n- DONE: five\n", []string{"one", "two", "three", "~~four~~", "DONE: five"}, "x.xxx"},
		{"- parent:\n  - a\n  - [x] b\n  - c\n- other\n", []string{"parent; a; c", "other"}, ".."},
		{"A paragraph\nof two lines.\n\nAnother.\n", []string{"A paragraph of two lines.", "Another."}, ".."},
		{"Then do these:\n- a\n\nAnd no more.\n", []string{"a", "And no more."}, ".."},
		{"- a\n```sh\n- not this\n```\n- b\n", []string{"a", "b"}, ".."},
		{"| What | Who |\n|---|---|\n| tests | me |\n| docs | ✅ you |\n", []string{"tests · me", "docs · ✅ you"}, ".x"},
		{"- a <!-- hidden --> b\n<!-- all\nof\n- this -->\n- c <!-- open\n", []string{"a b", "c <!-- open"}, ".."},
		{"None.\n", nil, ""},
		{"- N/A\n", nil, ""},
		{"---\n***\n", nil, ""},
		{"- Blockers: none\n- Blockers of the two releases: no, but one is near\n", []string{"Blockers of the two releases: no, but one is near"}, "."},
		{"1. ✓ one\n2. ○ two\n3. [x] three\n", []string{"one", "two", "three"}, "x.x"},
		{"| What | State |\n|---|---|\n| None | goes on |\n| tests | PASS |\n| docs | HOLD |\n", []string{"tests · PASS", "docs · HOLD"}, "x."},
		{"A paragraph\n|---|---|\n| a | b |\n", []string{"A paragraph", "a · b"}, ".."},
		{"- Rotate the key — id: B-1; severity: high; owner: null; resolved: true\n- Ship it — name: ship; status: open\n- Pack it — id: 3; status: done\n", []string{"Rotate the key — severity: high; resolved: true", "Ship it — status: open", "Pack it — status: done"}, "x.x"},
		{"> quoted\n", []string{"quoted"}, "."},
		{"", nil, ""},
	} {
		var got []string
		marks := ""
		for _, p := range digest.Split(tc.body) {
			got = append(got, p.Text)
			marks += map[bool]string{true: "x", false: "."}[p.Done]
		}
		if diff := cmp.Diff(tc.want, got); diff != "" || marks != tc.done {
			t.Errorf("%q: %s, want %s (-want +got):\n%s", tc.body, marks, tc.done, diff)
		}
	}
}

func TestAlike(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"Write the migration of the invoice numbers (shop-1234)", "**Write** migration for invoice numbers, shop-1234", true},
		{"Write the migration of the invoice numbers", "Write the tests of the price banner", false},
		{"Port chapter 3 of the book", "Port chapter 4 of the book", false},
		{"Table 11 has two headers", "Table 11: two headers", true},
		{"Table 11 has two headers", "Table 12 has two headers", false},
		{"Fix CI", "fix ci", true},
		{"Fix A", "Fix B", false}, // too little to tell by words
		{"Fix CI runs", "Runs: fix CI", true},
		{"数据库迁移还没有完成", "数据库迁移没有完成", true},
		{"数据库迁移", "价格横幅测试", false},
		{"", "", false},
		{"deploy", "deploy the whole new system with all of the services and their several databases to production", false},
	} {
		if got := digest.WordingOf(tc.a).Alike(digest.WordingOf(tc.b)); got != tc.want {
			t.Errorf("%q and %q: %v", tc.a, tc.b, got)
		}
		if got := digest.WordingOf(tc.b).Alike(digest.WordingOf(tc.a)); got != tc.want {
			t.Errorf("%q and %q: %v", tc.b, tc.a, got)
		}
	}
}

func TestTaskSame(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"shop-rotevi — price checking (needs a query) remains the biggest pain on the board", "If there is time, shop-rotevi (price checking) is the standing pain, now the seventh session running", true},
		{"Wait for T-003, then begin with the importer", "T-003 needs other keys, which nobody at the vendor answers mails about", false}, // they name one ticket and say other things
		{"Write the migration of the invoice numbers", "Write migration for invoice numbers", true},
		{"Read `load/reader.py` again", "Read load/reader.py again, slowly, with the whole team and two debuggers", true},
		{"Fix CI in 3 places", "Fix DNS in 3 regions", false},
		{"", "", false},
	} {
		if a, b := digest.TaskOf(tc.a), digest.TaskOf(tc.b); a.Same(b) != tc.want || b.Same(a) != tc.want {
			t.Errorf("%q and %q: %v", tc.a, tc.b, a.Same(b))
		}
	}
}

// Nothing a section holds takes more than linear time.
func TestSplitIsLinear(t *testing.T) {
	for _, unit := range []string{"- a\n", "[](", "](", "<!--", "<!-- -->", "|", "| a | b |\n", "```\n", "- - - ", "  - a\n", "> ", "**", "a. ", "~~~\n", "\n"} {
		began := time.Now()
		digest.Split(strings.Repeat(unit, (4<<20)/len(unit)))
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%q takes %v", unit, took)
		}
	}
}
