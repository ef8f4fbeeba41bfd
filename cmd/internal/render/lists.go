package render

import (
	"cmp"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

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
