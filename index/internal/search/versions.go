package search

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/query"
)

// rows returns the rows of the page. Versions of a file that are almost the same are one
// row of a ranked page, so more are read until the page is full.
func (x *search) rows(ctx context.Context) ([]ranked, error) {
	if !x.plan.Ranked {
		return x.scan(ctx, x.plan, &x.result.Total)
	}
	found, err := x.candidates(ctx, x.plan)
	if err != nil {
		return nil, err
	}
	x.result.Total = found.Found
	var read, shown []ranked
	most := found.Len()
	if x.query.Limit > 0 {
		most = x.query.Offset + x.query.Limit
	}
	for from := 0; from < found.Len() && len(shown) < most; from += query.Share {
		part, err := x.rankTexts(ctx, x.plan, found, from)
		if err == nil {
			read = append(read, part...)
			err = x.addSketches(ctx, read)
		}
		if err != nil {
			return nil, err
		}
		shown = fold(read)
	}
	first, last := pageOf(x.query, len(shown))
	for _, row := range shown[:last] {
		x.result.Folded += len(row.versions)
	}
	return shown[first:last], x.showCurrent(ctx, shown[first:last])
}

// candidates returns the matches of a ranked plan.
func (v *View) candidates(ctx context.Context, plan *query.Plan) (*query.Candidates, error) {
	list, err := collect(ctx, v, plan.Page, func(rows *sql.Rows, w *query.WordMatches) error {
		return rows.Scan(&w.Word, &w.Weight, &w.IDs)
	})
	return plan.Candidates(list), err
}

// firstOf returns the ids of the first n candidates.
func (v *View) firstOf(ctx context.Context, found *query.Candidates, n int) ([]int64, error) {
	return found.First(n, func(st query.Statement) (value string, err error) {
		err = v.tx.QueryRowContext(ctx, st.SQL, st.Args...).Scan(&value)
		return value, err
	})
}

// rankTexts reads the texts of the share of candidates that begins at from, and orders
// them by what they say.
func (v *View) rankTexts(ctx context.Context, plan *query.Plan, found *query.Candidates, from int) ([]ranked, error) {
	ids, err := v.firstOf(ctx, found, from+query.Share)
	if err != nil || len(ids) <= from {
		return nil, err
	}
	list, err := collect(ctx, v, plan.Texts(ids[from:], found.Weights), func(rows *sql.Rows, r *ranked) error {
		var text string
		err := rows.Scan(&r.id, &text)
		r.Relevance = query.ParseRelevance(text)
		return err
	})
	slices.SortFunc(list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.id, a.id))
	})
	return list, err
}

// addSketches fills in the sketches of rows that share a name with one of another file, as
// only these can be versions of one.
func (v *View) addSketches(ctx context.Context, list []ranked) error {
	if err := v.addFiles(ctx, list); err != nil {
		return err
	}
	files, shared := map[int64]int64{}, map[int64]bool{}
	for _, r := range list {
		if file, ok := files[r.Name]; ok && file != r.file {
			shared[r.Name] = true
		}
		files[r.Name] = r.file
	}
	need := func(r *ranked) bool { return shared[r.Name] && r.sketch == nil }
	return eachOf(ctx, v, list, need, query.Sketches, func(r *ranked, text string) {
		r.sketch = query.ParseSketch(text)
	})
}

// addFiles fills in the files of rows that share a name.
func (v *View) addFiles(ctx context.Context, list []ranked) error {
	names := map[int64]int{}
	for _, r := range list {
		names[r.Name]++
	}
	need := func(r *ranked) bool { return names[r.Name] > 1 && r.file == 0 }
	return eachOf(ctx, v, list, need, query.Files, func(r *ranked, file int64) { r.file = file })
}

// eachOf runs a statement for the rows that need it, which yields an id and a value, and
// sets the value of each.
func eachOf[T any](
	ctx context.Context, v *View, list []ranked, need func(*ranked) bool, statement func([]int64) query.Statement,
	set func(*ranked, T),
) error {
	at := map[int64]int{}
	var ids []int64
	for i := range list {
		if r := &list[i]; need(r) {
			at[r.id] = i
			ids = append(ids, r.id)
		}
	}
	if ids == nil {
		return nil
	}
	_, err := collect(ctx, v, statement(ids), func(rows *sql.Rows, value *T) error {
		var id int64
		if err := rows.Scan(&id, value); err != nil {
			return err
		}
		set(&list[at[id]], *value)
		return nil
	})
	return err
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
	if !plan.Ranked {
		return v.scan(ctx, plan, new(int))
	}
	found, err := v.candidates(ctx, plan)
	if err != nil {
		return nil, err
	}
	var read []ranked
	_, last := pageOf(q, found.Len())
	for from := 0; from < last; from += query.Share {
		part, err := v.rankTexts(ctx, plan, found, from)
		if err != nil {
			return nil, err
		}
		read = append(read, part...)
	}
	first, last := pageOf(q, len(read))
	return read[first:last], nil
}

// fold joins each row to the first of those before it that it is a version of.
func fold(found []ranked) []ranked {
	var shown []ranked
	for _, row := range found {
		same := slices.IndexFunc(shown, func(r ranked) bool { return row.isVersionOf(&r) })
		if same < 0 {
			shown = append(shown, row)
			continue
		}
		shown[same].versions = append(shown[same].versions, row)
	}
	return shown
}

// isVersionOf reports whether two rows are almost the same text in different files of one
// name.
func (r *ranked) isVersionOf(other *ranked) bool {
	return r.Name == other.Name && r.file != other.file && r.sketch.IsAlike(other.sketch)
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
				row.id, other.id, row.Held, other.Held = other.id, row.id, other.Held, row.Held
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
