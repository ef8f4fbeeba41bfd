package render

import (
	"bufio"
	"io"
	"strings"
)

// TSV writes a line for each row: its texts with tabs between them, each made
// one line.
func TSV(w io.Writer, rows [][]string) error {
	return lines(w, rows, func(r []string) string { return strings.Join(each(r, Line), "\t") + "\n" })
}

// CSV writes a header and a line for each row, every cell quoted. A cell that a
// spreadsheet would take for a formula begins with an apostrophe.
func CSV(w io.Writer, header []string, rows [][]string) error {
	cell := func(text string) string { return `"` + strings.ReplaceAll(disarm(Clean(text)), `"`, `""`) + `"` }
	return lines(w, append([][]string{header}, rows...), func(r []string) string {
		return strings.Join(each(r, cell), ",") + "\r\n"
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
	rule := each(header, func(string) string { return "---" })
	cell := func(text string) string { return inert.Replace(Line(text)) }
	return lines(w, append([][]string{header, rule}, rows...), func(r []string) string {
		return "| " + strings.Join(each(r, cell), " | ") + " |\n"
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
