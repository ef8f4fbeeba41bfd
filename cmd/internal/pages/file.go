package pages

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/index"
)

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
