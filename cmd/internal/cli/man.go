package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"handex/cmd/internal/render"
	"handex/query"
)

// manCmd prints the manual.
type manCmd struct {
	Page string `arg:"" optional:"" enum:"handex,query" default:"handex" help:"handex, the commands, or query, the language."`
}

// Help tells how it is read.
func (*manCmd) Help() string {
	return "To read it: handex man | man -l -\n\nTo keep it: handex man >~/.local/share/man/man1/handex.1; handex man query >~/.local/share/man/man7/handex-query.7"
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

// manual is handex(1), made of what --help is made of.
func (a *app) manual() (string, error) {
	r := render.NewRoff("handex", "1", "handex "+build().Version, "User commands")
	r.Section("NAME")
	r.Text("handex - search, brief and report what coding agents handed off")
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
		{exitError, "An error: of a query with the place in it."},
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
	{"HANDEX_ROOTS", "The folders to search, as PATH lists folders."},
	{"HANDEX_INDEX", "The folder of the index."},
	{"HANDEX_NO_ARCHIVE", "1 keeps no earlier versions of handoffs, and finds none."},
	{"HANDEX_PAGER, PAGER", "The program that long answers are read in."},
	{"HANDEX_NOW", "The time, as 2026-02-10T12:00:00Z, to which ages are counted."},
	{"HANDEX_GATEWAY_TOKEN", "The token with which send posts to a gateway."},
	{"NO_COLOR, CLICOLOR_FORCE", "No colours; colours also where no terminal is."},
	{"XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_DATA_HOME, XDG_STATE_HOME", "Where the settings, the index, the archive, and what was acknowledged and trusted are kept."},
}

// manCommand tells of a command and those below it.
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

// languageManual is handex-query(7), made of what help query, fields, is and dates
// are made of.
func (a *app) languageManual() (string, error) {
	r := render.NewRoff("handex-query", "7", "handex "+build().Version, "The query language of handex")
	r.Section("NAME")
	r.Text("handex-query - the query language of handex")
	r.Section("QUERIES")
	r.Verbatim(queryHelp)
	if err := verbatim(r, func(w io.Writer) error { return render.Directives(w, query.Directives(), render.Options{}) }); err != nil {
		return "", err
	}
	r.Section("FIELDS")
	r.Fields(query.Fields())
	r.Section("STATES")
	if err := verbatim(r, func(w io.Writer) error { return render.States(w, query.States(), render.Options{}) }); err != nil {
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
