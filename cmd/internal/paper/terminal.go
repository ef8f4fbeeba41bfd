package paper

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
)

// A page writes one report for people.
type page struct {
	w       io.Writer
	o       render.Options
	queries bool
	whole   bool // items have their other wordings below them
	who     bool // items show who wrote them
	clock   bool // items show only the time of day
	err     error
}

// Terminal writes a report for a person, as wide as the terminal is. With queries
// it writes the query of every number, else only of the first of each section.
func Terminal(w io.Writer, r *report.Report, o render.Options, queries bool) error {
	if o.Dates == render.DatesISO {
		o.Dates = render.DatesShort
	}
	p := &page{w: w, o: o, queries: queries, whole: r.Whole}
	p.line(render.Bold.Of(r.Title))
	p.line(render.Dim.Of(countText(r.Handoffs) + " of " + countText(r.Projects) + restricted(r)))
	if queries {
		p.query(r.Handoffs.Query)
	}
	for i := range r.Sections {
		p.line()
		if !r.IsOneList() {
			p.heading(&r.Sections[i])
		}
		p.section(&r.Sections[i])
	}
	for _, note := range closing(r) {
		p.line()
		p.line(render.Dim.Of(note))
	}
	return p.err
}

// restricted returns what the report is restricted to, behind its counts.
func restricted(r *report.Report) string {
	if r.Query == "" {
		return ""
	}
	return ", " + render.Line(r.Query)
}

// closing returns the notes at the end of a report.
func closing(r *report.Report) []string {
	var list []string
	if len(r.Sections) == 0 {
		list = append(list, "Nothing to report.")
	}
	if !r.Whole && folds(r) {
		list = append(list, "+N alike: N texts of other handoffs say nearly the same; --limit 0 lists them")
	}
	for _, n := range r.Notes {
		list = append(list, "note: "+render.Line(n))
	}
	if r.Masked > 0 {
		list = append(list, maskedNote(r.Masked))
	}
	return list
}

// maskedNote says how many texts are masked.
func maskedNote(n int) string {
	if n == 1 {
		return "masked 1 text that looks like a credential (--no-redact shows it)"
	}
	return "masked " + strconv.Itoa(n) + " texts that look like credentials (--no-redact shows them)"
}

// folds reports whether an item of a report combines several texts.
func folds(r *report.Report) bool {
	return slices.ContainsFunc(r.Sections, func(s report.Section) bool {
		return slices.ContainsFunc(s.Items, func(it report.Item) bool { return len(it.Alike) > 0 })
	})
}

// countText returns a number with what it counts.
func countText(n report.Number) string {
	label := render.Line(n.Label)
	if n.Value == 1 && slices.Contains([]string{"handoffs", "projects", "files"}, label) {
		label = strings.TrimSuffix(label, "s")
	}
	return strings.TrimRight(render.Thousands(n.Value)+" "+label, " ")
}

// line writes spans on one line.
func (p *page) line(spans ...render.Span) {
	if p.err == nil {
		p.err = render.Spans(p.w, p.o, spans...)
	}
}

// query writes the query that finds what a number counts. It is never cut: half a query
// is another.
func (p *page) query(q string) {
	if q == "" || p.err != nil {
		return
	}
	whole := p.o
	whole.Width = 0
	p.err = render.Spans(p.w, whole, render.Dim.Of("  "+command(q)))
}

// command returns what a person types to see what a query finds.
func command(q string) string { return "handex search " + shell(render.Line(q)) }

// shell quotes a query as one word.
func shell(q string) string {
	if strings.Trim(q, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:/= ") == "" &&
		!strings.HasPrefix(q, "-") {
		return q
	}
	return "'" + strings.ReplaceAll(q, "'", `'\''`) + "'"
}

// heading writes the title of a section and its figures.
func (p *page) heading(s *report.Section) {
	head := []render.Span{{Text: s.Title, Look: render.Bold}}
	for i, n := range s.Numbers {
		text := countText(n)
		if i == 0 && n.Query != "" && len(s.Items) > 0 {
			text = render.Thousands(n.Value)
		}
		head = append(head, render.Dim.Of("  "+text))
	}
	p.line(head...)
}

// section writes the queries and the parts of a section.
func (p *page) section(s *report.Section) {
	for i, n := range s.Numbers {
		if i == 0 && n.Query != "" && s.Name != report.Done || p.queries {
			p.query(n.Query)
		}
	}
	p.items(s)
	p.days(s.Days)
	p.flow(s.Flow)
	p.table(s.Table)
	if s.Omitted > 0 {
		p.line(render.Dim.Of("  and " + render.Thousands(s.Omitted) + " more; --limit 0 shows all"))
	}
}
