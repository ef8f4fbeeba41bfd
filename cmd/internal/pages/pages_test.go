package pages_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/pages"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// masked puts stars in the place of one word.
func masked() pages.Options {
	return pages.Options{
		Links: pages.Links{Handoff: func(id string) string { return "/h/" + id }, Search: func(q string) string { return "/?q=" + q }},
		Mask:  func(text string) string { return strings.ReplaceAll(text, "hunter2", "[x masked]") },
		Now:   now, Zone: time.UTC,
	}
}

// full is a handoff that says hunter2 wherever it can.
func full() *index.Handoff {
	const word = "hunter2"
	return &index.Handoff{
		Summary: index.Summary{
			ID: "h_0123456789ab", Title: "Title " + word, Goal: word, Project: "p " + word, Root: "/code/" + word, Path: "/code/" + word + "/H.md",
			Format: "markdown", Session: word, From: word, To: word, Branch: word, Status: word, Date: day(12), DatePrecision: "day", States: []string{"open", "escalated"},
		},
		Head:        "head " + word + "\n",
		Sections:    []parse.Section{{Kind: parse.Next, Heading: "Next " + word, Body: "- **" + word + "**\n"}},
		Escalations: []parse.Line{{Number: 3, Text: "HUMAN REVIEW NEEDED " + word}},
		Files:       []parse.File{{Path: word, Action: "modified"}}, WorkItems: []string{word}, Links: []parse.Link{{Relation: "continues", Target: word}},
		Problems: []parse.Problem{{Severity: parse.Error, Rule: "x.y", Line: 4, Message: word}},
	}
}

func handoffPage(t *testing.T, change func(*pages.HandoffPage)) string {
	t.Helper()
	p := pages.HandoffPage{Frame: pages.Frame{Theme: "auto", CSRF: "SECRET"}, Tab: "read", Full: full()}
	if change != nil {
		change(&p)
	}
	var out bytes.Buffer
	if err := pages.WriteHandoff(&out, p, masked()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// shows expects texts in a page, and hunter2 nowhere.
func shows(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("%s is not in\n%s", text, page)
		}
	}
	if strings.Contains(page, "hunter2") {
		t.Error("what is masked is shown")
	}
}

func TestHandoffPage(t *testing.T) {
	t.Parallel()
	older := index.Summary{ID: "h_000000000001", Title: "Before hunter2"}
	page := handoffPage(t, func(p *pages.HandoffPage) { p.Older = &older })
	shows(t, page,
		"<title>Title [x masked] · handex</title>", "<h1>Title [x masked]</h1>", `<span class="badge alarm">escalated</span>`,
		`<h3 class="part next" id="part-1">Next [x masked]</h3>`, "<li><strong>[x masked]</strong></li>", "<li>HUMAN REVIEW NEEDED [x masked]</li>",
		`<time datetime="2026-02-12" title="yesterday">2026-02-12</time>`, `action="/ack/h_0123456789ab"`, `value="SECRET"`,
		`<a class="older" href="/h/h_000000000001" rel="prev">`, "Before [x masked]", `<span class="badge alarm">error</span> [x masked]`, "line 4 x.y",
	)
	if strings.Contains(page, `rel="next"`) {
		t.Error("there is a newer one")
	}
	raw := handoffPage(t, func(p *pages.HandoffPage) {
		p.Tab, p.Raw, p.RawLeft, p.Acked, p.Note = "raw", "hunter2 \x1b[2J<b>", 1234, now.Add(-time.Hour), "seen"
	})
	shows(t, raw, `<pre class="raw">[x masked] ^[[2J&lt;b&gt;</pre>`, "1,234 more bytes are not shown here", "Acknowledged", "60 minutes ago", ": seen", `name="undo"`)
	history := handoffPage(t, func(p *pages.HandoffPage) {
		p.Tab = "history"
		p.Versions = []index.Version{{Summary: full().Summary}, {Summary: older, Replaced: now.Add(-48 * time.Hour)}}
	})
	shows(t, history, "<strong>Title [x masked]</strong> (shown)", `<a href="/h/h_000000000001">Before [x masked]</a>`, ">2026-02-11 12:00</time>")
}

