package index

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"handex/index/internal/sqlitedb"
	"handex/parse"
)

// latestOf answers the id of the latest handoff of one project and format, by
// the rule of the format. There must be at least one row.
func latestOf(rule parse.LatestRule, rows []sqlitedb.GroupRowsRow) int64 {
	compare := byDate
	switch rule {
	case parse.ByMTime:
		compare = byMTime
	case parse.Current:
		compare = byCurrent
	case parse.ByDate:
	}
	return slices.MaxFunc(rows, compare).ID
}

func byDate(a, b sqlitedb.GroupRowsRow) int {
	return cmp.Or(cmp.Compare(a.Sort, b.Sort), cmp.Compare(a.MtimeNs, b.MtimeNs), strings.Compare(a.Path, b.Path), cmp.Compare(a.Entry, b.Entry))
}

// byMTime is the order of "ls -t", which puts equal times in order of name, so
// that the first name is the latest.
func byMTime(a, b sqlitedb.GroupRowsRow) int {
	return cmp.Or(cmp.Compare(a.MtimeNs, b.MtimeNs), strings.Compare(b.Path, a.Path), byDate(a, b))
}

// byCurrent puts the file that is overwritten in place above the log of what it
// was before.
func byCurrent(a, b sqlitedb.GroupRowsRow) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), byDate(a, b))
}

func rank(r sqlitedb.GroupRowsRow) int {
	name := filepath.Base(r.Path)
	if strings.HasSuffix(strings.TrimSuffix(name, filepath.Ext(name)), "-log") {
		return 0
	}
	return 1
}

// latest marks the latest handoff of each group anew.
func (w *writer) latest(ctx context.Context) error {
	if w.build {
		groups, err := w.q.Groups(ctx)
		if err != nil {
			return err
		}
		for _, g := range groups {
			w.touched[group{g.ProjectID, g.Format}] = true
		}
	}
	var on, off []int64
	for g := range w.touched {
		list, err := w.q.GroupRows(ctx, sqlitedb.GroupRowsParams{ProjectID: g.project, Format: g.format})
		if err != nil {
			return err
		}
		if len(list) == 0 {
			continue
		}
		latest := latestOf(parse.LatestBy(g.format), list)
		for _, r := range list {
			switch {
			case r.ID == latest && r.Latest == 0:
				on = append(on, r.ID)
			case r.ID != latest && r.Latest == 1:
				off = append(off, r.ID)
			}
		}
	}
	err := w.q.SetLatest(ctx, sqlitedb.SetLatestParams{Latest: 1, LatestSum: latestSum, Ids: numberList(on)})
	if err != nil {
		return err
	}
	return w.q.SetLatest(ctx, sqlitedb.SetLatestParams{Latest: 0, LatestSum: latestSum, Ids: numberList(off)})
}
