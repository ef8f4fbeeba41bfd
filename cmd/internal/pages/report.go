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

// ReportPage is a report in the browser, live.
type ReportPage struct {
	Frame
	// Report is nil where there are Faults, or a choice of Projects that each have one.
	Report   *report.Report
	Faults   []Fault
	Projects []FacetValue
	// Before and After are the addresses of the weeks around, "" if there are none.
	Before, After string
}

// A reportView is a report as the templates show it.
type reportView struct {
	Options
	Frame  Frame
	Report *report.Report
	// Queries are those of the figures; a page that is served leads there
	// itself.
	Queries *queryList
	// Sheets are the handoffs in a file, SheetsLeft how many are left out.
	Sheets     []sheet
	SheetsLeft int
}

// Figure is a number and where it leads.
type Figure struct {
	Label, Link string
	Value       int
}

// Figure returns a number of a report.
func (o Options) Figure(n report.Number) Figure {
	return Figure{Label: o.Line(n.Label), Link: o.Links.search(n.Query), Value: n.Value}
}

// WriteReport writes a report as a page of serve.
func WriteReport(w io.Writer, p ReportPage, o Options) error {
	return write(w, "report.tmpl", struct {
		ReportPage
		Digest reportView
	}{p, reportView{Options: o, Frame: p.Frame, Report: p.Report, Queries: &queryList{}}})
}

// Tiles returns the sections whose first figure is shown at the top: of those that count
// all handoffs of the time, the first.
func (v reportView) Tiles() []report.Section {
	counted := false
	return slices.DeleteFunc(slices.Clone(v.Report.Sections), func(s report.Section) bool {
		isAll := len(s.Numbers) > 0 && s.Numbers[0] == v.Report.Handoffs
		again := isAll && counted
		counted = counted || isAll
		return len(s.Numbers) == 0 || again
	})
}

// TileText returns what the figure of a tile counts.
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

// Span returns the time a report is about, with its last day.
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

// maxItems bounds a section's list.
const maxItems = 250

// A group is items below a heading, which some sections do not have.
type group struct {
	Name     string
	Handoffs *report.Number
	Omitted  int
	Items    []report.Item
}

// groupsOf returns the items of a section below their headings, as many as a page shows.
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

// omitted counts what a page leaves out of a section.
func omitted(s report.Section) int { return s.Omitted + max(len(s.Items)-maxItems, 0) }

// rowsOf returns the rows of a table that a page shows; nil has none.
func rowsOf(t *report.Table) [][]report.Cell {
	if t == nil {
		return nil
	}
	return t.Rows[:min(len(t.Rows), maxItems)]
}

// Elsewhere returns the other handoffs that say what an item says.
func (o Options) Elsewhere(item report.Item) []Linked {
	var list []Linked
	for _, ref := range item.Where {
		if ref.ID != item.ID {
			list = append(list, Linked{o.Stamp(ref.When, ref.Precision).Text + " " + o.Line(ref.Project), o.HandoffLink(ref.ID)})
		}
	}
	return list
}

// Wording returns what another handoff says like an item, and where.
func (o Options) Wording(w report.Wording) Linked {
	return Linked{o.Line(w.Text) + " · " + o.Stamp(w.When, w.Precision).Text, o.HandoffLink(w.ID)}
}

// Cell returns a cell with a text.
func (o Options) Cell(c report.Cell) Linked {
	v := Linked{Text: o.Line(c.Text)}
	if c.Ref != nil {
		v.Link = o.HandoffLink(c.Ref.ID)
	}
	return v
}

// tile returns the class that colours the figure of a section.
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

// A sheet is a handoff in a report's file.
type sheet struct {
	ID   string
	Body template.HTML
}

// WriteReportFile writes a report as one file that needs nothing else: the handoffs
// it names are in it, in its order, as many as there is room for. load reads one; of
// those it does not find, nil, nothing is shown.
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

// sheets renders handoffs until there is no room.
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

// namedIn lists the handoffs a report names where it is shown, each once: first those
// of items, then those that say the same.
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

// maxQueries bounds the queries a file lists.
const maxQueries = 1000

// A queryList gives each query a place in the file.
type queryList struct {
	known map[string]string
	Rows  []string // the n-th is at #qn
}

func (l *queryList) link(query string) string {
	if query == "" || l.known[query] != "" || len(l.Rows) == maxQueries {
		return l.known[query]
	}
	l.Rows = append(l.Rows, query)
	l.known[query] = fmt.Sprintf("#q%d", len(l.Rows))
	return l.known[query]
}
