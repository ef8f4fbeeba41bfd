package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"handex/cmd/internal/mcp"
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
	}{calls, writer{a, calls}}
	return mcp.Serve(a.ctx, source, mcp.Options{
		Version: build().Version, Write: c.Write, KeepSecrets: c.NoRedact, Now: a.env.Now, Zone: a.env.Zone,
	}, a.env.Stdin, a.env.Stdout)
}

// writer runs the commands that write handoffs.
type writer struct {
	app   *app
	calls *service.Calls
}

// Write saves a handoff.
func (w writer) Write(ctx context.Context, format, dir string, document json.RawMessage, dryRun bool) (*mcp.Change, []string, error) {
	if err := service.MustBeOneOf("format", format, writableNames()); err != nil {
		return nil, nil, errors.New(service.Plainly(err))
	}
	return w.change(ctx, document, (&writeCmd{As: format, Document: "-", Dir: dir, Save: true, DryRun: dryRun}).Run)
}

// Update sets keys.
func (w writer) Update(ctx context.Context, dir string, keys json.RawMessage, dryRun bool) (*mcp.Change, []string, error) {
	return w.change(ctx, keys, (&updateCmd{Pairs: []string{"-"}, Dir: dir, DryRun: dryRun}).Run)
}

// change runs a command that writes a handoff from a document.
func (w writer) change(ctx context.Context, document json.RawMessage, command func(*app) error) (*mcp.Change, []string, error) {
	var answer, said bytes.Buffer
	notes, err := w.calls.Run(ctx, func(s *service.Service) ([]string, error) {
		answer.Reset()
		said.Reset()
		r := &app{ctx: ctx, env: w.app.env, flags: &globals{JSON: true, NoPager: true, Color: "auto", Version: w.app.flags.Version}, service: s}
		r.env.Stdin, r.env.Stdout, r.env.Stderr = bytes.NewReader(document), Stream{Writer: &answer}, Stream{Writer: &said}
		r.out = r.newPager()
		err := command(r)
		var notes []string
		for line := range strings.Lines(said.String()) {
			notes = append(notes, strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "handex: "), "note: "))
		}
		return notes, err
	})
	if err != nil {
		return nil, nil, err
	}
	var done struct {
		Path, Diff, Prompt string
		Removed            []string
		Losses             []struct{ What, Kept string }
		Problems           []struct{ Message string }
	}
	if err := json.Unmarshal(answer.Bytes(), &done); err != nil {
		return nil, nil, err
	}
	change := &mcp.Change{Path: done.Path, Diff: done.Diff, Removed: done.Removed, Prompt: done.Prompt}
	for _, l := range done.Losses {
		change.Notes = append(change.Notes, l.What+": "+l.Kept)
	}
	for _, p := range done.Problems {
		change.Notes = append(change.Notes, p.Message)
	}
	return change, notes, nil
}
