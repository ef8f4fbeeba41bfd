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

// narrowing are flags that add to a query.
type narrowing struct {
	Project string `help:"Add project:NAME to the query." placeholder:"NAME"`
	Since   string `help:"Add since:DATE to the query." placeholder:"DATE"`
	Sort    string `help:"Add sort:KEY to the query." placeholder:"KEY"`
}

// add returns a query with what the flags add, and notes it.
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

// searchCmd finds handoffs by the query language.
type searchCmd struct {
	narrowing
	Query []string `arg:"" optional:"" help:"Words, field:value, is:open ... (default: all handoffs); - reads queries from the standard input, one per line. See: handex help query."`
	Count bool     `help:"Write only the number of handoffs."`
}

// Run runs the query and writes its answer.
func (c *searchCmd) Run(a *app) error {
	if c.Count {
		return a.search(c.Query, c.narrowing, a.tally)
	}
	return a.search(c.Query, c.narrowing, func(text string) error { return a.one(text, query.Parse) })
}

// findCmd finds handoffs by words that are remembered.
type findCmd struct {
	narrowing
	Query []string `arg:"" help:"Words to look for; a handoff need not contain all of them, but must meet conditions such as is:open."`
}

// Run searches for the words and writes the answer, best match first.
func (c *findCmd) Run(a *app) error {
	return a.search(c.Query, c.narrowing, func(text string) error { return a.one(text, query.Find) })
}

// search runs the words of a command line, and what flags add, as one query; "-" alone
// means the queries of the standard input.
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

func (a *app) one(text string, parse service.Parser) error {
	answer, err := a.ask(text, parse)
	if err != nil {
		return err
	}
	return a.answer(answer)
}

// ask runs a query on the index.
func (a *app) ask(text string, parse service.Parser) (render.Answer, error) {
	q, err := a.openQuery(text, a.flags.Limit, parse)
	if err != nil {
		return render.Answer{}, err
	}
	o := service.SearchOptions{NoSnippets: !a.showsSnippets(q), NoDiagnosis: a.flags.Quiet, Each: a.eachRow(q)}
	return a.service.Search(a.ctx, q, o)
}

// openQuery reads a query and opens the index for it.
func (a *app) openQuery(text string, limit *int, parse service.Parser) (*query.Query, error) {
	q, err := a.service.ParseQuery(text, limit, parse)
	if err != nil {
		return nil, err
	}
	return q, a.open()
}

// rowForms are those in which what is written of a row depends on nothing but the row.
var rowForms = []string{"jsonl", "template", "plain", "paths", "ids", "null", "oneline"}

// eachRow returns what writes the rows of a large answer in portions, so that they are not
// in memory at once; nil if they have to be.
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

// showsSnippets reports whether the form of the answer has lines that match.
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

// tally writes how many handoffs a query finds; limit: and offset: do not count.
// None is errNone.
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

// valuesCmd lists what values a field has.
type valuesCmd struct {
	narrowing
	Field string   `arg:"" help:"A field, such as project, status or branch."`
	Query []string `arg:"" optional:"" help:"Count only these handoffs."`
}

// Run counts the handoffs of each value.
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

// explainCmd shows how a query is read.
type explainCmd struct {
	narrowing
	Query []string `arg:"" optional:"" help:"The query."`
	Tree  bool     `help:"Print only the query's tree in one line."`
	SQL   bool     `name:"sql" help:"Print the SQL too."`
}

// Run reads the query and, except with --tree, runs it.
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