func TestSearchPage(t *testing.T) {
	t.Parallel()
	hit := index.Hit{Summary: full().Summary, Snippets: []index.Snippet{
		{Section: "next", Text: "say hello twice, hello", Spans: [][2]int{{4, 9}, {17, 22}}},
		{Text: "hunter2 hello", Spans: [][2]int{{8, 13}}},
	}}
	result := &index.Result{Hits: []index.Hit{hit}, Total: 3000, TotalAtLeast: true, Folded: 1200, Offset: 25, At: now}
	p := pages.SearchPage{
		Frame: pages.Frame{Theme: "dark", Reports: []string{"weekly"}, Query: `hello "x"`}, Next: "/?q=hello&from=26",
		Chips: []pages.Linked{{Text: "is:open", Link: "/?q=hello"}}, Facets: []pages.FacetList{{Field: "project", Values: []pages.FacetValue{{Text: "one", Count: 2}, {Text: "two", Link: "/?q=two"}}, More: 1}},
		Answer: &render.Answer{Result: result, Rows: []render.Row{{Hit: hit}}, Notes: []string{"a <note>"}},
	}
	var out bytes.Buffer
	if err := pages.WriteSearch(&out, p, masked()); err != nil {
		t.Fatal(err)
	}
	shows(t, out.String(),
		`value="hello &#34;x&#34;"`, "26 to 26 of more than 3,000, 1,200 of them shown as versions</p>", "a &lt;note&gt;", `<a href="/h/h_0123456789ab">Title [x masked]</a>`,
		"say <mark>hello</mark> twice, <mark>hello</mark>", ">[x masked] hello</p>", `href="/?q=hello&amp;from=26"`, `value="dark" checked`,
		`<a href="/?q=hello"><span class="hidden">Remove </span>is:open`, `<details id="more-project"><summary>1 more<span class="hidden"> of project</span></summary><ul><li><a href="/?q=two">`,
	)
	out.Reset()
	p = pages.SearchPage{Frame: pages.Frame{Query: "x:"}, Faults: []pages.Fault{{Message: "is <wrong>", Query: pages.Place("x:", 1, 2), Instead: []pages.Instead{{Query: "y:", Link: "/?q=y"}}}}}
	if err := pages.WriteSearch(&out, p, masked()); err != nil {
		t.Fatal(err)
	}
	shows(t, out.String(), `<div class="fault" role="alert">`, "is &lt;wrong&gt;", "<code>x<mark>:</mark></code>", `<a href="/?q=y">y:</a>`, `aria-invalid="true"`)
}

// A few bytes of a handoff can ask for a row of hundreds of cells, or for a dozen quotes
// in each other. The page stays small, and says that a text is shown as it was written.
func TestHandoffPageIsBounded(t *testing.T) {
	t.Parallel()
	const columns = 200
	table := strings.Repeat("|a", columns) + "\n" + strings.Repeat("|-", columns) + "\n" + strings.Repeat("|\n", 3500) + "\n"
	for name, text := range map[string]string{
		"tables in one text": strings.Repeat(table, 14),
		"quotes":             strings.Repeat(strings.Repeat(">", 24)+"x\n\n", 4500),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := handoffPage(t, func(p *pages.HandoffPage) {
				p.Full.Sections = nil
				for range 6 { // more than a page has room for
					p.Full.Sections = append(p.Full.Sections, parse.Section{Kind: parse.Next, Body: text})
				}
			})
			shows(t, page, "Some of this text is shown as it was written", "<pre>")
			if most := 4 << 20; len(page) > most {
				t.Errorf("the page has %d bytes, more than %d", len(page), most)
			}
		})
	}
	page := handoffPage(t, func(p *pages.HandoffPage) { p.Full.Sections[0].Body = "|a|b|\n|-|-|\n|1|\n" })
	if shows(t, page, "<td>1</td><td></td>"); strings.Contains(page, "as it was written") {
		t.Error("a small table is not shown as one")
	}
}
