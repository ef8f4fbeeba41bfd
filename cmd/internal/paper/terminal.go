package paper

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

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

// Terminal writes a report for people, as wide as the terminal. With queries it writes the
// query of every number, else only that of the first number of each section.
func Terminal(w io.Writer, r *report.Report, o render.Options, queries bool) error {
	if o.Dates == render.DatesISO {
		o.Dates = render.DatesShort
	}
	p := &page{w: w, o: o, queries: queries, whole: r.Whole}
	p.line(render.Bold.Of(r.Title))
	counts := countText(r.Handoffs) + " of " + countText(r.Projects)
	if r.Query != "" {
		counts += ", " + render.Line(r.Query)
	}
	p.line(render.Dim.Of(counts))
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

// closing returns the lines at the end of a report: what is missing, notes, and how much
// was masked.
func closing(r *report.Report) []string {
	var list []string
	if len(r.Sections) == 0 {
		list = append(list, "Nothing to report.")
	}
	if !r.Whole && folds(r) {
		list = append(list, "+N alike: N texts of other handoffs say nearly the same; --limit 0 lists them")
	}
	list = append(list, render.Each(r.Notes, func(n string) string { return "note: " + render.Line(n) })...)
	if r.Masked > 0 {
		list = append(list, maskedNote(r.Masked))
	}
	return list
}

// maskedNote returns a sentence that says how many texts are masked.
func maskedNote(n int) string {
	if n == 1 {
		return "masked 1 text that looks like a credential (--no-redact shows it)"
	}
	return "masked " + strconv.Itoa(n) + " texts that look like credentials (--no-redact shows them)"
}

// folds reports whether any item of a report has other wordings.
func folds(r *report.Report) bool {
	return slices.ContainsFunc(r.Sections, func(s report.Section) bool {
		return slices.ContainsFunc(s.Items, func(it report.Item) bool { return len(it.Alike) > 0 })
	})
}

// countText returns a number with its label, in the singular if the number is 1.
func countText(n report.Number) string {
	label := render.Line(n.Label)
	if n.Value == 1 && slices.Contains([]string{"handoffs", "projects", "files"}, label) {
		label = strings.TrimSuffix(label, "s")
	}
	return strings.TrimRight(render.Thousands(n.Value)+" "+label, " ")
}

// line writes spans as one line, cut at the width of the terminal.
func (p *page) line(spans ...render.Span) {
	if p.err == nil {
		p.err = render.Spans(p.w, p.o, spans...)
	}
}

// query writes the command that runs a query. It is never cut, as half a query is a
// different one.
func (p *page) query(q string) {
	if q == "" || p.err != nil {
		return
	}
	whole := p.o
	whole.Width = 0
	p.err = render.Spans(p.w, whole, render.Dim.Of("  "+command(q)))
}

// command returns the command that a user types to run a query.
func command(q string) string { return "handex search " + shell(render.Line(q)) }

// shell quotes a query for a shell, if it needs quotes.
func shell(q string) string {
	if strings.Trim(q, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:/= ") == "" &&
		!strings.HasPrefix(q, "-") {
		return q
	}
	return "'" + strings.ReplaceAll(q, "'", `'\''`) + "'"
}

// heading writes the title and the numbers of a section.
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

// section writes the queries of a section, its items, days, flow and table.
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

// days writes a bar for each day, if there are few, and a line of small bars for each
// project.
func (p *page) days(d *report.Days) {
	if d == nil {
		return
	}
	const wide, bar = 14, 40
	most := 0
	for _, day := range d.Days {
		most = max(most, day.Value)
	}
	if len(d.Days) <= wide {
		for _, day := range d.Days {
			p.line(render.Plain.Of("  "+day.When.Format("Mon 2006-01-02")+"  "),
				render.Green.Of(bars(day.Value, most, bar)), render.Dim.Of("  "+render.Thousands(day.Value)))
		}
	}
	names := 0
	for _, r := range d.Rows {
		names = max(names, min(render.Cells(r.Label), maxProject))
	}
	for _, r := range d.Rows {
		counts, most := squeezed(r.Counts, p.o.Width-names-14)
		p.line(render.Cyan.Of("  "+padded(render.Cut(r.Label, names), names)+"  "),
			render.Green.Of(spark(counts, most)), render.Dim.Of("  "+render.Thousands(r.Value)))
		if p.queries {
			p.query("  " + r.Query)
		}
	}
	if n := len(d.Days); n > 0 {
		text := "  " + d.Days[0].When.Format(time.DateOnly) + " to " + d.Days[n-1].When.Format(time.DateOnly)
		if d.Omitted > 0 {
			text += ", and " + render.Thousands(d.Omitted) + " more projects"
		}
		p.line(render.Dim.Of(text))
	}
}

// bars returns a bar for n whose length is its share of most; most is cells long.
func bars(n, most, cells int) string {
	if n == 0 || most == 0 {
		return ""
	}
	return strings.Repeat("█", max(n*cells/most, 1))
}

// squeezed adds neighbouring counts together until at most room of them are left, or 7 if
// room is smaller. most is the largest that results. With room 0 or less, no counts are
// added.
func squeezed(counts []int, room int) (list []int, most int) {
	list = counts
	for room > 0 && len(list) > max(room, 7) {
		half := make([]int, (len(list)+1)/2)
		for i, n := range list {
			half[i/2] += n
		}
		list = half
	}
	return list, slices.Max(append([]int{0}, list...))
}

// spark returns a line with a small bar for each count; 0 is a dot.
func spark(counts []int, most int) string {
	const levels = "▁▂▃▄▅▆▇█"
	signs := []rune(levels)
	var b strings.Builder
	for _, n := range counts {
		if n == 0 {
			b.WriteRune('·')
			continue
		}
		b.WriteRune(signs[(n*len(signs)-1)/most])
	}
	return b.String()
}

// flow writes a line with a bar for each edge: who handed over to whom, and how often.
func (p *page) flow(edges []report.Edge) {
	from, to, most := 0, 0, 0
	for _, e := range edges {
		from, to, most = max(from, min(render.Cells(e.From), maxProject)), max(to,
			min(render.Cells(e.To), maxProject)), max(most, e.Value)
	}
	for _, e := range edges {
		p.line(render.Plain.Of("  "+padded(render.Cut(e.From, maxProject), from)), render.Dim.Of(" → "),
			render.Plain.Of(padded(render.Cut(e.To, maxProject), to)+"  "),
			render.Green.Of(bars(e.Value, most, 20)), render.Dim.Of(" "+render.Thousands(e.Value)))
		if p.queries {
			p.query("  " + e.Query)
		}
	}
}

// table writes a table in aligned columns; its lines are cut at the width of the terminal.
func (p *page) table(t *report.Table) {
	if p.err != nil || t == nil || len(t.Rows) == 0 {
		return
	}
	p.line()
	var header []string
	for _, c := range t.Columns {
		if c.Right {
			c.Title += ">" // as render.Table takes it
		}
		header = append(header, c.Title)
	}
	rows := render.Each(t.Rows, func(row []report.Cell) []string {
		return render.Each(row, func(c report.Cell) string { return cell(c, p.o) })
	})
	p.err = render.Table(p.w, header, rows, p.o)
}

// cell returns a table cell as text: its number, its date or its text.
func cell(c report.Cell, o render.Options) string {
	switch {
	case c.Number != nil:
		return render.Thousands(c.Number.Value)
	case !c.When.IsZero():
		return o.Date(c.When, c.Precision)
	}
	return c.Text
}
