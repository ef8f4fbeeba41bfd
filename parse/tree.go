package parse

import (
	"fmt"
	"slices"
	"strings"

	"handex/parse/internal/source"
	"handex/parse/internal/topic"
)

// An outline is what a shape reader finds in a text: fields and sections under
// the names the author gave them, in order. It holds every word of the text.
// Offsets are bytes of the text the reader was given.
type outline struct {
	head     string // text that belongs to no section: comments, loose prose
	headEnd  int    // where the first section or field starts
	fields   []rawField
	sections []rawSection
	front    []rawSection // sections of a block that stands before the text
	problems []Problem
	docs     int      // documents of a stream; 1 where the shape has no streams
	roots    []string // names of the tags around the sections; XML only
	trees    []node   // the documents of valid YAML or JSON, nil otherwise
}

// A rawField is one value with its key as written, nested keys joined by dots.
// A key repeats where a later document of a stream holds it too, never within
// one mapping: there the first wins.
type rawField struct {
	key   string // dotted path: "metadata.project"
	label string // the last part of the path, as written
	value string // decoded; a list's items joined by ", "
	span  Span   // of the value's source, with its quotes
	start int    // where the entry starts: its key
	null  bool
	list  []string // the items; nil where the value is no list of scalars
}

// A rawSection is a run of text under a key, tag or heading.
type rawSection struct {
	key     string // dotted key or tag; "" for text outside any
	heading string // the key as written
	struck  bool   // the heading is struck through
	level   int    // 0 where the shape has no headings
	body    string // Markdown
	lines   []int  // for each line of body, the line of the text it came from
	span    Span
}

// A node is a value of YAML or JSON with its place.
type node struct {
	kind     nodeKind
	key      string // in a dict: the entry's key
	start    int    // where the entry starts: its key, or the value itself
	keyEnd   int    // behind the key; YAML only
	line     int    // of start
	dup      bool   // the dict had this key before
	text     string // of a scalar, as decoded
	null     bool
	children []node
	span     Span // of the value
}

// entryOf is the first value under a top-level key of some documents; a scalar
// without text if there is none.
func entryOf(trees []node, key string) node {
	for _, root := range trees {
		for _, n := range root.children {
			if n.key == key {
				return n
			}
		}
	}
	return node{}
}

type nodeKind int

const (
	scalarNode nodeKind = iota
	listNode
	dictNode
)

// maxFieldDepth is how many keys a dotted path may have: deeper values are detail,
// and stand in their section's text.
const maxFieldDepth = 3

// A collector gathers an outline.
type collector struct {
	source.Lines
	text  string
	heads []string
	seen  map[string]int // problems by rule
	told  []string       // keys left out in front of elements
	out   outline
}

func newCollector(text string) *collector {
	return &collector{
		Lines: source.NewLines(text), text: text, seen: map[string]int{},
		out: outline{headEnd: len(text), docs: 1},
	}
}

func (r *collector) problem(rule string, at Span, format string, args ...any) {
	r.seen[rule]++
	if r.seen[rule] > source.MaxPerRule {
		return
	}
	r.out.problems = append(r.out.problems, source.NewProblem(rule, at, format, args...))
}

func (r *collector) addHead(text string) {
	if text = strings.TrimSpace(text); text != "" {
		r.heads = append(r.heads, text)
	}
}

func (r *collector) addField(start int, f rawField) {
	r.out.headEnd = min(r.out.headEnd, start)
	f.start = start
	r.out.fields = append(r.out.fields, f)
}

func (r *collector) addSection(s rawSection) {
	r.out.headEnd = min(r.out.headEnd, s.span.Start)
	r.out.sections = append(r.out.sections, s)
}

func (r *collector) finish() outline {
	r.out.head = strings.Join(r.heads, "\n")
	for i, p := range slices.Backward(r.out.problems) {
		if n := r.seen[p.Rule] - source.MaxPerRule; n > 0 {
			r.out.problems[i].Message += fmt.Sprintf(" (and %d more)", n)
			r.seen[p.Rule] = 0
		}
	}
	return r.out
}

