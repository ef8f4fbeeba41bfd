package cli

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"handex/cmd/internal/render"
	reports "handex/cmd/internal/report"
	"handex/parse"
	"handex/query"
)

// completeCmd answers what the last word of a command line can become, a line
// for each: the word, a tab, what it is. A line ":files" or ":folders" stands
// for what the shell itself knows. It is for the scripts of completionCmd.
type completeCmd struct {
	Words []string `arg:"" optional:""`
}

// maxCandidates bounds what a person is shown.
const maxCandidates = 200

// Run writes the candidates. It says nothing else: a message would end up in
// the line the person types.
func (c *completeCmd) Run(a *app) error {
	words := c.Words
	if len(words) == 0 {
		words = []string{""}
	}
	last := len(words) - 1
	describe(a.parser.Model.Flags)
	l := &typedLine{app: a, flags: *a.flags, node: a.parser.Model.Node, word: words[last]}
	l.read(words[:last])
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

// fits reports whether a shell can put the text into its line.
func fits(text string) bool {
	return text != "" && utf8.ValidString(text) && render.Path(text) == text
}

// typedLine is a command line that is not finished.
type typedLine struct {
	*app
	flags globals    // those typed that say which index is meant
	node  *kong.Node // the command so far
	flag  *kong.Flag // whose value is to be typed
	words []string   // of the command that are no flags
	plain bool       // "--" stood before
	word  string     // the word to complete
}

// read follows the words before the last as sortArgs does.
func (l *typedLine) read(words []string) {
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case l.plain:
			l.words = append(l.words, word)
		case word == "--":
			l.plain = true
		case len(word) > 1 && word[0] == '-' && len(query.Shield([]string{word})) == 1 && query.Shield([]string{word})[0] == word:
			name, value, joined := strings.Cut(word, "=")
			flag := findFlag(l.node, name)
			if flag == nil || flag.IsBool() {
				continue
			}
			if !joined {
				if i+1 == len(words) {
					l.flag = flag
					return
				}
				i++
				value = words[i]
			}
			l.keep(flag.Name, value)
		case len(l.words) == 0 && child(l.node, word) != nil:
			l.node = child(l.node, word)
		default:
			l.words = append(l.words, word)
		}
	}
}

// keep keeps the flags that say which index is meant.
func (l *typedLine) keep(name, value string) {
	switch name {
	case "index":
		l.flags.Index = value
	case "root":
		l.flags.Root = append(l.flags.Root, value)
	}
}

// findFlag is the flag of a command that is written so, nil if there is none.
func findFlag(node *kong.Node, written string) *kong.Flag {
	for _, f := range flagsOf(node) {
		if written == "--"+f.Name || f.Short != 0 && written == "-"+string(f.Short) {
			return f
		}
	}
	return nil
}

func flagsOf(node *kong.Node) []*kong.Flag { return slices.Concat(node.AllFlags(false)...) }

// candidates are what the word can become.
func (l *typedLine) candidates() []query.Candidate {
	if l.flag != nil {
		return begins(l.word, l.flagValues(l.flag))
	}
	if name, value, ok := strings.Cut(l.word, "="); ok && !l.plain && strings.HasPrefix(name, "--") {
		flag := findFlag(l.node, name)
		if flag == nil {
			return nil
		}
		return prefixed(name+"=", begins(value, l.flagValues(flag)))
	}
	if !l.plain && (l.word == "-" || strings.HasPrefix(l.word, "--")) {
		return begins(l.word, l.flagNames())
	}
	if len(l.node.Children) > 0 {
		return begins(l.word, commands(l.node))
	}
	return l.argument()
}

func commands(node *kong.Node) []query.Candidate {
	var list []query.Candidate
	for _, c := range node.Children {
		if !c.Hidden {
			list = append(list, query.Candidate{Text: c.Name, Doc: c.Help})
		}
	}
	return list
}

// flagNames are the flags of the command. One that takes a value next to its
// name is still followed by a space: kong reads it so, too.
func (l *typedLine) flagNames() []query.Candidate {
	var list []query.Candidate
	for _, f := range flagsOf(l.node) {
		if !f.Hidden {
			list = append(list, query.Candidate{Text: "--" + f.Name, Doc: f.Help})
		}
	}
	return list
}

// flagValues are the values a flag can have.
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
	case "save":
		return texts(savedNames())
	}
	return texts(f.EnumSlice())
}

// formats are those the command's --as takes.
func (l *typedLine) formats() []query.Candidate {
	switch l.node.Name {
	case "path":
		return texts(placedNames())
	case "check":
		return texts(parse.FormatNames())
	}
	return texts(writableNames())
}

// The words for what the shell knows.
const (
	files   = ":files"
	folders = ":folders"
)

// sections are the kinds of sections --section takes: the text fields. To write
// one its text follows.
func (l *typedLine) sections() []query.Candidate {
	var list []query.Candidate
	for _, f := range query.Fields() {
		if f.Kind == query.FieldProse && render.IsKind(f.Name) {
			name := f.Name
			if l.node.Name == "write" {
				name += "="
			}
			list = append(list, query.Candidate{Text: name, Doc: f.Doc})
		}
	}
	return list
}

func texts(names []string) []query.Candidate {
	list := make([]query.Candidate, len(names))
	for i, name := range names {
		list[i].Text = name
	}
	return list
}

// begins are the candidates that begin as the word does, and those that stand
// for others.
func begins(word string, list []query.Candidate) []query.Candidate {
	return slices.DeleteFunc(list, func(c query.Candidate) bool {
		return c.Text != files && c.Text != folders && !hasPrefixFold(c.Text, word)
	})
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

func prefixed(before string, list []query.Candidate) []query.Candidate {
	for i := range list {
		if list[i].Text != folders && list[i].Text != files {
			list[i].Text = before + list[i].Text
		}
	}
	return list
}
