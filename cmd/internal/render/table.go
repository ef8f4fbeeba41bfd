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

// An Ack is an acknowledgement as it is listed. State is "holds", "changed" if
// the handoff says something else now, or "unknown" if it is not in the index;
// then Handoff is nil.
type Ack struct {
	ID      string
	At      time.Time
	Note    string
	State   string
	Handoff *index.Summary
}

// Acks writes a line for each: id, when, whether it is valid, project, title and
// note.
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

// AcksJSON writes all as one object.
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

// Versions writes a line for each version of a file: id, date, since when another
// has replaced it, where it is from, and what it is about.
func Versions(w io.Writer, versions []index.Version, forPrograms bool, o Options) error {
	return listing(w, []string{"id", "date", "replaced", "from", "label"}, forPrograms, o, func(o Options) [][]string {
		return Each(versions, func(v index.Version) []string {
			replaced := cmp.Or(o.Date(v.Replaced, "instant"), "-")
			return []string{v.ID, o.Date(v.Date, v.DatePrecision), replaced, source(v.Summary), Title(v.Summary)}
		})
	})
}

// source returns where a version is from.
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

// Fields writes the table of fields, by kinds.
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

// spellings returns a field's name with its aliases.
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

// doc returns what a field finds, with the values it can have.
func doc(f query.Field) string {
	if len(f.Values) == 0 {
		return f.Doc
	}
	return f.Doc + ": " + strings.Join(f.Values, ", ")
}

// States writes the table of states.
func States(w io.Writer, states []query.State, o Options) error {
	return Table(w, []string{"state", "of a handoff"}, Each(states, func(s query.State) []string {
		return []string{"is:" + strings.Join(s.Spellings(), ", is:"), s.Doc}
	}), o)
}

// Directives writes the table of directives.
func Directives(w io.Writer, directives []query.Directive, o Options) error {
	return Table(w, nil, Each(directives, func(d query.Directive) []string { return []string{"", d.Example, d.Doc} }), o)
}

// none is shown as the value of handoffs that have none.
const none = "(none)"

// Buckets writes how many handoffs have each value of the fields, a line each, the count
// first: as "plain" (tab-separated) or "csv", or else for people.
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

// Facets writes the counts of each field under its name, below a blank line.
func Facets(w io.Writer, facets []index.Facet, o Options) error {
	p := &printer{Options: o, w: w}
	for _, f := range facets {
		p.print("\n")
		p.line(Span{Line(f.Field), Bold})
		p.counts("  ", f.Buckets)
	}
	return p.err
}

func (p *printer) counts(indent string, buckets []index.Bucket) {
	rows := bucketRows(buckets, none)
	widths, _ := measure(nil, rows)
	right := append([]bool{true}, make([]bool, len(widths))...)
	for _, r := range rows {
		p.line(fit(append([]Span{{Text: indent}}, p.cells(r, widths, right, Plain)...), p.Width)...)
	}
}

// bucketRows returns the counts as texts; missing is shown as the value of
// handoffs without one.
func bucketRows(buckets []index.Bucket, missing string) [][]string {
	return Each(buckets, func(b index.Bucket) []string {
		values := Each(b.Values, func(value string) string { return cmp.Or(value, missing) })
		return append([]string{strconv.Itoa(b.Count)}, values...)
	})
}
