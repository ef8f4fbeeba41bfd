// Package outline reads the shapes: the fields and sections of a Markdown, YAML, XML
// or JSON text under the names the author gave them. An outline contains every word of
// its text. What cannot be parsed is read line by line, by its tags or by its pairs.
package outline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/OWNER/handex/parse/internal/source"
	"github.com/OWNER/handex/parse/internal/topic"
)

// An Outline is what a shape reader finds in a text: fields and sections under
// the names the author gave them, in order. It contains every word of the text.
// Offsets are bytes of the text the reader was given.
type Outline struct {
	Head     string // text that belongs to no section: comments, loose prose
	HeadEnd  int    // where the first section starts; Markdown only
	Fields   []Field
	Sections []Section
	Front    []Section // sections of a block that is before the text
	Problems []source.Problem
	Roots    []string // names of the tags around the sections; XML only
	Trees    []Node   // the documents of valid YAML or JSON, nil otherwise
}

// A Field is one value with its key as written, nested keys joined by dots.
// A key repeats where a later document of a stream contains it too, never within
// one mapping: there the first wins.
type Field struct {
	Key   string      // dotted path: "metadata.project"
	Label string      // the last part of the path, as written
	Value string      // decoded; a list's items joined by ", "
	Span  source.Span // of the value's source, with its quotes
	Start int         // where the entry starts: its key
	Null  bool
	List  []string // the items; nil where the value is no list of scalars
}

// A Section is a run of text under a key, tag or heading.
type Section struct {
	Key     string // dotted key or tag; "" for text outside any
	Heading string // the key as written
	Struck  bool   // the heading is struck through
	Level   int    // 0 where the shape has no headings
	Body    string // Markdown
	Lines   []int  // for each line of body, the line of the text it came from
	Span    source.Span
}

// A Node is a value of YAML or JSON with its place.
type Node struct {
	Kind     nodeKind
	Key      string      // in a dict: the entry's key
	At       source.Span // in a dict that of the key, else that of the value
	dup      bool        // the dict had this key before
	Text     string      // of a scalar, as decoded
	Null     bool
	Children []Node
	Span     source.Span // of the value
}

// EntryOf returns the first value under a top-level key of some documents; a scalar
// without text if there is none.
func EntryOf(trees []Node, key string) Node {
	for _, root := range trees {
		for _, n := range root.Children {
			if n.Key == key {
				return n
			}
		}
	}
	return Node{}
}

type nodeKind int

// The kinds of nodes.
const (
	ScalarNode nodeKind = iota
	ListNode
	DictNode
)

// maxFieldDepth is how many keys a dotted path may have: deeper values are detail,
// and are in their section's text.
const maxFieldDepth = 3

// A collector builds an outline while a reader goes over a text.
type collector struct {
	source.Lines
	text    string
	heads   []string
	seen    map[string]int // problems by rule
	leftOut []string       // keys left out in front of elements
	out     Outline
}

func newCollector(text string, lines source.Lines) *collector {
	return &collector{Lines: lines, text: text, seen: map[string]int{}}
}

// OfValue returns the outline of one value of a text, as if the value were a file of its
// own.
func OfValue(text string, lines source.Lines, n Node) Outline {
	c := newCollector(text, lines)
	c.addTree(n)
	return c.finish()
}

// problem adds a problem of a rule. It only counts those beyond source.MaxPerRule.
func (r *collector) problem(rule string, at source.Span, format string, args ...any) {
	r.seen[rule]++
	if r.seen[rule] > source.MaxPerRule {
		return
	}
	r.out.Problems = append(r.out.Problems, source.NewProblem(rule, at, format, args...))
}

func (r *collector) addHead(text string) {
	if text = strings.TrimSpace(text); text != "" {
		r.heads = append(r.heads, text)
	}
}

// finish returns the outline, with the number of problems that were left out in the message
// of the last one of each rule.
func (r *collector) finish() Outline {
	r.out.Head = strings.Join(r.heads, "\n")
	for i, p := range slices.Backward(r.out.Problems) {
		if n := r.seen[p.Rule] - source.MaxPerRule; n > 0 {
			r.out.Problems[i].Message += fmt.Sprintf(" (and %d more)", n)
			r.seen[p.Rule] = 0
		}
	}
	return r.out
}

