package index

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"handex/index/internal/discover"
	"handex/index/internal/sqlitedb"
	"handex/query"
)

// SearchOptions says where a search looks and what it brings along.
type SearchOptions struct {
	// Roots restricts the search to what was last found in these; nil is
	// everything in the index.
	Roots []discover.Root
	// IDs restricts the search to the handoffs with these public ids; nil is
	// all.
	IDs []string
	// NoSnippets leaves out the lines that match.
	NoSnippets bool
}

// countBound is how far matches are counted beyond the page: counting all of a
// large index takes longer than finding the newest.
const countBound = 2000

// readBound is countBound for matches whose texts have to be read.
const readBound = 500

func boundOf(plan *query.Plan) int {
	reads := slices.ContainsFunc(plan.Leaves, func(l query.Leaf) bool { return l.Check != "" })
	if reads && !plan.Ranked {
		return readBound
	}
	return countBound
}

// Search answers a query. It sees one state of the index; while there is none,
// nothing matches.
func (s *Store) Search(ctx context.Context, q *query.Query, o SearchOptions) (*Result, error) {
	r := &Result{Offset: q.Offset, At: s.RefreshedAt()}
	err := s.ReadTx(ctx, "search", func(tx sqlitedb.DBTX) error {
		x := &search{Store: s, tx: tx, q: sqlitedb.New(tx), query: q, opt: o, result: r}
		return x.run(ctx)
	})
	return r, unlessEmpty(err)
}

// Count answers how many handoffs match, all counted.
func (s *Store) Count(ctx context.Context, q *query.Query, o SearchOptions) (int, error) {
	n := 0
	err := s.ReadTx(ctx, "count", func(tx sqlitedb.DBTX) error {
		x := &search{Store: s, tx: tx, q: sqlitedb.New(tx), query: q, opt: o, result: &Result{}}
		plan, err := x.compile(ctx)
		if err == nil {
			n, err = x.count(ctx, plan, 0)
		}
		return err
	})
	return n, unlessEmpty(err)
}

// Plan answers the statements a search for q would run, for explaining it.
func (s *Store) Plan(ctx context.Context, q *query.Query, o SearchOptions) (*query.Plan, error) {
	var plan *query.Plan
	err := s.ReadTx(ctx, "plan", func(tx sqlitedb.DBTX) (err error) {
		x := &search{Store: s, tx: tx, q: sqlitedb.New(tx), query: q, opt: o, result: &Result{}}
		plan, err = x.compile(ctx)
		return err
	})
	if plan == nil && unlessEmpty(err) == nil {
		return q.Compile(nil), nil
	}
	return plan, err
}

// A search is one run of Search.
type search struct {
	*Store
	tx     sqlitedb.DBTX
	q      *sqlitedb.Queries
	query  *query.Query
	opt    SearchOptions
	result *Result
}

func (x *search) run(ctx context.Context) error {
	plan, err := x.compile(ctx)
	if err != nil {
		return err
	}
	if err := x.facts(ctx); err != nil {
		return err
	}
	x.result.Notes = plan.Notes
	if plan.Buckets != nil {
		if x.result.Buckets, err = x.buckets(ctx, *plan.Buckets); err != nil {
			return err
		}
	} else if err := x.page(ctx, plan); err != nil {
		return err
	}
	for _, f := range plan.Facets {
		buckets, err := x.buckets(ctx, f.Statement)
		if err != nil {
			return err
		}
		x.result.Facets = append(x.result.Facets, Facet{f.Field, buckets})
	}
	return x.total(ctx, plan)
}

// compile plans the query for the words and roots of the index.
func (x *search) compile(ctx context.Context) (*query.Plan, error) {
	quick := Uninterrupted(ctx)
	conditions, err := x.roots(quick)
	if err != nil {
		return nil, err
	}
	if x.opt.IDs != nil {
		conditions = append(conditions, query.Condition{
			SQL: "h.hid IN (SELECT value FROM json_each(?))", Args: []any{textList(x.opt.IDs)},
		})
	}
	lex := lexiconOf(quick, x.q)
	plan := x.query.Compile(lex, conditions...)
	return plan, lex.Err()
}

