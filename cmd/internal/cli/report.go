package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"handex/cmd/internal/paper"
	"handex/cmd/internal/render"
	reports "handex/cmd/internal/report"
	"handex/index"
	"handex/query"
)

// reportCmd tells what happened over a time.
type reportCmd struct {
	Words    []string `arg:"" optional:"" name:"name|query" help:"A report's name, then what it is restricted to, as in search. Without a name it is the digest of the last seven days."`
	Since    string   `help:"Begin with DATE: yesterday, 14d, monday, 2026-02-01." placeholder:"DATE"`
	Until    string   `help:"End with DATE." placeholder:"DATE"`
	Week     string   `help:"Tell of a week: 2026-W46, this-week, last-week." placeholder:"WEEK"`
	By       string   `help:"Group by project, agent, session, branch, status, format, day, week or month." placeholder:"FIELD"`
	Queries  bool     `help:"Tell the query of every number."`
	List     bool     `help:"List the reports there are, yours included."`
	Markdown bool     `xor:"form" help:"Write Markdown, for a pull request or a mail."`
	CSV      bool     `name:"csv" xor:"form" help:"Write a table for spreadsheets."`
	HTML     bool     `name:"html" xor:"form" help:"Write a page for a browser, which needs nothing else: charts, and the handoffs it names."`
	Now      string   `help:"Count ages to TIME, as 2026-02-10T12:00:00Z." placeholder:"TIME"`
	NoRedact bool     `name:"no-redact" help:"Leave what looks like a credential as it is."`

	anywhere bool // the working folder is nobody's choice
}

// Help tells the reports, and how a name is told from a query.
func (*reportCmd) Help() string {
	var b strings.Builder
	b.WriteString("A first word that is a report's name is the name; to search for such a word, name the report before it: handex report digest weekly. Every number is what handex search QUERY --count prints. docs/reports.md tells all of it.\n\n")
	for _, k := range reports.Kinds() {
		b.WriteString(k.Name + ": " + k.Doc + ".\n\n")
	}
	return strings.TrimSpace(b.String())
}

// reportForms are the forms of a report, "" the one for people.
var reportForms = []string{"md", "csv", "plain", "json", "jsonl"}

// Run writes the report. One that has nothing to tell is errNone.
func (c *reportCmd) Run(a *app) error {
	form, err := c.form(a)
	if err != nil {
		return err
	}
	if a.env.Now, err = clock(a.env.Now, c.Now); err != nil {
		return fmt.Errorf("--now: %q is no time as 2026-02-10T12:00:00Z", c.Now)
	}
	if c.List {
		return a.listReports(form)
	}
	o, err := c.options(a)
	if err != nil {
		return err
	}
	r, err := a.buildReport(o)
	if err != nil {
		return err
	}
	if err := a.warnStale(); err != nil {
		return err
	}
	if err := c.write(a, r, o, form); err != nil {
		return err
	}
	if len(r.Sections) == 0 {
		return errors.Join(a.noHandoffs(o.Query), errNone)
	}
	return nil
}

// noHandoffs tells why a query restricts a report to nothing, if it does.
func (a *app) noHandoffs(q *query.Query) error {
	n, err := a.count(q)
	if err != nil || n > 0 || a.flags.machine() || a.flags.Quiet {
		return err
	}
	answer := render.Answer{Text: q.Text, Canonical: q.Source()}
	if answer.Suggestions, answer.Reasons, err = a.blame(q, true); err == nil {
		_, err = io.WriteString(a.env.Stderr, render.Nothing(answer))
	}
	return err
}

// form is the form asked for by its own flags or by those of all commands.
func (c *reportCmd) form(a *app) (string, error) {
	switch {
	case c.Markdown:
		return "md", nil
	case c.CSV:
		return "csv", nil
	case c.HTML:
		return "html", nil
	}
	return a.form(reportForms...)
}

