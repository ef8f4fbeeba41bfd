package render

import (
	"bufio"
	"io"
	"strconv"
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
	return Each(header, func(name string) string { return strings.TrimSuffix(name, ">") })
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

// TSV writes a line for each row: its texts with tabs between them, each made
// one line.
func TSV(w io.Writer, rows [][]string) error {
	return lines(w, rows, func(r []string) string { return strings.Join(Each(r, Line), "\t") + "\n" })
}

// CSV writes a header and a line for each row, every cell quoted. A cell that a
// spreadsheet would take for a formula begins with an apostrophe.
func CSV(w io.Writer, header []string, rows [][]string) error {
	cell := func(text string) string { return `"` + strings.ReplaceAll(disarm(Clean(text)), `"`, `""`) + `"` }
	return lines(w, append([][]string{header}, rows...), func(r []string) string {
		return strings.Join(Each(r, cell), ",") + "\r\n"
	})
}

// disarm returns a text that a spreadsheet does not take for a formula.
func disarm(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// Markdown writes a table.
func Markdown(w io.Writer, header []string, rows [][]string) error {
	rule := Each(header, func(string) string { return "---" })
	cell := func(text string) string { return inert.Replace(Line(text)) }
	return lines(w, append([][]string{header, rule}, rows...), func(r []string) string {
		return "| " + strings.Join(Each(r, cell), " | ") + " |\n"
	})
}

// lines writes a line for each row.
func lines(w io.Writer, rows [][]string, line func([]string) string) error {
	b := bufio.NewWriter(w)
	for _, r := range rows {
		_, _ = b.WriteString(line(r)) // Flush returns what went wrong
	}
	return b.Flush()
}

// inert takes the meaning from the characters that have one inside a table of
// Markdown.
var inert = strings.NewReplacer(`\`, `\\`, `|`, `\|`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`,
	`&lt;`, `&`, `&amp;`)

// usualColumns are the columns of the forms that have columns, unless others are selected.
var usualColumns = map[string][]string{
	"plain": {"id", "date", "project", "format", "status", "states", "path", "label"},
	"csv": {
		"id", "date", "project", "format", "session", "from", "to", "status", "states", "branch", "path", "title",
		"goal",
	},
	"md":    {"date", "project", "format", "states", "label", "path"},
	"table": {"id", "date", "project", "format", "states", "label"},
}

// Rows writes rows as "plain" (tab-separated), "csv", "md" (a table of Markdown) or
// "table": aligned, and on a terminal no column gets more than its share of the width.
// columns may be nil.
func Rows(w io.Writer, rows []Row, columns []string, form string, o Options) error {
	if columns == nil {
		columns = usualColumns[form]
	}
	texts, err := o.columnCells(rows, columns)
	if err != nil {
		return err
	}
	switch form {
	case "csv":
		return CSV(w, columns, texts)
	case "md":
		return Markdown(w, columns, texts)
	case "plain":
		return TSV(w, texts)
	}
	if o.Width > 0 {
		for i, r := range texts {
			shorten(r, columns, o.Width)
			if n := rows[i].Number; n > 0 {
				texts[i] = append([]string{strconv.Itoa(n)}, r...)
			}
		}
		if len(rows) > 0 && rows[0].Number > 0 {
			columns = append([]string{"#>"}, columns...)
		}
	}
	return Table(w, columns, texts, o)
}

// shorten cuts ids as people see them and columns but the last to a share of
// the width.
func shorten(texts, columns []string, room int) {
	const least = 16
	share := max(room/len(columns), least)
	for i := range texts {
		if columns[i] == "id" {
			texts[i] = ShortID(texts[i])
		}
		if columns[i] == "states" {
			texts[i] = strings.Join(Each(strings.Split(texts[i], ", "), StateWord), ", ")
		}
		if i < len(texts)-1 {
			texts[i] = Cut(Line(texts[i]), share)
		}
	}
}

// Ended writes one text of each row with an end behind it; what was seen already is not
// repeated; nil is nothing.
func Ended(w io.Writer, rows []Row, end string, seen map[string]bool, text func(Row) string) error {
	var b strings.Builder
	if seen == nil {
		seen = map[string]bool{}
	}
	for _, r := range rows {
		if t := text(r); !seen[t] {
			seen[t] = true
			b.WriteString(t + end)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Rule writes a line across, with a blank line above and below.
func Rule(w io.Writer, o Options) error {
	room := o.Width
	if room == 0 {
		room = 72
	}
	p := &printer{Options: o, w: w}
	p.print("\n")
	p.line(Span{strings.Repeat("─", room), Dim})
	p.print("\n")
	return p.err
}
