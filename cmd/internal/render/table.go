package render

import (
	"io"
	"strings"
)

// Table writes rows under a header, aligned; a header that is nil is left out.
// Columns whose name ends in ">" are aligned to the right. The last column is
// cut at the terminal's width.
func Table(w io.Writer, header []string, rows [][]string, o Options) error {
	p := &printer{Options: o, w: w}
	p.table(header, rows)
	return p.err
}

// listing writes rows as a table, or for programs as tab-separated lines without a
// header and with dates that do not depend on the day they are written.
func listing(w io.Writer, header []string, forPrograms bool, o Options, rows func(Options) [][]string) error {
	if forPrograms {
		o.Dates = DatesISO
		return TSV(w, rows(o))
	}
	return Table(w, header, rows(o), o)
}

// table writes the rows that Table does.
func (p *printer) table(header []string, rows [][]string) {
	widths, right := measure(header, rows)
	if header != nil {
		p.line(p.cells(strip(header), widths, right, Dim)...)
	}
	for _, r := range rows {
		p.line(p.cells(r, widths, right, Plain)...)
	}
}

// measure returns how wide each column is, and which are aligned to the right.
func measure(header []string, rows [][]string) (widths []int, right []bool) {
	for _, r := range append([][]string{strip(header)}, rows...) {
		for i, text := range r {
			if i == len(widths) {
				widths = append(widths, 0)
				right = append(right, i < len(header) && strings.HasSuffix(header[i], ">"))
			}
			widths[i] = max(widths[i], Cells(Line(text)))
		}
	}
	return widths, right
}

// strip returns the names of columns without the mark of those on the right.
func strip(header []string) []string {
	out := make([]string, len(header))
	for i, name := range header {
		out[i] = strings.TrimSuffix(name, ">")
	}
	return out
}

// cells returns the texts of a row, aligned in their columns.
func (o Options) cells(texts []string, widths []int, right []bool, look Look) []Span {
	var line []Span
	for i, text := range texts {
		if i > 0 {
			line = append(line, Span{Text: strings.Repeat(" ", gap)})
		}
		text = Line(text)
		blanks := Span{Text: strings.Repeat(" ", widths[i]-Cells(text))}
		if right[i] {
			line = append(line, blanks, Span{text, look})
		} else {
			line = append(line, Span{text, look}, blanks)
		}
	}
	return fit(line, o.Width)
}
