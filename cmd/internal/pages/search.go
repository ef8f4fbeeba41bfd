package pages

import (
	"io"
	"slices"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

// SearchPage is the page of a query with its result.
type SearchPage struct {
	Frame
	// Faults are the mistakes in the query.
	Faults []Fault
	// Answer is the result; nil if there is a fault.
	Answer *render.Answer
	// Late says which part of the result is missing as it takes too long, "" if it is
	// complete. Answer can be nil then.
	Late string
	// Instead are queries that find something if this one finds nothing.
	Instead []Instead
	// Next and Previous are the addresses of the neighbouring pages.
	Next, Previous string
	// Chips are the conditions of the query, each with a link to the query without it.
	Chips []Linked
	// Sorts are the possible orders of hits, Facets the filters that can be added.
	Sorts  []FacetValue
	Facets []FacetList
}

// A Fault is a mistake in a request: Query is the text with the place marked, Help says
// what to do, Instead are likely corrections.
type Fault struct {
	Message string
	Query   []Piece
	Help    []string
	Instead []Instead
}

// Place splits text into three pieces, of which the second, the bytes from start to end, is
// marked.
func Place(text string, start, end int) []Piece {
	marked := render.Path(text[start:end])
	if marked == "" {
		marked = "\u00a0" // something is missing here
	}
	return []Piece{{Text: render.Path(text[:start])}, {marked, true}, {Text: render.Path(text[end:])}}
}

// Instead is a suggested query. Hits is how many handoffs it finds, 0 if that is unknown.
type Instead struct {
	Text, Query, Link string
	Hits              int
}

// FacetList is the values of a field as filters. The last More values are shown on request;
// Left others are not listed, but All is the address that lists them. Dates says that any
// date can be entered.
type FacetList struct {
	Field      string
	Values     []FacetValue
	More, Left int
	All        string
	Dates      bool
}

// First returns the values that are shown at once.
func (l FacetList) First() []FacetValue { return l.Values[:len(l.Values)-l.More] }

// Rest returns the values that are shown on request.
func (l FacetList) Rest() []FacetValue { return l.Values[len(l.Values)-l.More:] }

// FacetValue is a filter or an order of hits: its text, how many hits have it, and the
// address that applies it. On says that the query has it already.
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

// WriteSearch writes the page of a query.
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

// Who returns the writer and the receiver of a handoff as one line, with credentials
// masked.
func (o Options) Who(from, to string) string { return o.Line(render.FromTo(from, to)) }

// Marked splits a snippet into pieces and marks those that match. If something in it was
// masked, the result is one piece, as the places of the matches are no longer known.
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
