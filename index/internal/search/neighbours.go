package search

import (
	"context"

	"handex/index/internal/sqlitedb"
	"handex/index/internal/store"
)

// Neighbours answers the handoffs of a project that come right after and right
// before the one with a public id, nil where there is none. Earlier versions of
// files are passed over. The error is *NotFoundError if there is no such handoff.
func (ix Index) Neighbours(ctx context.Context, hid string) (newer, older *store.Summary, err error) {
	known := false
	err = ix.Read(ctx, "read neighbours", func(q *sqlitedb.Queries) error {
		found, err := q.IDsOfHIDs(ctx, store.TextList([]string{hid}))
		if err != nil || len(found) == 0 {
			return err
		}
		known = true
		if newer, err = ix.neighbour(ctx, q, found[0].ID, q.NewerOfProject); err != nil {
			return err
		}
		older, err = ix.neighbour(ctx, q, found[0].ID, q.OlderOfProject)
		return err
	})
	if err := store.IgnoreNoIndex(err); err != nil {
		return nil, nil, err
	}
	if !known {
		return nil, nil, ix.NotFound(ctx, hid)
	}
	return newer, older, nil
}

func (ix Index) neighbour(ctx context.Context, q *sqlitedb.Queries, id int64, find func(context.Context, int64) ([]int64, error)) (*store.Summary, error) {
	ids, err := find(ctx, id)
	if err != nil {
		return nil, err
	}
	list, err := ix.SummariesOf(ctx, q, ids)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}
