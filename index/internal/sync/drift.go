package sync

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// A Drift is how the handoffs on disk differ from what is indexed of them.
type Drift struct {
	New, Changed, Gone []string
	Troubles           []discover.Trouble
	Read               int      // files that were read again, as they seem to be unchanged
	Differing          []string // of these, those that are not
}

// sampled is how many files Drift reads again unless it reads all.
const sampled = 200

// Drift finds out what a refresh would find, and reads files again whose size and
// times are as they were: all, or a sample. It changes nothing.
func (s *Syncer) Drift(ctx context.Context, roots []discover.Root, o Options, all bool) (*Drift, error) {
	r := s.newRefresh(o)
	var same []sqlitedb.FileDetailsRow
	err := s.Read(ctx, "read index", func(q *sqlitedb.Queries) error {
		err := r.makePlan(ctx, q, roots)
		if err == nil {
			same, err = r.unchanged(all)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	d := &Drift{Troubles: r.plan.troubles, Read: len(same)}
	for _, c := range r.plan.changes {
		switch {
		case c.old == nil:
			d.New = append(d.New, c.Path)
		case c.drifted():
			d.Changed = append(d.Changed, c.Path)
		}
	}
	for _, f := range r.plan.gone {
		d.Gone = append(d.Gone, f.path)
	}
	for _, row := range same {
		if raw, _, err := fsx.ReadFile(row.Path, fsx.MaxFile); err == nil && fsx.HalfSum(raw) != row.Sha256 {
			d.Differing = append(d.Differing, row.Path)
		}
	}
	slices.Sort(d.Differing)
	return d, nil
}

// drifted reports whether a file or a neighbour of it is not as it was read. A
// refresh reads more again: what was too young to be sure of.
func (c *change) drifted() bool {
	list, ok := deps.Parse(c.old.deps)
	return !ok || !c.old.same(c.Stat) || slices.ContainsFunc(list, func(d deps.Dependency) bool {
		return d.Size != deps.Unsettled && !d.Holds(filepath.Dir(c.Path))
	})
}

// unchanged lists files of the roots that are as they were by size and times: all of
// them, or some evenly among them.
func (r *refresher) unchanged(all bool) ([]sqlitedb.FileDetailsRow, error) {
	files, err := r.stock.all()
	if err != nil {
		return nil, err
	}
	left := map[int64]bool{}
	for _, c := range r.plan.changes {
		if c.old != nil && c.drifted() {
			left[c.old.id] = true
		}
	}
	for _, f := range r.plan.gone {
		left[f.id] = true
	}
	for _, id := range r.plan.kept {
		left[id] = true
	}
	var ids []int64
	for _, f := range files {
		inRoots := slices.ContainsFunc(r.plan.scans, func(s *scan) bool {
			return s.id == f.root || s.covers(cmp.Or(f.versionOf, f.path))
		})
		if inRoots && !f.skipped && !left[f.id] {
			ids = append(ids, f.id)
		}
	}
	if step := len(ids)/sampled + 1; !all && step > 1 {
		some := ids[:0]
		for i := 0; i < len(ids); i += step {
			some = append(some, ids[i])
		}
		ids = some
	}
	return r.stock.details(store.NumberList(ids))
}
