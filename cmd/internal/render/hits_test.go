package render_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

var now = time.Date(2026, time.February, 10, 12, 0, 0, 0, time.UTC)

func terminal(width int) render.Options {
	return render.Options{Width: width, Dates: render.DatesRelative, Now: now}
}

var pipe = render.Options{Dates: render.DatesISO, Now: now}

func rows() []render.Row {
	day := func(d int) time.Time { return time.Date(2026, time.February, d, 0, 0, 0, 0, time.UTC) }
	return []render.Row{
		{Hit: index.Hit{
			Summary: index.Summary{
				ID: "h_0123456789ab", Project: "webshop", Format: "claude-suite", Path: "/w/a.md",
				Date: day(9), DatePrecision: "day", Title: "Fix token refresh", States: []string{"open", "escalated", "latest", "valid"},
			},
			Snippets: []index.Snippet{{Section: "next", Line: 31, Text: "  refresh the token before it\x1b[31m expires", Spans: [][2]int{{2, 9}, {14, 19}}}},
		}},
		{Hit: index.Hit{
			Summary: index.Summary{
				ID: "h_ba9876543210", Project: "日本語プロジェクト", Format: "company", Path: "/w/b.yaml",
				Date: now.Add(-3 * time.Hour), DatePrecision: "instant", Goal: "e\u0301cole 🚀 launch\nsecond line", States: []string{"closed", "superseded"},
			},
			Missing: []string{"refresh"},
		}},
		{Hit: index.Hit{Summary: index.Summary{ID: "h_cccccccccccc", Path: "/w/bad\x1b]0;name\a.md"}}},
	}
}

type list func(*strings.Builder, []render.Row, render.Options) error

