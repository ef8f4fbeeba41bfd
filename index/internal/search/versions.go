package search

import (
	"context"
	"slices"

	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/query"
)

// rows returns the rows of the page. Versions of a file that are almost the same are one
// row of a ranked page, so more are read until the page is full.
func (x *search) rows(ctx context.Context) ([]ranked, error) {
	found, err := x.scan(ctx, x.plan, x.plan.Page, &x.result.Total)
	if err != nil || !x.plan.Ranked {
		return found, err
	}
	shown := fold(found)
	for x.query.Limit > 0 && len(shown) < x.query.Offset+x.query.Limit {
		page, ok := x.plan.Further(len(found))
		if !ok {
			break
		}
		if found, err = x.scan(ctx, x.plan, page, nil); err != nil {
			return nil, err
		}
		shown = fold(found)
	}
	first, last := pageOf(x.query, len(shown))
	for _, row := range shown[:last] {
		x.result.Folded += len(row.versions)
	}
	return shown[first:last], x.showCurrent(ctx, shown[first:last])
}

// pageOf returns where the page of a query begins and ends in n rows.
func pageOf(q *query.Query, n int) (first, last int) {
	last = n
	if q.Limit > 0 {
		last = min(q.Offset+q.Limit, n)
	}
	return min(q.Offset, last), last
}

// unfolded returns the rows of the page, each handoff as one.
func (v *View) unfolded(ctx context.Context, q *query.Query, plan *query.Plan) ([]ranked, error) {
	found, err := v.scan(ctx, plan, plan.Page, new(int))
	if err != nil || !plan.Ranked {
		return found, err
	}
	first, last := pageOf(q, len(found))
	return found[first:last], nil
}

// fold joins each row to the first of those before it that it is a version of.
func fold(found []ranked) []ranked {
	var shown []ranked
	for _, row := range found {
		same := slices.IndexFunc(shown, func(r ranked) bool { return row.sketch.IsVersionOf(r.sketch) })
		if same < 0 {
			shown = append(shown, row)
			continue
		}
		shown[same].versions = append(shown[same].versions, row)
	}
	return shown
}

// showCurrent puts the current version of each row in its place: of those that are no
// earlier content of a file, or else of all, the newest. The score remains.
func (x *search) showCurrent(ctx context.Context, shown []ranked) error {
	var ids []int64
	for _, row := range shown {
		if len(row.versions) > 0 {
			ids = append(append(ids, row.id), idsOfRows(row.versions)...)
		}
	}
	if ids == nil {
		return nil
	}
	live, err := x.q.LiveIDs(ctx, store.NumberList(ids))
	if err != nil {
		return err
	}
	isNewer := func(a, b int64) bool {
		if x, y := slices.Contains(live, a), slices.Contains(live, b); x != y {
			return x
		}
		return a > b
	}
	for i := range shown {
		row := &shown[i]
		for j := range row.versions {
			if other := &row.versions[j]; isNewer(other.id, row.id) {
				row.id, other.id, row.held, other.held = other.id, row.id, other.held, row.held
			}
		}
	}
	return nil
}

// addVersions fills in the public ids of the versions that rows are shown for.
func (x *search) addVersions(ctx context.Context, found []ranked, hits []Hit) error {
	var all []ranked
	for _, row := range found {
		all = append(all, row.versions...)
	}
	list, err := x.ix.SummariesOf(ctx, x.q, idsOfRows(all))
	if err != nil {
		return err
	}
	for i, row := range found {
		for range row.versions {
			hits[i].Versions = append(hits[i].Versions, list[0].ID)
			list = list[1:]
		}
	}
	return nil
}
