package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"handex/cmd/internal/render"
	"handex/index"
	"handex/parse"
	"handex/query"
)

// reader is query.Parse or query.Find.
type reader func(string, query.Env) (*query.Query, error)

// read understands a query and tells how it was read. Its error is a refused.
func (a *app) read(text string, read reader) (*query.Query, error) {
	env, err := a.queryEnv()
	if err != nil {
		return nil, err
	}
	q, err := read(text, env)
	if err == nil && a.flags.Limit != nil {
		// The flag is the directive: given twice, the query tells it.
		text += " limit:" + strconv.Itoa(*a.flags.Limit)
		q, err = read(text, env)
	}
	if faults, ok := errors.AsType[query.Errors](err); ok {
		a.placeSaved(faults, text)
		return nil, refused{faults, text}
	}
	return q, err
}

func (a *app) queryEnv() (query.Env, error) {
	c, err := a.config()
	if err != nil {
		return query.Env{}, err
	}
	return query.Env{
		Now: a.env.Now(), Zone: a.env.Zone, Saved: c.SavedQueries(), StaleAfter: c.StaleAfter,
		Formats: parse.FormatNames(), Project: func() string { return a.project(a.env.WorkDir) },
	}, nil
}

// project is the root of the project that a folder belongs to, "" for none.
func (a *app) project(dir string) string {
	if target, err := realPath(dir); err == nil {
		dir = target
	}
	for _, root := range index.DefaultRoots(index.RootEnv{Home: a.env.Home, WorkDir: dir}, nil) {
		if rel, err := filepath.Rel(root.Path, dir); err == nil && filepath.IsLocal(rel) {
			known := index.NewKnownPaths(a.known())
			known.Home = a.env.Home
			return index.ProjectOf(filepath.Join(dir, "handoff.md"), root.Path, known).Root
		}
	}
	return ""
}

// ask answers a query from the index.
func (a *app) ask(text string, read reader) (render.Answer, error) {
	q, err := a.read(text, read)
	if err != nil {
		return render.Answer{}, err
	}
	if _, err := a.open(); err != nil {
		return render.Answer{}, err
	}
	return a.found(q)
}

// found answers a query from the open index.
func (a *app) found(q *query.Query) (render.Answer, error) {
	s := a.store
	result, err := s.Search(a.ctx, q, index.SearchOptions{Roots: s.roots, NoSnippets: !a.showsSnippets(q)})
	if err != nil {
		return render.Answer{}, err
	}
	notes := slices.Concat(q.Notes, result.Notes)
	note, err := a.overtaken(q)
	if err != nil {
		return render.Answer{}, err
	}
	if note != "" {
		notes = append(notes, note)
	}
	answer := render.Answer{
		Text: q.Text, Canonical: q.Source(), Notes: notes, Result: result,
		Select: q.Select, GroupBy: q.GroupBy, CountBy: q.CountBy, Skipped: len(s.report.Skipped),
	}
	if found := len(result.Hits) + len(result.Buckets); found == 0 && !a.flags.Quiet {
		if answer.Suggestions, answer.Reasons, err = a.blame(q, result.Total == 0); err != nil {
			return render.Answer{}, err
		}
	}
	for _, h := range result.Hits {
		answer.Rows = append(answer.Rows, render.Row{Hit: h})
	}
	return answer, nil
}

// showsSnippets reports whether the form of the answer has lines that match:
// finding them reads the text of every hit.
func (a *app) showsSnippets(q *query.Query) bool {
	if slices.Contains(q.Select, "lines") {
		return true
	}
	form, err := a.form(append(forms, "null", "template")...)
	if form == "" {
		return a.env.Stdout.IsTerminal()
	}
	return err != nil || !slices.Contains([]string{"oneline", "plain", "paths", "ids", "null", "csv", "table"}, form)
}

// fill loads the texts of the rows where a column needs them.
func (a *app) fill(rows []render.Row, columns ...string) error {
	needed := false
	for _, name := range columns {
		needed = needed || render.NeedsText(name)
		if render.InIndex(name) {
			if err := a.keep(rows, name); err != nil {
				return err
			}
		}
	}
	if !needed {
		return nil
	}
	for i := range rows {
		full, err := a.store.Load(a.ctx, rows[i].ID)
		if err != nil {
			return err
		}
		rows[i].Full = full
	}
	return nil
}

// keep adds the values the index has of a column to the rows.
func (a *app) keep(rows []render.Row, column string) error {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	values, err := a.store.Values(a.ctx, column, ids)
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

// tell says before the answer what a person should know of it.
func (a *app) tell(answer render.Answer) {
	if !a.flags.machine() {
		for _, note := range answer.Notes {
			a.note(note)
		}
	}
	a.warn(answer.Result.Stale)
}

// tellCount says behind the answer how much of it was shown.
func (a *app) tellCount(answer render.Answer) {
	if count := counted(answer); count != "" && !a.flags.machine() {
		a.out.afterwards(func() { a.say(count) })
	}
}

// counted tells that there are more hits than are shown.
func counted(answer render.Answer) string {
	if !answer.Truncated() {
		return ""
	}
	r := answer.Result
	total := "of " + thousands(r.Total)
	if r.TotalAtLeast {
		total = "of more than " + thousands(r.Total)
	}
	text := fmt.Sprintf("%s %s shown; limit:0 shows all", thousands(len(r.Hits)), total)
	if r.Offset > 0 {
		text = fmt.Sprintf("%s to %s %s shown; limit:0 shows all", thousands(r.Offset+1), thousands(r.Offset+len(r.Hits)), total)
	}
	return text
}

// thousands writes a number with commas.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
