package pages

import (
	"io"
	"slices"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

// SearchPage is a search and what came of it.
type SearchPage struct {
	Frame
	// Faults are what is wrong with the query.
	Faults []Fault
	// Answer is what was found; nil where there is a fault.
	Answer *render.Answer
	// Late says what of the answer is not there yet, "" if it is whole. Answer can be nil
	// then.
	Late string
	// Instead are queries that find something where this one finds nothing.
	Instead []Instead
	// Next and Previous are the addresses of the neighbouring pages.
	Next, Previous string
	// Chips are the conditions of the query, each with the query without it.
	Chips []Linked
	// Sorts are the orders of hits, Facets what narrows them.
	Sorts  []FacetValue
	Facets []FacetList
}

// A Fault is what is wrong with a request: Query is the text with the place marked, Help
// what to do, Instead what may be meant.
type Fault struct {
	Message string
	Query   []Piece
	Help    []string
	Instead []Instead
}

// Place returns a text with the bytes from start to end marked.
func Place(text string, start, end int) []Piece {
	marked := render.Path(text[start:end])
	if marked == "" {
		marked = "\u00a0" // something is missing here
	}
	return []Piece{{Text: render.Path(text[:start])}, {marked, true}, {Text: render.Path(text[end:])}}
}

// Instead is what may be meant. Hits is how many handoffs it finds, 0 if unknown.
type Instead struct {
	Text, Query, Link string
	Hits              int
}

// FacetList is a field's values. More of them are shown on request; Left are in
// none of them, but at All. Dates says that any date can be given.
type FacetList struct {
	Field      string
	Values     []FacetValue
	More, Left int
	All        string
	Dates      bool
}

// First returns the values that are shown at once, Rest the others.
func (l FacetList) First() []FacetValue { return l.Values[:len(l.Values)-l.More] }

// Rest returns the values that are shown on request.
func (l FacetList) Rest() []FacetValue { return l.Values[len(l.Values)-l.More:] }

// FacetValue is something to narrow or order hits by: how many hits have it, and the
// address of just these. On says that the query asks for it already.
type FacetValue struct {
	Text  string
	Count int
	Link  string
	On    bool
}

// A Piece is a part of a line; Mark says that it is highlighted.
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
