package search

import (
	"context"
	"math"

	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/query"
)

// A View is one state of the index, for whoever asks several things of it whose
// answers must agree. It is of use only inside the function it was given to.
type View struct {
	ix  Index
	tx  sqlitedb.DBTX
	q   *sqlitedb.Queries
	opt Options

	cards map[int64]store.Summary // what was read, by row
	ids   map[string]int64        // its rows, by public id
}

// View runs f on one state of the index. Of an index that contains nothing there is
// none: f is not called.
func (ix Index) View(ctx context.Context, o Options, f func(*View) error) error {
	return ix.view(ctx, "read index", o, f)
}

// view is like View with the name of the operation for errors.
func (ix Index) view(ctx context.Context, op string, o Options, f func(*View) error) error {
	return store.IgnoreNoIndex(ix.ReadTx(ctx, op, func(tx sqlitedb.DBTX) error {
		return f(&View{
			ix: ix, tx: tx, q: sqlitedb.New(tx), opt: o, cards: map[int64]store.Summary{},
			ids: map[string]int64{},
		})
	}))
}

// Count returns how many handoffs match, all counted.
func (v *View) Count(ctx context.Context, q *query.Query) (int, error) {
	plan, _, err := v.compile(ctx, q)
	if err != nil {
		return 0, err
	}
	return v.count(ctx, plan, 0)
}

// Summaries returns the handoffs that a query asks for, in its order and within
// its limit. What was returned before is not read again.
func (v *View) Summaries(ctx context.Context, q *query.Query) ([]store.Summary, error) {
	list, _, err := v.First(ctx, q, math.MaxInt)
	return list, err
}

// First returns the first n handoffs that a query asks for, and how many it asks for
// in all, within its limit: looking for them once is enough for both.
func (v *View) First(ctx context.Context, q *query.Query, n int) (list []store.Summary, total int, err error) {
	plan, _, err := v.compile(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	found, err := v.unfolded(ctx, q, plan)
	if err != nil {
		return nil, 0, err
	}
	list, err = v.summaries(ctx, found[:min(n, len(found))])
	return list, len(found), err
}

func (v *View) summaries(ctx context.Context, found []ranked) ([]store.Summary, error) {
	var news []int64
	for _, f := range found {
		if _, ok := v.cards[f.id]; !ok {
			news = append(news, f.id)
		}
	}
	cards, err := v.ix.SummariesOf(ctx, v.q, news)
	if err != nil {
		return nil, err
	}
	for i, c := range cards {
		v.cards[news[i]], v.ids[c.ID] = c, news[i]
	}
	list := make([]store.Summary, len(found))
	for i, f := range found {
		list[i] = v.cards[f.id]
	}
	return list, nil
}

// Buckets returns the values that a query counts by, those with most handoffs
// first; nil if it counts by nothing.
func (v *View) Buckets(ctx context.Context, q *query.Query) ([]Bucket, error) {
	plan, _, err := v.compile(ctx, q)
	if err != nil || plan.Buckets == nil {
		return nil, err
	}
	return v.buckets(ctx, *plan.Buckets)
}

// Handoffs reads handoffs whole that Summaries has answered, in their order.
func (v *View) Handoffs(ctx context.Context, list []store.Summary) ([]*store.Handoff, error) {
	ids := make([]int64, len(list))
	for i, h := range list {
		id, ok := v.ids[h.ID]
		if !ok {
			return nil, &NotFoundError{Ref: h.ID}
		}
		ids[i] = id
	}
	return store.LoadRest(ctx, v.q, list, ids)
}

// Texts returns the public ids of all handoffs that match, but for earlier
// versions of files, and with each a number that is another when its text is.
// Limit and offset of the query do not count; one that ranks returns those it
// ranks.
func (ix Index) Texts(ctx context.Context, q *query.Query, o Options) (map[string]int64, error) {
	texts := map[string]int64{}
	all := *q
	all.Limit, all.Offset = 0, 0
	return texts, ix.view(ctx, "search", o, func(v *View) error {
		plan, _, err := v.compile(ctx, &all)
		if err != nil {
			return err
		}
		ids, err := v.idsOf(ctx, plan)
		if err != nil {
			return err
		}
		rows, err := v.q.TextsOfIDs(ctx, store.NumberList(ids))
		for _, row := range rows {
			texts[row.Hid] = row.TextSum
		}
		return err
	})
}

// idsOf returns the ids of what a plan finds; of a ranked one, of what it ranks.
func (v *View) idsOf(ctx context.Context, plan *query.Plan) ([]int64, error) {
	if plan.Ranked {
		found, err := v.candidates(ctx, plan)
		if err != nil {
			return nil, err
		}
		return v.firstOf(ctx, found, plan.Cap)
	}
	found, err := v.scan(ctx, plan, new(int))
	return idsOfRows(found), err
}

func idsOfRows(found []ranked) []int64 {
	ids := make([]int64, len(found))
	for i, f := range found {
		ids[i] = f.id
	}
	return ids
}
