package parse

import (
	"slices"
	"strings"
)

// maxIndent bounds the indentation of a list inside lists: Markdown needs no
// more, and deep nests would otherwise grow with the square of their depth.
const maxIndent = 8

// mainKeys name the entry that says what a list's element is, best first. It
// stands at the front of the element's line, without its key.
var mainKeys = []string{"task", "title", "name", "description", "summary", "text", "id"}

// An outliner writes a node as Markdown lists, and notes where each line came
// from.
type outliner struct {
	text  []string
	lines []int
	mains []string // keys that were left out in front of an element, each once
}

// emit writes one line at a depth of nesting.
func (o *outliner) emit(line, depth int, text string) {
	indent := strings.Repeat("  ", min(depth, maxIndent))
	text = strings.ReplaceAll(text, "\n", " ") // a key may hold one
	o.text = append(o.text, strings.TrimRight(indent+text, " \t"))
	o.lines = append(o.lines, line)
}

// scalar writes a text, its further lines below its first.
func (o *outliner) scalar(n node, depth int, mark string) {
	lines := strings.Split(strings.TrimSpace(n.text), "\n")
	asWritten := n.span.EndLine-n.span.Line+1 == len(lines)
	at := n.span.Line
	for _, l := range lines {
		o.emit(at, depth, mark+l)
		mark = "  "[:min(2, len(mark))]
		if asWritten {
			at++
		}
	}
}

// value writes what stands below a key.
func (o *outliner) value(n node, depth int) {
	switch n.kind {
	case scalarNode:
		o.scalar(n, depth, "")
	case listNode:
		for _, c := range n.children {
			o.element(c, depth)
		}
	case dictNode:
		for _, c := range n.children {
			o.entry(c, depth)
		}
	}
}

// entry writes "- key: value", or the key with its value below.
func (o *outliner) entry(n node, depth int) {
	if oneLine(n) {
		o.emit(n.line, depth, "- "+n.key+": "+strings.TrimSpace(n.text))
		return
	}
	o.emit(n.line, depth, "- "+n.key+":")
	o.value(n, depth+1)
}

// element writes "- main — key: value; key: value", and below it what does not
// fit a line.
func (o *outliner) element(n node, depth int) {
	switch n.kind {
	case scalarNode:
		o.scalar(n, depth, "- ")
	case listNode:
		o.emit(n.line, depth, "-")
		o.value(n, depth+1)
	case dictNode:
		first := mainOf(n.children)
		if first >= 0 && mainRank(n.children[first].key) < len(mainKeys) && !slices.Contains(o.mains, n.children[first].key) {
			o.mains = append(o.mains, n.children[first].key)
		}
		o.emit(n.line, depth, "- "+elementLine(n.children, first))
		for i, c := range n.children {
			if i != first && !oneLine(c) {
				o.entry(c, depth+1)
			}
		}
	}
}

func oneLine(n node) bool {
	return n.kind == scalarNode && !strings.Contains(strings.TrimSpace(n.text), "\n")
}

// mainOf finds the entry to put first; -1 when none of them is a line.
func mainOf(entries []node) int {
	best, rank := -1, len(mainKeys)+1
	for i, e := range entries {
		if !oneLine(e) || e.text == "" {
			continue
		}
		if k := mainRank(e.key); k < rank {
			best, rank = i, k
		}
	}
	return best
}

func mainRank(key string) int {
	for i, k := range mainKeys {
		if strings.EqualFold(k, key) {
			return i
		}
	}
	return len(mainKeys)
}

func elementLine(entries []node, first int) string {
	var rest []string
	for i, e := range entries {
		if i != first && oneLine(e) {
			rest = append(rest, strings.TrimSpace(e.key+": "+strings.TrimSpace(e.text)))
		}
	}
	if first < 0 {
		return strings.Join(rest, "; ")
	}
	line := strings.TrimSpace(entries[first].text)
	if mainRank(entries[first].key) == len(mainKeys) {
		line = entries[first].key + ": " + line
	}
	if len(rest) == 0 {
		return line
	}
	return line + " — " + strings.Join(rest, "; ")
}
