// Package search runs queries on the index and looks handoffs up in it.
package search

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/query"
)

// An Index answers questions about the handoffs of a database.
type Index struct{ *store.DB }

// Options says where a search looks and what it brings along.
type Options struct {
	// Roots restricts the search to what was last found in these folders; nil is
	// everything in the index.
	Roots []string
	// IDs restricts the search to the handoffs with these public ids; nil is
	// all.
	IDs []string
	// NoSnippets leaves out the lines that match.
	NoSnippets bool
	// Each, unless nil, gets the hits in portions as they are read, where they are more
	// than a portion: Result.Hits is then empty. Its error ends the search.
	Each func([]Hit) error
}

// portion is how many hits are in memory at once where they are passed on.
const portion = 512

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

// Search runs a query. It sees one state of the index; while there is none,
// nothing matches.
func (ix Index) Search(ctx context.Context, q *query.Query, o Options) (*Result, error) {
	r := &Result{Offset: q.Offset, At: ix.RefreshedAt()}
	return r, ix.view(ctx, "search", o, func(v *View) error { return v.run(ctx, q, r) })
}

// Count returns how many handoffs match, all counted.
func (ix Index) Count(ctx context.Context, q *query.Query, o Options) (n int, err error) {
	err = ix.view(ctx, "count", o, func(v *View) (err error) {
		n, err = v.Count(ctx, q)
		return err
	})
	return n, err
}

// Plan returns the statements a search for q would run, for explaining it.
func (ix Index) Plan(ctx context.Context, q *query.Query, o Options) (*query.Plan, error) {
	var plan *query.Plan
	err := ix.view(ctx, "plan", o, func(v *View) (err error) {
		plan, _, err = v.compile(ctx, q)
		return err
	})
	if plan == nil && err == nil {
		return q.Compile(nil), nil
	}
	return plan, err
}

// A search is one query on one state of the index.
type search struct {
	*View
	query  *query.Query
	plan   *query.Plan
	result *Result
}

// run fills in the result of a search.
func (v *View) run(ctx context.Context, q *query.Query, r *Result) error {
	plan, stale, err := v.compile(ctx, q)
	if err != nil {
		return err
	}
	r.Notes, r.Stale = plan.Notes, stale
	if r.Handoffs, err = v.handoffs(ctx); err != nil {
		return err
	}
	x := &search{View: v, query: q, plan: plan, result: r}
	if plan.Buckets != nil {
		r.Buckets, err = v.buckets(ctx, *plan.Buckets)
	} else {
		err = x.page(ctx)
	}
	if err != nil {
		return err
	}
	for _, f := range plan.Facets {
		buckets, err := v.buckets(ctx, f.Statement)
		if err != nil {
			return err
		}
		r.Facets = append(r.Facets, Facet{f.Field, buckets})
	}
	return x.total(ctx)
}

// compile plans a query for the words and roots of the index. It also returns the
// roots that could not be read at the last refresh.
func (v *View) compile(ctx context.Context, q *query.Query) (*query.Plan, []discover.Trouble, error) {
	quick := store.Uninterrupted(ctx)
	conditions, stale, err := v.inRoots(quick)
	if err != nil {
		return nil, nil, err
	}
	if v.opt.IDs != nil {
		conditions = append(conditions, query.Condition{
			SQL: "h.hid IN (SELECT value FROM json_each(?))", Args: []any{store.TextList(v.opt.IDs)},
		})
	}
	lex := lexiconOf(quick, v.q, v.opt.Roots)
	plan := q.Compile(lex, conditions...)
	return plan, stale, lex.Err()
}

// inRoots returns the condition that selects the roots asked for; there is none where
// they are all the index has. It also returns which of them could not be read.
func (v *View) inRoots(ctx context.Context) (_ []query.Condition, stale []discover.Trouble, _ error) {
	rows, err := v.q.Roots(ctx)
	if err != nil {
		return nil, nil, err
	}
	var list []string
	for _, row := range rows {
		if !IsAmong(row.Path, v.opt.Roots) {
			continue
		}
		list = append(list, strconv.FormatInt(row.ID, 10))
		if row.Trouble != "" {
			stale = append(stale, discover.Trouble{Path: row.Path, Reason: row.Trouble})
		}
	}
	switch len(list) {
	case len(rows):
		return nil, stale, nil
	case 0:
		return []query.Condition{{SQL: "0"}}, nil, nil
	}
	return []query.Condition{{
		SQL: "EXISTS (SELECT 1 FROM file rf WHERE rf.id = h.file_id AND rf.root_id IN (" + strings.Join(list, ", ") + "))",
	}}, stale, nil
}

// IsAmong reports whether a root is one of some; nil are all.
func IsAmong(root string, roots []string) bool {
	return roots == nil || slices.ContainsFunc(roots, func(r string) bool { return filepath.Clean(r) == root })
}

