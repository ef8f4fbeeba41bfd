package mcp

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// The default and the maximum number of hits in an answer.
const (
	fewHits  = 10
	mostHits = 50
)

var (
	limitParam = param{
		name: "limit", kind: "integer", least: 1, most: mostHits, example: 20,
		doc: "maximum number of results; default: as many as fit 4 KB",
	}
	cursorParam = param{name: "cursor", doc: "next_cursor of a result for the same arguments", example: "10.42.0a1b2c3d"}
)

var searchTool = tool{
	name: "search", title: "Search handoffs",
	call: (*server).search, result: searched{},
	doc: "Find handoffs by words, best match first; not all words must match. Conditions must match: " +
		"is:open|blocked|waiting|escalated|stale|latest, next:WORD (also done:, gotchas:, decisions:, failed:, goal:), " +
		"file:src/x.go, branch:, session:, format:, updated:>2026-02-01, date:last-week, -word, \"exact words\", " +
		"count-by:project. Without a query: the newest.",
	params: []param{
		{name: "query", doc: "words and conditions", example: "flaky login test"},
		anyProjectParam,
		{name: "exact", kind: "boolean", doc: "strict: all words must match, OR and (), newest first", example: true},
		{name: "sort", doc: "date, date-asc, updated, relevance, ...", example: "date-asc"},
		limitParam, cursorParam,
	},
}

// searched is the result of search.
type searched struct {
	About   string   `json:"about"`
	Total   int      `json:"total"`
	AtLeast bool     `json:"total_is_at_least,omitempty"`
	Hits    []hit    `json:"hits"`
	Counts  []count  `json:"counts,omitempty"`
	Why     []string `json:"why_nothing,omitempty"`
	page
}

// A count is how many handoffs have certain values.
type count struct {
	Values []string `json:"quote_values"`
	Count  int      `json:"count"`
}

// search returns a page of the hits of a query or, with count-by:, of counts.
func (s *server) search(ctx context.Context, svc *service.Service, a args) (answer, error) {
	text, exact, sort := a.text("query"), a.flag("exact"), strings.TrimSpace(a.text("sort"))
	if strings.ContainsAny(sort, " \t\r\n\"()") {
		return nil, fmt.Errorf("sort: %q is not a key; example: {\"sort\": \"date-asc\"}", clip(sort, longestName))
	}
	at, err := readCursor(a.text("cursor"), "search", text, strconv.FormatBool(exact), sort, a.text("project"))
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(text) == "" {
		exact = true
	}
	if sort != "" {
		text = strings.TrimSpace(text + " sort:" + sort)
	}
	found, err := ask(ctx, svc, question{text, exact, a.text("project"), a.number("limit", fewHits), at.at},
		service.SearchOptions{})
	if err != nil {
		return nil, err
	}
	notes := s.notes(svc, svc.Warnings(found.Result.Stale)...)
	if found.CountBy != nil {
		return s.counted(a, at, found, notes), nil
	}
	return fit(room(a), found.Rows, func(rows []render.Row) answer {
		q := s.quoter()
		out := searched{About: about, Total: found.Result.Total, AtLeast: found.Result.TotalAtLeast, Hits: []hit{}}
		for _, r := range rows {
			out.Hits = append(out.Hits, s.found(q, r.Hit))
		}
		if len(found.Rows) == 0 && at.at == 0 {
			out.Why = q.notes(strings.Split(strings.TrimSpace(render.Nothing(found)), "\n")[1:])
		}
		out.page = q.page(at, len(rows), out.Total, notes, found.Notes)
		if len(rows) == len(found.Rows) && !found.Truncated() { // the others are versions
			out.Next, out.Cut = "", ""
		}
		return out
	}), nil
}

// A question is a query and which of its hits are wanted. If exact is set, the text is
// parsed like that of the command search; else it is half-remembered words, as for find.
// project restricts it, unless it is empty.
type question struct {
	text          string
	exact         bool
	project       string
	limit, offset int
}

// ask returns the result of a query. Directives for paging and form are errors.
func ask(ctx context.Context, svc *service.Service, q question, o service.SearchOptions) (render.Answer, error) {
	parsed, err := svc.ParseQuery(q.text, nil, q.parse)
	if err != nil {
		return render.Answer{}, err
	}
	restrict(svc, parsed, q.project)
	if err := svc.Open(ctx); err != nil {
		return render.Answer{}, err
	}
	return svc.Search(ctx, parsed, o)
}

// parse parses the text of a query with the limit and offset of the question. Directives
// that set the page or the form of the results are errors. A query that counts has no limit.
func (q question) parse(text string, env query.Env) (*query.Query, error) {
	env.Refuse = func(directive string) string {
		switch directive {
		case "limit":
			return "is not allowed here: use the parameter limit"
		case "offset":
			return "is not allowed here: use the parameter cursor"
		case "select", "group-by", "facets":
			return "is not allowed here: results have one form; count-by: counts"
		}
		return ""
	}
	parse := query.Find
	if q.exact {
		parse = query.Parse
	}
	parsed, err := parse(text, env)
	if err != nil {
		return parsed, err
	}
	parsed.Limit, parsed.Offset = q.limit, q.offset
	if parsed.CountBy != nil {
		parsed.Limit, parsed.Offset = 0, 0
	}
	return parsed, nil
}

// room returns the maximum size of an answer: small unless the arguments have a limit.
func room(a args) int {
	if _, said := a["limit"]; said {
		return largeAnswer
	}
	return smallAnswer
}

// found returns a hit as an entry of a list, with the snippet that answers the query.
func (s *server) found(q *quoter, h index.Hit) hit {
	out := s.hit(q, h.Summary)
	out.Versions = len(h.Versions)
	if len(h.Snippets) > 0 {
		out.Line = q.snippet(h.Snippets[0].Text, longestLine)
	}
	const mostMissing = 4
	out.Missing = q.lines(h.Missing, mostMissing, longestName)
	return out
}

// counted returns a page of the counts that a query with count-by: found.
func (s *server) counted(a args, at cursor, found render.Answer, notes []string) answer {
	all := found.Result.Buckets
	return fit(room(a), window(all, at, a.number("limit", mostHits)), func(buckets []index.Bucket) answer {
		q := s.quoter()
		out := searched{About: about, Total: len(all), Hits: []hit{}}
		for _, b := range buckets {
			out.Counts = append(out.Counts, count{q.lines(b.Values, len(b.Values), longestTitle), b.Count})
		}
		out.page = q.page(at, len(buckets), len(all), notes, found.Notes)
		return out
	})
}

// write writes the hits or the counts as text.
func (o searched) write(b *strings.Builder) {
	b.WriteString(o.About + "\n")
	switch {
	case len(o.Counts) > 0:
		b.WriteString(render.Several(o.Total, "value") + "\n")
		for _, c := range o.Counts {
			fmt.Fprintf(b, "%d %s%s\n", c.Count, bar, strings.Join(c.Values, ", "))
		}
	case o.Total == 0:
		b.WriteString("nothing matches\n")
	case o.AtLeast:
		b.WriteString("at least " + render.Several(o.Total, "hit") + "\n")
	default:
		b.WriteString(render.Several(o.Total, "hit") + "\n")
	}
	lineHits(b, o.Hits)
	for _, why := range o.Why {
		b.WriteString("  " + bar + why + "\n")
	}
}
