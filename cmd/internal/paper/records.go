package paper

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
)

// fields are the names of the columns of CSV and TSV.
var fields = []string{
	"section", "kind", "group", "text", "value", "query", "id", "project", "date", "since", "state",
	"who",
}

// CSV writes a report as in RFC 4180: a header, and a line for each number, item, row and
// day. A spreadsheet takes no cell for a formula.
func CSV(w io.Writer, r *report.Report) error { return render.CSV(w, fields, records(r)) }

// TSV writes the lines of CSV separated by tabs, without the header.
func TSV(w io.Writer, r *report.Report) error { return render.TSV(w, records(r)) }

// A record is a line of CSV or TSV; its fields are the columns.
type record struct {
	section, kind, group, text string
	number                     *report.Number
	ref                        report.Ref
	since                      time.Time
	state, who                 string
}

// cells returns the record as the texts of its columns.
func (c record) cells() []string {
	value, query := "", ""
	if c.number != nil {
		value, query = strconv.Itoa(c.number.Value), c.number.Query
	}
	day := func(t time.Time) string {
		return render.Options{Dates: render.DatesISO, Zone: t.Location()}.Date(t, c.ref.Precision)
	}
	return []string{
		c.section, c.kind, c.group, c.text, value, query, c.ref.ID, c.ref.Project, day(c.ref.When), day(c.since), c.state,
		c.who,
	}
}

// records returns the lines of a report, each as the texts of its columns.
func records(r *report.Report) [][]string {
	var list [][]string
	section := "report"
	add := func(c record) {
		c.section = section
		list = append(list, c.cells())
	}
	add(record{kind: "number", text: r.Handoffs.Label, number: &r.Handoffs})
	add(record{kind: "number", text: r.Projects.Label, number: &r.Projects})
	for i := range r.Sections {
		section = r.Sections[i].Name
		sectionRecords(&r.Sections[i], add)
	}
	section = "report"
	for _, note := range r.Notes {
		add(record{kind: "note", text: note})
	}
	return list
}

// sectionRecords calls add with each record of a section.
func sectionRecords(s *report.Section, add func(record)) {
	for i := range s.Numbers {
		add(record{kind: "number", text: s.Numbers[i].Label, number: &s.Numbers[i]})
	}
	for i := range s.Groups {
		add(record{kind: "group", group: s.Groups[i].Name, number: &s.Groups[i].Handoffs})
	}
	for _, it := range s.Items {
		add(record{
			kind: "item", group: it.Group, text: it.Text, number: it.Count, ref: it.Ref, since: it.Since,
			state: it.State, who: it.Who,
		})
		for _, a := range it.Alike {
			add(record{kind: "alike", group: it.Group, text: a.Text, ref: a.Ref})
		}
	}
	for i := range s.Flow {
		add(record{kind: "flow", text: s.Flow[i].From + " → " + s.Flow[i].To, number: &s.Flow[i].Number})
	}
	dayRecords(s.Days, add)
	tableRecords(s.Table, add)
	if s.Omitted > 0 {
		add(record{kind: "omitted", text: strconv.Itoa(s.Omitted)})
	}
}

// dayRecords calls add with a record for each day, each project, and each day of a project
// that has handoffs.
func dayRecords(d *report.Days, add func(record)) {
	if d == nil {
		return
	}
	for i := range d.Days {
		add(record{kind: "day", text: d.Days[i].Label, number: &d.Days[i].Number})
	}
	for _, row := range d.Rows {
		add(record{kind: "project", text: row.Label, number: &row.Number})
		for i, n := range row.Counts {
			if n > 0 {
				add(record{kind: "project day", group: row.Label, text: d.Days[i].Label, number: &report.Number{
					Value: n,
					Query: row.Queries[i],
				}})
			}
		}
	}
}

// tableRecords calls add with a record for each number in a table, and one for each row
// without a number.
func tableRecords(t *report.Table, add func(record)) {
	if t == nil {
		return
	}
	for _, row := range t.Rows {
		var texts []string
		ref, told := report.Ref{}, false
		for i := range row {
			if row[i].Ref != nil {
				ref = *row[i].Ref
			}
			if row[i].Number == nil && row[i].When.IsZero() {
				texts = append(texts, row[i].Text)
			}
		}
		for i, c := range row {
			if c.Number != nil {
				told = true
				add(record{kind: "row", group: strings.Join(texts, " · "), text: t.Columns[i].Name, number: c.Number, ref: ref})
			}
		}
		if !told {
			add(record{kind: "row", text: strings.Join(texts, " · "), ref: ref})
		}
	}
}