// Stale returns which of the roots could not be read at the last refresh, so
// that they are shown as last indexed. Nil are all roots of the index.
func (ix Index) Stale(ctx context.Context, roots []string) (list []discover.Trouble, err error) {
	err = ix.view(ctx, "read index", Options{Roots: roots}, func(v *View) error {
		_, list, err = v.inRoots(ctx)
		return err
	})
	return list, err
}

// handoffs returns how many handoffs the index holds.
func (v *View) handoffs(ctx context.Context) (n int, err error) {
	facts, err := v.q.Facts(store.Uninterrupted(ctx))
	for _, f := range facts {
		if f.Key == store.FactHandoffs {
			n, err = strconv.Atoi(f.Value)
		}
	}
	return n, err
}

// page finds the hits asked for.
func (x *search) page(ctx context.Context) error {
	found, err := x.rows(ctx)
	if err != nil {
		return err
	}
	if x.opt.Each == nil || len(found) <= portion {
		x.result.Hits, err = x.hits(ctx, found)
		return err
	}
	for part := range slices.Chunk(found, portion) {
		hits, err := x.hits(ctx, part)
		if err == nil {
			err = x.opt.Each(hits)
		}
		if err != nil {
			return err
		}
		x.result.Passed += len(hits)
	}
	return nil
}

// hits reads what is shown of rows.
func (x *search) hits(ctx context.Context, found []ranked) ([]Hit, error) {
	ids := idsOfRows(found)
	list, err := x.ix.SummariesOf(ctx, x.q, ids)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, len(list))
	for i, sum := range list {
		hits[i] = Hit{Summary: sum, Score: found[i].Score}
		if x.plan.Ranked {
			hits[i].Missing = x.plan.Missing(found[i].Held)
		}
	}
	err = x.addVersions(ctx, found, hits)
	if err == nil && !x.opt.NoSnippets {
		err = x.snippets(ctx, ids, hits)
	}
	return hits, err
}

// A ranked is a row of the page.
type ranked struct {
	query.Relevance // if the page is ranked

	id       int64
	file     int64 // 0 if no other row read has the name
	sketch   query.Sketch
	versions []ranked // which this row is shown for
}

// scan runs the statement of a page that is not ranked. total gets the number of
// matches, if the statement counts them.
func (v *View) scan(ctx context.Context, plan *query.Plan, total *int) ([]ranked, error) {
	return collect(ctx, v, plan.Page, func(rows *sql.Rows, r *ranked) error {
		if plan.Counted {
			return rows.Scan(&r.id, total)
		}
		return rows.Scan(&r.id)
	})
}

// total counts the matches, as far as the page does not show them.
func (x *search) total(ctx context.Context) error {
	plan, shown := x.plan, x.result.Shown()
	if plan.Counted && plan.Buckets == nil && shown > 0 {
		return nil
	}
	reached := 0
	if shown > 0 {
		reached = x.query.Offset + shown + x.result.Folded
	}
	isLast := plan.Buckets == nil && (shown > 0 || x.query.Offset == 0) && (x.query.Limit == 0 || shown < x.query.Limit)
	if isLast && (!plan.Ranked || reached < plan.Cap) {
		x.result.Total = reached
		return nil
	}
	bound := boundOf(plan)
	n, err := x.result.Total, error(nil)
	if !plan.Ranked || plan.Buckets != nil || n <= 0 {
		n, err = x.count(ctx, plan, bound)
	}
	if plan.Ranked && plan.Buckets == nil && n > plan.Cap {
		x.result.Notes = append(x.result.Notes,
			fmt.Sprintf("only %d of the matches are ranked: the newest with most of the words, where rare words count more",
				plan.Cap))
	}
	if x.result.TotalAtLeast = n > bound; x.result.TotalAtLeast {
		n = max(bound, reached)
	}
	x.result.Total = n
	return err
}

func (v *View) count(ctx context.Context, plan *query.Plan, bound int) (n int, err error) {
	st := plan.Count(bound)
	err = v.tx.QueryRowContext(ctx, st.SQL, st.Args...).Scan(&n)
	return n, err
}

// buckets reads values and, last, how many handoffs have them.
func (v *View) buckets(ctx context.Context, st query.Statement) ([]Bucket, error) {
	return collect(ctx, v, st, func(rows *sql.Rows, b *Bucket) error {
		columns, err := rows.Columns()
		if err != nil {
			return err
		}
		values := make([]sql.NullString, len(columns)-1)
		to := make([]any, 0, len(columns))
		for i := range values {
			to = append(to, &values[i])
		}
		err = rows.Scan(append(to, &b.Count)...)
		for _, v := range values {
			b.Values = append(b.Values, v.String)
		}
		return err
	})
}

// collect runs a statement and returns its rows, each as read reads it.
func collect[T any](
	ctx context.Context, v *View, st query.Statement, read func(*sql.Rows, *T) error,
) (list []T, err error) {
	rows, err := v.tx.QueryContext(ctx, st.SQL, st.Args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var row T
		if err := read(rows, &row); err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, rows.Err()
}
