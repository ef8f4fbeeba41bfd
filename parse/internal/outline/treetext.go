package outline

import (
	"slices"
	"strings"
)

// maxIndent bounds the indentation of a list inside lists: Markdown needs no
// more, and deep nests would otherwise grow with the square of their depth.
const maxIndent = 8

// mainKeys name the entry that says what a list's element is, best first. It
// is at the front of the element's line, without its key.
var mainKeys = []string{"task", "title", "name", "description", "summary", "text", "id"}

// An outliner writes a node as Markdown lists, and notes the line of the file that each of
// its lines came from.
type outliner struct {
	text  []string
	lines []int
	mains []string // keys that were left out in front of an element, each once
}

// emit adds a line of Markdown, indented by a depth of nesting. line is the line of the file
// it came from.
func (o *outliner) emit(line, depth int, text string) {
	indent := strings.Repeat("  ", min(depth, maxIndent))
	text = strings.ReplaceAll(text, "\n", " ") // a key may contain one
	o.text = append(o.text, strings.TrimRight(indent+text, " \t"))
	o.lines = append(o.lines, line)
}

// scalar adds the text of a scalar behind a mark such as "- "; its further lines are below
// the first.
func (o *outliner) scalar(n Node, depth int, mark string) {
	lines := strings.Split(strings.TrimSpace(n.Text), "\n")
	asWritten := n.Span.EndLine-n.Span.Line+1 == len(lines)
	at := n.Span.Line
	for _, l := range lines {
		o.emit(at, depth, mark+l)
		mark = "  "[:min(2, len(mark))]
		if asWritten {
			at++
		}
	}
}

// value adds a value: the text of a scalar, the elements of a list, or the entries of a mapping.
func (o *outliner) value(n Node, depth int) {
	switch n.Kind {
	case ScalarNode:
		o.scalar(n, depth, "")
	case ListNode:
		for _, c := range n.Children {
			o.element(c, depth)
		}
	case DictNode:
		for _, c := range n.Children {
			o.entry(c, depth)
		}
	}
}

// entry adds an entry of a mapping as "- key: value", or as the key with its value below.
func (o *outliner) entry(n Node, depth int) {
	if oneLine(n) {
		o.emit(n.At.Line, depth, "- "+n.Key+": "+strings.TrimSpace(n.Text))
		return
	}
	o.emit(n.At.Line, depth, "- "+n.Key+":")
	o.value(n, depth+1)
}

// element adds an element of a list. A mapping becomes "- main — key: value; key: value",
// with the entries below whose values are lists, mappings or several lines of text.
func (o *outliner) element(n Node, depth int) {
	switch n.Kind {
	case ScalarNode:
		o.scalar(n, depth, "- ")
	case ListNode:
		o.emit(n.At.Line, depth, "-")
		o.value(n, depth+1)
	case DictNode:
		first := mainOf(n.Children)
		if first >= 0 && mainRank(n.Children[first].Key) < len(mainKeys) && !slices.Contains(o.mains, n.Children[first].Key) {
			o.mains = append(o.mains, n.Children[first].Key)
		}
		o.emit(n.At.Line, depth, "- "+elementLine(n.Children, first))
		for i, c := range n.Children {
			if i != first && !oneLine(c) {
				o.entry(c, depth+1)
			}
		}
	}
}

// oneLine reports whether a value is a scalar without line breaks.
func oneLine(n Node) bool {
	return n.Kind == ScalarNode && !strings.Contains(strings.TrimSpace(n.Text), "\n")
}

// mainOf returns the index of the entry that says what an element is, which is put first; -1
// if no entry is on one line.
func mainOf(entries []Node) int {
	best, rank := -1, len(mainKeys)+1
	for i, e := range entries {
		if !oneLine(e) || e.Text == "" {
			continue
		}
		if k := mainRank(e.Key); k < rank {
			best, rank = i, k
		}
	}
	return best
}

// mainRank returns the index of a key in mainKeys, len(mainKeys) if it is none of them.
func mainRank(key string) int {
	for i, k := range mainKeys {
		if strings.EqualFold(k, key) {
			return i
		}
	}
	return len(mainKeys)
}

// elementLine returns the entries that are on one line as "main — key: value; key: value".
// first is the index of the main entry, -1 for none.
func elementLine(entries []Node, first int) string {
	var rest []string
	for i, e := range entries {
		if i != first && oneLine(e) {
			rest = append(rest, strings.TrimSpace(e.Key+": "+strings.TrimSpace(e.Text)))
		}
	}
	if first < 0 {
		return strings.Join(rest, "; ")
	}
	line := strings.TrimSpace(entries[first].Text)
	if mainRank(entries[first].Key) == len(mainKeys) {
		line = entries[first].Key + ": " + line
	}
	if len(rest) == 0 {
		return line
	}
	return line + " — " + strings.Join(rest, "; ")
}
