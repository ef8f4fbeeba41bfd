package query

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// DefaultLimit is how many hits a query without limit: asks for.
const DefaultLimit = 50

// Env is what a query's words can refer to besides handoffs.
type Env struct {
	// Now and Zone are what "today" means; a nil Zone is UTC.
	Now  time.Time
	Zone *time.Location
	// Saved are the saved queries by name.
	Saved map[string]string
	// Project returns the root of the current project, "" if there is none. It is
	// called only if a query uses it; nil is no project.
	Project func() string
	// Formats are the names format: takes; without any, every name is taken.
	Formats []string
	// StaleAfter is the age from which an open handoff is stale; 0 is 7 days.
	StaleAfter time.Duration
	// Member is who uses this machine, as name@machine; "" if that is not known.
	Member string
	// Refuse, if set, returns why a directive, given by its name, cannot be in the
	// query; "" if it can.
	Refuse func(directive string) string
}

// Query is a query understood: nothing in it depends on the clock, the
// working directory or a name any more.
type Query struct {
	// Text is the query as it was typed.
	Text string
	// Expr is what a handoff must meet.
	Expr Expr
	// Notes say how words were read that could mean something else.
	Notes []string
	// Sort is the order of the hits, newest first if empty.
	Sort []SortKey
	// ProjectFirst has the hits of a project come first that a word of the query is the
	// name of. It does nothing where the query says itself in what order.
	ProjectFirst bool
	// Limit is the maximum number of hits, 0 for all; Offset how many of
	// them are passed over.
	Limit, Offset int
	// LatestPer keeps the newest Keep (0: one) for each combination of values.
	LatestPer []string
	Keep      int
	// CountBy asks for counts instead of hits; GroupBy, Facets and Select
	// shape what is shown.
	CountBy, GroupBy, Facets, Select []string
	// Case says whether quotes and regular expressions heed case.
	Case CaseRule

	hasLimit bool
	zone     *time.Location
}

// Parse reads a query. The error is always an Errors.
func Parse(text string, env Env) (*Query, error) {
	if env.Zone == nil {
		env.Zone = time.UTC
	}
	q := &Query{Text: text, Limit: DefaultLimit, Case: CaseAuto, zone: env.Zone}
	p, err := parseNodes(text)
	if err != nil {
		return nil, finish(text, Errors{err})
	}
	r := &resolver{env: env, clock: clock{env.Now, env.Zone}, text: text, query: q, terms: new(int), top: true}
	r.directives(p.directives)
	e := r.expr(p.root, nil)
	r.checkKeep(p.directives)
	if len(r.errs) > 0 {
		return nil, finish(text, r.errs)
	}
	q.Expr = Simplify(e)
	q.Notes = append(append(p.notes, r.notes...), q.advice()...)
	return q, nil
}

// Find reads words to be remembered by: Parse with sort:relevance, unless the
// words bring an order of their own. The error is always an Errors.
func Find(words string, env Env) (*Query, error) {
	q, err := Parse(words, env)
	if err == nil && q.Sort == nil {
		q.Sort = []SortKey{{Key: relevance, Desc: true}}
	}
	return q, err
}

// parsed is the outcome of lexing and parsing.
type parsed struct {
	root       *node
	directives []*node
	notes      []string
}

func parseNodes(text string) (*parsed, *Error) {
	l := lex(text, maxBytes)
	last := l.tokens[len(l.tokens)-1]
	if last.Kind == KindError {
		return nil, last.Err
	}
	p := &parser{text: text, tokens: l.tokens, notes: l.notes}
	p.lostSigns(l.dropped)
	root := p.query()
	if p.err == nil && p.peek().Kind != KindEnd {
		p.missing(p.peek(), "left")
	}
	return &parsed{root, p.directives, p.notes}, p.err
}

// lostSigns adds a note on lone signs that are left out. A query of nothing else
// searches for them.
func (p *parser) lostSigns(dropped []Token) {
	if len(p.tokens) == 1 {
		p.tokens = append(slices.Clone(dropped), p.tokens...)
		return
	}
	for _, t := range dropped {
		p.notes = append(p.notes, `"`+t.Text+`" alone is not a word and is left out`)
	}
}

// advice returns notes on directives that affect each other.
func (q *Query) advice() []string {
	if q.CountBy == nil {
		return nil
	}
	var notes []string
	given := q.directiveList()
	for _, name := range []string{"facets", "group-by", "limit", "offset", "select", "sort"} {
		if slices.ContainsFunc(given, func(d string) bool { return strings.HasPrefix(d, name+":") }) {
			notes = append(notes, name+": has no effect with count-by:")
		}
	}
	return notes
}

// HasLimit reports whether the query itself says how many hits it asks for.
func (q *Query) HasLimit() bool { return q.hasLimit }

// Canonical returns the query in one spelling: the tree, then the directives in the
// order they work.
func (q *Query) Canonical() string {
	return strings.Join(append([]string{q.Expr.String()}, q.directiveList()...), " ")
}

// directiveList returns the directives as text, in the order they work.
func (q *Query) directiveList() []string {
	var list []string
	add := func(name string, values ...string) {
		if len(values) > 0 {
			list = append(list, name+":"+strings.Join(values, ","))
		}
	}
	add("latest-per", q.LatestPer...)
	if q.Keep > 0 {
		add("keep", strconv.Itoa(q.Keep))
	}
	add("count-by", q.CountBy...)
	add("sort", each(q.Sort, SortKey.String)...)
	if q.Offset > 0 {
		add("offset", strconv.Itoa(q.Offset))
	}
	if q.hasLimit {
		add("limit", strconv.Itoa(q.Limit))
	}
	add("group-by", q.GroupBy...)
	add("facets", q.Facets...)
	add("select", q.Select...)
	if q.Case != CaseAuto {
		add("case", string(q.Case))
	}
	return list
}
