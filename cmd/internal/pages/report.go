package pages

import (
	"io"
	"strings"
	"time"

	"handex/cmd/internal/report"
)

// ReportPage is a report in the browser, live.
type ReportPage struct {
	Frame
	// Report is nil where there is a Fault: what is wrong with what it is restricted
	// to, with the queries that would do.
	Report  *report.Report
	Fault   string
	Instead []Instead
	// Before and After are the addresses of the weeks around, "" if there are none.
	Before, After string
}

// A reportView is a report as the templates take it.
type reportView struct {
	Frame
	Title, Query, Span string
	Made               Stamp
	Handoffs           Figure
	Tiles              []Tile
	Sections           []sectionView
	Notes              []string
	Masked             int
	// Queries tell how to get the figures again; a page that is served leads there
	// itself.
	Queries []queryRow
	// Sheets are the handoffs that a file holds, SheetsLeft how many it does not.
	Sheets     []sheet
	SheetsLeft int
}

// Figure is a number and where it leads.
type Figure struct {
	Label, Query, Link string
	Value              int
}

// Tile is the figure of a section that counts most.
type Tile struct {
	Figure
	Section, Title, Look string
}

type sectionView struct {
	ID, Title string
	Figures   []Figure
	Groups    []groupView
	Omitted   int
	Table     *tableView
	Heat      *heatMap
	Bars      *stackedBars
	Flow      *flowChart
	Ackable   bool // its handoffs can be acknowledged here
}

type groupView struct {
	group, Name string
	Handoffs    *Figure
	Items       []itemView
	Omitted     int
}

type itemView struct {
	Linked
	Pieces         []piece
	ID, Title, Who string
	Project        string
	State          *Badge
	When           Stamp
	Since          string
	Count          *Figure
	Where          []Linked
}

type tableView struct {
	Columns []report.Column
	Rows    [][]cellView
}

type cellView struct {
	Linked
	Figure *Figure
	When   *Stamp
	Right  bool
}

type queryRow struct{ ID, Query string }

// WriteReport writes a report as a page of serve.
func WriteReport(w io.Writer, p ReportPage, o Options) error {
	v := struct {
		ReportPage
		Digest reportView
	}{ReportPage: p}
	if p.Report != nil {
		v.Digest = o.report(p.Report)
		v.Digest.Frame = p.Frame
	}
	return write(w, "report.tmpl", v)
}

// maxItems bounds a section's list.
const maxItems = 250

// report makes of a report what is shown.
func (o Options) report(r *report.Report) reportView {
	v := reportView{
		Title: o.Line(r.Title), Query: o.Line(r.Query), Span: o.span(r), Made: o.Stamp(r.Now, ""),
		Handoffs: o.figure(r.Handoffs), Masked: r.Masked,
	}
	for _, note := range r.Notes {
		v.Notes = append(v.Notes, o.Line(note))
	}
	for i := range r.Sections {
		s := o.section(&r.Sections[i])
		v.Sections = append(v.Sections, s)
		if len(s.Figures) > 0 {
			v.Tiles = append(v.Tiles, Tile{s.Figures[0], s.ID, s.Title, tileLook(r.Sections[i].Name)})
		}
	}
	return v
}

// span is the time a report is about, with its last day.
func (o Options) span(r *report.Report) string {
	zone := o.Zone
	if zone == nil {
		zone = time.UTC
	}
	to := r.To.In(zone).Add(-time.Second).Format(time.DateOnly)
	if r.To.IsZero() || strings.Contains(r.Title, to) {
		return "" // the title tells it
	}
	if r.From.IsZero() {
		return "until " + to
	}
	if from := r.From.In(zone).Format(time.DateOnly); from != to {
		return from + " to " + to
	}
	return to
}

func tileLook(section string) string {
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

func (o Options) figure(n report.Number) Figure {
	return Figure{Label: o.Line(n.Label), Query: n.Query, Link: o.Links.search(n.Query), Value: n.Value}
}

func (o Options) section(s *report.Section) sectionView {
	v := sectionView{ID: slug(s.Name), Title: o.Line(s.Title), Ackable: s.Name == report.Escalations}
	for _, n := range s.Numbers {
		v.Figures = append(v.Figures, o.figure(n))
	}
	v.Groups = o.groups(s)
	v.Omitted = s.Omitted + max(len(s.Items)-maxItems, 0)
	if s.Table != nil {
		v.Table = o.table(s.Table)
	}
	if s.Days != nil {
		v.Heat, v.Bars = o.heatMap(s.Days), o.stackedBars(s.Days)
	}
	v.Flow = o.flowChart(s.Flow)
	return v
}

// groups are the items under their headings.
func (o Options) groups(s *report.Section) []groupView {
	var list []groupView
	for i, item := range s.Items {
		if i == maxItems {
			break
		}
		if len(list) == 0 || list[len(list)-1].group != item.Group {
			list = append(list, o.group(s, item.Group))
		}
		last := &list[len(list)-1]
		last.Items = append(last.Items, o.item(item))
	}
	return list
}

func (o Options) group(s *report.Section, name string) groupView {
	v := groupView{group: name, Name: o.Line(name)}
	for _, g := range s.Groups {
		if g.Name == name {
			f := o.figure(g.Handoffs)
			v.Handoffs, v.Omitted = &f, g.Omitted
		}
	}
	return v
}

func (o Options) item(i report.Item) itemView {
	v := itemView{
		Linked: Linked{o.Line(i.Text), o.Links.handoff(i.ID)}, Pieces: code(o.Line(i.Text)), ID: i.ID, Who: o.Line(i.Who), When: o.when(i.Ref),
	}
	if title := o.Line(i.Title); title != v.Text {
		v.Title = title
	}
	if i.Project != i.Group {
		v.Project = o.Line(i.Project)
	}
	if i.State != "" {
		v.State = &Badge{i.State, look(i.State)}
	}
	if !i.Since.IsZero() && i.Since.Before(i.When) {
		v.Since = o.Stamp(i.Since, "day").Text
	}
	if i.Count != nil && i.Count.Value > 1 {
		f := o.figure(*i.Count)
		v.Count = &f
	}
	for _, ref := range i.Where {
		if ref.ID != i.ID {
			v.Where = append(v.Where, Linked{o.when(ref).Text + " " + o.Line(ref.Project), o.Links.handoff(ref.ID)})
		}
	}
	return v
}

func (o Options) when(r report.Ref) Stamp { return o.Stamp(r.When, r.Precision) }

func (o Options) table(t *report.Table) *tableView {
	v := &tableView{Columns: t.Columns}
	for i, row := range t.Rows {
		if i == maxItems {
			break
		}
		var cells []cellView
		for c, cell := range row {
			cells = append(cells, o.cell(cell, c < len(t.Columns) && t.Columns[c].Right))
		}
		v.Rows = append(v.Rows, cells)
	}
	return v
}

func (o Options) cell(c report.Cell, right bool) cellView {
	v := cellView{Linked: Linked{Text: o.Line(c.Text)}, Right: right}
	if c.Ref != nil {
		v.Link = o.Links.handoff(c.Ref.ID)
	}
	switch {
	case c.Number != nil:
		f := o.figure(*c.Number)
		v.Figure = &f
	case !c.When.IsZero():
		at := o.Stamp(c.When, c.Precision)
		v.When = &at
	}
	return v
}
