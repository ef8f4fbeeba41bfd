package pages_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/pages"
	"github.com/OWNER/handex/cmd/internal/report"
)

// drawn are the shapes of a kind in the first drawing of a class, as their
// attributes and title.
func drawn(t *testing.T, page, class, shape string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `<svg class="`+class+`"`)
	if !ok {
		t.Fatalf("there is no %s", class)
	}
	svg, _, _ := strings.Cut(rest, "</svg>")
	var list []string
	for _, m := range regexp.MustCompile(`<`+shape+` ([^>]*?)/?>(?:<title>([^<]*)</title>)?`).FindAllStringSubmatch(svg, -1) {
		list = append(list, strings.TrimSpace(m[1]+" "+m[2]))
	}
	return list
}

func activity(n int) *report.Report {
	return &report.Report{Name: "x", Title: "X", Now: now, Sections: []report.Section{{Name: report.Activity, Title: "Activity", Days: days(n)}}}
}

// Up to a month is a strip of days.
func TestHeatStrip(t *testing.T) {
	t.Parallel()
	page := file(t, activity(3), loaded)
	want := []string{
		`class="l2" x="0" y="0" width="64" height="44" rx="6" 2026-02-01: 1 handoff`,
		`class="l0" x="67" y="0" width="64" height="44" rx="6" 2026-02-02: 0 handoffs`,
		`class="l4" x="134" y="0" width="64" height="44" rx="6" 2026-02-03: 3 handoffs`,
	}
	if diff := cmp.Diff(want, drawn(t, page, "heat strip", "rect")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(page, "3 days from 2026-02-01 to 2026-02-03, 2 of them with handoffs; most on 2026-02-03: 3") {
		t.Error("it is not told in words")
	}
}

// More is a column for each week, Monday first: 2026-02-01 is a Sunday.
func TestHeatGrid(t *testing.T) {
	t.Parallel()
	got := drawn(t, file(t, activity(32), loaded), "heat", "rect")
	if len(got) != 32 {
		t.Fatalf("%d days", len(got))
	}
	for i, want := range map[int]string{
		0:  `class="l2" x="34" y="116" width="13" height="13" rx="3" 2026-02-01: 1 handoff`,
		1:  `class="l0" x="50" y="20" width="13" height="13" rx="3" 2026-02-02: 0 handoffs`,
		31: `class="l2" x="114" y="20" width="13" height="13" rx="3" 2026-03-04: 2 handoffs`,
	} {
		if i == 31 {
			want = `class="l0" x="114" y="52" width="13" height="13" rx="3" 2026-03-04: 0 handoffs`
		}
		if got[i] != want {
			t.Errorf("day %d is %s, want %s", i, got[i], want)
		}
	}
	if got := drawn(t, file(t, activity(1000), loaded), "heat", "rect"); len(got) != 371 {
		t.Errorf("of 1000 days %d are drawn, want the last 53 weeks", len(got))
	}
}

// Projects stand on each other, those that are fewer on top.
func TestStackedBars(t *testing.T) {
	t.Parallel()
	want := []string{
		`class="s1" x="37" y="115" width="61" height="53" webshop, 2026-02-01: 1`,
		`class="s1" x="165" y="115" width="61" height="53" webshop, 2026-02-03: 1`,
		`class="s2" x="165" y="9" width="61" height="106" notes, 2026-02-03: 2`,
	}
	if diff := cmp.Diff(want, drawn(t, file(t, activity(3), loaded), "bars", "rect")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// However many days there are, the bars find room, and nothing is lost.
func TestManyBars(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		days, bars int
		unit       string
	}{{2, 2, "day"}, {120, 120, "day"}, {121, 19, "week"}, {400, 58, "week"}, {401, 14, "month"}, {3000, 99, "month"}} {
		page := file(t, activity(c.days), loaded)
		if !strings.Contains(page, "Handoffs of each project by "+c.unit+"<") {
			t.Errorf("%d days are not shown by %s", c.days, c.unit)
		}
		places := map[string]bool{}
		for _, bar := range drawn(t, page, "bars", "rect") {
			places[regexp.MustCompile(` x="(\d+)"`).FindString(bar)] = true
		}
		if got := len(places); got > c.bars || got < c.bars*2/3 {
			t.Errorf("%d days are %d bars, want about %d", c.days, got, c.bars)
		}
	}
}

func TestFlow(t *testing.T) {
	t.Parallel()
	page := file(t, sample(), loaded)
	want := []string{
		`class="s1" d="M190 25 C380 25 380 25 570 25" stroke-width="42" claude to codex: 3 handovers`,
		`class="s2" d="M190 65 C380 65 380 65 570 65" stroke-width="14" codex to claude: 1 handover`,
	}
	if diff := cmp.Diff(want, drawn(t, page, "flow", "path")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(page, "2 senders, 2 receivers; most often claude to codex: 3 times") {
		t.Error("it is not told in words")
	}
}

// A report that is served has no list of queries: its figures lead to the search.
func TestServedReport(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	links := pages.Links{Handoff: func(id string) string { return "/h/" + id }, Search: func(q string) string { return "/?q=" + q }}
	p := pages.ReportPage{Frame: pages.Frame{Theme: "auto", CSRF: "SECRET", Here: "weekly"}, Report: sample()}
	if err := pages.WriteReport(&out, p, pages.Options{Links: links, Now: now, Zone: time.UTC}); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for text, want := range map[string]int{
		`<a class="figure" href="/?q=is:open%20is:escalated">2</a>`: 1,
		`href="/h/h_000000000012"`:                                  1,
		`action="/ack/h_000000000012"`:                              1, // it is open
		`action="/ack/h_000000000005"`:                              0, // it is not
		`value="SECRET"`:                                            1,
		`value="/report/weekly"`:                                    1,
		"How to get the figures again":                              0,
		`<a href="/?q=date:2026-02-01" tabindex="-1">`:              1,
	} {
		if got := strings.Count(page, text); got != want {
			t.Errorf("%s stands %d times, want %d", text, got, want)
		}
	}
}