// addTree adds the fields and sections of one YAML or JSON document. If an entry at its top
// only wraps the others, what it contains is added instead.
func (r *collector) addTree(root Node) {
	r.out.Trees = append(r.out.Trees, root)
	if root.Kind != DictNode && (root.Text != "" || len(root.Children) > 0) {
		r.addBody("", root)
		return
	}
	for _, n := range root.Children {
		if len(root.Children) <= maxBeside && isWrapper(n) {
			r.addHead(n.Key)
			for _, c := range n.Children {
				r.addEntry(n.Key+".", c)
			}
			continue
		}
		r.addEntry("", n)
	}
}

// maxBeside is how many entries a text has at most that are wrapped in one.
const maxBeside = 3

// isWrapper reports whether an entry is a mapping of what other texts have at the top, such
// as next steps.
func isWrapper(n Node) bool {
	return n.Kind == DictNode && len(n.Children) > maxBeside && slices.ContainsFunc(n.Children, func(c Node) bool {
		return topic.Strict[topic.Of(c.Key)]
	})
}

// isOwnSection reports whether an entry inside another is a section of its own, because its
// key is about something such as blockers or questions.
func isOwnSection(n Node) bool {
	k := topic.Of(n.Key)
	return insideKinds[k] && topic.IsClear(n.Key, k) && (n.Kind != ScalarNode || strings.Contains(n.Text, " "))
}

// insideKinds are the kinds that what is inside an entry can be of. Done
// and next work inside an entry belong to that entry alone.
var insideKinds = topic.SetOf(topic.Blockers, topic.Questions, topic.Human, topic.Approaches, topic.Failed,
	topic.Gotchas, topic.Risks, topic.Decisions)

// addEntry adds an entry to the outline: as a field if it is on one line, as a section if it
// is more, as both if it is a list of lines. Entries inside it that are sections of their
// own are added apart. prefix is the path of the keys above it, with a dot at its end.
func (r *collector) addEntry(prefix string, n Node) {
	if n.dup && (n.Kind == ScalarNode || len(n.Children) == 0) {
		r.addHead(n.Key + ": " + n.Text)
		return
	}
	if !n.dup {
		r.addFields(prefix+n.Key, n, 1+strings.Count(prefix, "."))
	}
	if n.Kind == DictNode && !topic.Strict[topic.Of(n.Key)] {
		var rest []Node
		for _, c := range n.Children {
			if isOwnSection(c) {
				r.addBody(prefix+n.Key+"."+c.Key, c)
			} else {
				rest = append(rest, c)
			}
		}
		n.Children = rest
	}
	if len(n.Children) > 0 {
		r.addBody(prefix+n.Key, n)
	}
}

// addFields adds a field for a scalar or a list of scalars. For a mapping it adds those of
// the values inside, down to maxFieldDepth keys.
func (r *collector) addFields(path string, n Node, depth int) {
	if n.Kind == DictNode && len(n.Children) > 0 {
		for _, c := range n.Children {
			isSection := c.Kind == ScalarNode && depth == 1 && isOwnSection(c) && !topic.Strict[topic.Of(n.Key)]
			if !c.dup && depth < maxFieldDepth && !isSection {
				r.addFields(path+"."+c.Key, c, depth+1)
			}
		}
		return
	}
	list, ok := scalars(n)
	if !ok {
		return
	}
	f := Field{Key: path, Label: n.Key, Value: strings.Join(list, ", "), Span: n.Span, Start: n.At.Start, List: list}
	if n.Kind == ScalarNode {
		f.Null = n.Null
		if !n.Null {
			f.Value = n.Text
		}
	}
	r.out.Fields = append(r.out.Fields, f)
}

// scalars returns the texts of a list of scalars, and true. For any other value it returns
// nil, and whether the value is on one line.
func scalars(n Node) ([]string, bool) {
	if n.Kind != ListNode {
		return nil, len(n.Children) == 0
	}
	list := make([]string, 0, len(n.Children))
	for _, c := range n.Children {
		if c.Kind != ScalarNode {
			return nil, false
		}
		list = append(list, c.Text)
	}
	return list, true
}

// addBody adds a section with a value as its text, in the form of Markdown lists. Keys that
// the lists leave out go to the head.
func (r *collector) addBody(key string, n Node) {
	o := outliner{}
	o.value(n, 0)
	for _, key := range o.mains {
		if !slices.Contains(r.leftOut, key) {
			r.leftOut = append(r.leftOut, key)
			r.addHead(key)
		}
	}
	r.addSection(key, n.Key, strings.Join(o.text, "\n"), o.lines, r.Span(n.At.Start, n.Span.End))
}
