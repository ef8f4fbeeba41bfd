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
	// Late says what of the answer is not there yet, "" if it is whole. Answer can be nil
	// then.
	Late string
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

// A Piece of a line; Mark says that it stands out.
type Piece struct {
	Text string
	Mark bool
}

// WriteSearch writes a search's page.
func WriteSearch(w io.Writer, p SearchPage, o Options) error {
	v := struct {
		SearchPage
		Options
		First, Last int
	}{SearchPage: p, Options: o}
	if a := p.Answer; a != nil {
		v.First, v.Last = a.Result.Offset+1, a.Result.Offset+len(a.Rows)
	}
	return write(w, "search.tmpl", v)
}

// Who returns who wrote a handoff, and for whom.
func (o Options) Who(from, to string) string { return o.Line(render.FromTo(from, to)) }

// Marked splits a line at what matches. Where something was masked nobody knows
// any more where that is.
func (o Options) Marked(s index.Snippet) []Piece {
	whole := o.masked(s.Text)
	if whole != s.Text {
		return []Piece{{Text: render.Line(whole)}}
	}
	var list []Piece
	at := 0
	for _, span := range s.Spans {
		from, to := span[0], span[1]
		if from < at || to < from || to > len(s.Text) {
			continue
		}
		list = append(list, Piece{render.Path(s.Text[at:from]), false}, Piece{render.Path(s.Text[from:to]), true})
		at = to
	}
	list = append(list, Piece{render.Path(s.Text[at:]), false})
	return slices.DeleteFunc(list, func(p Piece) bool { return p.Text == "" })
}
