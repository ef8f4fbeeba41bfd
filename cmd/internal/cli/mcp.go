package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"handex/cmd/internal/author"
	"handex/cmd/internal/mcp"
	"handex/cmd/internal/render"
	"handex/cmd/internal/save"
	"handex/cmd/internal/service"
)

// mcpCmd serves agents.
type mcpCmd struct {
	Write    bool `help:"Offer the tools that write, too: write, update, ack."`
	NoRedact bool `name:"no-redact" help:"Leave what looks like a credential as it is."`
}

// Help tells who runs it.
func (*mcpCmd) Help() string {
	return "An agent runs this and speaks to it over the standard input and output; docs/mcp.md has the settings of each. " +
		"Tools: search, show, latest, brief, escalations, report. Each call brings the index up to date; without --write nothing else is written."
}

// Run serves until the input ends or it is interrupted.
func (c *mcpCmd) Run(a *app) error {
	if form := a.flags.asked(); form != "" {
		return fmt.Errorf("the form of the answers is the protocol's, not %s", form)
	}
	// What is wrong with the settings is told at the start, not with each call.
	if _, err := a.service.Roots(); err != nil {
		return err
	}
	if a.typed() {
		a.note("an agent is to run this and speak to it; docs/mcp.md tells how")
	}
	calls := service.NewCalls(a.serviceOptions(a.flags), c.NoRedact, func(note string) { a.tellNotes(note) })
	source := struct {
		*service.Calls
		mcp.Writer
	}{calls, writer{a.env, calls}}
	return mcp.Serve(a.ctx, source, mcp.Options{
		Version: build().Version, Write: c.Write, KeepSecrets: c.NoRedact, Now: a.env.Now, Zone: a.env.Zone,
	}, a.env.Stdin, a.env.Stdout)
}

// writer writes handoffs.
type writer struct {
	env   Env
	calls *service.Calls
}

// Write saves a handoff.
func (w writer) Write(ctx context.Context, format, dir string, document json.RawMessage, dryRun bool) (done *mcp.Change, notes []string, err error) {
	notes, err = w.run(ctx, func(env author.Env) error {
		if err := service.MustBeOneOf("format", format, author.WritableNames()); err != nil {
			return err
		}
		draft := author.NewDraft(format)
		if err := draft.ReadDocument(document); err != nil {
			return err
		}
		folder, err := w.env.folder(cmp.Or(dir, draft.Hook.Cwd))
		if err != nil {
			return err
		}
		h, err := env.Compose(ctx, draft, folder, author.Options{})
		if err != nil {
			return err
		}
		if err := h.Check(); err != nil {
			return err
		}
		change, err := h.Save(ctx, dryRun)
		if err != nil {
			return err
		}
		if dryRun {
			done = changeOf(change)
			return nil
		}
		done = &mcp.Change{Path: h.Path, Removed: h.Removed, Prompt: h.Prompt()}
		for _, l := range h.Lost {
			done.Notes = append(done.Notes, l.What+": "+l.Kept)
		}
		for _, p := range h.Doc.Problems {
			done.Notes = append(done.Notes, p.Message)
		}
		return nil
	})
	return done, notes, err
}

// Update sets keys.
func (w writer) Update(ctx context.Context, dir string, document json.RawMessage, dryRun bool) (done *mcp.Change, notes []string, err error) {
	notes, err = w.run(ctx, func(env author.Env) error {
		var keys author.Keys
		hook, err := keys.ReadDocument(document)
		if err != nil {
			return err
		}
		folder, err := w.env.folder(cmp.Or(dir, hook.Cwd))
		if err != nil {
			return err
		}
		change, err := env.Update(ctx, folder, keys, hook.Session, dryRun)
		if err == nil {
			done = changeOf(change)
		}
		return err
	})
	return done, notes, err
}

func changeOf(c save.Change) *mcp.Change {
	return &mcp.Change{Path: c.Path, Diff: render.Change(c.Path, c.Old, c.New)}
}

// run runs what writes a handoff. What it says are notes.
func (w writer) run(ctx context.Context, write func(author.Env) error) ([]string, error) {
	return w.calls.Run(ctx, func(s *service.Service) (notes []string, err error) {
		say := func(text string) { notes = append(notes, strings.TrimPrefix(render.Line(text), "note: ")) }
		err = write(w.env.author(say, s))
		return notes, err
	})
}
