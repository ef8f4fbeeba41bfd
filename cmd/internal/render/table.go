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
func listing(w io.Writer, header []string, plain bool, o Options, rows func(Options) [][]string) error {
	if plain {
		o.Dates = DatesISO
		return TSV(w, rows(o))
	}
	return Table(w, header, rows(o), o)
}

func (p *printer) table(header []string, rows [][]string) {
	widths, right := measure(header, rows)
	if header != nil {
		p.line(p.cells(strip(header), widths, right, dim)...)
	}
	for _, r := range rows {
		p.line(p.cells(r, widths, right, plain)...)
	}
}

func measure(header []string, rows [][]string) (widths []int, right []bool) {
	for _, r := range append([][]string{strip(header)}, rows...) {
		for i, text := range r {
			if i == len(widths) {
				widths = append(widths, 0)
				right = append(right, i < len(header) && strings.HasSuffix(header[i], ">"))
			}
			widths[i] = max(widths[i], cells(Line(text)))
		}
	}
	return widths, right
}

func strip(header []string) []string {
	out := make([]string, len(header))
	for i, name := range header {
		out[i] = strings.TrimSuffix(name, ">")
	}
	return out
}

// cells are the texts of a row, aligned in their columns.
func (o Options) cells(texts []string, widths []int, right []bool, look style) []piece {
	var line []piece
	for i, text := range texts {
		if i > 0 {
			line = append(line, piece{text: strings.Repeat(" ", gap)})
		}
		text = Line(text)
		blanks := piece{text: strings.Repeat(" ", widths[i]-cells(text))}
		if right[i] {
			line = append(line, blanks, piece{text, look})
		} else {
			line = append(line, piece{text, look}, blanks)
		}
	}
	return fit(line, o.Width)
}
