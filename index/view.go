package index

import (
	"context"
	"math"

	"handex/index/internal/sqlitedb"
	"handex/query"
)

// A View is one state of the index, for whoever asks several things of it whose
// answers must agree. It is of use only inside the function it was given to.
type View struct {
	s   *Store
	tx  sqlitedb.DBTX
	q   *sqlitedb.Queries
	opt SearchOptions

	cards map[int64]Summary // what was read, by row
	ids   map[string]int64  // its rows, by public id
}

// View runs f on one state of the index. Of an index that holds nothing there is
// none: f is not called.
func (s *Store) View(ctx context.Context, o SearchOptions, f func(*View) error) error {
	return unlessEmpty(s.ReadTx(ctx, "read index", func(tx sqlitedb.DBTX) error {
		return f(&View{s: s, tx: tx, q: sqlitedb.New(tx), opt: o, cards: map[int64]Summary{}, ids: map[string]int64{}})
	}))
}

func (v *View) search(q *query.Query) *search {
	return &search{Store: v.s, tx: v.tx, q: v.q, query: q, opt: v.opt, result: &Result{}}
}

// Count is Store.Count.
func (v *View) Count(ctx context.Context, q *query.Query) (int, error) {
	x := v.search(q)
	plan, err := x.compile(ctx)
	if err != nil {
		return 0, err
	}
	return x.count(ctx, plan, 0)
}

// Summaries answers the handoffs that a query asks for, in its order and within
// its limit. What was answered before is not read again.
func (v *View) Summaries(ctx context.Context, q *query.Query) ([]Summary, error) {
	list, _, err := v.First(ctx, q, math.MaxInt)
	return list, err
}

// First answers the first n handoffs that a query asks for, and how many it asks for
// in all, within its limit: looking for them once is enough for both.
func (v *View) First(ctx context.Context, q *query.Query, n int) (list []Summary, total int, err error) {
	x := v.search(q)
	plan, err := x.compile(ctx)
	if err != nil {
		return nil, 0, err
	}
	found, err := x.scan(ctx, plan)
	if err != nil {
		return nil, 0, err
	}
	list, err = v.summaries(ctx, found[:min(n, len(found))])
	return list, len(found), err
}

func (v *View) summaries(ctx context.Context, found []ranked) ([]Summary, error) {
	var news []int64
	for _, f := range found {
		if _, ok := v.cards[f.id]; !ok {
			news = append(news, f.id)
		}
	}
	cards, err := v.s.summaries(ctx, v.q, news)
	if err != nil {
		return nil, err
	}
	for i, c := range cards {
		v.cards[news[i]], v.ids[c.ID] = c, news[i]
	}
	list := make([]Summary, len(found))
	for i, f := range found {
		list[i] = v.cards[f.id]
	}
	return list, nil
}

// Buckets answers the values that a query counts by, those with most handoffs
// first; nil if it counts by nothing.
func (v *View) Buckets(ctx context.Context, q *query.Query) ([]Bucket, error) {
	x := v.search(q)
	plan, err := x.compile(ctx)
	if err != nil || plan.Buckets == nil {
		return nil, err
	}
	return x.buckets(ctx, *plan.Buckets)
}

// Handoffs reads handoffs whole that Summaries has answered, in their order.
func (v *View) Handoffs(ctx context.Context, list []Summary) ([]*Handoff, error) {
	ids := make([]int64, len(list))
	for i, h := range list {
		id, ok := v.ids[h.ID]
		if !ok {
			return nil, &NotFoundError{Ref: h.ID}
		}
		ids[i] = id
	}
	return wholeOf(ctx, v.q, list, ids)
}