// options are what the words and flags ask for.
func (c *reportCmd) options(a *app) (reports.Options, error) {
	o := reports.Options{By: c.By, KeepSecrets: c.NoRedact}
	if a.flags.Limit != nil {
		o.Most = cmp.Or(*a.flags.Limit, -1)
	}
	name, words, err := a.reportName(c.Words, &o)
	if err != nil {
		return o, err
	}
	o.Name = name
	if o.Env, err = a.queryEnv(); err != nil {
		return o, err
	}
	if o.Query, err = a.readRestriction(words, o.Env); err != nil {
		return o, err
	}
	if err := c.times(&o); err != nil {
		return o, err
	}
	if name == "timeline" && !c.anywhere {
		a.ofThisProject(&o)
	}
	return o, nil
}

// readRestriction reads the query of a report.
func (a *app) readRestriction(text string, env query.Env) (*query.Query, error) {
	env.Refuse = func(string) string { return "a report's query only says which handoffs" }
	q, err := query.Parse(text, env)
	if faults, ok := errors.AsType[query.Errors](err); ok {
		a.placeSaved(faults, text)
		return nil, refused{faults, text}
	}
	if err == nil && !a.flags.machine() {
		for _, note := range q.Notes {
			a.note(note)
		}
	}
	return q, err
}

// ofThisProject restricts a timeline that names no project to the one that the
// working folder is in.
func (a *app) ofThisProject(o *reports.Options) {
	if strings.Contains(o.Query.Source(), "project") {
		return
	}
	if root := a.project(a.env.WorkDir); root != "" {
		o.Query.Expr = query.Simplify(query.And{List: []query.Expr{o.Query.Expr, query.Key{Field: "project", Op: query.KeyExact, Value: root}}})
	}
}

// buildReport makes a report from the index.
func (a *app) buildReport(o reports.Options) (*reports.Report, error) {
	s, err := a.open()
	if err != nil {
		return nil, err
	}
	o.Search = index.SearchOptions{Roots: s.roots}
	if o.Name == "health" {
		status, err := s.Status(a.ctx)
		if err != nil {
			return nil, err
		}
		o.Skips = allSkips(status, s.report.Skipped)
	}
	r, err := reports.Build(a.ctx, s.Store, o)
	if many, ok := errors.AsType[*reports.ManyProjectsError](err); ok {
		return nil, hinted{err, "name it: handex report timeline project:" + many.Projects[0] + " (or " + strings.Join(many.Projects[1:], ", ") + ")"}
	}
	return r, err
}

// allSkips are the files the index could not take, and those the refresh left out.
func allSkips(status *index.Status, more []index.Skip) []index.Skip {
	list := slices.Clone(status.Skips)
	for _, skip := range more {
		if !slices.ContainsFunc(list, func(known index.Skip) bool { return known.Path == skip.Path }) {
			list = append(list, skip)
		}
	}
	return list
}

// write writes a report in a form.
func (c *reportCmd) write(a *app, r *reports.Report, o reports.Options, form string) error {
	switch form {
	case "md":
		return paper.Markdown(a.out, r, a.options())
	case "csv":
		return paper.CSV(a.out, r)
	case "plain":
		return paper.TSV(a.out, r)
	case "html":
		return a.reportHTML(r, o.KeepSecrets)
	case "json", "jsonl":
		answer, err := a.reportAnswer(r, o)
		if err != nil {
			return err
		}
		return paper.JSON(a.out, answer, r)
	}
	if o.Own != nil && o.Own.Template != "" {
		return a.templated(o.Own, r)
	}
	return paper.Terminal(a.out, r, a.options(), c.Queries)
}

// reportAnswer is what the JSON of a report tells beside it.
func (a *app) reportAnswer(r *reports.Report, o reports.Options) (render.Answer, error) {
	result, err := a.indexResult()
	if err != nil {
		return render.Answer{}, err
	}
	return render.Answer{Text: o.Query.Text, Canonical: r.Query, Notes: o.Query.Notes, Result: result, Skipped: len(a.store.report.Skipped)}, nil
}

// indexResult tells of the index what every answer tells of it.
func (a *app) indexResult() (*index.Result, error) {
	q, err := query.Parse("limit:1", query.Env{})
	if err != nil {
		return nil, err
	}
	return a.store.Search(a.ctx, q, index.SearchOptions{Roots: a.store.roots, NoSnippets: true})
}
