package serve

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"handex/cmd/internal/pages"
	"handex/cmd/internal/render"
	"handex/index"
)

const (
	pageHits = 25
	maxQuery = 4000 // bytes
)

// facets are what a search is narrowed by.
const facets = "project,status,format"

// maxFacet is how many values of a field are shown.
const maxFacet = 8

// search answers the page with the search box.
func (s *Server) search(w http.ResponseWriter, r *http.Request) error {
	text := strings.TrimSpace(r.URL.Query().Get("q"))
	offset, err := strconv.Atoi(r.URL.Query().Get("from"))
	if err != nil || offset < 0 {
		offset = 0
	}
	p := pages.SearchPage{Frame: s.frame(r, title(text), "search")}
	p.Query = text
	if err := s.find(r.Context(), &p, Question{text, offset, facets, pageHits}); err != nil {
		return err
	}
	return answerPage(w, func(out io.Writer) error { return pages.WriteSearch(out, p, s.options()) })
}

func title(query string) string {
	if query == "" {
		return "Handoffs"
	}
	return query
}

// find fills in what a query finds, or what is wrong with it.
func (s *Server) find(ctx context.Context, p *pages.SearchPage, q Question) error {
	if len(q.Text) > maxQuery {
		p.Fault = "handex: a query has at most " + strconv.Itoa(maxQuery) + " bytes\n"
		return nil
	}
	answer, err := s.backend.Search(ctx, q)
	if err != nil {
		return tellFault(p, err)
	}
	p.Answer = &answer
	if len(answer.Rows) == 0 && len(answer.Result.Buckets) == 0 {
		p.Nothing, p.Instead = s.masked(render.Nothing(answer)), s.insteadOf(answer)
	}
	p.Facets = s.facetLists(q.Text, answer.Result.Facets)
	if q.Offset > 0 {
		p.Previous = pageLink(q.Text, max(q.Offset-pageHits, 0))
	}
	if answer.Truncated() && len(answer.Rows) > 0 {
		p.Next = pageLink(q.Text, q.Offset+len(answer.Rows))
	}
	return nil
}

// tellFault has the page tell what is wrong with its query; other errors are not
// the page's.
func tellFault(p *pages.SearchPage, err error) error {
	fault, ok := errors.AsType[*Error](err)
	if !ok || fault.Errors == nil {
		return err
	}
	p.Fault, p.Instead = fault.Text, instead(fault)
	return nil
}

func pageLink(text string, offset int) string {
	link := "/?q=" + url.QueryEscape(text)
	if offset > 0 {
		link += "&from=" + strconv.Itoa(offset)
	}
	return link
}

// instead are the queries that the suggestions of an error make.
func instead(f *Error) []pages.Instead {
	var list []pages.Instead
	for _, e := range f.Errors {
		for _, name := range e.Suggestions {
			text := f.Query[:e.Start] + name + f.Query[e.End:]
			list = append(list, pages.Instead{Query: text, Link: searchLink(text)})
		}
	}
	return list
}

// insteadOf are the queries that would find something.
func (s *Server) insteadOf(a render.Answer) []pages.Instead {
	var list []pages.Instead
	for _, one := range a.Suggestions {
		if one.Replace != "" && s.masked(one.Replace) == one.Replace {
			list = append(list, pages.Instead{Query: one.Replace, Link: searchLink(one.Replace)})
		}
	}
	return list
}

// facetLists are the values of the hits, each with the query that adds it.
func (s *Server) facetLists(text string, list []index.Facet) []pages.FacetList {
	var out []pages.FacetList
	for _, f := range list {
		l := pages.FacetList{Field: f.Field}
		for _, b := range f.Buckets {
			value := b.Values[0]
			if value == "" || len(l.Values) == maxFacet || s.masked(value) != value {
				continue
			}
			l.Values = append(l.Values, facetValue(text, f.Field, value, b.Count))
		}
		if len(l.Values) > 1 || slices.ContainsFunc(l.Values, func(v pages.FacetValue) bool { return v.On }) {
			out = append(out, l)
		}
	}
	return out
}

// facetValue adds a condition to a query, or takes it away again where it stands.
func facetValue(text, field, value string, count int) pages.FacetValue {
	condition := pages.Condition(field, value)
	words := strings.Fields(text)
	if !strings.Contains(condition, " ") {
		if i := slices.Index(words, condition); i >= 0 {
			return pages.FacetValue{Text: value, Count: count, On: true, Link: "/?q=" + url.QueryEscape(strings.Join(slices.Delete(words, i, i+1), " "))}
		}
	}
	return pages.FacetValue{Text: render.Line(value), Count: count, Link: searchLink(strings.TrimSpace(text + " " + condition))}
}

// complete answers what the word before the cursor can become.
func (s *Server) complete(w http.ResponseWriter, r *http.Request) error {
	before := r.URL.Query().Get("q")
	if len(before) > maxQuery {
		return newFault("too-large", "the query is too long")
	}
	word, list, err := s.backend.Complete(r.Context(), before)
	if err != nil {
		return err
	}
	type candidate struct {
		Before string `json:"before"`
		Text   string `json:"text"`
		Doc    string `json:"doc,omitempty"`
	}
	const most = 40
	out := []candidate{}
	for _, c := range list {
		if len(out) == most {
			break
		}
		if s.masked(c.Text) != c.Text {
			continue
		}
		out = append(out, candidate{strings.TrimSuffix(before, word), c.Text, render.Line(s.masked(c.Doc))})
	}
	answerJSON(w, http.StatusOK, map[string]any{"candidates": out})
	return nil
}

func (s *Server) masked(text string) string {
	if s.mask == nil {
		return text
	}
	return s.mask(text)
}
