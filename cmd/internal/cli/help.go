package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/query"
)

// helpCmd explains the language, or a command.
type helpCmd struct {
	Topic []string `arg:"" optional:"" help:"query, fields, is, dates, or a command."`
}

// Run writes the help of the topic.
func (c *helpCmd) Run(a *app) error {
	o := a.options()
	switch topic := strings.Join(c.Topic, " "); topic {
	case "query":
		_, err := io.WriteString(a.out, queryHelp)
		return errors.Join(err, render.Directives(a.out, query.Directives(), o))
	case "fields":
		return render.Fields(a.out, query.Fields(), o)
	case "is":
		return render.States(a.out, query.States(), o)
	case "dates":
		_, err := io.WriteString(a.out, datesHelp)
		return err
	default:
		return a.commandHelp(c.Topic)
	}
}

// commandHelp writes what --help of a command shows.
func (a *app) commandHelp(words []string) error {
	node := a.parser.Model.Node
	for i, word := range words {
		if node = child(node, word); node == nil {
			return render.WithHint(
				errors.New("no help for "+strings.Join(words[:i+1], " ")),
				"topics: query, fields, is, dates, and the commands that handex --help lists",
			)
		}
	}
	_, err := a.parser.Parse(append(append([]string{}, words...), "--help"))
	if errors.Is(err, errHelp) {
		return nil
	}
	return err
}

const queryHelp = `A query consists of words and conditions. A handoff must meet all of them.

  token refresh         both words, anywhere, in any form (tokens, refreshing)
  "token refresh"       exactly this text
  JWT  src/auth.py      capitals, digits or signs: this form only
  escal*  *config*      begins with, contains
  tokne~                or a word one letter off
  /tok(en)?_refresh/    regular expression (RE2)
  fix NEAR/5 refresh    at most 5 words between
  a OR b   -a   (a b)   or; not; grouping. AND, OR, NOT are upper case
  next:deploy           in one kind of section:          handex help fields
  project:web  is:open  conditions:                     handex help fields, handex help is
  since:monday          dates:                          handex help dates
  field:a,b  field:*    one of several; any value at all
  project:{is:blocked}  of a project that has a blocked handoff

Some phrases of plain words are read as conditions, and a note shows this:
  open escalations      is:open is:escalated
  latest per project    latest-per:project
  stale handoffs since last-week newest first

Quotes make any of it plain text. In a shell, quote the query or at least ( ) " | *.
A condition can begin with - without --: handex search token -is:stale --json

Directives choose what is shown of the handoffs found, and how:
`

const datesHelp = `A date is a span of time in your time zone:

  now  today  yesterday  tomorrow
  monday  last-monday              the most recent, today included; before today
  november  november-2025          the most recent, this month included; of a year
  this-week  last-month            also quarter, year; weeks begin on Monday
  2026  2026-02  2026-02-09        also 2026-W06, 2026-Q1
  2026-02-09T14:30  @1770681600    a minute, a second, seconds since 1970
  30min  12h  7d  2w  "2 weeks ago"  3mo  1q  1y
                                   that long ago; days and longer mean the whole day

  date:2026-02                     within it
  date:2026-02-01..2026-02-07      from the first to the last day, both included
  since:monday  until:friday       from its start; to its end
  before:2026  after:2026-02-09    before its start; after its end
  age:<7d  age:>30d                newer; older
  updated:today  sent:this-week    when the file changed; when it was sent
`

// manCmd prints the manual.
type manCmd struct {
	Page string `arg:"" optional:"" enum:"handex,query" default:"handex" help:"handex (the commands) or query (the language)."`
}

// Help describes how it is read.
func (*manCmd) Help() string {
	return "To read it: handex man | man -l -\n\nTo install it: handex man " +
		">~/.local/share/man/man1/handex.1; handex man query >~/.local/share/man/man7/handex-query.7"
}

// Run writes the page.
func (c *manCmd) Run(a *app) error {
	page := a.manual
	if c.Page == "query" {
		page = a.languageManual
	}
	text, err := page()
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.out, text)
	return err
}

