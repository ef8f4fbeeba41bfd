package sync

import (
	"context"
	"strings"

	"github.com/OWNER/handex/index/internal/latest"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/parse"
)

// putMarks marks again, in each group, the latest handoff and the standing ones.
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

// flips are the handoffs whose mark is to be set, and those that lose it.
type flips struct{ on, off []int64 }

func (f *flips) note(id int64, is, want bool) {
	switch {
	case want && !is:
		f.on = append(f.on, id)
	case is && !want:
		f.off = append(f.off, id)
	}
}

func (f *flips) write(set func(on int64, ids string) error) error {
	if err := set(1, store.NumberList(f.on)); err != nil {
		return err
	}
	return set(0, store.NumberList(f.off))
}

// workItems returns the work items that handoffs cite, in lower case.
func (w *writer) workItems(ctx context.Context, rows []sqlitedb.GroupRowsRow) (map[int64][]string, error) {
	list, err := w.q.WorkItemsOf(ctx, store.NumbersOf(rows, func(r sqlitedb.GroupRowsRow) int64 { return r.ID }))
	items := map[int64][]string{}
	for _, item := range list {
		items[item.HandoffID] = append(items[item.HandoffID], strings.ToLower(item.Value))
	}
	return items, err
}
