package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"handex/query"
)

// sortArgs makes the order of flags and words on the command line free: the
// command, then all flags, then "--" and the words. kong alone wants the words
// of a query side by side, and takes a negated condition for a flag.
func sortArgs(root *kong.Node, argv []string) []string {
	head := beforeDashes(argv)
	shielded := slices.Concat(query.Shield(head), argv[len(head):])
	var command, flags, words []string
	node := root
	for len(shielded) > 0 {
		arg := shielded[0]
		shielded = shielded[1:]
		switch {
		case arg == "--":
			words = append(words, literal(node, shielded)...)
			shielded = nil
		case len(arg) > 1 && arg[0] == '-':
			flags = append(flags, arg)
			if len(shielded) > 0 && wantsValue(node, arg) {
				flags = append(flags, shielded[0])
				shielded = shielded[1:]
			}
		case len(words) == 0 && child(node, arg) != nil:
			command = append(command, arg)
			node = child(node, arg)
		default:
			words = append(words, arg)
		}
	}
	if len(words) > 0 {
		words = append([]string{"--"}, words...)
	}
	return slices.Concat(command, flags, words)
}

// literal quotes words of a query that look like flags: after "--" they are
// text.
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

// takesQuery reports whether words of a command are a query.
func takesQuery(node *kong.Node) bool {
	return slices.ContainsFunc(node.Positional, func(p *kong.Positional) bool { return strings.HasSuffix(p.Name, "query") })
}

// child is the command name of a node, nil if it has none.
func child(node *kong.Node, name string) *kong.Node {
	for _, c := range node.Children {
		if c.Name == name || slices.Contains(c.Aliases, name) {
			return c
		}
	}
	return nil
}

// wantsValue reports whether the argument after the flag arg is its value.
func wantsValue(node *kong.Node, arg string) bool {
	name, long := strings.CutPrefix(arg, "--")
	if strings.Contains(arg, "=") || !long && len(arg) > 2 {
		return false
	}
	for _, group := range node.AllFlags(false) {
		for _, f := range group {
			if long && f.Name == name || !long && f.Short == rune(arg[1]) {
				return !f.IsBool() && !f.IsCounter()
			}
		}
	}
	return false
}
