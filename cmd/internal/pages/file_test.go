package pages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// A file stays below its bound however much there is to show, and tells what it
// leaves out.
func TestFileIsBounded(t *testing.T) {
	t.Parallel()
	r := &report.Report{Name: "x", Title: "X", Now: now}
	for s := range 4 {
		section := report.Section{Name: fmt.Sprintf("own-%d", s), Title: "Own"}
		for i := range 2500 {
			section.Items = append(section.Items, report.Item{Text: strings.Repeat("word ", 20), Ref: ref(s*2500+i, "T", "p")})
		}
		r.Sections = append(r.Sections, section)
	}
	long := func(id string) (*index.Handoff, error) {
		h, err := loaded(id)
		h.Sections = []parse.Section{{Kind: parse.Next, Heading: "Next", Body: strings.Repeat("- a step & more\n", 20_000)}}
		return h, err
	}
	page := file(t, r, long)
	if len(page) > 3_000_000 || len(page) < 2_000_000 {
		t.Errorf("the file has %d bytes", len(page))
	}
	held := strings.Count(page, "<article ")
	links := strings.Count(page, `href="#h_`)
	left := fmt.Sprintf("The text of %d of the handoffs named here is not in this file", 1000-held)
	if held < 20 || links != held || !strings.Contains(page, left) {
		t.Errorf("%d handoffs, %d links to them, and not %q", held, links, left)
	}
	if got := strings.Count(page, "2,250 more are left out here."); got != 4 {
		t.Errorf("%d sections tell what they leave out", got)
	}
	if got := strings.Count(page, "more bytes are not shown here: handex show h_"); got != held {
		t.Errorf("%d handoffs tell what they leave out", got)
	}
}

// A handoff that is gone is named and leads nowhere.
func TestFileWithoutHandoffs(t *testing.T) {
	t.Parallel()
	page := file(t, sample(), func(string) (*index.Handoff, error) { return nil, nil })
	if strings.Contains(page, `href="#h_`) || strings.Contains(page, "<article") {
		t.Error("it leads to handoffs it does not hold")
	}
	if !strings.Contains(page, "Export and what it gives away") {
		t.Error("it does not name them")
	}
}
