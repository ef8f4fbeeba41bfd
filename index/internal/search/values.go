package search

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/query"
)

// Values returns the values of a field, as text, that handoffs with these public
// ids have; those without one are left out. Dates are milliseconds since 1970.
func (ix Index) Values(ctx context.Context, field string, hids []string) (map[string][]string, error) {
	values := map[string][]string{}
	err := ix.view(ctx, "read values", Options{}, func(v *View) error {
		known, err := v.q.IDsOfHIDs(ctx, store.TextList(hids))
		if err != nil {
			return err
		}
		ids := make([]int64, len(known))
		hidOf := map[int64]string{}
		for i, row := range known {
			ids[i], hidOf[row.ID] = row.ID, row.Hid
		}
		statement, ok := query.Values(field, store.NumberList(ids))
		if !ok {
			return fmt.Errorf("the index has no values of %s", field)
		}
		if err := store.CheckAll(ctx, v.q, ids); err != nil {
			return err
		}
		_, err = collect(ctx, v, statement, func(rows *sql.Rows, value *string) error {
			var id int64
			if err := rows.Scan(&id, value); err != nil {
				return err
			}
			values[hidOf[id]] = append(values[hidOf[id]], *value)
			return nil
		})
		return err
	})
	return values, err
}
