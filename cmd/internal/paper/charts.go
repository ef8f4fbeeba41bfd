package paper

import (
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
)

// days writes a bar for each day, and a line of small ones for each project.
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

// bars returns a bar as long as its share of the most.
func bars(n, most, cells int) string {
	if n == 0 || most == 0 {
		return ""
	}
	return strings.Repeat("█", max(n*cells/most, 1))
}

// squeezed adds neighbours together until the counts fit a width; 0 or less fits
// all.
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

// spark returns a line of small bars; a day without is a dot.
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

// flow writes who handed over to whom.
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

// table writes a table, its last column cut at the terminal's width.
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
	rows := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		for _, c := range row {
			rows[i] = append(rows[i], cell(c, p.o))
		}
	}
	p.err = render.Table(p.w, header, rows, p.o)
}

// cell returns a cell as text.
func cell(c report.Cell, o render.Options) string {
	switch {
	case c.Number != nil:
		return render.Thousands(c.Number.Value)
	case !c.When.IsZero():
		return o.Date(c.When, c.Precision)
	}
	return c.Text
}
