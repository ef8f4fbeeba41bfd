package render

import (
	"io"
	"strings"

	"handex/index"
)

// The columns of the forms that have some, unless others are asked for.
var (
	plainColumns    = []string{"id", "date", "project", "format", "status", "states", "path", "label"}
	csvColumns      = []string{"id", "date", "project", "format", "session", "from", "to", "status", "states", "branch", "path", "title", "goal"}
	markdownColumns = []string{"date", "project", "format", "states", "label", "path"}
	tableColumns    = []string{"id", "date", "project", "format", "states", "label"}
)

// RowsTSV writes a tab-separated line for each row; columns may be nil.
func RowsTSV(w io.Writer, rows []Row, columns []string, o Options) error {
	texts, err := o.allCells(rows, orElse(columns, plainColumns))
	if err != nil {
		return err
	}
	return TSV(w, texts)
}

// RowsCSV writes a header and a line for each row; columns may be nil.
func RowsCSV(w io.Writer, rows []Row, columns []string, o Options) error {
	columns = orElse(columns, csvColumns)
	texts, err := o.allCells(rows, columns)
	if err != nil {
		return err
	}
	return CSV(w, columns, texts)
}

// RowsMarkdown writes a table of Markdown; columns may be nil.
func RowsMarkdown(w io.Writer, rows []Row, columns []string, o Options) error {
	columns = orElse(columns, markdownColumns)
	texts, err := o.allCells(rows, columns)
	if err != nil {
		return err
	}
	return Markdown(w, columns, texts)
}

// RowsTable writes a header and a line for each row, aligned; columns may be
// nil. On a terminal a column gets no more than its share of the width.
func RowsTable(w io.Writer, rows []Row, columns []string, o Options) error {
	columns = orElse(columns, tableColumns)
	texts, err := o.allCells(rows, columns)
	if err != nil {
		return err
	}
	if o.Width > 0 {
		for _, r := range texts {
			shorten(r, columns, o.Width)
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
		if i < len(texts)-1 {
			texts[i] = flat(fit([]piece{{text: Line(texts[i])}}, share))
		}
	}
}

func flat(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return b.String()
}

func orElse(columns, usual []string) []string {
	if columns == nil {
		return usual
	}
	return columns
}

// Ended writes one text of each row with an end behind it; what was written
// already is not repeated.
func Ended(w io.Writer, rows []Row, end string, text func(Row) string) error {
	var b strings.Builder
	seen := map[string]bool{}
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
	p.line(piece{strings.Repeat("─", room), dim})
	p.print("\n")
	return p.err
}

// BucketsCSV writes a header and a line for each value and its count.
func BucketsCSV(w io.Writer, fields []string, buckets []index.Bucket) error {
	return CSV(w, append([]string{"count"}, fields...), bucketRows(buckets, ""))
}
