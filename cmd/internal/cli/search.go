package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/query"
)

// narrowing are the flags that add conditions to a query.
type narrowing struct {
	Project string `help:"Add project:NAME to the query." placeholder:"NAME"`
	Since   string `help:"Add since:DATE to the query." placeholder:"DATE"`
	Sort    string `help:"Add sort:KEY to the query." placeholder:"KEY"`
}

// add returns the query text with the conditions of the flags appended, and notes the new
// query. It returns an error if text itself is no query.
func (n narrowing) add(a *app, text string) (string, error) {
	if n == (narrowing{}) {
		return text, nil
	}
	// What is wrong with the query is not to depend on what is added.
	if _, err := a.service.ParseQuery(text, nil, query.Parse); err != nil {
		return "", err
	}
	if slices.Contains(strings.Fields(text), "OR") {
		text = "(" + text + ")"
	}
	for _, flag := range [][2]string{{"project", n.Project}, {"since", n.Since}, {"sort", n.Sort}} {
		value := flag[1]
		if strings.ContainsAny(value, " ()\"") {
			value = `"` + strings.ReplaceAll(value, `"`, `\"`) + `"`
		}
		if value != "" {
			text = strings.TrimSpace(text + " " + flag[0] + ":" + value)
		}
	}
	a.notesForPeople([]string{"the query is: " + text})
	return text, nil
}

// searchCmd is the command that finds handoffs by the query language.
type searchCmd struct {
	narrowing
	Query []string `arg:"" optional:"" help:"Words, field:value, is:open ... (default: all handoffs); - reads queries from the standard input, one per line. See: handex help query."`
	Count bool     `help:"Write only the number of handoffs."`
}

// Run runs the query and writes its hits, or with --count their number.
func (c *searchCmd) Run(a *app) error {
	if c.Count {
		return a.search(c.Query, c.narrowing, a.tally)
	}
	return a.search(c.Query, c.narrowing, func(text string) error { return a.one(text, query.Parse) })
}

// findCmd is the command that finds handoffs by the words that a person remembers.
type findCmd struct {
	narrowing
	Query []string `arg:"" help:"Words to look for; a handoff need not contain all of them, but must meet conditions such as is:open."`
}

// Run searches for the words and writes the hits, best match first.
func (c *findCmd) Run(a *app) error {
	return a.search(c.Query, c.narrowing, func(text string) error { return a.one(text, query.Find) })
}

// search joins the words of a command line to a query, adds the conditions of the flags
// more, and calls run with it. If the only word is "-", it does so for each query of the
// standard input.
func (a *app) search(words []string, more narrowing, run func(text string) error) error {
	if err := a.checkForm(); err != nil {
		return err
	}
	answer := func(text string) error {
		text, err := more.add(a, text)
		if err != nil {
			return err
		}
		return run(text)
	}
	if len(words) == 1 && words[0] == "-" {
		return a.batch(answer)
	}
	return answer(strings.Join(words, " "))
}

// one runs one query and writes its answer.
func (a *app) one(text string, parse service.Parser) error {
	answer, err := a.ask(text, parse)
	if err != nil {
		return err
	}
	return a.answer(answer)
}

// ask parses a query, runs it on the index and returns the answer.
func (a *app) ask(text string, parse service.Parser) (render.Answer, error) {
	q, err := a.openQuery(text, a.flags.Limit, parse)
	if err != nil {
		return render.Answer{}, err
	}
	o := service.SearchOptions{NoSnippets: !a.showsSnippets(q), NoDiagnosis: a.flags.Quiet, Each: a.eachRow(q)}
	return a.service.Search(a.ctx, q, o)
}

// openQuery parses a query, then opens the index and brings it up to date. limit, unless
// nil, replaces the limit of the query.
func (a *app) openQuery(text string, limit *int, parse service.Parser) (*query.Query, error) {
	q, err := a.service.ParseQuery(text, limit, parse)
	if err != nil {
		return nil, err
	}
	return q, a.open()
}

