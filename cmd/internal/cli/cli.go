package cli

import (
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
)

const about = "Search and report the handoffs of AI coding agents, and brief new sessions with them.\n\n" +
	"The exit status is 0 if something was found, 1 if nothing was found, and 2 for an error."

// app is one run of the program: its surroundings, flags, output and service.
type app struct {
	ctx     context.Context //nolint:containedctx // lives as long as the run
	env     Env
	flags   *globals // not changed once they are read
	parser  *kong.Kong
	out     *pager
	conf    *config.Config // what was read first
	service *service.Service
	last    func() // runs when all is written, if it is set
}

// Main runs the command line args and returns the exit status. ctx ends when the person
// interrupts.
func Main(ctx context.Context, args []string, env Env) int {
	a := &app{ctx: ctx, env: env, flags: &globals{}}
	err := env.Invalid
	if err == nil {
		err = a.run(args)
	}
	err = errors.Join(err, a.close())
	if len(args) > 0 && args[0] == "brief" {
		return a.briefExitCode(err, args[1:])
	}
	return a.exit(err)
}

// run reads the arguments and runs their command. Faults of the arguments are returned as a
// usageError.
func (a *app) run(args []string) error {
	if len(args) == 0 {
		args = []string{home}
	}
	options := append(commandsFor(args),
		kong.Name("handex"), kong.Description(about), kong.NoDefaultHelp(),
		kong.Writers(a.env.Stdout, a.env.Stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, WrapUpperBound: 100, NoExpandSubcommands: true}),
		flagGroups, kong.KindMapper(reflect.String, kong.MapperFunc(text)),
	)
	k, err := kong.New(a.flags, options...)
	if err != nil {
		return err
	}
	a.parser = k
	// Also where the arguments cannot be read.
	a.flags.JSON = slices.Contains(beforeDashes(args), "--json")
	parsed, err := k.Parse(sortArgs(k.Model.Node, args))
	switch {
	case errors.Is(err, errHelp):
		return nil
	case err != nil:
		return asUsage(err)
	}
	if err := a.flags.check(); err != nil {
		return err
	}
	if !slices.Contains(beforeDashes(args), "--prune") { // which is for folders that are gone
		if err := a.checkRoots(); err != nil {
			return err
		}
	}
	a.out = &pager{app: a}
	a.service = service.New(a.serviceOptions(a.flags))
	if a.flags.JQ != nil {
		return a.filtered(parsed)
	}
	return a.whole(func() error { return a.runCommand(parsed) })
}

// text sets a flag or argument to the text exactly as it was typed; kong's own mapper
// replaces bytes that are not UTF-8, which paths can have.
func text(c *kong.DecodeContext, target reflect.Value) error {
	token, err := c.Scan.PopValue("string")
	if err == nil {
		target.SetString(token.String())
	}
	return err
}

// beforeDashes returns the arguments before the first "--".
func beforeDashes(args []string) []string {
	if end := slices.Index(args, "--"); end >= 0 {
		return args[:end]
	}
	return args
}

// close waits for the pager and closes what the run has opened.
func (a *app) close() error {
	var errs []error
	if a.out != nil {
		errs = append(errs, a.out.Close())
	}
	if a.last != nil {
		a.last()
	}
	if a.service != nil {
		errs = append(errs, a.service.Close())
	}
	return errors.Join(errs...)
}

// whole runs a command that answers from the index, and writes the notes of the service. If
// the index turns out to be damaged, the command runs again, unless a part of its answer
// has been written.
func (a *app) whole(command func() error) error {
	before := a.out.written
	err := a.service.Do(a.ctx, func() bool { return a.out.written == before }, command)
	a.writeNotes()
	return err
}

// open opens the index and brings it up to date.
func (a *app) open() error {
	err := a.service.Open(a.ctx)
	a.writeNotes()
	return err
}

// writeText writes a text to the standard output, as it is, but to a terminal without its
// control characters.
func (a *app) writeText(text string) error {
	if a.env.Stdout.IsTerminal() {
		text = render.Clean(text)
	}
	_, err := io.WriteString(a.out, text)
	return err
}

// note writes a line that begins with "note: " to the standard error.
func (a *app) note(text string) { a.say("note: " + text) }

// say writes a line to the standard error, after the notes of the service that are not
// written yet.
func (a *app) say(text string) {
	a.writeNotes()
	a.line(text)
}

// line writes one line to the standard error, unless --quiet is set.
func (a *app) line(text string) {
	if !a.flags.Quiet {
		_, _ = io.WriteString(a.env.Stderr, "handex: "+render.Line(text)+"\n")
	}
}

// writeNotes writes the notes of the service that are not written yet, then these, each as
// a note or a warning.
func (a *app) writeNotes(notes ...string) {
	if a.service != nil {
		notes = append(a.service.Notes(), notes...)
	}
	for _, text := range notes {
		if !strings.HasPrefix(text, "warning: ") {
			text = "note: " + text
		}
		a.line(text)
	}
}

// notesForPeople writes notes, unless a program reads the answer, which then contains them.
func (a *app) notesForPeople(notes []string) {
	if !a.flags.machine() {
		for _, text := range notes {
			a.note(text)
		}
	}
}

// warnStale writes warnings about roots and folders that could not be read, for answers
// that do not contain them.
func (a *app) warnStale() error {
	warnings, err := a.service.StaleWarnings(a.ctx)
	a.writeNotes(warnings...)
	return err
}
