package cli

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"io"
	"strings"
	"sync"
	"text/template"

	"github.com/alecthomas/kong"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/mcp"
	"github.com/OWNER/handex/cmd/internal/render"
	reports "github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

// helpCmd is the command that explains the query language or a command.
type helpCmd struct {
	Topic []string `arg:"" optional:"" help:"query, fields, is, dates, or a command."`
}

// Run writes the help on a topic of the query language or on a command.
func (c *helpCmd) Run(a *app) error {
	o := a.options()
	switch topic := strings.Join(c.Topic, " "); topic {
	case "query":
		_, err := io.WriteString(a.out, helpText("topic "+topic))
		return errors.Join(err, render.Directives(a.out, query.Directives(), o))
	case "fields":
		return render.Fields(a.out, query.Fields(), o)
	case "is":
		return render.States(a.out, query.States(), o)
	case "dates":
		_, err := io.WriteString(a.out, helpText("topic "+topic))
		return err
	default:
		return a.commandHelp(c.Topic)
	}
}

// commandHelp writes the same text as --help of the command that words name.
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

//go:embed help.tmpl
var helpSource string

// helpTexts are what the help says of commands, flags and the language, by their names.
var helpTexts = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"reports":  reports.Kinds,
		"signal":   func() string { return parse.EscalationSignal },
		"tools":    func(writing bool) string { return strings.Join(mcp.ToolNames(writing), ", ") },
		"writable": func() string { return strings.Join(author.WritableNames(), ", ") },
	}).Parse(helpSource))
})

// helpText returns the help text with a name, "" if there is none.
func helpText(name string) string {
	if helpTexts().Lookup(name) == nil {
		return ""
	}
	var text strings.Builder
	_ = helpTexts().ExecuteTemplate(&text, name, nil) // no action of it fails
	return text.String()
}

// describe sets the help texts of all commands and of the flags that all commands have.
// Kong needs longer to read them from tags than most commands need to run.
func describe(model *kong.Application) {
	for _, f := range model.Flags {
		f.Help = cmp.Or(unwrapped(helpText("--"+f.Name)), f.Help)
	}
	_ = kong.Visit(model, func(node kong.Visitable, next kong.Next) error {
		if c, ok := node.(*kong.Node); ok {
			c.Detail = unwrapped(helpText(strings.TrimPrefix(c.FullPath(), "handex ")))
		}
		return next(nil)
	})
}

// unwrapped returns a text with each paragraph on one line.
func unwrapped(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.ReplaceAll(p, "\n", " ")
	}
	return strings.Join(paragraphs, "\n\n")
}

// manCmd is the command that prints a page of the manual.
type manCmd struct {
	Page string `arg:"" optional:"" enum:"handex,query" default:"handex" help:"handex (the commands) or query (the language)."`
}

// Run writes the manual page.
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

// manual returns the manual page handex(1), made of the same texts as --help.
func (a *app) manual() (string, error) {
	describe(a.parser.Model)
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
	for _, title := range []string{"EXIT STATUS", "ENVIRONMENT"} {
		r.Section(title)
		for line := range strings.Lines(helpText(title)) {
			name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
			r.Item(name, text)
		}
	}
	r.Section("SEE ALSO")
	r.Text("handex-query(7)")
	return r.String(), nil
}

// manCommand adds a command and its subcommands to the manual page. above is what stands
// before the name of the command.
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

// manFlags adds the visible flags to the manual page.
func manFlags(r *render.Roff, flags []*kong.Flag) {
	for _, f := range flags {
		if !f.Hidden && f.Name != "help" {
			r.Item(strings.TrimSpace(f.String()), f.Help)
		}
	}
}

// languageManual returns the manual page handex-query(7), made of the same texts as the
// help on query, fields, is and dates.
func (a *app) languageManual() (string, error) {
	r := render.NewRoff("handex-query", "7", "handex "+build().Version, "The query language of handex")
	r.Section("NAME")
	r.Text("handex-query - the query language of handex")
	r.Section("QUERIES")
	r.Verbatim(helpText("topic query"))
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
	r.Verbatim(helpText("topic dates"))
	r.Section("SEE ALSO")
	r.Text("handex(1)")
	return r.String(), nil
}

// verbatim adds the text that write writes to the manual page, without changing its lines.
func verbatim(r *render.Roff, write func(io.Writer) error) error {
	var text bytes.Buffer
	err := write(&text)
	r.Verbatim(text.String())
	return err
}
