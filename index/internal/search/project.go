package search

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// Recent is what the index contains of one project, as far as who takes the work up
// needs it. Lists are newest first.
type Recent struct {
	// Total counts the project's handoffs but for earlier versions of files.
	Total int
	// Handoffs are the newest, whole, earlier versions among them, and the latest
	// of each format however old it is.
	Handoffs []*store.Handoff
	// Escalated are those that contain the signal, open or not, whole.
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
	slices.SortFunc(ids, func(a, b int64) int { return cmp.Compare(b, a) })
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

// Latest returns the latest handoff of each format of the project that dir is
// in, newest first. dir is the project's root or a folder below it. A project
// that is not known has none.
func (ix Index) Latest(ctx context.Context, dir string) ([]store.Summary, error) {
	var list []store.Summary
	err := ix.Read(ctx, "read project", func(q *sqlitedb.Queries) error {
		found, err := nearestProject(ctx, q, dir, q.LatestOfProjects)
		if err != nil || found == nil {
			return err
		}
		if list, err = ix.SummariesOf(ctx, q, found.ids); err != nil {
			return err
		}
		for _, h := range list {
			if err := found.check(h.Root); err != nil {
				return err
			}
		}
		return nil
	})
	return list, store.IgnoreNoIndex(err)
}

// A foundProject is what nearestProject found.
type foundProject struct {
	roots    []string // the names it can have as root
	projects string   // a JSON array
	ids      []int64  // of handoffs
}

// check refuses a handoff of another project.
func (p *foundProject) check(root string) error {
	if !slices.Contains(p.roots, root) {
		return store.RowMismatch(p.roots[0])
	}
	return nil
}

// nearestProject finds the nearest project that dir is in of which pick returns
// handoffs, nil if there is none: by its root, and by the encoded names of the
// root, for handoffs whose folder shares its name with another.
// The other encodings are used only if the contract's own has nothing.
func nearestProject(
	ctx context.Context, q *sqlitedb.Queries, dir string, pick func(ctx context.Context, projects string) ([]int64, error),
) (*foundProject, error) {
	for _, root := range upwards(dir) {
		names := project.Encodings(root)
		for _, roots := range [][]string{{root, names[0]}, names[1:]} {
			projects, err := q.ProjectsByRoot(ctx, store.TextList(roots))
			if err != nil {
				return nil, err
			}
			list := store.NumberList(projects)
			ids, err := pick(ctx, list)
			if err != nil {
				return nil, err
			}
			if len(ids) > 0 {
				return &foundProject{roots, list, ids}, nil
			}
		}
	}
	return nil, nil
}

// upwards lists dir and the folders it is in.
func upwards(dir string) []string {
	dir = filepath.Clean(dir)
	list := []string{dir}
	for up := filepath.Dir(dir); up != dir; up = filepath.Dir(dir) {
		dir = up
		list = append(list, dir)
	}
	return list
}

// Neighbours returns the handoffs of a project that come right after and right
// before the one with a public id, nil where there is none. Earlier versions of
// files are passed over. The error is *NotFoundError if there is no such handoff.
func (ix Index) Neighbours(ctx context.Context, hid string) (newer, older *store.Summary, err error) {
	err = ix.ReadHandoff(ctx, "read neighbours", hid, func(q *sqlitedb.Queries, id int64) (err error) {
		if newer, err = ix.first(ctx, q, id, q.NewerOfProject); err != nil {
			return err
		}
		older, err = ix.first(ctx, q, id, q.OlderOfProject)
		return err
	})
	return newer, older, err
}

// first returns the summary of the first handoff that find returns for another.
func (ix Index) first(
	ctx context.Context, q *sqlitedb.Queries, id int64, find func(context.Context, int64) ([]int64, error),
) (*store.Summary, error) {
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