// addTree turns one document into fields and sections.
func (r *collector) addTree(root node) {
	r.out.trees = append(r.out.trees, root)
	if root.kind != dictNode && (root.text != "" || len(root.children) > 0) {
		r.addBody("", root)
		return
	}
	for _, n := range root.children {
		if len(root.children) <= maxBeside && isWrapper(n) {
			r.addHead(n.key)
			for _, c := range n.children {
				r.addEntry(n.key+".", c)
			}
			continue
		}
		r.addEntry("", n)
	}
}

// maxBeside is how many entries a text has at most that are wrapped in one.
const maxBeside = 3

// isWrapper reports whether an entry holds what other texts have at the top.
func isWrapper(n node) bool {
	return n.kind == dictNode && len(n.children) > maxBeside && slices.ContainsFunc(n.children, func(c node) bool {
		return topic.Strict[topic.Of(c.key)]
	})
}

// isOwnSection reports whether an entry inside another is about something of its
// own: what blocks, what is next.
func isOwnSection(n node) bool {
	k := topic.Of(n.key)
	return insideKinds[k] && topic.IsClear(n.key, k) && (n.kind != scalarNode || strings.Contains(n.text, " "))
}

// insideKinds are the kinds that what is inside an entry can be of. Done
// and next work inside an entry belong to that entry alone.
var insideKinds = map[Kind]bool{Blockers: true, Questions: true, Human: true, Approaches: true, Failed: true, Gotchas: true, Risks: true, Decisions: true}

// addEntry turns an entry into a field where it is a line, into a section where
// it is more, and into both where it is a list of lines. What an entry holds that
// is a section of its own is taken out of it.
func (r *collector) addEntry(prefix string, n node) {
	if n.dup && (n.kind == scalarNode || len(n.children) == 0) {
		r.addHead(n.key + ": " + n.text)
		return
	}
	if !n.dup {
		r.addFields(prefix+n.key, n, 1+strings.Count(prefix, "."))
	}
	if n.kind == dictNode && !topic.Strict[topic.Of(n.key)] {
		var rest []node
		for _, c := range n.children {
			if isOwnSection(c) {
				r.addBody(prefix+n.key+"."+c.key, c)
			} else {
				rest = append(rest, c)
			}
		}
		n.children = rest
	}
	if len(n.children) > 0 {
		r.addBody(prefix+n.key, n)
	}
}

func (r *collector) addFields(path string, n node, depth int) {
	if n.kind == dictNode && len(n.children) > 0 {
		for _, c := range n.children {
			isSection := c.kind == scalarNode && depth == 1 && isOwnSection(c) && !topic.Strict[topic.Of(n.key)]
			if !c.dup && depth < maxFieldDepth && !isSection {
				r.addFields(path+"."+c.key, c, depth+1)
			}
		}
		return
	}
	list, ok := scalars(n)
	if !ok {
		return
	}
	f := rawField{key: path, label: n.key, value: strings.Join(list, ", "), span: n.span, list: list}
	if n.kind == scalarNode {
		f.value, f.null = n.text, n.null
		if n.null {
			f.value = ""
		}
	}
	r.addField(n.start, f)
}

// scalars lists the texts of a list of scalars; nil and true for any other
// value that stands on one line.
func scalars(n node) ([]string, bool) {
	if n.kind != listNode {
		return nil, len(n.children) == 0
	}
	list := make([]string, 0, len(n.children))
	for _, c := range n.children {
		if c.kind != scalarNode {
			return nil, false
		}
		list = append(list, c.text)
	}
	return list, true
}

func (r *collector) addBody(key string, n node) {
	o := outliner{}
	o.value(n, 0)
	for _, key := range o.mains {
		if !slices.Contains(r.told, key) {
			r.told = append(r.told, key)
			r.addHead(key)
		}
	}
	r.addSection(rawSection{
		key: key, heading: n.key,
		body: strings.Join(o.text, "\n"), lines: o.lines,
		span: r.Span(n.start, n.span.End),
	})
}
