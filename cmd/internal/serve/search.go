package serve

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/OWNER/handex/cmd/internal/pages"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

const (
	pageHits = 25
	maxQuery = 4000 // bytes
)

// search responds with the page of a query and its hits.
func (s *Server) search(w http.ResponseWriter, r *http.Request) error {
	if address := dated(r); address != "" {
		http.Redirect(w, r, address, http.StatusSeeOther)
		return nil
	}
	text := strings.TrimSpace(r.URL.Query().Get("q"))
	offset, err := strconv.Atoi(r.URL.Query().Get("from"))
	if err != nil || offset < 0 {
		offset = 0
	}
	p := pages.SearchPage{Frame: s.frame(r, cmp.Or(text, "Handoffs"), "search")}
	p.Query = text
	q := question{text, offset, facetsOf(text), pageHits}
	if r.URL.Query().Has("typing") {
		q.facets = "" // they are requested when the query is complete
	}
	if err := s.fill(&p, q); err != nil {
		return err
	}
	return respondPage(w, func(out io.Writer) error { return pages.WriteSearch(out, p, s.options()) })
}

// fill adds to a page the result of a query, or its faults.
func (s *Server) fill(p *pages.SearchPage, q question) error {
	if len(q.text) > maxQuery {
		p.Faults = []pages.Fault{{Message: "a query has at most " + strconv.Itoa(maxQuery) + " bytes"}}
		return nil
	}
	p.Chips, p.Sorts = chips(q.text), sorts(q.text)
	answer, err := s.findSoon(q, &p.Late)
	if errors.Is(err, errLate) || errors.Is(err, errSlow) {
		return nil
	}
	if _, ok := errors.AsType[*service.QueryError](err); ok {
		p.Faults = faultsOf(err, searchLink)
		return nil
	}
	if err != nil {
		return err
	}
	p.Answer = &answer
	if len(answer.Rows) == 0 && len(answer.Result.Buckets) == 0 {
		p.Instead = s.instead(answer, q.text)
	}
	if len(answer.Rows) > 0 {
		p.Facets = s.facetLists(q.text, answer.Result.Facets)
	}
	if q.offset > 0 {
		p.Previous = pageLink(q.text, max(q.offset-pageHits, 0))
	}
	if answer.Truncated() && len(answer.Rows) > 0 {
		p.Next = pageLink(q.text, q.offset+len(answer.Rows))
	}
	return nil
}

// A question is a query and which part of its result is wanted. most is the maximum number
// of hits, 0 if there is none; a limit in the query goes first. facets are fields,
// separated by commas.
type question struct {
	text   string
	offset int
	facets string
	most   int
}

// findSoon returns the result of a query within twice the wait of a page. If counting the
// facets, for which all hits are read, takes longer, it returns hits alone, and if these
// take longer, errLate or errSlow. late is set to what the page then says.
func (s *Server) findSoon(q question, late *string) (render.Answer, error) {
	found, err := s.cache.getWithin(s.wait, q, s.finder(q))
	if errors.Is(err, errLate) || errors.Is(err, errSlow) {
		*late = "The filters are not counted yet. Reload the page to see their counts."
		if errors.Is(err, errSlow) {
			*late = "The filters have no counts: counting takes too long."
		}
		q.facets = ""
		found, err = s.cache.getWithin(s.wait, q, s.finder(q))
	}
	switch {
	case errors.Is(err, errLate):
		*late = "The search is still running. Reload the page, or narrow the query."
	case errors.Is(err, errSlow):
		*late = "The search takes too long. Narrow the query, for example with project:NAME or since:7d."
	}
	if err != nil {
		return render.Answer{}, err
	}
	return found.value.(render.Answer), nil
}

// find returns the result of a query with the facets and as many hits as requested. A limit
// and facets in the query itself take precedence.
func (s *Server) find(question question) (render.Answer, error) {
	found, err := s.cache.get(question, 0, s.finder(question))
	if err != nil {
		return render.Answer{}, err
	}
	return found.value.(render.Answer), nil
}

