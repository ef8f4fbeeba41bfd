package sync

import (
	"context"
	"strings"

	"github.com/OWNER/handex/index/internal/latest"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/parse"
)

// putMarks decides again which handoff is the latest and which are standing, in each group that has
// changed (in a build, in all), and writes the marks that differ.
func (w *writer) putMarks(ctx context.Context) error {
	if w.build {
		groups, err := w.q.Groups(ctx)
		if err != nil {
			return err
		}
		for _, g := range groups {
			w.touched[group{g.ProjectID, g.Format}] = true
		}
	}
	var last, standing flips
	for g := range w.touched {
		rows, err := w.q.GroupRows(ctx, sqlitedb.GroupRowsParams{ProjectID: g.project, Format: g.format})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			continue
		}
		var items map[int64][]string
		all := latest.NewGroup(parse.LatestBy(g.format), rows)
		if all.HasOpen() {
			if items, err = w.workItems(ctx, rows); err != nil {
				return err
			}
		}
		stands := all.Standing(items)
		for _, r := range rows {
			last.note(r.ID, r.Latest == 1, all.IsLatest(r))
			standing.note(r.ID, r.Standing == 1, stands[r.ID])
		}
	}
	err := last.write(func(on int64, ids string) error {
		return w.q.SetLatest(ctx, sqlitedb.SetLatestParams{Latest: on, LatestSum: store.LatestSum, Ids: ids})
	})
	if err != nil {
		return err
	}
	return standing.write(func(on int64, ids string) error {
		return w.q.SetStanding(ctx, sqlitedb.SetStandingParams{Standing: on, StandingSum: store.StandingSum, Ids: ids})
	})
}

// flips are the ids of handoffs that get a mark, and of those that lose it.
type flips struct{ on, off []int64 }

// note adds the handoff id to f if it has the mark (is) and should not (want), or the reverse.
func (f *flips) note(id int64, is, want bool) {
	switch {
	case want && !is:
		f.on = append(f.on, id)
	case is && !want:
		f.off = append(f.off, id)
	}
}

// write calls set once for the handoffs that get the mark and once for those that lose it.
func (f *flips) write(set func(on int64, ids string) error) error {
	if err := set(1, store.NumberList(f.on)); err != nil {
		return err
	}
	return set(0, store.NumberList(f.off))
}

// workItems returns the work items that the given handoffs cite, in lower case, by the id of the
// handoff.
func (w *writer) workItems(ctx context.Context, rows []sqlitedb.GroupRowsRow) (map[int64][]string, error) {
	list, err := w.q.WorkItemsOf(ctx, store.NumbersOf(rows, func(r sqlitedb.GroupRowsRow) int64 { return r.ID }))
	items := map[int64][]string{}
	for _, item := range list {
		items[item.HandoffID] = append(items[item.HandoffID], strings.ToLower(item.Value))
	}
	return items, err
}
