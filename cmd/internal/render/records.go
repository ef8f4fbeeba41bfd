package render

import (
	"bufio"
	"io"
	"strings"
)

// TSV writes a line for each row: its texts with tabs between them, each made
// one line.
func TSV(w io.Writer, rows [][]string) error {
	b := bufio.NewWriter(w)
	for _, r := range rows {
		for i, text := range r {
			if i > 0 {
				_ = b.WriteByte('\t')
			}
			_, _ = b.WriteString(Line(text))
		}
		_ = b.WriteByte('\n')
	}
	return b.Flush()
}

// CSV writes a header and a line for each row, every cell quoted. A cell that a
// spreadsheet would take for a formula begins with an apostrophe.
func CSV(w io.Writer, header []string, rows [][]string) error {
	b := bufio.NewWriter(w)
	for _, r := range append([][]string{header}, rows...) {
		for i, text := range r {
			if i > 0 {
				_ = b.WriteByte(',')
			}
			_, _ = b.WriteString(`"` + strings.ReplaceAll(disarm(Clean(text)), `"`, `""`) + `"`)
		}
		_, _ = b.WriteString("\r\n")
	}
	return b.Flush()
}

func disarm(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// Markdown writes a table.
func Markdown(w io.Writer, header []string, rows [][]string) error {
	b := bufio.NewWriter(w)
	rule := strings.Split(strings.Repeat("---,", len(header)), ",")[:len(header)]
	for _, r := range append([][]string{header, rule}, rows...) {
		_, _ = b.WriteString("|")
		for _, text := range r {
			_, _ = b.WriteString(" " + inert.Replace(Line(text)) + " |")
		}
		_ = b.WriteByte('\n')
	}
	return b.Flush()
}

// inert takes the meaning from the characters that have one inside a table of
// Markdown.
var inert = strings.NewReplacer(`\`, `\\`, `|`, `\|`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `&lt;`, `&`, `&amp;`)
