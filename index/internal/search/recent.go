package search

import (
	"context"
	"slices"

	"handex/index/internal/sqlitedb"
	"handex/index/internal/store"
)

// Recent is what the index holds of one project, as far as who takes the work up
// needs it. Lists are newest first.
type Recent struct {
	// Total counts the project's handoffs but for earlier versions of files.
	Total int
	// Handoffs are the newest, whole, earlier versions among them, and the latest
	// of each format however old it is.
	Handoffs []*store.Handoff
	// Escalated are those that hold the signal, open or not, whole.
	Escalated []*store.Handoff
}

// maxMarked bounds how many escalated and latest handoffs Recent looks at.
const maxMarked = 64

// Recent returns the newest n handoffs of the project that dir is in, which is
// found as Latest finds it, and those that are escalated. All is of one state of
// the index. A project that is not known has none.
func (ix Index) Recent(ctx context.Context, dir string, n int) (*Recent, error) {
	out := &Recent{}
	err := ix.Read(ctx, "read project", func(q *sqlitedb.Queries) error {
		newest := func(ctx context.Context, projects string) ([]int64, error) {
			return q.RecentOfProjects(ctx, sqlitedb.RecentOfProjectsParams{Projects: projects, N: int64(max(n, 1))})
		}
		found, err := nearestProject(ctx, q, dir, newest)
		if err != nil || found == nil {
			return err
		}
		found.ids = found.ids[:min(n, len(found.ids))]
		return ix.recent(ctx, q, out, found)
	})
	return out, store.IgnoreNoIndex(err)
}

func (ix Index) recent(ctx context.Context, q *sqlitedb.Queries, out *Recent, found *foundProject) error {
	total, err := q.CountOfProjects(ctx, found.projects)
	if err != nil {
		return err
	}
	out.Total = int(total)
	marked, err := q.MarkedOfProjects(ctx, sqlitedb.MarkedOfProjectsParams{Projects: found.projects, N: maxMarked})
	if err != nil {
		return err
	}
	newest, ids := map[int64]bool{}, found.ids
	for _, id := range ids {
		newest[id] = true
	}
	for _, m := range marked {
		newest[m.ID] = newest[m.ID] || m.Latest == 1
		if !slices.Contains(ids, m.ID) {
			ids = append(ids, m.ID)
		}
	}
	all, err := ix.LoadAll(ctx, q, ids)
	if err != nil {
		return err
	}
	for i, h := range all {
		if err := found.check(h.Root); err != nil {
			return err
		}
		if newest[ids[i]] {
			out.Handoffs = append(out.Handoffs, h)
		}
		if len(h.Escalations) > 0 {
			out.Escalated = append(out.Escalated, h)
		}
	}
	return nil
}
