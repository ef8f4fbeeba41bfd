package pages

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/index"
)

// ReportPage is the page of a report that serve shows.
type ReportPage struct {
	Frame
	// Report is nil if there are Faults, or Projects to choose from as the report is for
	// one project.
	Report   *report.Report
	Faults   []Fault
	Projects []FacetValue
	// Before and After are the addresses of the report for the week before and after, "" if
	// there are none.
	Before, After string
}

// A reportView is a report as the templates need it.
type reportView struct {
	Options
	Frame  Frame
	Report *report.Report
	// Queries are the queries of the figures, listed in a file. A served page links to
	// their results instead.
	Queries *queryList
	// Sheets are the handoffs that a file contains; SheetsLeft counts those left out.
	Sheets     []sheet
	SheetsLeft int
}

// Figure is a number with a label and a link.
type Figure struct {
	Label, Link string
	Value       int
}

// Figure returns a number of a report with the link to the results of its query.
func (o Options) Figure(n report.Number) Figure {
	return Figure{Label: o.Line(n.Label), Link: o.Links.search(n.Query), Value: n.Value}
}

// WriteReport writes a report as a page that serve shows.
func WriteReport(w io.Writer, p ReportPage, o Options) error {
	return write(w, "report.tmpl", struct {
		ReportPage
		Digest reportView
	}{p, reportView{Options: o, Frame: p.Frame, Report: p.Report, Queries: &queryList{}}})
}

// Tiles returns the sections whose first number is shown as a tile at the top. Of several
// that count all handoffs of the report, it returns only the first.
func (v reportView) Tiles() []report.Section {
	counted := false
	return slices.DeleteFunc(slices.Clone(v.Report.Sections), func(s report.Section) bool {
		isAll := len(s.Numbers) > 0 && s.Numbers[0] == v.Report.Handoffs
		again := isAll && counted
		counted = counted || isAll
		return len(s.Numbers) == 0 || again
	})
}

// TileText returns what the number in the tile of a section counts.
func (v reportView) TileText(s report.Section) string {
	n, r := s.Numbers[0], v.Report
	plural := func(text string) string {
		if n.Value == 1 {
			return text
		}
		return text + "s"
	}
	unit, hasUnit := strings.CutSuffix(n.Label, "s")
	switch {
	case n == r.Handoffs && r.Name == "weekly" && !r.Now.Before(r.From) && r.Now.Before(r.To):
		return plural("handoff") + " this week"
	case n == r.Handoffs:
		return plural("handoff") + " in this period"
	case s.Name == report.Invalid:
		return "invalid " + plural("handoff")
	case strings.HasPrefix(n.Label, "with "):
		return plural("handoff") + " " + n.Label
	case s.Name == report.Quiet:
		return plural(unit) + " gone quiet"
	case hasUnit:
		return plural(unit) + ": " + s.Title
	}
	return s.Title
}

// Span returns the first and the last day of a report as text, "" if the title has them.
func (v reportView) Span() string {
	r, zone := v.Report, cmp.Or(v.Zone, time.UTC)
	to := r.To.In(zone).Add(-time.Second).Format(time.DateOnly)
	if r.To.IsZero() || strings.Contains(r.Title, to) {
		return "" // the title says it
	}
	if r.From.IsZero() {
		return "until " + to
	}
	if from := r.From.In(zone).Format(time.DateOnly); from != to {
		return from + " to " + to
	}
	return to
}

// maxItems is the maximum number of items in a section.
const maxItems = 250

// A group is items with a heading; in some sections the heading is empty.
type group struct {
	Name     string
	Handoffs *report.Number
	Omitted  int
	Items    []report.Item
}

// groupsOf returns the items of a section by groups, at most maxItems together.
func groupsOf(s report.Section) []group {
	room := maxItems
	take := func(items []report.Item) []report.Item {
		items = items[:min(len(items), room)]
		room -= len(items)
		return items
	}
	if len(s.Groups) == 0 && len(s.Items) > 0 {
		return []group{{Items: take(s.Items)}}
	}
	var list []group
	for _, g := range s.Groups {
		if items := take(s.Of(g.Name)); len(items) > 0 {
			list = append(list, group{g.Name, &g.Handoffs, g.Omitted, items})
		}
	}
	return list
}

// omitted returns how many items of a section a page does not show.
func omitted(s report.Section) int { return s.Omitted + max(len(s.Items)-maxItems, 0) }

// rowsOf returns the rows of a table that a page shows, at most maxItems; nil for no table.
func rowsOf(t *report.Table) [][]report.Cell {
	if t == nil {
		return nil
	}
	return t.Rows[:min(len(t.Rows), maxItems)]
}

// Elsewhere returns links to the other handoffs that contain an item.
func (o Options) Elsewhere(item report.Item) []Linked {
	var list []Linked
	for _, ref := range item.Where {
		if ref.ID != item.ID {
			list = append(list, Linked{o.Stamp(ref.When, ref.Precision).Text + " " + o.Line(ref.Project), o.HandoffLink(ref.ID)})
		}
	}
	return list
}

