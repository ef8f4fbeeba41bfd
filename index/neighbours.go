package index

import (
	"context"

	"handex/index/internal/sqlitedb"
)

// Neighbours answers the handoffs of a project that come right after and right
// before the one with a public id, nil where there is none. Earlier versions of
// files are passed over. The error is *NotFoundError if there is no such handoff.
func (s *Store) Neighbours(ctx context.Context, hid string) (newer, older *Summary, err error) {
	known := false
	err = s.Read(ctx, "read neighbours", func(q *sqlitedb.Queries) error {
		found, err := q.IDsOfHIDs(ctx, textList([]string{hid}))
		if err != nil || len(found) == 0 {
			return err
		}
		known = true
		if newer, err = s.neighbour(ctx, q, found[0].ID, q.NewerOfProject); err != nil {
			return err
		}
		older, err = s.neighbour(ctx, q, found[0].ID, q.OlderOfProject)
		return err
	})
	if err := unlessEmpty(err); err != nil {
		return nil, nil, err
	}
	if !known {
		return nil, nil, s.notFound(ctx, hid)
	}
	return newer, older, nil
}

func (s *Store) neighbour(ctx context.Context, q *sqlitedb.Queries, id int64, find func(context.Context, int64) ([]int64, error)) (*Summary, error) {
	ids, err := find(ctx, id)
	if err != nil {
		return nil, err
	}
	list, err := s.summaries(ctx, q, ids)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}
