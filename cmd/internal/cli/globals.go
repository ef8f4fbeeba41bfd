package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/OWNER/handex/cmd/internal/render"
)

// globals are the flags of every command.
type globals struct {
	Root      []string `placeholder:"DIR" sep:"none" group:"where"`
	Include   []string `placeholder:"GLOB" sep:"none" group:"where"`
	Exclude   []string `placeholder:"GLOB" sep:"none" group:"where"`
	Index     string   `placeholder:"DIR" env:"HANDEX_INDEX" group:"where"`
	NoArchive bool     `group:"where"`
	NoRefresh bool     `group:"where"`

	JSON    bool    `name:"json" xor:"form" group:"form"`
	JSONL   bool    `name:"jsonl" xor:"form" group:"form"`
	JQ      *string `name:"jq" placeholder:"PROGRAM" group:"form"`
	Plain   bool    `xor:"form" group:"form"`
	Format  string  `placeholder:"FORM" xor:"form" group:"form"`
	Paths   bool    `xor:"form" group:"form"`
	IDs     bool    `name:"ids" xor:"form" group:"form"`
	Null    bool    `short:"0" name:"null" xor:"form" group:"form"`
	Version int     `name:"format-version" hidden:"" default:"1"`

	Limit   *int   `short:"n" placeholder:"N" group:"form"`
	Date    string `placeholder:"STYLE" group:"form"`
	Color   string `placeholder:"WHEN" enum:"auto,always,never" default:"auto" group:"form"`
	NoPager bool   `group:"form"`
	Quiet   bool   `short:"q" group:"form"`

	ShowHelp    helpFlag    `name:"help" short:"h"`
	ShowVersion versionFlag `name:"version" short:"V"`
}

var flagGroups = kong.ExplicitGroups([]kong.Group{
	{Key: "where", Title: "Sources:"},
	{Key: "form", Title: "Output:"},
})

// forms are the names --format takes.
var forms = []string{"oneline", "short", "full", "table", "md", "csv", "plain", "json", "jsonl", "paths", "ids"}

// errHelp ends a run that showed its help or the version.
var errHelp = errors.New("help was shown")

type helpFlag bool

// BeforeReset prints the help before kong reports missing arguments. The flags of all
// commands are shown only by handex --help and for commands that take a query.
func (helpFlag) BeforeReset(c *kong.Context) error {
	short := c.Selected() != nil && !takesQuery(c.Selected())
	describe(c.Model)
	for _, f := range c.Model.Flags {
		f.Hidden = f.Hidden || short && f.Name != "help"
	}
	err := c.PrintUsage(false)
	if err == nil && short {
		_, err = io.WriteString(c.Stdout, "\nFor the flags of all commands, see: handex --help\n")
	}
	return errors.Join(err, errHelp)
}

type versionFlag bool

// BeforeReset prints the version.
func (versionFlag) BeforeReset(c *kong.Context) error {
	return errors.Join(writeVersion(c.Stdout), errHelp)
}

// check returns an error if a flag has a value that no command accepts, or flags cannot be
// combined.
func (g *globals) check() error {
	if g.Version != render.Schema {
		return fmt.Errorf("--format-version %d is not supported, only %d", g.Version, render.Schema)
	}
	if slices.Contains(g.Root, "") {
		return errors.New("--root needs a folder")
	}
	if g.Limit != nil && *g.Limit < 0 {
		return fmt.Errorf("--limit %d is negative; 0 shows all", *g.Limit)
	}
	if other := g.Plain || g.Paths || g.IDs || g.Null || g.Format != ""; g.JQ != nil && other {
		return errors.New("--jq reads JSON and can be combined only with --json or --jsonl")
	}
	if g.Date != "" {
		if _, err := render.ParseDates(g.Date); err != nil {
			return fmt.Errorf("--date: %w", err)
		}
	}
	if g.Format != "" && !g.isTemplate() && !slices.Contains(forms, g.Format) {
		return fmt.Errorf("--format: %q is neither a template, which contains {{, nor one of %s", g.Format,
			strings.Join(forms, ", "))
	}
	return nil
}

// isTemplate reports whether --format is a template and not the name of a form.
func (g *globals) isTemplate() bool { return strings.Contains(g.Format, "{{") }

// machine reports whether the answer is JSON, which a program reads.
func (g *globals) machine() bool { return g.errorsJSON() || g.JQ != nil }

// errorsJSON reports whether errors are to be written as JSON, too.
func (g *globals) errorsJSON() bool {
	return g.JSON || g.JSONL || g.Format == "json" || g.Format == "jsonl"
}

// asked returns the output form that the flags ask for, "" if they ask for none.
func (g *globals) asked() string {
	for _, f := range []struct {
		on   bool
		name string
	}{
		{g.JSON || g.JQ != nil && !g.JSONL, "json"},
		{g.JSONL, "jsonl"},
		{g.Plain, "plain"},
		{g.Paths, "paths"},
		{g.IDs, "ids"},
		{g.Null, "null"},
		{g.isTemplate(), "template"},
	} {
		if f.on {
			return f.name
		}
	}
	return g.Format
}

// form returns the output form that the flags ask for, "" if they ask for none. It returns
// an error if the form is not one of known.
func (a *app) form(known ...string) (string, error) {
	asked := a.flags.asked()
	if asked == "" || slices.Contains(known, asked) {
		return asked, nil
	}
	return "", fmt.Errorf("this command cannot write %q, only %s", asked, strings.Join(known, ", "))
}

// checkForm returns an error if --format is a template that cannot be parsed, before any
// work is done.
func (a *app) checkForm() error {
	if !a.flags.isTemplate() {
		return nil
	}
	_, err := render.NewTemplate(a.flags.Format, a.options())
	return err
}

// options returns the color, width and dates with which the answer is written to the
// standard output.
func (a *app) options() render.Options {
	o := render.Options{
		Color: a.color(), Width: a.env.Stdout.Width,
		Dates: render.DatesISO, Now: a.env.Now(), Zone: a.env.Zone,
	}
	if a.env.Stdout.IsTerminal() {
		o.Dates = render.DatesRelative
	}
	if style := a.dateStyle(); style != "" {
		o.Dates, _ = render.ParseDates(style) // it was checked where it came from
	}
	return o
}

// dateStyle returns the style of dates from the flag or else the config file, "" if neither
// sets one.
func (a *app) dateStyle() string {
	if a.flags.Date == "" && a.conf != nil {
		return a.conf.Date
	}
	return a.flags.Date
}

// color reports whether the output is colored: as the flag says, else the environment, else
// if it is a terminal.
func (a *app) color() bool {
	switch {
	case a.flags.Color != "auto":
		return a.flags.Color == "always"
	case a.env.Getenv("NO_COLOR") != "":
		return false
	case isOn(a.env.Getenv("FORCE_COLOR")), isOn(a.env.Getenv("CLICOLOR_FORCE")):
		return true
	}
	return a.env.Stdout.IsTerminal() && a.env.Getenv("TERM") != "dumb"
}

// isOn reports whether the value of an environment variable means yes: it is neither empty
// nor "0".
func isOn(value string) bool { return value != "" && value != "0" }