// Wording returns another handoff's wording of an item, with a link to that handoff.
func (o Options) Wording(w report.Wording) Linked {
	return Linked{o.Line(w.Text) + " · " + o.Stamp(w.When, w.Precision).Text, o.HandoffLink(w.ID)}
}

// Cell returns the text of a table cell with the link to its handoff.
func (o Options) Cell(c report.Cell) Linked {
	v := Linked{Text: o.Line(c.Text)}
	if c.Ref != nil {
		v.Link = o.HandoffLink(c.Ref.ID)
	}
	return v
}

// tile returns the CSS class that colours the number of a section.
func tile(section string) string {
	switch section {
	case report.Escalations, report.Invalid, report.Unread:
		return "alarm"
	case report.Blockers:
		return "stop"
	case report.Done:
		return "go"
	case report.Stale, report.Quiet, report.Aimless, report.Failed, report.Gotchas:
		return "wait"
	}
	return "calm"
}

// A report's file stays below maxFile bytes; a handoff in it shows at most maxSheet
// bytes of its text.
const (
	maxFile  = 2_900_000
	maxSheet = 16 << 10
)

// A sheet is the HTML of a handoff in the file of a report.
type sheet struct {
	ID   string
	Body template.HTML
}

// WriteReportFile writes a report as one self-contained HTML file. It contains the handoffs
// that the report names, in the order of the report, as many as fit. load returns the
// handoff with an id, or nil if there is none.
func WriteReportFile(w io.Writer, r *report.Report, load func(id string) (*index.Handoff, error), o Options) error {
	queries := &queryList{known: map[string]string{}}
	o.Links = Links{Handoff: func(id string) string { return "#" + id }, Search: queries.link, NoDays: true}
	v := reportView{Options: o, Frame: Frame{Theme: "auto"}, Report: r, Queries: queries}
	var bare bytes.Buffer
	if err := write(&bare, "file.tmpl", v); err != nil {
		return err
	}
	plain := o
	plain.Links = Links{} // a handoff's facts lead nowhere in a file
	sheets, err := plain.sheets(namedIn(r), maxFile-bare.Len(), load)
	if err != nil {
		return err
	}
	held := map[string]bool{}
	for _, s := range sheets {
		held[s.ID] = true
	}
	v.Links.Handoff = func(id string) string {
		if !held[id] {
			return ""
		}
		return "#" + id
	}
	v.Sheets, v.SheetsLeft = sheets, len(namedIn(r))-len(sheets)
	return write(w, "file.tmpl", v)
}

// sheets returns the HTML of the handoffs with the ids, in order, until room bytes are
// used.
func (o Options) sheets(ids []string, room int, load func(string) (*index.Handoff, error)) ([]sheet, error) {
	var list []sheet
	for _, id := range ids {
		h, err := load(id)
		if err != nil {
			return nil, err
		}
		if h == nil {
			continue
		}
		var body bytes.Buffer
		if err := write(&body, "sheet.tmpl", o.handoff(h, maxSheet)); err != nil {
			return nil, err
		}
		if room -= body.Len(); room < 0 {
			break
		}
		list = append(list, sheet{id, template.HTML(body.String())})
	}
	return list, nil
}

// namedIn returns the ids of the handoffs that the shown part of a report names, each once:
// first those of items and tables, then others that contain the same items.
func namedIn(r *report.Report) []string {
	var list []string
	known := map[string]bool{"": true}
	add := func(id string) {
		if !known[id] {
			known[id] = true
			list = append(list, id)
		}
	}
	for _, s := range r.Sections {
		for _, item := range s.Items[:min(len(s.Items), maxItems)] {
			add(item.ID)
		}
		for _, cell := range slices.Concat(rowsOf(s.Table)...) {
			if cell.Ref != nil {
				add(cell.Ref.ID)
			}
		}
	}
	for _, s := range r.Sections {
		for _, item := range s.Items[:min(len(s.Items), maxItems)] {
			for _, ref := range item.Where {
				add(ref.ID)
			}
		}
	}
	return list
}

// maxQueries is the maximum number of queries that a file lists.
const maxQueries = 1000

// A queryList numbers the queries of a file, so that figures can link to them.
type queryList struct {
	known map[string]string
	Rows  []string // the n-th is at #qn
}

// link returns the address of a query in the list, to which it is added. It is "" for the
// empty query and if the list is full.
func (l *queryList) link(query string) string {
	if query == "" || l.known[query] != "" || len(l.Rows) == maxQueries {
		return l.known[query]
	}
	l.Rows = append(l.Rows, query)
	l.known[query] = fmt.Sprintf("#q%d", len(l.Rows))
	return l.known[query]
}
