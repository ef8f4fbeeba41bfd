package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/OWNER/handex/cmd/internal/pages"
	"github.com/OWNER/handex/cmd/internal/paper"
	"github.com/OWNER/handex/cmd/internal/redact"
	"github.com/OWNER/handex/cmd/internal/render"
	reports "github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// reportCmd is the command that reports what happened in a period.
type reportCmd struct {
	Words    []string `arg:"" optional:"" name:"name|query" help:"The name of a report, then a query that restricts it. Without a name: the digest of the last seven days."`
	Since    string   `help:"Begin with DATE: yesterday, 14d, monday, 2026-02-01." placeholder:"DATE"`
	Until    string   `help:"End with DATE." placeholder:"DATE"`
	Week     string   `help:"Report on a week: 2026-W46, 46, this, last." placeholder:"WEEK"`
	By       string   `help:"Group by project, agent, session, branch, status, format, day, week or month." placeholder:"FIELD"`
	Queries  bool     `help:"Show the query of every number."`
	List     bool     `help:"List all reports, including your own."`
	Markdown bool     `xor:"form" help:"Write Markdown, for a pull request or a mail."`
	CSV      bool     `name:"csv" xor:"form" help:"Write a table for spreadsheets."`
	HTML     bool     `name:"html" xor:"form" help:"Write one HTML page with charts and the handoffs it names; it needs no other files."`
	Now      string   `help:"Show ages as of TIME, such as 2026-02-10T12:00:00Z." placeholder:"TIME"`
	NoRedact bool     `name:"no-redact" help:"Do not mask text that looks like a credential."`
}

// todoCmd is the command for the report named todo.
type todoCmd struct {
	narrowing
	Query []string `arg:"" optional:"" help:"Only these handoffs, as in search."`
}

// Run writes the report named todo, restricted by the query and flags.
func (c *todoCmd) Run(a *app) error {
	text, err := c.add(a, strings.Join(c.Query, " "))
	if err != nil {
		return err
	}
	return (&reportCmd{Words: []string{"todo", text}}).Run(a)
}

// reportForms are the forms of a report, "" the one for people.
var reportForms = []string{"md", "csv", "plain", "json", "jsonl"}

// Run writes the report, or with --list the list of reports. It returns errNone for an
// empty report.
func (c *reportCmd) Run(a *app) error {
	form, err := c.form(a)
	if err != nil {
		return err
	}
	if err := a.setNow(c.Now); err != nil {
		return fmt.Errorf("--now: %q is not a time such as 2026-02-10T12:00:00Z", c.Now)
	}
	if c.List {
		return a.listReports(form)
	}
	name, words, err := a.reportName(c.Words)
	if err != nil {
		return err
	}
	o, err := a.service.ReportOptions(service.ReportQuestion{
		Name: name, Query: words, Since: c.Since, Until: c.Until, Week: c.Week, By: c.By, Most: a.flags.Limit,
		KeepSecrets: c.NoRedact, Here: true,
	})
	if err != nil {
		return err
	}
	a.notesForPeople(o.Query.Notes)
	if err := a.open(); err != nil {
		return err
	}
	r, err := a.service.Report(a.ctx, o)
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

// noHandoffs writes why the query of an empty report finds nothing. It writes nothing if
// the query finds handoffs.
func (a *app) noHandoffs(q *query.Query) error {
	n, err := a.service.Count(a.ctx, q)
	if err != nil || n > 0 || a.flags.machine() || a.flags.Quiet {
		return err
	}
	answer := render.Answer{Text: q.Text, Canonical: q.Source()}
	if answer.Suggestions, answer.Reasons, err = a.service.Diagnose(a.ctx, q, true); err == nil {
		_, err = io.WriteString(a.env.Stderr, render.Nothing(answer))
	}
	return err
}

// form returns the output form that the flags ask for: those of the command or those that
// all commands have.
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

// write writes a report in an output form; "" is the form for people, or the template of
// the user's own report.
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
		answer, err := a.service.ReportAnswer(a.ctx, r, o)
		if err != nil {
			return err
		}
		return render.EnvelopeJSON(a.out, answer, r)
	}
	if o.Own != nil && o.Own.Template != "" {
		t, err := paper.ParseTemplate(o.Own.Template)
		if err != nil {
			return err
		}
		return t.Write(a.ctx, a.out, r, a.options())
	}
	return paper.Terminal(a.out, r, a.options(), c.Queries)
}

// reportHTML writes a report as one HTML file with the handoffs that it names. It returns
// an error if the output is a terminal.
func (a *app) reportHTML(r *reports.Report, keepSecrets bool) error {
	if a.env.Stdout.IsTerminal() {
		return render.WithHint(errors.New("HTML is not written to a terminal"),
			"redirect it: handex report --html >report.html")
	}
	load := func(id string) (*index.Handoff, error) {
		h, err := a.service.Load(a.ctx, id)
		if _, ok := errors.AsType[*index.NotFoundError](err); ok {
			return nil, nil // it went since the report was made
		}
		return h, err
	}
	return pages.WriteReportFile(a.out, r, load, pages.Options{
		Mask: masker(keepSecrets), Zone: a.env.Zone,
		Now: a.env.Now(),
	})
}

// masker returns a function that masks what looks like a credential in a text, nil if
// keepSecrets is set.
func masker(keepSecrets bool) func(string) string {
	if keepSecrets {
		return nil
	}
	return func(text string) string {
		masked, _ := redact.Text(text)
		return masked
	}
}
