package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/OWNER/handex/cmd/internal/render"
)

// answer writes the hits or counts of a query in the output form that the flags ask for,
// with notes before and a count after them. It returns errNone if the query found nothing.
func (a *app) answer(answer render.Answer) error {
	form, err := a.form(append(forms, "null", "template")...)
	if err != nil {
		return err
	}
	if form == "" {
		form = a.usual(answer.Select)
	}
	a.writeAnswerNotes(answer)
	if answer.Result.Shown()+len(answer.Result.Buckets) == 0 {
		if err := a.nothing(answer, form); err != nil {
			return err
		}
		return errNone
	}
	if answer.CountBy != nil && form != "json" && form != "jsonl" {
		return a.buckets(answer, form)
	}
	if err := a.service.Fill(a.ctx, answer.Rows, append(answer.Select, answer.GroupBy...)...); err != nil {
		return err
	}
	if slices.Contains([]string{"short", "oneline", "table"}, form) {
		a.number(answer.Rows)
	}
	if err := a.write(answer, form); err != nil {
		return err
	}
	a.writeCount(answer)
	return nil
}

// usual returns the output form to use if no flag sets one. columns are those that the
// query selects, nil if it selects none.
func (a *app) usual(columns []string) string {
	terminal := a.env.Stdout.IsTerminal()
	switch {
	case columns != nil && terminal:
		return "table"
	case columns != nil:
		return "plain"
	case terminal:
		return "short"
	}
	return "oneline"
}

// nothing writes why a query found nothing: in a JSON form as an answer without hits, else
// as text to the standard error.
func (a *app) nothing(answer render.Answer, form string) error {
	if form == "json" || form == "jsonl" {
		return a.write(answer, form)
	}
	if a.flags.Quiet {
		return nil
	}
	_, err := io.WriteString(a.env.Stderr, render.Nothing(answer))
	return err
}

// buckets writes the counts of an answer, a line for each bucket. It returns an error for a
// form that cannot show counts.
func (a *app) buckets(answer render.Answer, form string) error {
	switch form {
	case "plain", "csv", "oneline", "short", "table", "full":
		return render.Buckets(a.out, answer.CountBy, answer.Result.Buckets, form, a.options())
	}
	return errors.New("counts cannot be written as " + form + ", only as plain, csv, json or jsonl")
}

// write writes the hits of an answer in an output form, under headings if the query groups
// them and the form has headings.
func (a *app) write(answer render.Answer, form string) error {
	switch form {
	case "json":
		return render.AnswerJSON(a.out, answer)
	case "jsonl":
		return render.AnswerJSONL(a.out, answer)
	case "full":
		return a.full(answer.Rows)
	case "template", "plain", "csv", "md", "paths", "ids", "null":
		return a.writeRows(answer, form, nil)
	}
	groups, err := render.Groups(answer.Rows, answer.GroupBy)
	if err != nil {
		return err
	}
	if groups == nil {
		err = a.writeRows(answer, form, nil)
	} else {
		list := func(rows []render.Row) error { return a.list(rows, answer.Select, form) }
		err = render.Grouped(a.out, groups, a.options(), list)
	}
	return errors.Join(err, render.Facets(a.out, answer.Result.Facets, a.options()))
}

// writeRows writes the hits of an answer in a form in which no hit depends on the others.
// The forms paths, ids and null leave out a line that is in seen, and add those that they
// write; nil is an empty set.
func (a *app) writeRows(answer render.Answer, form string, seen map[string]bool) error {
	switch form {
	case "jsonl":
		return render.HitsJSONL(a.out, answer)
	case "template":
		return a.template(answer.Rows)
	case "plain", "csv", "md", "paths", "ids", "null":
		return a.records(answer, form, seen)
	}
	return a.list(answer.Rows, answer.Select, form)
}

// list writes hits in a form for people: as a table, in the short form, or one on a line.
func (a *app) list(rows []render.Row, columns []string, form string) error {
	o := a.options()
	switch {
	case form == "table" || columns != nil:
		return render.Rows(a.out, rows, columns, "table", o)
	case form == "short":
		return render.Short(a.out, rows, o)
	}
	return render.Oneline(a.out, rows, o)
}

// records writes hits in a form for other programs, with dates in ISO 8601 unless the user
// chose a style. For seen see writeRows.
func (a *app) records(answer render.Answer, form string, seen map[string]bool) error {
	o := a.options()
	if a.dateStyle() == "" {
		o.Dates = render.DatesISO
	}
	switch form {
	case "paths":
		return render.Ended(a.out, answer.Rows, "\n", seen, func(r render.Row) string { return render.Path(r.Path) })
	case "null":
		exact := func(r render.Row) string { return r.Path }
		if a.env.Stdout.IsTerminal() {
			exact = func(r render.Row) string { return render.Path(r.Path) }
		}
		return render.Ended(a.out, answer.Rows, "\x00", seen, exact)
	case "ids":
		return render.Ended(a.out, answer.Rows, "\n", seen, func(r render.Row) string { return r.ID })
	}
	return render.Rows(a.out, answer.Rows, answer.Select, form, o)
}

// template writes each hit with the template of --format.
func (a *app) template(rows []render.Row) error {
	t, err := render.NewTemplate(a.flags.Format, a.options())
	if err != nil {
		return err
	}
	if err := a.service.Fill(a.ctx, rows, t.Columns()...); err != nil {
		return err
	}
	for _, r := range rows {
		if err := t.Write(a.ctx, a.out, r); err != nil {
			return err
		}
	}
	return nil
}

// full writes every hit with its whole text, and a rule between two hits.
func (a *app) full(rows []render.Row) error {
	if err := a.service.Fill(a.ctx, rows, "text"); err != nil {
		return err
	}
	o := a.options()
	for i, r := range rows {
		if i > 0 {
			if err := render.Rule(a.out, o); err != nil {
				return err
			}
		}
		if err := render.Handoff(a.out, r.Full, o); err != nil {
			return err
		}
	}
	return nil
}

// writeAnswerNotes writes the notes of an answer and warnings about what it may lack to the
// standard error.
func (a *app) writeAnswerNotes(answer render.Answer) {
	a.notesForPeople(answer.Notes)
	a.writeNotes(a.service.Warnings(answer.Result.Stale)...)
}

// writeCount writes, once the answer is on the screen, how many of the hits are shown,
// unless all are or a program reads the answer.
func (a *app) writeCount(answer render.Answer) {
	if count := counted(answer); count != "" && !a.flags.machine() {
		a.out.afterwards(func() { a.say(count) })
	}
}

// counted returns a line that says how many of the hits are shown, "" if all are.
func counted(answer render.Answer) string {
	if !answer.Truncated() {
		return ""
	}
	r := answer.Result
	total := "of " + render.Thousands(r.Total)
	if r.TotalAtLeast {
		total = "of more than " + render.Thousands(r.Total)
	}
	text := fmt.Sprintf("%s %s shown; limit:0 shows all", render.Thousands(r.Shown()), total)
	if r.Offset > 0 {
		text = fmt.Sprintf("%s to %s %s shown; limit:0 shows all",
			render.Thousands(r.Offset+1), render.Thousands(r.Offset+r.Shown()), total)
	}
	return text
}
