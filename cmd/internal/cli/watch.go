package cli

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// watchCmd is the command that keeps the index current and prints new hits of a query.
type watchCmd struct {
	Query       []string      `arg:"" optional:"" help:"Print handoffs when they start to match this query. See: handex help query."`
	Exec        string        `help:"Run COMMAND for each hit, without a shell. It is split at blanks; quotes keep words together; the arguments {id}, {path}, {project}, {root}, {format}, {date}, {title} and {goal} are replaced. Its standard input is the hit as JSON." placeholder:"COMMAND"`
	ExecTimeout time.Duration `help:"Stop a command after DURATION." placeholder:"DURATION" default:"1m"`
}

// watchForms are the forms a stream of hits can have.
var watchForms = []string{"oneline", "short", "plain", "jsonl", "paths", "ids", "null", "template"}

// Run keeps the index current and prints new hits until the person interrupts.
func (c *watchCmd) Run(a *app) error {
	w, err := c.prepare(a)
	if err != nil {
		return err
	}
	defer w.runner.close()
	if err := a.service.OpenAsIs(a.ctx); err != nil {
		return err
	}
	if a.service.Temporary() {
		return render.WithHint(errors.New("watch needs an index, and the index cannot be written"),
			"choose a folder for the index with --index")
	}
	progress, wipe := a.progress()
	defer wipe()
	var generation atomic.Uint64
	defer a.syncBeside(generation.Load, nil)()
	return a.service.Watch(a.ctx, index.WatchOptions{
		Progress: progress,
		Tell: func(text string) {
			wipe()
			a.note(text)
		},
		Refreshed: func(index.Report) error {
			wipe()
			generation.Add(1)
			return w.printNew()
		},
	})
}

// prepare reads the flags, the query and the command to run. It returns an error if they
// cannot be used with a watch.
func (c *watchCmd) prepare(a *app) (*watching, error) {
	a.out.direct = true
	if a.flags.JQ != nil {
		return nil, render.WithHint(errors.New("--jq needs the complete output, and the output of watch does not end"),
			"use: handex watch --jsonl QUERY | jq PROGRAM")
	}
	if a.flags.NoRefresh {
		return nil, errors.New("--no-refresh cannot be combined with watch")
	}
	form, err := a.form(watchForms...)
	if err != nil {
		return nil, err
	}
	if form == "" {
		form = "oneline"
	}
	if err := a.checkForm(); err != nil {
		return nil, err
	}
	w := &watching{app: a, form: form}
	if c.Exec != "" {
		if w.runner, err = a.newRunner(c.Exec, c.ExecTimeout); err != nil {
			return nil, err
		}
	}
	if len(c.Query) == 0 {
		if c.Exec != "" {
			return nil, errors.New(`--exec needs a query: handex watch --exec COMMAND is:open, or "*" for every handoff`)
		}
		return w, nil
	}
	w.text = strings.Join(c.Query, " ")
	q, err := w.query()
	if err != nil {
		return nil, err
	}
	for _, note := range q.Notes {
		a.note(note)
	}
	return w, nil
}

// watching is the query of a watch, and its hits at the last look.
type watching struct {
	*app
	text   string // empty without a query
	form   string
	runner *runner          // nil if none are run
	held   map[string]int64 // the texts of the hits of the last look; nil before the first
}

// query parses the query of the watch. It is called for each look, as dates in it are
// relative to the present.
func (w *watching) query() (*query.Query, error) {
	return w.service.ParseQuery(w.text, w.flags.Limit, func(text string, env query.Env) (*query.Query, error) {
		env.Refuse = unwatched
		return query.Parse(text, env)
	})
}

// unwatched returns why a watch refuses a directive, "" if it accepts it.
func unwatched(directive string) string {
	switch directive {
	case "latest-per", "keep", "case":
		return "" // they say which handoffs are hits
	}
	return "does not work with watch, which prints each new hit when it appears"
}

// printNew prints the handoffs that match the query now and at the last look did not match
// or had another text. The first look prints nothing.
func (w *watching) printNew() error {
	if w.text == "" {
		return nil
	}
	q, err := w.query()
	if err != nil {
		return err
	}
	held, err := w.service.Texts(w.ctx, q)
	if err != nil {
		return err
	}
	fresh := []string{}
	for id, text := range held {
		if last, ok := w.held[id]; w.held != nil && (!ok || last != text) {
			fresh = append(fresh, id)
		}
	}
	w.held = held
	if len(fresh) == 0 {
		return nil
	}
	q.Limit = 0
	result, err := w.service.Hits(w.ctx, q, fresh, w.form == "jsonl" || w.form == "short")
	if err != nil {
		return err
	}
	return w.print(result.Hits)
}

// print writes hits, the oldest first, and passes each to the runner.
func (w *watching) print(hits []index.Hit) error {
	for _, hit := range slices.Backward(hits) {
		if err := w.writeRows(render.Answer{Rows: []render.Row{{Hit: hit}}}, w.form, nil); err != nil {
			return err
		}
		if err := w.runner.run(hit); err != nil {
			return err
		}
	}
	return nil
}
