package cli

import (
	"context"
	"errors"
	"io"
	"reflect"
	"slices"

	"github.com/alecthomas/kong"

	"handex/cmd/internal/render"
)

// grammar is the command line: a field for each command, in the order of the
// help.
type grammar struct {
	globals

	Search   searchCmd   `cmd:"" aliases:"s" help:"Find the handoffs a query asks for, newest first."`
	Find     findCmd     `cmd:"" help:"Find what you half remember: best match first, not all words needed."`
	Show     showCmd     `cmd:"" help:"Show a handoff."`
	Diff     diffCmd     `cmd:"" help:"Show what changed in a handoff."`
	Latest   latestCmd   `cmd:"" help:"Show the newest handoff of a project."`
	Values   valuesCmd   `cmd:"" help:"List the values of a field, with counts."`
	Explain  explainCmd  `cmd:"" help:"Tell how a query is read."`
	Why      whyCmd      `cmd:"" help:"Tell whether a file is indexed, and by which rule."`
	Write    writeCmd    `cmd:"" help:"Make a valid handoff of any format, and save it where it belongs."`
	Check    checkCmd    `cmd:"" help:"Hold handoffs against the rules of their formats."`
	Update   updateCmd   `cmd:"" help:"Change keys of the project's flow-guardian handoff."`
	Clear    clearCmd    `cmd:"" help:"Remove the project's flow-guardian handoff."`
	Path     pathCmd     `cmd:"" help:"Print where a project's handoffs are kept."`
	Ack      ackCmd      `cmd:"" help:"Say that a handoff is seen to, which closes its escalation."`
	Unack    unackCmd    `cmd:"" help:"Take that back."`
	Acks     acksCmd     `cmd:"" help:"List what was acknowledged."`
	Escalate escalateCmd `cmd:"" help:"Add to a handoff that a human must look at it."`
	Send     sendCmd     `cmd:"" help:"Relay a company manifest to its receiver."`
	Receive  receiveCmd  `cmd:"" help:"Mark a company manifest as received."`
	Watch    watchCmd    `cmd:"" help:"Keep the index current, and print new hits of a query."`
	Index    indexCmd    `cmd:"" help:"Bring the index up to date."`
	Status   statusCmd   `cmd:"" help:"Show what is indexed, and what is wrong with it."`
	Doctor   doctorCmd   `cmd:"" help:"Look for what is wrong with the index, and put it right."`
	Query    queryCmd    `cmd:"" help:"Save queries by a name."`
	Roots    rootsCmd    `cmd:"" help:"Choose the folders to search."`
	Help     helpCmd     `cmd:"" help:"Explain the query language, or a command."`
	Version  versionCmd  `cmd:"" help:"Print the version."`

	Completion completionCmd `cmd:"" help:"Print the script that completes command lines in a shell."`
	Complete   completeCmd   `cmd:"" name:"__complete" hidden:""`
}

// searchGrammar is the part of grammar that the commonest command line needs:
// kong takes as long to build the rest as a search takes to answer.
type searchGrammar struct {
	globals

	Search searchCmd `cmd:"" aliases:"s" help:"Find the handoffs a query asks for, newest first."`
}

// grammarFor is the grammar that reads args, and the flags in it.
func grammarFor(args []string) (any, *globals) {
	if len(args) > 0 && (args[0] == "search" || args[0] == "s") {
		var g searchGrammar
		return &g, &g.globals
	}
	var g grammar
	return &g, &g.globals
}

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

	conf     *config  // what config has read
	folders  []string // what known has found
	toldAcks bool     // what is wrong with the file of acknowledgements
}

// Main runs the command line and returns the exit status. ctx ends when the
// person interrupts.
func Main(ctx context.Context, args []string, env Env) int {
	g, flags := grammarFor(args)
	a := &app{ctx: ctx, env: env, flags: flags}
	err := env.Invalid
	if err == nil {
		err = a.run(g, args)
	}
	return a.exit(errors.Join(err, a.close()))
}

func (a *app) run(g any, args []string) error {
	k, err := kong.New(g,
		kong.Name("handex"), kong.Description(about), kong.NoDefaultHelp(),
		kong.Writers(a.env.Stdout, a.env.Stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, WrapUpperBound: 100, NoExpandSubcommands: true}),
		flagGroups, kong.KindMapper(reflect.String, kong.MapperFunc(text)),
	)
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
