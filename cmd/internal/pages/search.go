package pages

import (
	"io"
	"slices"

	"handex/cmd/internal/render"
	"handex/index"
)

// SearchPage is a search and what came of it.
type SearchPage struct {
	Frame
	// Fault is what is wrong with the query, as on the command line, "" if
	// nothing is; Instead are queries that may be meant.
	Fault   string
	Instead []Instead
	// Answer is what was found; nil where there is a fault.
	Answer *render.Answer
	// Nothing tells why nothing was found, as on the command line.
	Nothing string
	// Next and Previous are the addresses of the neighbouring pages.
	Next, Previous string
	// Facets of the hits, each with the query that gives them.
	Facets []FacetList
	// Watching says that the page changes with the index.
	Watching bool
}

// Instead is a query that may be meant.
type Instead struct{ Text, Query, Link string }

// FacetList is a field's values.
type FacetList struct {
	Field  string
	Values []FacetValue
}

// FacetValue is a value of a field: how many hits have it, and the query of just
// these. On says that the query asks for it already.
type FacetValue struct {
	Text  string
	Count int
	Link  string
	On    bool
}

type searchView struct {
	SearchPage
	Hits    []hitView
	First   int
	Last    int
	Total   int
	AtLeast bool
	Notes   []string
	Stale   []string
	Counts  []countView
	CountBy []string
}

type hitView struct {
	Linked
	ID, Format, Who string
	Project         Linked
	Date            Stamp
	Badges          []Badge
	Goal            string
	Snippets        []snippetView
	Missing         []string
}

type snippetView struct {
	Section string
	Pieces  []piece
}

// A piece of a line; Mark says that it stands out.
type piece struct {
	Text string
	Mark bool
}

type countView struct {
	Values []string
	Count  int
	Link   string
}

// WriteSearch writes a search's page.
func WriteSearch(w io.Writer, p SearchPage, o Options) error {
	v := searchView{SearchPage: p}
	if p.Answer != nil {
		v.fill(p.Answer, o)
	}
	return write(w, "search.tmpl", v)
}

func (v *searchView) fill(a *render.Answer, o Options) {
	r := a.Result
	for _, note := range a.Notes {
		v.Notes = append(v.Notes, o.line(note))
	}
	v.Total, v.AtLeast, v.First, v.Last = r.Total, r.TotalAtLeast, r.Offset+1, r.Offset+len(a.Rows)
	v.CountBy = a.CountBy
	for _, t := range r.Stale {
		v.Stale = append(v.Stale, o.path(t.Path)+" ("+o.line(t.Reason)+")")
	}
	for _, row := range a.Rows {
		v.Hits = append(v.Hits, o.hit(row.Hit))
	}
	for _, b := range r.Buckets {
		v.Counts = append(v.Counts, o.count(a, b))
	}
}

// count is a row of an answer that counts; with one field it leads to the hits.
func (o Options) count(a *render.Answer, b index.Bucket) countView {
	c := countView{Count: b.Count}
	for _, value := range b.Values {
		c.Values = append(c.Values, o.line(value))
	}
	if len(a.CountBy) == 1 && b.Values[0] != "" {
		c.Link = o.leads(a.CountBy[0], b.Values[0])
	}
	return c
}

func (o Options) hit(h index.Hit) hitView {
	v := hitView{
		Linked: Linked{o.titleOf(h.Summary), o.Links.handoff(h.ID)}, ID: h.ID, Format: h.Format, Who: o.who(h.From, h.To),
		Project: Linked{o.line(h.Project), o.leads("project", h.Project)},
		Date:    o.stamp(h.Date, h.DatePrecision), Badges: badges(h.States), Missing: h.Missing,
	}
	for _, s := range h.Snippets {
		v.Snippets = append(v.Snippets, snippetView{s.Section, o.marked(s)})
	}
	if goal := o.line(h.Goal); len(v.Snippets) == 0 && goal != v.Text {
		v.Goal = goal
	}
	return v
}

func (o Options) who(from, to string) string {
	from, to = o.line(from), o.line(to)
	switch {
	case from == "" && to == "":
		return ""
	case to == "":
		return from
	case from == "":
		return "→ " + to
	}
	return from + " → " + to
}

// marked splits a line at what matches. Where something was masked nobody knows
// any more where that is.
func (o Options) marked(s index.Snippet) []piece {
	whole := o.masked(s.Text)
	if whole != s.Text {
		return []piece{{Text: render.Line(whole)}}
	}
	var list []piece
	at := 0
	for _, span := range s.Spans {
		from, to := span[0], span[1]
		if from < at || to < from || to > len(s.Text) {
			continue
		}
		list = append(list, piece{render.Path(s.Text[at:from]), false}, piece{render.Path(s.Text[from:to]), true})
		at = to
	}
	list = append(list, piece{render.Path(s.Text[at:]), false})
	return slices.DeleteFunc(list, func(p piece) bool { return p.Text == "" })
}
