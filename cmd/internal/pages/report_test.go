package pages_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/OWNER/handex/cmd/internal/pages"
	"github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

var now = time.Date(2026, 2, 13, 12, 0, 0, 0, time.UTC)

func day(n int) time.Time { return time.Date(2026, 2, n, 0, 0, 0, 0, time.UTC) }

func number(label string, n int, query string) report.Number {
	return report.Number{Label: label, Value: n, Query: query}
}

func ref(n int, title, project string) report.Ref {
	return report.Ref{ID: fmt.Sprintf("h_%012d", n), Title: title, Project: project, When: day(n), Precision: "day"}
}

// days are of two projects over a number of days, a handoff of the first on each
// even day and two of the second on each third.
func days(n int) *report.Days {
	d := &report.Days{}
	webshop, notes := report.DayRow{Number: number("webshop", 0, "")}, report.DayRow{Number: number("notes", 0, "")}
	for i := range n {
		at := day(1).AddDate(0, 0, i)
		a, b := (i+1)%2, 2*(i%3/2)
		webshop.Counts, webshop.Value = append(webshop.Counts, a), webshop.Value+a
		notes.Counts, notes.Value = append(notes.Counts, b), notes.Value+b
		d.Days = append(d.Days, report.Day{When: at, Number: number(at.Format(time.DateOnly), a+b, "date:"+at.Format(time.DateOnly))})
	}
	d.Rows = []report.DayRow{webshop, notes}
	return d
}

// sample has something in every part.
func sample() *report.Report {
	three := number("", 3, "gotchas:clock")
	return &report.Report{
		Name: "weekly", Title: "Week 7 of 2026", Query: "project:webshop OR project:notes", From: day(9), To: day(16), Now: now,
		Handoffs: number("handoffs", 14, "date:2026-02-09..2026-02-15"), Masked: 2, Notes: []string{"1 file could not be read"},
		Sections: []report.Section{
			{
				Name: report.Escalations, Title: "A human must look", Numbers: []report.Number{number("open escalations", 2, "is:open is:escalated")},
				Items: []report.Item{
					{Group: "notes", Text: "Export and what it gives away", Ref: ref(12, "Export", "notes"), State: "open", Who: "claude → human"},
					{Group: "notes", Text: "Raise the limit", Ref: ref(5, "Raise the limit", "notes"), State: "replaced"},
				},
				Groups: []report.Group{{Name: "notes", Handoffs: number("handoffs", 9, `project="notes"`), Omitted: 1}},
			},
			{
				Name: report.Next, Title: "What is next", Numbers: []report.Number{number("steps", 4, "has:next")},
				Items: []report.Item{{Text: "Turn the invoice on", Ref: ref(10, "Invoices", "webshop"), Since: day(3)}}, Omitted: 3,
			},
			{
				Name: report.Gotchas, Title: "Traps met again", Numbers: []report.Number{number("traps", 1, "")},
				Items: []report.Item{{Text: "The clock of the container is UTC", Ref: ref(11, "Clock", "webshop"), Count: &three, Where: []report.Ref{ref(11, "Clock", "webshop"), ref(7, "Clock again", "notes")}}},
			},
			{Name: report.Activity, Title: "Activity", Numbers: []report.Number{number("handoffs", 14, "")}, Days: days(7)},
			{
				Name: report.Agents, Title: "Agents", Flow: []report.Edge{{From: "claude", To: "codex", Number: number("", 3, "from:claude to:codex")}, {From: "codex", To: "claude", Number: number("", 1, "from:codex to:claude")}},
				Table: &report.Table{Columns: []report.Column{{Name: "agent", Title: "Agent"}, {Name: "n", Title: "Handoffs", Right: true}, {Name: "last", Title: "Last"}}, Rows: [][]report.Cell{{{Text: "claude"}, {Number: &three}, {When: day(12), Precision: "day"}}}},
			},
		},
	}
}

func loaded(id string) (*index.Handoff, error) {
	return &index.Handoff{
		Summary:  index.Summary{ID: id, Title: "Of " + id, Project: "notes", Format: "markdown", Path: "/code/notes/HANDOFF.md", Date: day(12), DatePrecision: "day", States: []string{"open"}},
		Sections: []parse.Section{{Kind: parse.Next, Heading: "Next", Body: "- [ ] see [the plan](https://plan.example/)\n"}},
	}, nil
}

