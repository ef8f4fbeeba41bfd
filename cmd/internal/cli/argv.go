package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/OWNER/handex/query"
)

// A commandLine is the arguments of a command line, divided into the command, its flags and
// its words.
type commandLine struct {
	node    *kong.Node // the command
	command []string   // its names
	flags   []string   // with their values
	words   []string   // all others

	given   map[string][]string // of flags, by their names
	pending *kong.Flag          // whose value is still to come
	dashes  bool                // "--" was one of the arguments
}

// splitArgs divides arguments into the command, flags and words. Flags and words can be in
// any order, and a negated condition such as -is:open is a word.
func splitArgs(root *kong.Node, argv []string) commandLine {
	l := commandLine{node: root, given: map[string][]string{}}
	head := beforeDashes(argv)
	rest := slices.Concat(query.Shield(head), argv[len(head):])
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case arg == "--":
			l.words, l.dashes = append(l.words, literal(l.node, rest)...), true
			return l
		case len(arg) > 1 && arg[0] == '-':
			rest = l.addFlag(arg, rest)
		case len(l.words) == 0 && child(l.node, arg) != nil:
			l.command = append(l.command, arg)
			l.node = child(l.node, arg)
		default:
			l.words = append(l.words, arg)
		}
	}
	return l
}

// addFlag adds the flag arg, with its value if that is the next argument, and returns the
// arguments of rest that follow.
func (l *commandLine) addFlag(arg string, rest []string) []string {
	l.flags = append(l.flags, arg)
	name, value, joined := strings.Cut(arg, "=")
	flag := findFlag(l.node, name)
	switch {
	case flag == nil || flag.IsBool() || flag.IsCounter():
		return rest
	case !joined && len(rest) == 0:
		l.pending = flag
		return nil
	case !joined:
		value, rest = rest[0], rest[1:]
		l.flags = append(l.flags, value)
	}
	l.given[flag.Name] = append(l.given[flag.Name], value)
	return rest
}

// sortArgs returns the arguments in the order that kong wants: the command, then all flags,
// then "--" and the words. If no command is given, it adds home; if a command with a
// subcommand list is given alone, it adds list.
func sortArgs(root *kong.Node, argv []string) []string {
	l := splitArgs(root, argv)
	shows := func(flag string) bool { return slices.Contains([]string{"--help", "-h", "--version", "-V"}, flag) }
	if len(l.words) == 0 && !slices.ContainsFunc(l.flags, shows) {
		switch {
		case len(l.command) == 0:
			l.command = []string{home}
		case child(l.node, "list") != nil:
			l.command = append(l.command, "list")
		}
	}
	if len(l.words) > 0 {
		l.words = append([]string{"--"}, l.words...)
	}
	return slices.Concat(l.command, l.flags, l.words)
}

// literal returns the words after "--" with quotes around those of a query that look like
// flags, so that the query searches for them as text.
func literal(node *kong.Node, words []string) []string {
	if !takesQuery(node) {
		return words
	}
	out := slices.Clone(words)
	for i, word := range out {
		if strings.HasPrefix(word, "--") && !strings.ContainsAny(word, `" `) {
			out[i] = `"` + word + `"`
		}
	}
	return out
}

// takesQuery reports whether a command takes a query as its arguments.
func takesQuery(node *kong.Node) bool {
	return slices.ContainsFunc(node.Positional, func(p *kong.Positional) bool {
		return strings.HasSuffix(p.Name, "query")
	})
}

// child returns the direct subcommand of node with a name or alias, nil if it has none.
func child(node *kong.Node, name string) *kong.Node {
	for _, c := range node.Children {
		if c.Name == name || slices.Contains(c.Aliases, name) {
			return c
		}
	}
	return nil
}

// findFlag returns the flag of a command that is written as --name or -n, nil if there is
// none.
func findFlag(node *kong.Node, written string) *kong.Flag {
	for _, f := range flagsOf(node) {
		if written == "--"+f.Name || f.Short != 0 && written == "-"+string(f.Short) {
			return f
		}
	}
	return nil
}

// flagsOf returns all flags that a command takes, also those of every command.
func flagsOf(node *kong.Node) []*kong.Flag { return slices.Concat(node.AllFlags(false)...) }
