package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/query"
)

// A ReportQuestion selects a report and its content. For an empty field the report has a
// default.
type ReportQuestion struct {
	Name         string
	Query        string // what it is restricted to
	Since, Until string // dates as the language has them
	Week         string // 2026-W46, 46, this or last, instead of the two
	By           string // what handoffs are grouped by
	// Most bounds groups and lists; nil is what the report has, 0 all.
	Most        *int
	KeepSecrets bool
	// Here restricts a timeline that names no project to that of the working folder.
	Here bool
}

// ReportNames returns the names of all reports: first those of handex, then the user's own.
func (o *Options) ReportNames() ([]string, error) {
	own, err := o.Places.ReportNames()
	return append(OurReports(), own...), err
}

// OurReports returns the names of the reports that handex comes with.
func OurReports() []string {
	var names []string
	for _, k := range report.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// ReportOptions reads the query, dates and the user's own report of a question, and returns
// the options to pass to Report.
func (v *View) ReportOptions(q ReportQuestion) (report.Options, error) {
	o := report.Options{Name: q.Name, By: q.By, KeepSecrets: q.KeepSecrets}
	if q.Most != nil {
		o.Most = cmp.Or(*q.Most, -1)
	}
	var err error
	if o.Env, err = v.QueryEnv(); err != nil {
		return o, err
	}
	if _, ours := report.FindKind(q.Name); !ours {
		if o.Own, err = v.opt.Report(q.Name, o.Env); err != nil {
			return o, err
		}
	}
	env := o.Env
	env.Refuse = func(string) string { return "the query of a report only selects handoffs" }
	o.Query, err = query.Parse(q.Query, env)
	if faults, ok := errors.AsType[query.Errors](err); ok {
		return o, v.queryError(faults, q.Query, o.Env)
	}
	if err == nil {
		o.From, o.To, err = q.times(o.Env)
	}
	if err != nil {
		return o, err
	}
	if q.Here && q.Name == "timeline" && !strings.Contains(o.Query.Source(), "project") {
		if root := v.Project(v.opt.WorkDir); root != "" {
			o.Query.Expr = query.Simplify(query.And{List: []query.Expr{
				o.Query.Expr,
				query.Key{Field: "project", Op: query.KeyExact, Value: root},
			}})
		}
	}
	return o, nil
}

// Report makes a report from the open index.
func (v *View) Report(ctx context.Context, o report.Options) (*report.Report, error) {
	o.Search = v.searchOptions()
	if o.Name == "health" {
		status, err := v.Status(ctx)
		if err != nil {
			return nil, err
		}
		o.Skips = status.Skips
	}
	r, err := report.Build(ctx, v.store, o)
	if many, ok := errors.AsType[*report.ManyProjectsError](err); ok {
		return nil, render.WithHint(err,
			"name it: handex report timeline project:"+many.Projects[0]+" (or "+strings.Join(many.Projects[1:], ", ")+")")
	}
	return r, err
}

// ReportAnswer returns the answer that surrounds a report in JSON: its query, notes, and
// what could not be indexed.
func (v *View) ReportAnswer(ctx context.Context, r *report.Report, o report.Options) (render.Answer, error) {
	q, err := query.Parse("limit:1", query.Env{})
	if err != nil {
		return render.Answer{}, err
	}
	result, err := v.Hits(ctx, q, nil, false)
	if err != nil {
		return render.Answer{}, err
	}
	return render.Answer{
		Text: o.Query.Text, Canonical: r.Query, Notes: o.Query.Notes, Result: result,
		Skipped: v.skippedFiles(),
	}, nil
}

// times returns the period that the question asks for, two zero times if it asks for none.
// Without --until it ends with today.
func (q *ReportQuestion) times(env query.Env) (from, to time.Time, err error) {
	switch {
	case q.Week != "" && q.Since+q.Until != "":
		return from, to, errors.New("--week cannot be combined with --since or --until")
	case q.Week != "":
		from, to, err = parseDate("--week", "date", weekDate(q.Week, env.Now.In(env.Zone)), env)
		if err == nil && !to.Equal(from.AddDate(0, 0, 7)) {
			err = fmt.Errorf("--week: %q is not a week such as 2026-W46, 46, this or last", q.Week)
		}
		return from, to, err
	case q.Since+q.Until == "":
		return from, to, nil
	case q.Since != "":
		if from, _, err = parseDate("--since", "since", q.Since, env); err != nil {
			return from, to, err
		}
	}
	_, to, err = parseDate("--until", "until", cmp.Or(q.Until, "today"), env)
	if err == nil && !from.Before(to) {
		days := from.Format(time.DateOnly) + ", " + to.Format(time.DateOnly)
		err = errors.New("the report would end before it begins: " + days)
	}
	return from, to, err
}

// weekDate returns a week as a date of the query language. A number alone is the last week
// with that number, which can be the present one.
func weekDate(week string, now time.Time) string {
	if week == "this" || week == "last" {
		return week + "-week"
	}
	n, err := strconv.Atoi(strings.TrimLeft(week, "wW"))
	if err != nil || n > 53 {
		return week
	}
	year, current := now.ISOWeek()
	if n > current {
		year--
	}
	return fmt.Sprintf("%04d-W%02d", year, n)
}

// parseDate returns the period that a date of the query language means as the value of a
// field. Errors begin with the name of the flag.
func parseDate(flag, field, text string, env query.Env) (from, to time.Time, err error) {
	q, err := query.Parse(field+`:"`+strings.ReplaceAll(text, `"`, "")+`"`, env)
	if faults, ok := errors.AsType[query.Errors](err); ok {
		err := fmt.Errorf("%s: %s", flag, faults[0].Message)
		return from, to, WithNames(err, faults[0].Suggestions, strings.Join(faults[0].Help, "; "))
	}
	if err != nil {
		return from, to, err
	}
	at, ok := q.Expr.(query.During)
	if !ok {
		return from, to, fmt.Errorf("%s: %q is not a date", flag, text)
	}
	return at.From, at.To, nil
}
