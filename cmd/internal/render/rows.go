package render

import (
	"io"
	"strconv"
	"strings"
)

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
			texts[i] = strings.Join(each(strings.Split(texts[i], ", "), StateWord), ", ")
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
