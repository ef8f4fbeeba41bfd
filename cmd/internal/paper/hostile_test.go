package paper_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/OWNER/handex/cmd/internal/paper"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
)

// payloads try to be more than text where a report is shown.
var payloads = []string{
	`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `[click](https://evil.example/a)`, `![shot](https://evil.example/b.png)`, `<https://evil.example/c>`,
	`https://evil.example/d is open`, `www.evil.example/e is open`, `WWW.evil.example/f`, `ask @admin and @org/team`, `mail root@evil.example now`, `closes #12 and org/repo#13`,
	"# Heading of its own", "- item of its own", "1. number of its own", "> quote of its own", "=== rule of its own", "```sh of its own", "a `code` and `unpaired", "``two`` ticks `x | y`",
	"| a | b |", "**bold** _it_ ~~gone~~ $math$", `&lt;b&gt; &amp; &#64;admin`, `\[x\](y) \`, `[x][y] [y]: https://evil.example/g`, `<!-- comment --> text`, "javascript:alert(1)", "xmpp:root@evil.example",
	`=HYPERLINK("https://evil.example","x")`, "+1+cmd|' /C calc'!A0", "-2+3 and more", "@SUM(1+1)*cmd", "\t=1+1 tabbed", "plain text\r=1+1", `","=1+1","`,
	"\x1b[31mred\x1b]0;title\x07 text", "turned \u202e around", "zero\u200bwidth text", "bad \xff\xfe bytes",
	"key ghp_0123456789abcdefghijABCDEFGHIJ012345 leaked",
}

// hostileTree has the payloads wherever a report takes texts from.
func hostileTree(tb testing.TB) string {
	tb.Helper()
	root := tb.TempDir()
	for i, p := range payloads {
		at := now.AddDate(0, 0, -i%6)
		one := strings.ReplaceAll(p, "\r", " ")
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", " ", "\x1b", "", "\x07", "", "\xff", "", "\xfe", "", "\r", " ").Replace(p)
		text := fmt.Sprintf("---\ndate: %s\nfrom: \"%s\"\nto: \"%s\"\nbranch: \"%s\"\n---\n# %s\n\n## Done\n\n- %s\n\n## Next\n\n- %s\n\n## Blockers\n\n- %s\n\n## Gotchas\n\n- %s\n\n## Failed approaches\n\n- %s\n\n## Risks\n\nHUMAN REVIEW NEEDED: %s\n",
			at.Format(time.DateOnly), quoted, quoted, quoted, one, one, one, one, one, one, one)
		for _, project := range []string{fmt.Sprintf("p%02d", i), fmt.Sprintf("@p%02d=1 [x](y) <b>", i)} {
			file := filepath.Join(root, project, "docs", "handoffs", "handoff.md")
			if err := os.MkdirAll(filepath.Join(root, project, ".git"), 0o700); err != nil {
				tb.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				tb.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return root
}

func hostileReports(tb testing.TB) []*report.Report {
	tb.Helper()
	s := indexed(tb, hostileTree(tb))
	var list []*report.Report
	for _, kind := range report.Kinds() {
		if kind.Name == "timeline" {
			continue
		}
		r := build(tb, s, report.Options{Name: kind.Name, Most: -1}, "")
		if len(r.Sections) == 0 || r.Masked == 0 && kind.Name != "health" {
			tb.Fatalf("%s: %d sections, %d masked", kind.Name, len(r.Sections), r.Masked)
		}
		list = append(list, r, build(tb, s, report.Options{Name: kind.Name, Most: -1, By: "branch"}, ""))
	}
	return list
}

// Markdown made of any text has the mark-up of reports and no other: even where raw
// HTML is let through and bare addresses become links.
func TestMarkdownIsInert(t *testing.T) {
	t.Parallel()
	for _, r := range hostileReports(t) {
		checkMarkdown(t, r)
	}
}

var (
	tags = regexp.MustCompile(`<[^>]*>`)
	ours = regexp.MustCompile(`^</?(h1|h2|h3|p|ul|li|code|strong|table|thead|tbody|tr|th|td|br)( style="text-align:right"| /)?>$`)
	// shownCode is left as it is; what hosts look for is text.
	shownCode = regexp.MustCompile(`(?s)<code>.*?</code>`)
	entities  = regexp.MustCompile(`&#\d+;`)
	becomes   = regexp.MustCompile(`(?i)@[a-z]|#\d|https?://|www\.`)
)

func checkMarkdown(tb testing.TB, r *report.Report) {
	tb.Helper()
	host := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	var md, page bytes.Buffer
	if err := paper.Markdown(&md, r, render.Options{Now: now}); err != nil {
		tb.Fatal(err)
	}
	if err := host.Convert(md.Bytes(), &page); err != nil {
		tb.Fatal(err)
	}
	for _, tag := range tags.FindAllString(page.String(), -1) {
		if !ours.MatchString(tag) {
			tb.Errorf("%s: %s of\n%s", r.Name, tag, md.String())
		}
	}
	shown := entities.ReplaceAllString(shownCode.ReplaceAllString(page.String(), ""), "")
	if found := becomes.FindString(shown); found != "" {
		tb.Errorf("%s: %q is left in the text of\n%s", r.Name, found, md.String())
	}
}

// FuzzMarkdown puts any text wherever a report has texts.
func FuzzMarkdown(f *testing.F) {
	for _, p := range payloads {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = render.Line(text)
		n := report.Number{Label: text, Value: 3, Query: text}
		it := report.Item{Group: text, Text: text, Ref: report.Ref{ID: "h_1", Title: text, Project: text, When: now}, Who: text, State: text, Count: &n}
		alone := it
		alone.Group = ""
		checkMarkdown(t, &report.Report{Name: "fuzz", Title: text, Query: text, Handoffs: n, Projects: n, Notes: []string{text}, Sections: []report.Section{
			{Title: text, Numbers: []report.Number{n}, Groups: []report.Group{{Name: text, Handoffs: n}}, Items: []report.Item{it, it}},
			{Title: text, Items: []report.Item{alone}, Flow: []report.Edge{{From: text, To: text, Number: n}}},
			{Title: text, Table: &report.Table{Columns: []report.Column{{Title: text}, {Title: text}}, Rows: [][]report.Cell{{{Text: text}, {Number: &n}}}}},
			{Title: text, Days: &report.Days{Days: []report.Day{{When: now, Number: n}}, Rows: []report.DayRow{{Number: n, Counts: []int{3}, Queries: []string{text}}}}},
		}})
	})
}

// No cell of CSV is a formula, and what is written is read back.
func TestCSVIsInert(t *testing.T) {
	t.Parallel()
	for _, r := range hostileReports(t) {
		var b bytes.Buffer
		if err := paper.CSV(&b, r); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) < 3 {
			t.Fatalf("%s: %d rows, %v", r.Name, len(rows), err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
					t.Errorf("%s: %q", r.Name, cell)
				}
			}
		}
	}
}

// No form has a character that acts on a terminal, turns text around or is not
// seen, and none has the secret.
func TestFormsAreClean(t *testing.T) {
	t.Parallel()
	for _, r := range hostileReports(t) {
		for name, write := range forms {
			var b bytes.Buffer
			if err := write(&b, r); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			if name == "80.txt" {
				text = regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(text, "")
				for line := range strings.Lines(text) {
					if n := render.Cells(strings.TrimRight(line, "\n")); n > 80 && !strings.HasPrefix(line, "  handex search ") {
						t.Errorf("%s: %d cells: %s", r.Name, n, line)
					}
				}
			}
			if at := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && r != '\r' && !unicode.IsGraphic(r) }); at >= 0 {
				t.Errorf("%s.%s: %q", r.Name, name, text[max(at-20, 0):at+10])
			}
			if strings.Contains(text, "ghp_") {
				t.Errorf("%s.%s tells the secret", r.Name, name)
			}
		}
	}
}