func TestLists(t *testing.T) {
	oneline := func(b *strings.Builder, r []render.Row, o render.Options) error { return render.Oneline(b, r, o) }
	short := func(b *strings.Builder, r []render.Row, o render.Options) error { return render.Short(b, r, o) }
	colored := terminal(100)
	colored.Color = true
	tests := []struct {
		name string
		list list
		o    render.Options
		want string
	}{
		{"pipe", oneline, pipe, "" +
			"h_0123456789ab  2026-02-09  webshop  claude-suite  open,escalated,latest,valid  Fix token refresh\n" +
			"h_ba9876543210  2026-02-10T09:00:00Z  日本語プロジェクト  company  closed,superseded  e\u0301cole 🚀 launch second line\n" +
			"h_cccccccccccc  -  -  -  -  bad^[]0;name^G.md\n"},
		{"wide terminal", oneline, terminal(100), "" +
			"h_012345  yesterday    webshop             claude-suite  open escalated  Fix token refresh\n" +
			"h_ba9876  3 hours ago  日本語プロジェクト  company       replaced        e\u0301cole 🚀 launch second line\n" +
			"h_cccccc                                                                 bad^[]0;name^G.md\n"},
		{"no room for the format", oneline, terminal(80), "" +
			"h_012345  yesterday    webshop             open escalated  Fix token refresh\n" +
			"h_ba9876  3 hours ago  日本語プロジェクト  replaced        e\u0301cole 🚀 launch seco…\n" +
			"h_cccccc                                                   bad^[]0;name^G.md\n"},
		{"narrow terminal", oneline, terminal(40), "" +
			"h_012345  yesterday    Fix token refresh\n" +
			"h_ba9876  3 hours ago  e\u0301cole 🚀 launch …\n" +
			"h_cccccc               bad^[]0;name^G.md\n"},
		{"snippets", short, terminal(60), "" +
			"h_012345  yesterday    webshop       Fix token refresh\n" +
			"    next:31  refresh the token before it^[[31m expires\n" +
			"h_ba9876  3 hours ago  日本語プロ…   e\u0301cole 🚀 launch second…\n" +
			"    missing: refresh\n" +
			"h_cccccc                             bad^[]0;name^G.md\n"},
	}
	for _, test := range tests {
		var b strings.Builder
		if err := test.list(&b, rows(), test.o); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestColors(t *testing.T) {
	o := terminal(100)
	o.Color = true
	var b strings.Builder
	if err := render.Short(&b, rows()[:1], o); err != nil {
		t.Fatal(err)
	}
	want := "\x1b[33mh_012345\x1b[0m  \x1b[2myesterday\x1b[0m  \x1b[36mwebshop\x1b[0m  \x1b[2mclaude-suite\x1b[0m" +
		"  \x1b[32mopen\x1b[0m \x1b[1;31mescalated\x1b[0m  Fix token refresh\n" +
		"\x1b[2m    next:31\x1b[0m  \x1b[1;31mrefresh\x1b[0m the \x1b[1;31mtoken\x1b[0m before it^[[31m expires\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestSnippetShowsItsMatch(t *testing.T) {
	text := strings.Repeat("long ago ", 30) + "the needle is here " + strings.Repeat("and more ", 30)
	at := strings.Index(text, "needle")
	r := rows()[:1]
	r[0].Snippets = []index.Snippet{{Section: "done", Line: 7, Text: text, Spans: [][2]int{{at, at + 6}}}}
	var b strings.Builder
	if err := render.Short(&b, r, terminal(60)); err != nil {
		t.Fatal(err)
	}
	want := "    done:7  …ong ago the needle is here and more and more a…\n"
	if _, got, _ := strings.Cut(b.String(), "\n"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSpansOutsideTheTextAreHarmless(t *testing.T) {
	for _, spans := range [][][2]int{{{-4, 2}}, {{3, 99}}, {{5, 5}}, {{4, 2}}, {{0, 3}, {1, 4}}, {{1, 2}}} {
		r := rows()[:1]
		r[0].Snippets = []index.Snippet{{Text: "日本 x", Spans: spans}}
		var b strings.Builder
		if err := render.Short(&b, r, pipe); err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(b.String(), "\n"); got != "    日本 x\n" {
			t.Errorf("%v: %q", spans, got)
		}
	}
}

func TestQuiet(t *testing.T) {
	for _, c := range []struct {
		states []string
		want   string
	}{
		{[]string{"open", "escalated", "waiting", "latest"}, "open escalated"},
		{[]string{"closed", "escalated", "waiting", "latest", "acked"}, "acked"},
		{[]string{"closed", "latest"}, ""},
		{[]string{"open", "waiting", "acked"}, "open waiting acked"},
		{[]string{"closed"}, "closed"},
	} {
		loud := slices.DeleteFunc(slices.Clone(c.states), func(s string) bool { return render.Quiet(s, c.states) })
		if got := strings.Join(loud, " "); got != c.want {
			t.Errorf("of %v: %q, want %q", c.states, got, c.want)
		}
	}
}

// TestSecondLine: the text below a hit is no Markdown, and not the title again.
func TestSecondLine(t *testing.T) {
	t.Parallel()
	const title = "Fix the token refresh"
	for _, c := range []struct {
		lines []string
		want  string
	}{
		{[]string{"# " + title, "- [ ] **token** `x`"}, "    token x\n"},
		{[]string{title + ".", "> | token | b |"}, "    token b\n"},
		{[]string{"Fix the…"}, ""},
		{[]string{title}, ""},
		{[]string{"1. token __init__ a|b"}, "    token __init__ a|b\n"},
	} {
		row := render.Row{Hit: index.Hit{Summary: index.Summary{ID: "h_0", Title: title}}}
		for _, line := range c.lines {
			s := index.Snippet{Text: line}
			if at := strings.Index(line, "token"); at >= 0 {
				s.Spans = [][2]int{{at, at + len("token")}}
			}
			row.Snippets = append(row.Snippets, s)
		}
		var plain, colored strings.Builder
		err := errors.Join(render.Short(&plain, []render.Row{row}, render.Options{}),
			render.Short(&colored, []render.Row{row}, render.Options{Width: 60, Color: true}))
		if err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(plain.String(), "\n"); got != c.want {
			t.Errorf("%q: %q, want %q", c.lines, got, c.want)
		}
		if c.want != "" && !strings.Contains(colored.String(), "\x1b[1;31mtoken\x1b[0m") {
			t.Errorf("%q: nothing is marked in %q", c.lines, colored.String())
		}
	}
}