func file(t *testing.T, r *report.Report, load func(string) (*index.Handoff, error)) string {
	t.Helper()
	var out bytes.Buffer
	if err := pages.WriteReportFile(&out, r, load, pages.Options{Now: now}); err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("HANDEX_PAGES"); dir != "" {
		if err := os.WriteFile(dir+"/"+strings.ReplaceAll(t.Name(), "/", "-")+".html", out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// each calls see for every element of a page.
func each(t *testing.T, page string, see func(name string, attributes map[string]string)) {
	t.Helper()
	tokens := html.NewTokenizer(strings.NewReader(page))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			attributes := map[string]string{}
			for _, a := range token.Attr {
				attributes[a.Key] = a.Val
			}
			see(token.Data, attributes)
		}
	}
}

// A file needs nothing else: whatever it names is in it, and its policy allows its
// own style sheet alone.
func TestReportFileStandsAlone(t *testing.T) {
	t.Parallel()
	page := file(t, sample(), loaded)
	ids := map[string]bool{}
	each(t, page, func(name string, a map[string]string) {
		if id := a["id"]; id != "" {
			if ids[id] {
				t.Errorf("%s %q stands twice", name, id)
			}
			ids[id] = true
		}
	})
	policy, links := "", 0
	each(t, page, func(name string, a map[string]string) {
		if a["http-equiv"] == "Content-Security-Policy" {
			policy = a["content"]
		}
		for key, value := range a {
			switch {
			case strings.HasPrefix(key, "on"), key == "style", key == "src", key == "srcset", key == "action":
				t.Errorf("%s has %s=%q", name, key, value)
			case key == "href" && strings.HasPrefix(value, "#"):
				links++
				if !ids[value[1:]] {
					t.Errorf("%s leads to %s, which is not there", name, value)
				}
			case key == "href" && (name != "a" || value != "https://plan.example/" || a["rel"] != "noopener noreferrer nofollow"):
				t.Errorf("%s leads to %s", name, value)
			}
		}
		if name == "script" || name == "link" || name == "iframe" || name == "img" {
			t.Errorf("there is a %s", name)
		}
	})
	sum := sha256.Sum256([]byte(pages.Style))
	want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
	if policy != want {
		t.Errorf("the policy is %q", policy)
	}
	_, style, _ := strings.Cut(page, "<style>")
	if style, _, _ = strings.Cut(style, "</style>"); style != pages.Style {
		t.Error("the style sheet is not as its sum says")
	}
	if links < 20 {
		t.Errorf("only %d links", links)
	}
}

// A tile says what its figure counts.
func TestTilesSayWhatTheyCount(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Sections = append(r.Sections,
		report.Section{Name: report.Done, Title: "What got done", Numbers: []report.Number{r.Handoffs}},
		report.Section{Name: report.Activity + "2", Title: "Handoffs per day", Numbers: []report.Number{r.Handoffs}},
		report.Section{Name: report.Failed, Title: "Tried and failed", Numbers: []report.Number{number("with failed approaches", 1, "has:failed")}},
		report.Section{Name: report.Quiet, Title: "Gone quiet", Numbers: []report.Number{number("projects", 2, "")}},
		report.Section{Name: report.Invalid, Title: "Broken rules", Numbers: []report.Number{number("invalid", 3, "is:invalid")}})
	page := file(t, r, loaded)
	for _, want := range []string{
		"<strong>14</strong> <span>handoffs this week</span>", "<strong>1</strong> <span>handoff with failed approaches</span>",
		"<strong>2</strong> <span>projects gone quiet</span>", "<strong>3</strong> <span>invalid handoffs</span>",
	} {
		if strings.Count(page, want) != 1 {
			t.Errorf("%d times %s", strings.Count(page, want), want)
		}
	}
	if strings.Contains(page, "<span>Handoffs per day</span>") {
		t.Error("a tile says that all handoffs are of one day")
	}
}
