package index

import (
	"context"

	"handex/index/internal/sqlitedb"
	"handex/query"
)

// Texts answers the public ids of all handoffs that match, but for earlier
// versions of files, and with each a number that is another when its text is.
// Limit and offset of the query do not count; one that ranks answers those it
// ranks.
func (s *Store) Texts(ctx context.Context, q *query.Query, o SearchOptions) (map[string]int64, error) {
	texts := map[string]int64{}
	all := *q
	all.Limit, all.Offset = 0, 0
	err := s.ReadTx(ctx, "search", func(tx sqlitedb.DBTX) error {
		x := &search{Store: s, tx: tx, q: sqlitedb.New(tx), query: &all, opt: o, result: &Result{}}
		plan, err := x.compile(ctx)
		if err != nil {
			return err
		}
		found, err := x.scan(ctx, plan)
		if err != nil {
			return err
		}
		ids := make([]int64, len(found))
		for i, f := range found {
			ids[i] = f.id
		}
		rows, err := x.q.TextsOfIDs(ctx, numberList(ids))
		for _, row := range rows {
			texts[row.Hid] = row.TextSum
		}
		return err
	})
	return texts, unlessEmpty(err)
}