// rowForms are those in which what is written of a row depends on nothing but the row.
var rowForms = []string{"jsonl", "template", "plain", "paths", "ids", "null", "oneline"}

// eachRow returns a function that writes some rows of an answer, so that a large answer
// need not be in memory at once. It is nil if the output form or the query needs all rows.
func (a *app) eachRow(q *query.Query) func([]render.Row) error {
	form := cmp.Or(a.flags.asked(), a.usual(q.Select))
	if !slices.Contains(rowForms, form) || form == "oneline" && a.env.Stdout.IsTerminal() || q.GroupBy != nil {
		return nil
	}
	seen := map[string]bool{}
	return func(rows []render.Row) error {
		if err := a.service.Fill(a.ctx, rows, q.Select...); err != nil {
			return err
		}
		return a.writeRows(render.Answer{Rows: rows, Select: q.Select}, form, seen)
	}
}

// showsSnippets reports whether the output form of the answer shows snippets.
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

// tally writes how many handoffs a query finds, whatever its limit and offset. It returns
// errNone for 0.
func (a *app) tally(text string) error {
	form, err := a.form("plain", "json", "jsonl")
	if err != nil {
		return err
	}
	q, err := a.openQuery(text, a.flags.Limit, query.Parse)
	if err != nil {
		return err
	}
	n, err := a.service.Count(a.ctx, q)
	if err != nil {
		return err
	}
	a.notesForPeople(q.Notes)
	if err := a.warnStale(); err != nil {
		return err
	}
	if form == "json" || form == "jsonl" {
		err = render.CountJSON(a.out, render.Answer{Text: q.Text, Canonical: q.Source(), Notes: q.Notes}, n)
	} else {
		_, err = fmt.Fprintln(a.out, n)
	}
	return orNone(err, n > 0)
}

// valuesCmd is the command that lists the values of a field.
type valuesCmd struct {
	narrowing
	Field string   `arg:"" help:"A field, such as project, status or branch."`
	Query []string `arg:"" optional:"" help:"Count only these handoffs."`
}

// Run lists the values of the field, with the number of handoffs for each.
func (c *valuesCmd) Run(a *app) error {
	form := a.flags.asked()
	if err := service.CheckField(c.Field); err != nil {
		return err
	}
	text, err := c.add(a, strings.Join(c.Query, " "))
	if err != nil {
		return err
	}
	answer, err := a.ask(strings.TrimSpace(text+" count-by:"+c.Field), query.Parse)
	if err != nil {
		return err
	}
	service.DropEmpty(&answer)
	a.writeAnswerNotes(answer)
	if len(answer.Result.Buckets) == 0 && form == "" {
		a.say("no handoff has a value for " + c.Field)
		return errNone
	}
	if a.flags.machine() {
		return a.write(answer, form)
	}
	return a.buckets(answer, cmp.Or(form, "table"))
}

// explainCmd is the command that shows how a query is read.
type explainCmd struct {
	narrowing
	Query []string `arg:"" optional:"" help:"The query."`
	Tree  bool     `help:"Print only the query's tree in one line."`
	SQL   bool     `name:"sql" help:"Print the SQL too."`
}

// Run parses the query and explains how it is answered, with counts from the index; with
// --tree it prints only the parsed query.
func (c *explainCmd) Run(a *app) error {
	form := a.flags.asked()
	text, err := c.add(a, strings.Join(c.Query, " "))
	if err != nil {
		return err
	}
	q, err := a.service.ParseQuery(text, a.flags.Limit, query.Parse)
	if err != nil {
		return err
	}
	if c.Tree {
		_, err := fmt.Fprintln(a.out, render.Clean(q.Canonical()))
		return err
	}
	if err := a.open(); err != nil {
		return err
	}
	e, err := a.service.Explain(a.ctx, q, c.SQL)
	if err != nil {
		return err
	}
	if form != "" {
		return render.JSON(a.out, e)
	}
	return render.Explained(a.out, e, a.options())
}
