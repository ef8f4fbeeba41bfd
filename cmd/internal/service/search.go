package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// A Parser parses a query: it is query.Parse or query.Find.
type Parser func(string, query.Env) (*query.Query, error)

// ParseQuery parses a query with the user's saved queries and settings. limit, unless nil,
// is added as a directive. The error of a query with faults is a *QueryError.
func (v *View) ParseQuery(text string, limit *int, parse Parser) (*query.Query, error) {
	env, err := v.QueryEnv()
	if err != nil {
		return nil, err
	}
	q, err := parse(text, env)
	if err == nil && limit != nil {
		// Given twice, the query says so.
		text += " limit:" + strconv.Itoa(*limit)
		q, err = parse(text, env)
	}
	if faults, ok := errors.AsType[query.Errors](err); ok {
		return nil, v.queryError(faults, text, env)
	}
	return q, err
}

// SearchOptions select the parts of an answer.
type SearchOptions struct {
	// NoSnippets leaves out the lines that match, for which the texts of all hits are
	// read.
	NoSnippets bool
	// NoDiagnosis does not look for why nothing was found.
	NoDiagnosis bool
	// Each, unless nil, gets the rows of an answer in portions where there are many; the
	// answer then has none.
	Each func([]render.Row) error
}

// Search runs a query on the open index and returns the answer. Its rows do not have the
// texts of the handoffs: Fill adds them.
func (v *View) Search(ctx context.Context, q *query.Query, o SearchOptions) (render.Answer, error) {
	search := v.searchOptions()
	search.NoSnippets, q.ProjectFirst = o.NoSnippets, true
	var failed error // not of the index
	if o.Each != nil {
		search.Each = func(hits []index.Hit) error {
			failed = o.Each(rowsOf(hits))
			return failed
		}
	}
	result, err := v.store.Search(ctx, q, search)
	if failed != nil {
		return render.Answer{}, failed
	}
	if err != nil {
		return render.Answer{}, err
	}
	notes := slices.Concat(q.Notes, result.Notes)
	note, err := v.overtaken(ctx, q)
	if err != nil {
		return render.Answer{}, err
	}
	if note != "" {
		notes = append(notes, note)
	}
	answer := render.Answer{
		Text: q.Text, Canonical: q.Source(), Notes: notes, Result: result,
		Select: q.Select, GroupBy: q.GroupBy, CountBy: q.CountBy, Skipped: v.skippedFiles(),
	}
	if result.Shown()+len(result.Buckets) == 0 && !o.NoDiagnosis {
		if answer.Suggestions, answer.Reasons, err = v.Diagnose(ctx, q, result.Total == 0); err != nil {
			return render.Answer{}, err
		}
	}
	answer.Rows = rowsOf(result.Hits)
	return answer, nil
}

// rowsOf returns a row for each hit.
func rowsOf(hits []index.Hit) []render.Row {
	rows := make([]render.Row, len(hits))
	for i, h := range hits {
		rows[i] = render.Row{Hit: h}
	}
	return rows
}

// Hits runs a query and returns its hits, without notes and diagnosis. Snippets are
// included only if snippets is set. ids, unless nil, restricts the hits to the handoffs
// with these ids.
func (v *View) Hits(ctx context.Context, q *query.Query, ids []string, snippets bool) (*index.Result, error) {
	o := v.searchOptions()
	o.IDs, o.NoSnippets = ids, !snippets
	return v.store.Search(ctx, q, o)
}

// Texts returns the handoffs that a query finds: for each id, a number that changes with
// the text.
func (v *View) Texts(ctx context.Context, q *query.Query) (map[string]int64, error) {
	return v.store.Texts(ctx, q, v.searchOptions())
}

// Count returns how many handoffs a query finds.
func (v *View) Count(ctx context.Context, q *query.Query) (int, error) {
	return v.store.Count(ctx, q, v.searchOptions())
}

// Explain returns how a query is answered: its plan, how many handoffs it finds, and how
// many each of its conditions finds alone. With sql it adds the SQL.
func (v *View) Explain(ctx context.Context, q *query.Query, sql bool) (render.Explanation, error) {
	q.ProjectFirst = true
	plan, err := v.store.Plan(ctx, q, v.searchOptions())
	if err != nil {
		return render.Explanation{}, err
	}
	e := render.Explain(q, plan)
	for _, part := range q.Parts() {
		started := v.opt.Now()
		n, err := v.Count(ctx, part.Alone)
		if err != nil {
			return e, err
		}
		e.Steps = append(e.Steps, render.Step{
			Source: part.Source, Rows: n,
			Microseconds: v.opt.Now().Sub(started).Microseconds(),
		})
	}
	started := v.opt.Now()
	if e.Hits, err = v.Count(ctx, q); err != nil {
		return e, err
	}
	e.Milliseconds = v.opt.Now().Sub(started).Milliseconds()
	if sql {
		e.SQL, e.Args = plan.Page.SQL, plan.Page.Args
	}
	return e, nil
}

// DropEmpty removes from the counts of an answer those of handoffs that do not have the
// field.
func DropEmpty(answer *render.Answer) {
	answer.Result.Buckets = slices.DeleteFunc(answer.Result.Buckets,
		func(b index.Bucket) bool { return b.Values[0] == "" })
}

// CheckField returns an error, with similar names, if handoffs cannot be counted by the
// field with a name.
func CheckField(name string) error {
	_, err := query.Parse("count-by:"+name, query.Env{})
	if err == nil && !strings.ContainsAny(name, " ,:()\"") {
		return nil
	}
	var near, known []string
	if faults, ok := errors.AsType[query.Errors](err); ok {
		near = faults[0].Suggestions
	}
	for _, f := range query.Fields() {
		if f.Group {
			known = append(known, f.Name)
		}
	}
	return WithNames(fmt.Errorf("handoffs cannot be counted by %q", name), near, "fields: "+strings.Join(known, ", "))
}

// Fill adds to rows what the columns need and hits do not have: the texts of the handoffs,
// or further values from the index.
func (v *View) Fill(ctx context.Context, rows []render.Row, columns ...string) error {
	for _, name := range columns {
		if render.InIndex(name) {
			if err := v.addValues(ctx, rows, name); err != nil {
				return err
			}
		}
	}
	if !slices.ContainsFunc(columns, render.NeedsText) {
		return nil
	}
	for i := range rows {
		full, err := v.store.Load(ctx, rows[i].ID)
		if err != nil {
			return err
		}
		rows[i].Full = full
	}
	return nil
}

// addValues adds to each row the values that the index has for a column.
func (v *View) addValues(ctx context.Context, rows []render.Row, column string) error {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	values, err := v.store.Values(ctx, column, ids)
	if err != nil {
		return err
	}
	for i, r := range rows {
		if rows[i].Kept == nil {
			rows[i].Kept = map[string][]string{}
		}
		rows[i].Kept[column] = values[r.ID]
	}
	return nil
}
