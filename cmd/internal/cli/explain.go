package cli

import (
	"io"
	"strings"

	"handex/cmd/internal/render"
	"handex/index"
	"handex/query"
)

// explainCmd tells how a query is read.
type explainCmd struct {
	Query []string `arg:"" optional:"" help:"The query."`
	Tree  bool     `help:"Print only the query's tree in one line."`
	SQL   bool     `name:"sql" help:"Print the SQL too."`
}

// Run reads the query, and unless only the tree is asked for, runs it.
func (c *explainCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	q, err := a.read(strings.Join(c.Query, " "), query.Parse)
	if err != nil {
		return err
	}
	if c.Tree {
		_, err := io.WriteString(a.out, render.Clean(q.Canonical())+"\n")
		return err
	}
	s, err := a.open()
	if err != nil {
		return err
	}
	o := index.SearchOptions{Roots: s.roots}
	plan, err := s.Plan(a.ctx, q, o)
	if err != nil {
		return err
	}
	e := render.Explain(q, plan)
	if e.Steps, err = a.steps(q); err != nil {
		return err
	}
	started := a.env.Now()
	n, err := s.Count(a.ctx, q, o)
	if err != nil {
		return err
	}
	e.Hits, e.Milliseconds = n, a.env.Now().Sub(started).Milliseconds()
	if c.SQL {
		e.SQL = plan.Page.SQL
		e.Args = plan.Page.Args
	}
	if form != "" {
		return render.JSON(a.out, e)
	}
	return render.Explained(a.out, e, a.options())
}

// steps counts each condition of a query by itself.
func (a *app) steps(q *query.Query) ([]render.Step, error) {
	var steps []render.Step
	for _, part := range q.Parts() {
		started := a.env.Now()
		n, err := a.count(part.Alone)
		if err != nil {
			return nil, err
		}
		steps = append(steps, render.Step{Source: part.Source, Rows: n, Microseconds: a.env.Now().Sub(started).Microseconds()})
	}
	return steps, nil
}
