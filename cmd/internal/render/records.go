package render

import (
	"bufio"
	"encoding/json"
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

// object is a JSON object whose keys keep their order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON leaves out what is empty.
func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for _, m := range o {
		value := m.value
		switch v := value.(type) {
		case string:
			if v == "" {
				continue
			}
		case []string:
			if len(v) == 0 {
				continue
			}
		case float64:
			if v == 0 {
				continue
			}
		case date:
			if v.IsZero() {
				continue
			}
			value = v.UTC()
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), text...)
	}
	return append(out, '}'), nil
}

// picked is a row as an object of its columns.
func (r Row) picked(columns []string) (object, error) {
	o := object{{"id", r.ID}}
	for _, name := range columns {
		if name == "id" {
			continue
		}
		value, err := r.value(name)
		if err != nil {
			return nil, err
		}
		o = append(o, member{name, value})
	}
	return o, nil
}