// roots is the condition that keeps to the roots asked for, and notes which of
// them could not be read. There is none where they are all the index has.
func (x *search) roots(ctx context.Context) ([]query.Condition, error) {
	rows, err := x.q.Roots(ctx)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, r := range x.opt.Roots {
		wanted[filepath.Clean(r.Path)] = true
	}
	var list []string
	for _, row := range rows {
		if x.opt.Roots != nil && !wanted[row.Path] {
			continue
		}
		list = append(list, strconv.FormatInt(row.ID, 10))
		if row.Trouble != "" {
			x.result.Stale = append(x.result.Stale, discover.Trouble{Path: row.Path, Reason: row.Trouble})
		}
	}
	switch len(list) {
	case len(rows):
		return nil, nil
	case 0:
		return []query.Condition{{SQL: "0"}}, nil
	}
	return []query.Condition{{SQL: "EXISTS (SELECT 1 FROM file rf WHERE rf.id = h.file_id AND rf.root_id IN (" + strings.Join(list, ", ") + "))"}}, nil
}

func (x *search) facts(ctx context.Context) error {
	facts, err := x.q.Facts(Uninterrupted(ctx))
	for _, f := range facts {
		if f.Key == factHandoffs {
			x.result.Handoffs, err = strconv.Atoi(f.Value)
		}
	}
	return err
}

// page finds the hits asked for.
func (x *search) page(ctx context.Context, plan *query.Plan) error {
	found, err := x.scan(ctx, plan)
	if err != nil {
		return err
	}
	ids := make([]int64, len(found))
	byID := make(map[int64]ranked, len(found))
	for i, f := range found {
		ids[i] = f.id
		byID[f.id] = f
	}
	list, err := x.summaries(ctx, x.q, ids)
	if err != nil {
		return err
	}
	x.result.Hits = make([]Hit, len(list))
	for i, sum := range list {
		f := byID[ids[i]]
		x.result.Hits[i] = Hit{Summary: sum, Score: f.score}
		if plan.Ranked {
			x.result.Hits[i].Missing = plan.Missing(f.held)
		}
	}
	if x.opt.NoSnippets {
		return nil
	}
	return x.snippets(ctx, plan, ids)
}

// A ranked is a row of the page.
type ranked struct {
	id    int64
	score float64
	held  string
}

func (x *search) scan(ctx context.Context, plan *query.Plan) ([]ranked, error) {
	rows, err := x.tx.QueryContext(ctx, plan.Page.SQL, plan.Page.Args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []ranked
	for rows.Next() {
		var r ranked
		to := []any{&r.id}
		switch {
		case plan.Ranked:
			to = append(to, &r.score, &r.held)
		case plan.Counted:
			to = append(to, &x.result.Total)
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		found = append(found, r)
	}
	return found, rows.Err()
}

// total counts the matches, as far as the page does not tell.
func (x *search) total(ctx context.Context, plan *query.Plan) error {
	shown := len(x.result.Hits)
	if plan.Counted && plan.Buckets == nil && shown > 0 {
		return nil
	}
	reached := 0
	if shown > 0 {
		reached = x.query.Offset + shown
	}
	isLast := plan.Buckets == nil && (shown > 0 || x.query.Offset == 0) && (x.query.Limit == 0 || shown < x.query.Limit)
	if isLast && (!plan.Ranked || reached < plan.Cap) {
		x.result.Total = reached
		return nil
	}
	bound := boundOf(plan)
	n, err := x.count(ctx, plan, bound)
	if plan.Ranked && plan.Buckets == nil && n > plan.Cap {
		x.result.Notes = append(x.result.Notes, fmt.Sprintf("only %d of the matches are ranked: the newest that hold most of the words, a rare one counting more", plan.Cap))
	}
	if x.result.TotalAtLeast = n > bound; x.result.TotalAtLeast {
		n = max(bound, reached)
	}
	x.result.Total = n
	return err
}

func (x *search) count(ctx context.Context, plan *query.Plan, bound int) (n int, err error) {
	st := plan.Count(bound)
	err = x.tx.QueryRowContext(ctx, st.SQL, st.Args...).Scan(&n)
	return n, err
}

// buckets reads values and, last, how many handoffs have them.
func (x *search) buckets(ctx context.Context, st query.Statement) ([]Bucket, error) {
	rows, err := x.tx.QueryContext(ctx, st.SQL, st.Args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var list []Bucket
	for rows.Next() {
		b := Bucket{Values: make([]string, len(columns)-1)}
		values := make([]any, len(columns)-1)
		to := make([]any, 0, len(columns))
		for i := range values {
			to = append(to, &values[i])
		}
		if err := rows.Scan(append(to, &b.Count)...); err != nil {
			return nil, err
		}
		for i, v := range values {
			if v != nil {
				b.Values[i] = fmt.Sprint(v)
			}
		}
		list = append(list, b)
	}
	return list, rows.Err()
}
