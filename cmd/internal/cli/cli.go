package cli

import (
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"handex/cmd/internal/config"
	"handex/cmd/internal/render"
)

const about = "Handoffs that coding agents left, found again.\n\n" +
	"The exit status is 0 where something was found, 1 where nothing was, 2 for an error."

// app is one run.
type app struct {
	ctx    context.Context //nolint:containedctx // lives as long as the run
	env    Env
	flags  *globals
	parser *kong.Kong
	out    *pager
	store  *store

	dir       string         // what the usual places are looked for from; the working folder if empty
	conf      *config.Config // what config has read
	folders   []string       // what known has found
	lockWait  time.Duration  // for another process; 0 is the index's own
	readers   int            // searches at once; 0 is what package index takes
	toldAcks  bool           // what is wrong with the file of acknowledgements
	scratches chan string    // takes the folders of indexes for the run, nil if nobody asks
	last      func()         // runs when all is written, if it is set
	counts    bool           // queries are answered by how many handoffs there are
}

// Main runs the command line and returns the exit status. ctx ends when the
// person interrupts.
func Main(ctx context.Context, args []string, env Env) int {
	a := &app{ctx: ctx, env: env, flags: &globals{}}
	err := env.Invalid
	if err == nil {
		err = a.run(args)
	}
	err = errors.Join(err, a.close())
	if len(args) > 0 && args[0] == "brief" {
		return a.excused(err, args[1:])
	}
	return a.exit(err)
}

func (a *app) run(args []string) error {
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
		return err
	}
	if err := a.flags.check(); err != nil {
		return err
	}
	a.out = a.newPager()
	if a.flags.JQ != nil {
		return a.filtered(parsed)
	}
	return a.whole(func() error { return parsed.Run(a) })
}

// text takes an argument as it is; kong's own mapper replaces bytes that are
// not UTF-8, which paths can have.
func text(c *kong.DecodeContext, target reflect.Value) error {
	token, err := c.Scan.PopValue("string")
	if err == nil {
		target.SetString(token.String())
	}
	return err
}

func beforeDashes(args []string) []string {
	if end := slices.Index(args, "--"); end >= 0 {
		return args[:end]
	}
	return args
}

// close ends what the run has open.
func (a *app) close() error {
	var errs []error
	if a.out != nil {
		errs = append(errs, a.out.Close())
	}
	if a.last != nil {
		a.last()
	}
	if a.store != nil {
		errs = append(errs, a.store.Close())
	}
	return errors.Join(errs...)
}

// note tells the person something beside the answer.
func (a *app) note(text string) {
	a.say("note: " + text)
}

func (a *app) say(text string) {
	if !a.flags.Quiet {
		_, _ = io.WriteString(a.env.Stderr, "handex: "+render.Line(text)+"\n")
	}
}