// manual returns handex(1), made of what --help is made of.
func (a *app) manual() (string, error) {
	r := render.NewRoff("handex", "1", "handex "+build().Version, "User commands")
	r.Section("NAME")
	r.Text("handex - search and report handoffs of AI coding agents, and brief new sessions")
	r.Section("SYNOPSIS")
	r.Text("handex COMMAND [ARGUMENTS] [FLAGS]")
	r.Section("DESCRIPTION")
	r.Text(about)
	r.Section("COMMANDS")
	for _, node := range a.parser.Model.Children {
		a.manCommand(r, node, "handex")
	}
	r.Section("FLAGS OF EVERY COMMAND")
	manFlags(r, a.parser.Model.Flags)
	r.Section("EXIT STATUS")
	for _, s := range []struct {
		code int
		text string
	}{
		{exitFound, "Something was found, or done."},
		{exitNone, "Nothing was found."},
		{exitError, "An error occurred. For an error in a query, the message shows the position."},
		{exitInterrupted, "Interrupted."},
	} {
		r.Item(fmt.Sprint(s.code), s.text)
	}
	r.Section("ENVIRONMENT")
	for _, v := range variables {
		r.Item(v[0], v[1])
	}
	r.Section("SEE ALSO")
	r.Text("handex-query(7)")
	return r.String(), nil
}

// variables are those of the environment that handex reads for itself.
var variables = [][2]string{
	{"HANDEX_ROOTS", "The folders to search, separated as in PATH."},
	{"HANDEX_INDEX", "The folder of the index."},
	{"HANDEX_NO_ARCHIVE", "If 1, earlier versions of handoffs are neither kept nor searched."},
	{"HANDEX_PAGER, PAGER", "The pager for long output."},
	{"HANDEX_NOW", "The current time for handex, such as 2026-02-10T12:00:00Z."},
	{"HANDEX_GATEWAY_TOKEN", "The token with which send authenticates to a gateway."},
	{"NO_COLOR, CLICOLOR_FORCE", "No colours; colours even without a terminal."},
	{
		"XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_DATA_HOME, XDG_STATE_HOME",
		"The folders of the settings, the index, the archive, and the acknowledgements and trusted folders.",
	},
}

// manCommand describes a command and those below it.
func (a *app) manCommand(r *render.Roff, node *kong.Node, above string) {
	if node.Hidden {
		return
	}
	name := above + " " + node.Name
	words := []string{name}
	for _, arg := range node.Positional {
		words = append(words, arg.Summary())
	}
	r.Part(strings.Join(words, " "))
	r.Text(node.Help)
	if node.Detail != "" {
		r.Text(node.Detail)
	}
	for _, arg := range node.Positional {
		r.Item(arg.Summary(), arg.Help)
	}
	manFlags(r, node.Flags)
	for _, child := range node.Children {
		a.manCommand(r, child, name)
	}
}

func manFlags(r *render.Roff, flags []*kong.Flag) {
	for _, f := range flags {
		if !f.Hidden && f.Name != "help" {
			r.Item(strings.TrimSpace(f.String()), f.Help)
		}
	}
}

// languageManual returns handex-query(7), made of what help query, fields, is and dates
// are made of.
func (a *app) languageManual() (string, error) {
	r := render.NewRoff("handex-query", "7", "handex "+build().Version, "The query language of handex")
	r.Section("NAME")
	r.Text("handex-query - the query language of handex")
	r.Section("QUERIES")
	r.Verbatim(queryHelp)
	if err := verbatim(r, func(w io.Writer) error {
		return render.Directives(w, query.Directives(), render.Options{})
	}); err != nil {
		return "", err
	}
	r.Section("FIELDS")
	r.Fields(query.Fields())
	r.Section("STATES")
	if err := verbatim(r, func(w io.Writer) error {
		return render.States(w, query.States(), render.Options{})
	}); err != nil {
		return "", err
	}
	r.Section("DATES")
	r.Verbatim(datesHelp)
	r.Section("SEE ALSO")
	r.Text("handex(1)")
	return r.String(), nil
}

func verbatim(r *render.Roff, write func(io.Writer) error) error {
	var text bytes.Buffer
	err := write(&text)
	r.Verbatim(text.String())
	return err
}
