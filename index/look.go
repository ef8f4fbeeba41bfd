package index

import (
	"context"
	"database/sql"

	"handex/index/internal/sqlitedb"
	"handex/query"
)

// IDs answers the public ids of all handoffs that match, whatever limit and
// offset the query has. A query that ranks answers those it ranks.
func (s *Store) IDs(ctx context.Context, q *query.Query, o SearchOptions) (hids []string, err error) {
	all := *q
	all.Limit, all.Offset = 0, 0
	err = s.transactionTx(ctx, "search", func(tx *sql.Tx) error {
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
		hids, err = x.q.HIDsOfIDs(ctx, numberList(ids))
		return err
	})
	return hids, unlessEmpty(err)
}
