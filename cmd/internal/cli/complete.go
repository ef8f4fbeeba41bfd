package cli

import (
	"context"
	"embed"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/cmd/internal/hooks"
	"github.com/OWNER/handex/cmd/internal/render"
	reports "github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

// completeCmd is the command that the scripts of completionCmd run: it writes what the last
// word of a command line can become, a line for each: the word, a tab, its explanation. A
// line ":files" or ":folders" means that the shell completes names of files or folders.
type completeCmd struct {
	Words []string `arg:"" optional:""`
}

// maxCandidates bounds what a person is shown.
const maxCandidates = 200

// Run writes the candidates. It writes no messages: they would end up in the line that the
// person types.
func (c *completeCmd) Run(a *app) error {
	words := c.Words
	if len(words) == 0 {
		words = []string{""}
	}
	last := len(words) - 1
	describe(a.parser.Model)
	l := &typedLine{
		app: a, flags: *a.flags, word: words[last],
		commandLine: splitArgs(a.parser.Model.Node, words[:last]),
	}
	for _, dir := range l.given["index"] {
		l.flags.Index = dir
	}
	l.flags.Root = l.given["root"]
	var b strings.Builder
	list := l.candidates()
	for _, candidate := range list[:min(len(list), maxCandidates)] {
		if !fits(candidate.Text) {
			continue
		}
		b.WriteString(candidate.Text)
		if doc := render.Line(candidate.Doc); doc != "" {
			b.WriteString("\t" + doc)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(a.env.Stdout, b.String())
	return err
}

// fits reports whether a shell can insert the text into its line.
func fits(text string) bool {
	return text != "" && utf8.ValidString(text) && render.Path(text) == text
}

// typedLine is a command line that is not finished.
type typedLine struct {
	*app
	commandLine         // before the word
	flags       globals // those typed that say which index is meant
	word        string  // the word to complete
}

// candidates returns the completions of the typed word.
func (l *typedLine) candidates() []query.Candidate {
	if l.pending != nil {
		return begins(l.word, l.flagValues(l.pending))
	}
	if name, value, ok := strings.Cut(l.word, "="); ok && !l.dashes && strings.HasPrefix(name, "--") {
		flag := findFlag(l.node, name)
		if flag == nil {
			return nil
		}
		return prefixed(name+"=", begins(value, l.flagValues(flag)))
	}
	if !l.dashes && (l.word == "-" || strings.HasPrefix(l.word, "--")) {
		return begins(l.word, l.flagNames())
	}
	if len(l.node.Children) > 0 {
		return begins(l.word, commands(l.node))
	}
	return l.argument()
}

// commands returns the visible subcommands of a command as candidates.
func commands(node *kong.Node) []query.Candidate {
	return candidatesOf(node.Children, func(c *kong.Node) (text, doc string, ok bool) { return c.Name, c.Help, !c.Hidden })
}

// candidatesOf calls of for each item and returns its text and explanation as a candidate
// if ok is set.
func candidatesOf[T any](items []T, of func(T) (text, doc string, ok bool)) (list []query.Candidate) {
	for _, item := range items {
		if text, doc, ok := of(item); ok {
			list = append(list, query.Candidate{Text: text, Doc: doc})
		}
	}
	return list
}

// flagNames returns the flags of the command. The shell adds a space behind a flag that
// takes a value; kong reads it so, too.
func (l *typedLine) flagNames() []query.Candidate {
	return candidatesOf(flagsOf(l.node), func(f *kong.Flag) (text, doc string, ok bool) {
		return "--" + f.Name, f.Help, !f.Hidden
	})
}

// flagValues returns the values that a flag can have.
func (l *typedLine) flagValues(f *kong.Flag) []query.Candidate {
	switch f.Name {
	case "root", "index", "only", "dir":
		return []query.Candidate{{Text: folders}}
	case "format":
		return texts(forms)
	case "date":
		return texts([]string{"human", "relative", "iso", "short", "unix", "format:"})
	case "section":
		return l.sections()
	case "file":
		return []query.Candidate{{Text: files}}
	case "as":
		return l.formats()
	case "by":
		return texts(reports.Groupings)
	case "since", "until":
		return texts([]string{"today", "yesterday", "monday", "7d", "14d", "this-month", "last-month"})
	case "week":
		return texts([]string{"this-week", "last-week"})
	case "project", "sort":
		list := l.condition(f.Name + ":")
		for i := range list {
			list[i].Text = strings.TrimPrefix(list[i].Text, f.Name+":")
		}
		return list
	case "save":
		return texts(savedNames())
	}
	return texts(f.EnumSlice())
}

// formats returns the formats that the command's --as takes.
func (l *typedLine) formats() []query.Candidate {
	switch l.node.Name {
	case "path":
		return texts(author.PlacedNames())
	case "check":
		return texts(parse.FormatNames())
	}
	return texts(author.WritableNames())
}

// The words for what the shell knows.
const (
	files   = ":files"
	folders = ":folders"
)

// sections returns the kinds of sections that --section takes. For the command write each
// ends in "=", as its text follows.
func (l *typedLine) sections() []query.Candidate {
	end := ""
	if l.node.Name == "write" {
		end = "="
	}
	return candidatesOf(query.Fields(), func(f query.Field) (text, doc string, ok bool) {
		return f.Name + end, f.Doc, f.Kind == query.FieldProse && render.IsKind(f.Name)
	})
}

// texts returns names as candidates without an explanation.
func texts(names []string) []query.Candidate {
	list := make([]query.Candidate, len(names))
	for i, name := range names {
		list[i].Text = name
	}
	return list
}

// begins returns the candidates that begin with the word, whatever their case, and the
// words for files and folders.
func begins(word string, list []query.Candidate) []query.Candidate {
	return slices.DeleteFunc(list, func(c query.Candidate) bool {
		return c.Text != files && c.Text != folders && !service.HasPrefixFold(c.Text, word)
	})
}

// prefixed puts before in front of each candidate, except the words for files and folders.
func prefixed(before string, list []query.Candidate) []query.Candidate {
	for i := range list {
		if list[i].Text != folders && list[i].Text != files {
			list[i].Text = before + list[i].Text
		}
	}
	return list
}

// argument returns the completions of a word that is neither a command nor a flag.
func (l *typedLine) argument() []query.Candidate {
	p := l.positional()
	if p == nil {
		return nil
	}
	switch p.Name {
	case "query":
		return l.condition(l.word)
	case "name|query":
		if len(l.words) == 0 {
			return append(begins(l.word, l.reportNames()), l.condition(l.word)...)
		}
		return l.condition(l.word)
	case "path|query":
		if strings.ContainsAny(l.word, "/.") {
			return []query.Candidate{{Text: files}}
		}
		return append(l.condition(l.word), query.Candidate{Text: files})
	case "field":
		return begins(l.word, countable())
	case "id|path", "other":
		if strings.ContainsAny(l.word, "/.") {
			return []query.Candidate{{Text: files}}
		}
		return begins(l.word, l.newest())
	case "path":
		return []query.Candidate{{Text: files}}
	case "dir":
		return []query.Candidate{{Text: folders}}
	case "shell":
		return begins(l.word, texts(shells))
	case "topic":
		topics := []query.Candidate{{Text: "query"}, {Text: "fields"}, {Text: "is"}, {Text: "dates"}}
		return begins(l.word, append(topics, commands(l.parser.Model.Node)...))
	case "agent":
		return begins(l.word, texts(hooks.Names()))
	case "name":
		return begins(l.word, l.savedNames())
	}
	return nil
}

// positional returns the argument of the command that the typed word belongs to, nil if it
// takes none. The last argument takes all further words.
func (l *typedLine) positional() *kong.Positional {
	args := l.node.Positional
	if len(args) == 0 {
		return nil
	}
	return args[min(len(l.words), len(args)-1)]
}

// condition returns the completions of a word of a query.
func (l *typedLine) condition(word string) []query.Candidate {
	c := service.Completer{Ask: l.ask}
	if settings, err := l.service.Settings(); err == nil {
		c.Queries = settings.SavedQueries()
	}
	return c.Word(word)
}

// countable returns the fields whose values can be counted and grouped.
func countable() []query.Candidate {
	return candidatesOf(query.Fields(), func(f query.Field) (text, doc string, ok bool) { return f.Name, f.Doc, f.Group })
}

// savedNames returns the names of the saved queries.
func (l *typedLine) savedNames() []query.Candidate {
	settings, err := l.service.Settings()
	if err != nil {
		return nil
	}
	return candidatesOf(settings.Queries, func(q config.Query) (text, doc string, ok bool) { return q.Name, q.Text, true })
}

// newest returns the ids of the newest handoffs.
func (l *typedLine) newest() []query.Candidate {
	q, err := query.Parse("", query.Env{})
	if err != nil {
		return nil
	}
	return candidatesOf(l.ask(q).Hits, func(h index.Hit) (text, doc string, ok bool) {
		return h.ID, h.Date.Format(time.DateOnly) + " " + h.Project + " " + h.Goal, true
	})
}

// patience is how long a person waits for candidates.
const patience = 200 * time.Millisecond

// ask runs a query on the index without refreshing it. The result is empty if it takes too
// long.
func (l *typedLine) ask(q *query.Query) *index.Result {
	ctx, stop := context.WithTimeout(l.ctx, patience)
	defer stop()
	return service.New(l.serviceOptions(&l.flags)).Peek(ctx, q)
}

//go:embed shell
var scripts embed.FS

var shells = []string{"bash", "zsh", "fish"}

// completionCmd is the command that prints the script with which a shell completes command
// lines of handex.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints the completion script for the shell.
func (c *completionCmd) Run(a *app) error {
	script, err := scripts.ReadFile("shell/handex." + c.Shell)
	if err != nil {
		return err
	}
	_, err = a.out.Write(script)
	return err
}
