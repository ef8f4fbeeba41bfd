package render

import (
	"bufio"
	"cmp"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// Table writes rows in aligned columns under a header; a nil header is left out. Columns
// whose name ends in ">" are aligned to the right. Lines are cut at the terminal's width.
func Table(w io.Writer, header []string, rows [][]string, o Options) error {
	p := &printer{Options: o, w: w}
	p.table(header, rows)
	return p.err
}

// listing writes rows as a table for people. For programs it writes tab-separated lines
// without a header, whose dates do not depend on the current day.
func listing(w io.Writer, header []string, forPrograms bool, o Options, rows func(Options) [][]string) error {
	if forPrograms {
		o.Dates = DatesISO
		return TSV(w, rows(o))
	}
	return Table(w, header, rows(o), o)
}

// table writes rows as Table does.
func (p *printer) table(header []string, rows [][]string) {
	widths, right := measure(header, rows)
	if header != nil {
		p.line(p.cells(strip(header), widths, right, Dim)...)
	}
	for _, r := range rows {
		p.line(p.cells(r, widths, right, Plain)...)
	}
}

// measure returns how wide each column is, and whether it is aligned to the right.
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

// strip returns the names of columns without the ">" that aligns them to the right.
func strip(header []string) []string {
	return Each(header, func(name string) string { return strings.TrimSuffix(name, ">") })
}

// cells returns a row as one line: its texts, padded to the widths of their columns.
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

// TSV writes a line for each row, with tabs between its texts. Each text is cleaned to one
// line.
func TSV(w io.Writer, rows [][]string) error {
	return lines(w, rows, func(r []string) string { return strings.Join(Each(r, Line), "\t") + "\n" })
}

// CSV writes a header and a line for each row, with every cell quoted. A cell that a
// spreadsheet would take for a formula gets an apostrophe before it.
func CSV(w io.Writer, header []string, rows [][]string) error {
	cell := func(text string) string { return `"` + strings.ReplaceAll(disarm(Clean(text)), `"`, `""`) + `"` }
	return lines(w, append([][]string{header}, rows...), func(r []string) string {
		return strings.Join(Each(r, cell), ",") + "\r\n"
	})
}

// disarm returns a text with an apostrophe before it if a spreadsheet would take it for a
// formula.
func disarm(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// Markdown writes a header and rows as a table of Markdown.
func Markdown(w io.Writer, header []string, rows [][]string) error {
	rule := Each(header, func(string) string { return "---" })
	cell := func(text string) string { return inert.Replace(Line(text)) }
	return lines(w, append([][]string{header, rule}, rows...), func(r []string) string {
		return "| " + strings.Join(Each(r, cell), " | ") + " |\n"
	})
}

// lines writes the text that the function line returns for each row.
func lines(w io.Writer, rows [][]string, line func([]string) string) error {
	b := bufio.NewWriter(w)
	for _, r := range rows {
		_, _ = b.WriteString(line(r)) // Flush returns what went wrong
	}
	return b.Flush()
}

// inert escapes the characters that have a meaning in a table of Markdown.
var inert = strings.NewReplacer(`\`, `\\`, `|`, `\|`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`,
	`&lt;`, `&`, `&amp;`)

// usualColumns are, for each form of output with columns, the columns that are shown if
// none are selected.
var usualColumns = map[string][]string{
	"plain": {"id", "date", "project", "format", "status", "states", "path", "label"},
	"csv": {
		"id", "date", "project", "format", "session", "from", "to", "status", "states", "branch", "path", "title",
		"goal",
	},
	"md":    {"date", "project", "format", "states", "label", "path"},
	"table": {"id", "date", "project", "format", "states", "label"},
}

// Rows writes rows in a form: "plain" (tab-separated), "csv", "md" (a table of Markdown) or
// "table": aligned, and on a terminal no column gets more than its share of the width. If
// columns is nil, the usual columns of the form are written.
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

// shorten shortens the texts of a row in place: ids to their first digits, and all columns
// except the last to an equal share of room cells. States become words.
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

// Ended writes a text for each row, followed by end. A text in seen is not written again;
// if seen is nil, only repetitions within rows are left out.
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

// Rule writes a horizontal line with a blank line above and below.
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

// An Ack is an acknowledgement in a list. State is "holds", "changed" if the handoff has
// another text now, or "unknown" if it is not in the index; then Handoff is nil.
type Ack struct {
	ID      string
	At      time.Time
	Note    string
	State   string
	Handoff *index.Summary
}

// Acks writes a line for each acknowledgement: id, when, whether it is valid, project,
// title and note.
func Acks(w io.Writer, list []Ack, forPrograms bool, o Options) error {
	header := []string{"id", "acknowledged", "state", "project", "label", "note"}
	return listing(w, header, forPrograms, o, func(o Options) [][]string {
		return Each(list, func(e Ack) []string {
			project, title := "-", "-"
			if e.Handoff != nil {
				project, title = e.Handoff.Project, Title(*e.Handoff)
			}
			return []string{e.ID, o.Date(e.At, "minute"), e.State, project, title, e.Note}
		})
	})
}

// AcksJSON writes acknowledgements as one JSON object.
func AcksJSON(w io.Writer, list []Ack) error {
	return JSON(w, object{{"schema", Schema}, {"acks", all(list, func(e Ack) object {
		var handoff object
		if e.Handoff != nil {
			handoff = summaryObject(*e.Handoff)
		}
		return object{
			{"id", always{e.ID}},
			{"at", always{e.At.UTC()}},
			{"state", always{e.State}},
			{"note", e.Note},
			{"handoff", handoff},
		}
	})}})
}

// Versions writes a line for each version of a file: its id, date, when another replaced
// it, where it is from, and its title.
func Versions(w io.Writer, versions []index.Version, forPrograms bool, o Options) error {
	return listing(w, []string{"id", "date", "replaced", "from", "label"}, forPrograms, o, func(o Options) [][]string {
		return Each(versions, func(v index.Version) []string {
			replaced := cmp.Or(o.Date(v.Replaced, "instant"), "-")
			return []string{v.ID, o.Date(v.Date, v.DatePrecision), replaced, source(v.Summary), Title(v.Summary)}
		})
	})
}

// source returns where a version comes from: "file", "archive", or "git" with the commit.
func source(h index.Summary) string {
	switch {
	case h.VersionOf == "":
		return "file"
	case h.Revision != "":
		return "git " + h.Revision[:min(len(h.Revision), 12)]
	}
	return "archive"
}

// VersionsJSON writes all versions of a file as one object.
func VersionsJSON(w io.Writer, versions []index.Version) error {
	return JSON(w, object{{"schema", Schema}, {"versions", all(versions, func(v index.Version) object {
		return append(summaryObject(v.Summary), member{"replaced", v.Replaced})
	})}})
}

// Fields writes the fields of the query language as a table.
func Fields(w io.Writer, fields []query.Field, o Options) error {
	return Table(w, []string{"field", "kind", "example", "finds"}, Each(fields, func(f query.Field) []string {
		return []string{spellings(f), string(f.Kind), f.Example, doc(f)}
	}), o)
}

// Fields adds the fields of the language to the page.
func (r *Roff) Fields(fields []query.Field) {
	for _, f := range fields {
		r.Item(spellings(f), doc(f)+". For example: "+f.Example)
	}
}

// spellings returns the name of a field with its aliases in parentheses.
func spellings(f query.Field) string {
	name := f.Name
	if len(f.Aliases) > 0 {
		name += " (" + strings.Join(f.Aliases, ", ") + ")"
	}
	if strings.HasSuffix(name, ".") {
		name += "NAME"
	}
	return name
}

// doc returns what a field finds, with its possible values.
func doc(f query.Field) string {
	if len(f.Values) == 0 {
		return f.Doc
	}
	return f.Doc + ": " + strings.Join(f.Values, ", ")
}

// States writes the states of handoffs as a table.
func States(w io.Writer, states []query.State, o Options) error {
	return Table(w, []string{"state", "of a handoff"}, Each(states, func(s query.State) []string {
		return []string{"is:" + strings.Join(s.Spellings(), ", is:"), s.Doc}
	}), o)
}

// Directives writes the directives of the query language as a table.
func Directives(w io.Writer, directives []query.Directive, o Options) error {
	return Table(w, nil, Each(directives, func(d query.Directive) []string { return []string{"", d.Example, d.Doc} }), o)
}

// none is shown for handoffs that have no value.
const none = "(none)"

// Buckets writes a line for each bucket: the number of handoffs, and their values in the
// fields. form is "plain" (tab-separated) or "csv"; all else is for people.
func Buckets(w io.Writer, fields []string, buckets []index.Bucket, form string, o Options) error {
	switch form {
	case "plain":
		return TSV(w, bucketRows(buckets, ""))
	case "csv":
		return CSV(w, append([]string{"count"}, fields...), bucketRows(buckets, ""))
	}
	p := &printer{Options: o, w: w}
	p.counts("", buckets)
	return p.err
}

// Facets writes, for each facet, a blank line, the name of its field, and its counts.
func Facets(w io.Writer, facets []index.Facet, o Options) error {
	p := &printer{Options: o, w: w}
	for _, f := range facets {
		p.print("\n")
		p.line(Span{Line(f.Field), Bold})
		p.counts("  ", f.Buckets)
	}
	return p.err
}

// counts writes an aligned line for each bucket: the number of handoffs and their values.
func (p *printer) counts(indent string, buckets []index.Bucket) {
	rows := bucketRows(buckets, none)
	widths, _ := measure(nil, rows)
	right := append([]bool{true}, make([]bool, len(widths))...)
	for _, r := range rows {
		p.line(fit(append([]Span{{Text: indent}}, p.cells(r, widths, right, Plain)...), p.Width)...)
	}
}

// bucketRows returns each bucket as a row of texts: its count and its values. missing
// stands for an empty value.
func bucketRows(buckets []index.Bucket, missing string) [][]string {
	return Each(buckets, func(b index.Bucket) []string {
		values := Each(b.Values, func(value string) string { return cmp.Or(value, missing) })
		return append([]string{strconv.Itoa(b.Count)}, values...)
	})
}
