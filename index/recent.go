package index

import (
	"context"
	"slices"

	"handex/index/internal/sqlitedb"
)

// Recent is what the index holds of one project, as far as who takes the work up
// needs it. Lists are newest first.
type Recent struct {
	// Total counts the project's handoffs but for earlier versions of files.
	Total int
	// Handoffs are the newest, whole, earlier versions among them, and the latest
	// of each format however old it is.
	Handoffs []*Handoff
	// Escalated are those that hold the signal, open or not, whole.
	Escalated []*Handoff
}

// maxMarked bounds how many escalated and latest handoffs Recent looks at.
const maxMarked = 64

// Recent answers the newest n handoffs of the project that dir is in, which is
// told as Latest tells it, and those that are escalated. All is of one state of
// the index. A project that is not known has none.
func (s *Store) Recent(ctx context.Context, dir string, n int) (*Recent, error) {
	out := &Recent{}
	err := s.transaction(ctx, "read project", func(q *sqlitedb.Queries) error {
		roots, projects, err := projectsAt(ctx, q, dir)
		if err != nil || len(projects) == 0 {
			return err
		}
		return s.recent(ctx, q, out, roots, projects, n)
	})
	return out, unlessEmpty(err)
}

func (s *Store) recent(ctx context.Context, q *sqlitedb.Queries, out *Recent, roots []string, projects []int64, n int) error {
	list := numberList(projects)
	total, err := q.CountOfProjects(ctx, list)
	if err != nil {
		return err
	}
	out.Total = int(total)
	ids, err := q.RecentOfProjects(ctx, sqlitedb.RecentOfProjectsParams{Projects: list, N: int64(n)})
	if err != nil {
		return err
	}
	marked, err := q.MarkedOfProjects(ctx, sqlitedb.MarkedOfProjectsParams{Projects: list, N: maxMarked})
	if err != nil {
		return err
	}
	newest := map[int64]bool{}
	for _, id := range ids {
		newest[id] = true
	}
	for _, m := range marked {
		newest[m.ID] = newest[m.ID] || m.Latest == 1
		if !slices.Contains(ids, m.ID) {
			ids = append(ids, m.ID)
		}
	}
	all, err := s.loadAll(ctx, q, ids)
	if err != nil {
		return err
	}
	for i, h := range all {
		if !slices.Contains(roots, h.Root) {
			return misled(roots[0])
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

// projectsAt are the nearest projects that dir is in, with the names they can
// have as roots: see ofProject.
func projectsAt(ctx context.Context, q *sqlitedb.Queries, dir string) (roots []string, projects []int64, err error) {
	for _, root := range upwards(dir) {
		names := encodings(root)
		for _, roots := range [][]string{{root, names[0]}, names[1:]} {
			projects, err := q.ProjectsByRoot(ctx, textList(roots))
			if err != nil {
				return nil, nil, err
			}
			ids, err := q.RecentOfProjects(ctx, sqlitedb.RecentOfProjectsParams{Projects: numberList(projects), N: 1})
			if err != nil || len(ids) > 0 {
				return roots, projects, err
			}
		}
	}
	return nil, nil, nil
}