// finder returns a function that answers a question with a render.Answer.
func (s *Server) finder(question question) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var answer render.Answer
		err := s.live.Do(ctx, func(v *service.View) error {
			q, err := v.ParseQuery(question.text, nil, query.Parse)
			if err != nil {
				return err
			}
			q.Offset += question.offset
			if !q.HasLimit() && question.most > 0 {
				q.Limit = question.most
			}
			unbounded := q.CountBy == nil && (q.Limit == 0 || q.Limit > maxLimit)
			if unbounded {
				q.Limit = maxLimit
			}
			if q.CountBy == nil && q.Facets == nil && question.facets != "" {
				q.Facets = strings.Split(question.facets, ",")
			}
			if answer, err = v.Search(ctx, q, service.SearchOptions{}); err != nil {
				return err
			}
			if unbounded && answer.Truncated() {
				answer.Notes = append(answer.Notes, "at most "+render.Thousands(maxLimit)+" handoffs are shown at once")
			}
			return v.Fill(ctx, answer.Rows, append(answer.Select, answer.GroupBy...)...)
		})
		return answer, err
	}
}

// pageLink returns the address of the page of a query that begins at an offset.
func pageLink(text string, offset int) string {
	link := "/?q=" + url.QueryEscape(text)
	if offset > 0 {
		link += "&from=" + strconv.Itoa(offset)
	}
	return link
}

// searchLink returns the address of the page of a query, "" for the empty query.
func searchLink(query string) string {
	if query == "" {
		return ""
	}
	return pageLink(query, 0)
}

// instead returns queries that find something, to suggest after a query that finds nothing.
func (s *Server) instead(a render.Answer, text string) (list []pages.Instead) {
	for _, one := range a.Suggestions {
		query := without(one.Query, func(term string) bool { return strings.HasPrefix(term, "facets:") }) // the page's own
		if one.Drop != "" {
			query = without(text, func(term string) bool { return term == one.Drop })
		}
		if query != "" && query != text && s.masked(query) == query {
			list = append(list, pages.Instead{Query: query, Link: searchLink(query), Hits: one.Hits})
		}
	}
	return list
}

// complete responds with the possible completions of the last word of a query, as JSON.
func (s *Server) complete(w http.ResponseWriter, r *http.Request) error {
	before := r.URL.Query().Get("q")
	if len(before) > maxQuery {
		return newRequestError(http.StatusRequestEntityTooLarge, "too-large", "the query is too long")
	}
	word := lastWord(before)
	list, err := s.candidates(r.Context(), word)
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
		if len(out) < most && s.masked(c.Text) == c.Text {
			out = append(out, candidate{strings.TrimSuffix(before, word), c.Text, render.Line(s.masked(c.Doc))})
		}
	}
	return respond(w, http.StatusOK, jsonType, func(to io.Writer) error {
		return render.JSON(to, map[string]any{"candidates": out})
	})
}

// A completion is the question for the values that complete a word.
type completion string

// candidates returns the possible completions of a word of a query, as on the command line.
func (s *Server) candidates(ctx context.Context, word string) (list []query.Candidate, err error) {
	if word == "" {
		return nil, nil
	}
	err = s.live.Do(ctx, func(v *service.View) error {
		settings, err := v.Settings()
		if err != nil {
			return err
		}
		ask := func(q *query.Query) *index.Result {
			found, err := s.cache.get(completion(q.Canonical()), 0,
				func(context.Context) (any, error) { return v.Hits(ctx, q, nil, false) })
			if err != nil {
				return &index.Result{}
			}
			return found.value.(*index.Result)
		}
		list = service.Completer{Queries: settings.SavedQueries(), Ask: ask}.Word(word)
		return nil
	})
	return list, err
}

// lastWord returns the word at the end of a query. A quoted text is one word with what
// precedes it.
func lastWord(before string) string {
	quoted, start := false, 0
	for i, c := range before {
		switch {
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ' ' || c == '\t' || c == '('):
			start = i + 1
		}
	}
	return before[start:]
}
