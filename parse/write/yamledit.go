package write

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
)

// A YAMLSet is a key and the value to give it: one of Values as a string, several as a list,
// none as null. List makes a list of one or none. Plain says, value by value, which are
// numbers or booleans instead of strings; if it is nil, all are strings.
type YAMLSet struct {
	Key    string
	Values []string
	List   bool
	Plain  []bool
	quoted bool // in quotes even where it need not be
}

// scalar returns value i as YAML text.
func (s YAMLSet) scalar(i int) string {
	switch {
	case s.isPlain(i):
		return s.Values[i]
	case s.quoted:
		return yamlQuoted(s.Values[i])
	}
	return yamlScalar(s.Values[i])
}

// entry returns the key with its value as indented lines of YAML.
func (s YAMLSet) entry(indent string) string {
	key := indent + yamlScalar(s.Key) + ":"
	if s.isList() && len(s.Values) > 0 {
		return key + s.blockList(indent+"  ") + "\n"
	}
	return key + " " + inlineValue(s) + "\n"
}

func (s YAMLSet) isPlain(i int) bool { return i < len(s.Plain) && s.Plain[i] }

func (s YAMLSet) isList() bool { return s.List || len(s.Values) > 1 }

// EditYAML sets top-level keys of the first document of a YAML text. Every byte outside the
// entries it sets stays: order, comments, unknown keys, line ends, byte order mark; comments
// inside a value it replaces are moved below it. Strings are written so that YAML 1.1 and
// 1.2 readers take them for exactly those strings. A key that occurs more than once is set
// at each place, a missing one is appended. Text that is empty or of comments only counts as
// an empty mapping.
//
// It fails, and the text is to be left as it is, if the text is not UTF-8, not YAML or no
// mapping, is over 256 KiB, or has the entry in a form that cannot be replaced without
// changing something else. Each edit is read back before it is returned.
func EditYAML(text []byte, set []YAMLSet) ([]byte, error) {
	for _, s := range set {
		edited, err := editYAML(text, s)
		if err != nil {
			return nil, err
		}
		text = edited
	}
	return text, nil
}

// maxYAMLKey is the maximum length of a key before its colon; YAML allows
// 1024 characters.
const maxYAMLKey = 250

// editYAML returns the text with one key set, as EditYAML describes.
func editYAML(raw []byte, s YAMLSet) ([]byte, error) {
	if len(s.Key) > maxYAMLKey {
		return nil, fmt.Errorf("a key of %d bytes; the limit is %d", len(s.Key), maxYAMLKey)
	}
	for _, v := range append([]string{s.Key}, s.Values...) {
		if !utf8.ValidString(v) {
			return nil, fmt.Errorf("%q is not UTF-8", v)
		}
	}
	m, err := newYAMLMap(raw)
	if err != nil {
		return nil, err
	}
	for _, edits := range m.candidates(s) {
		if edited := m.apply(raw, edits); m.changesOnly(s, edited) {
			return edited, nil
		}
	}
	line := 1
	if at := m.find(s.Key); len(at) > 0 {
		line = at[0].At.Line
	}
	return nil, fmt.Errorf("line %d: %q cannot be set without changing something else", line, s.Key)
}

// A yamlMap is a YAML text whose first document is a mapping, or empty.
type yamlMap struct {
	*outline.YAMLTree
	text string
	dec  *source.Decoded
	root outline.Node // no children where the document is empty
	flow bool         // the mapping is in braces
}

var errNoMapping = errors.New("the text is not a YAML mapping")

// newYAMLMap returns the text as a YAML mapping with its places. It fails if the text is not
// UTF-8, not YAML or no mapping, or passes a limit.
func newYAMLMap(raw []byte) (*yamlMap, error) {
	dec := source.Decode(raw)
	if len(dec.Problems) > 0 {
		return nil, fmt.Errorf("not YAML text: %s", dec.Problems[0].Message)
	}
	tree, err := outline.ParseYAML(dec.Text)
	if err != nil {
		return nil, err
	}
	m := &yamlMap{YAMLTree: tree, text: dec.Text, dec: dec}
	if len(tree.Roots) == 0 {
		return m, nil
	}
	m.root = tree.Roots[0]
	first := m.Docs[0].Content[0]
	m.flow = first.Style&yaml.FlowStyle != 0
	if first.Kind != yaml.MappingNode && (first.Kind != yaml.ScalarNode || first.Style != 0 || first.Value != "") {
		return nil, errNoMapping
	}
	return m, nil
}

// find returns the entries with a key.
func (m *yamlMap) find(key string) []outline.Node {
	return slices.DeleteFunc(slices.Clone(m.root.Children), func(n outline.Node) bool { return n.Key != key })
}

// An edit puts text in the place of a range of the decoded text.
type edit struct {
	start, end int
	text       string
}

// candidates returns the ways to set a key, the best first. Each way is a list of edits;
// there is none if the entry has a form that cannot be replaced.
func (m *yamlMap) candidates(s YAMLSet) [][]edit {
	found := m.find(s.Key)
	if len(found) == 0 {
		return m.additions(s)
	}
	var edits []edit
	for _, n := range found {
		e, ok := m.replace(n, s)
		if !ok {
			return nil
		}
		edits = append(edits, e)
	}
	return [][]edit{edits}
}

// apply returns raw, the bytes that the text was decoded from, with some edits made. The
// edits are in the order of the text, and are written with the line ends of raw.
func (m *yamlMap) apply(raw []byte, edits []edit) []byte {
	eol := lineEndOf(raw)
	var out []byte
	done := 0
	for _, e := range edits {
		start, end := m.dec.RawOffset(e.start), m.dec.RawOffset(e.end)
		out = append(out, raw[done:start]...)
		out = append(out, strings.ReplaceAll(e.text, "\n", eol)...)
		done = end
	}
	return append(out, raw[done:]...)
}

// lineEndOf returns the line end a text uses first.
func lineEndOf(raw []byte) string { return cmp.Or(string(lineEnd().Find(raw)), "\n") }

var lineEnd = scan.Pattern(`\r?\n|\r`)

// changesOnly reports whether edited differs from the text only in the entries of the key of
// s, and has the value of s there.
func (m *yamlMap) changesOnly(s YAMLSet, edited []byte) bool {
	after, err := newYAMLMap(edited)
	if err != nil || len(after.Docs) != max(1, len(m.Docs)) || after.Docs[0].Content[0].Kind != yaml.MappingNode {
		return false
	}
	var before, rest []*yaml.Node
	if len(m.Docs) > 0 {
		_, before = parted(m.Docs[0].Content[0].Content, s.Key)
		rest = m.Docs[1:]
	}
	own, others := parted(after.Docs[0].Content[0].Content, s.Key)
	isOther := func(n *yaml.Node) bool { return !sameNode(n, s.node()) }
	return len(own) > 0 && !slices.ContainsFunc(own, isOther) && slices.EqualFunc(before, others, sameNode) &&
		slices.EqualFunc(rest, after.Docs[1:], sameNode) && m.sameComments(after)
}

// parted returns the values under one key of a mapping, and the other keys and values of it.
// all is the content of the mapping's node.
func parted(all []*yaml.Node, key string) (own, others []*yaml.Node) {
	for i := 0; i+1 < len(all); i += 2 {
		if all[i].Kind == yaml.ScalarNode && all[i].Value == key {
			own = append(own, all[i+1])
		} else {
			others = append(others, all[i], all[i+1])
		}
	}
	return own, others
}

// sameNode reports whether two nodes have the same kind, tag, value, anchor and content.
func sameNode(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Tag == b.Tag && a.Value == b.Value && a.Anchor == b.Anchor &&
		slices.EqualFunc(a.Content, b.Content, sameNode)
}

// node returns the value of s as a YAML node, as it should be read.
func (s YAMLSet) node() *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for i, v := range s.Values {
		n := &yaml.Node{Kind: yaml.ScalarNode, Value: v}
		if tag := n.ShortTag(); !s.isPlain(i) {
			n.Tag = "!!str"
		} else if tag == "!!int" || tag == "!!float" || tag == "!!bool" { // of anything else, no text reads so
			n.Tag = tag
		}
		if n.Tag == "!!str" && !isPlainScalar(v) {
			n.Style = yaml.DoubleQuotedStyle
		}
		list.Content = append(list.Content, n)
	}
	switch {
	case s.isList():
		return list
	case len(s.Values) == 1:
		return list.Content[0]
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
}

// sameComments reports whether two texts have the same comments, in any order.
func (m *yamlMap) sameComments(after *yamlMap) bool {
	texts := func(m *yamlMap) []string {
		var out []string
		for _, c := range m.Comments {
			out = append(out, strings.TrimSpace(m.text[c.Start:c.End]))
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(texts(m), texts(after))
}

// replace returns the edit that gives entry n the value of s; ok is false for an entry whose
// key is not simply followed by its colon.
func (m *yamlMap) replace(n outline.Node, s YAMLSet) (e edit, ok bool) {
	colon := scan.SkipBlanks(m.text, n.At.End) + 1
	if colon > len(m.text) || m.text[colon-1] != ':' {
		return edit{}, false
	}
	end := max(n.Span.End, colon)
	if n.Null && n.Span.Start == n.Span.End {
		end = colon
	}
	// A value in braces goes on over lines as it is.
	if !m.flow && (end > scan.LineContentEnd(m.text, colon) || s.isList() && len(s.Values) > 0) {
		return m.replaceLines(n, colon, end, s), true
	}
	start := scan.SkipBlanks(m.text, colon)
	if start > end || start == colon {
		return edit{colon, end, " " + inlineValue(s)}, true
	}
	return edit{start, end, inlineValue(s)}, true
}

// inlineValue returns the value of s as YAML on one line.
func inlineValue(s YAMLSet) string {
	switch {
	case s.isList():
		items := make([]string, len(s.Values))
		for i := range s.Values {
			items[i] = s.scalar(i)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case len(s.Values) == 1:
		return s.scalar(0)
	}
	return "null"
}

// replaceLines returns the edit that replaces a value which goes on below the line of its
// key, up to offset end. colon is the offset behind the key's colon. The comment on that
// line stays; others go below the new value.
func (m *yamlMap) replaceLines(n outline.Node, colon, end int, s YAMLSet) edit {
	end = scan.LineContentEnd(m.text, end)
	keyLine := scan.LineContentEnd(m.text, colon)
	beside, below := "", ""
	for _, c := range m.Comments {
		text := strings.TrimRight(m.text[c.Start:c.End], " \t\n")
		switch {
		case c.Start < colon || c.Start >= end:
		case c.Start < keyLine:
			before := strings.TrimRight(m.text[colon:c.Start], " \t")
			beside = m.text[colon+len(before):c.Start] + text
		default:
			indent := m.text[scan.LineStart(m.text, c.Start):c.Start]
			if strings.TrimSpace(indent) != "" {
				indent = m.indent(n)
			}
			below += "\n" + indent + text
		}
	}
	if s.isList() && len(s.Values) > 0 {
		return edit{colon, end, beside + m.listBelow(n, s) + below}
	}
	return edit{colon, end, " " + inlineValue(s) + beside + below}
}

// indent returns the white space before an entry's key.
func (m *yamlMap) indent(n outline.Node) string {
	line := m.text[scan.LineStart(m.text, n.At.Start):n.At.Start]
	return line[:len(line)-len(strings.TrimLeft(line, " "))]
}

// listBelow returns the values of s as a list on lines of its own, indented like the list
// that entry n has.
func (m *yamlMap) listBelow(n outline.Node, s YAMLSet) string {
	indent := m.indent(n) + "  "
	if n.Kind == outline.ListNode && len(n.Children) > 0 && n.Children[0].At.Line > n.At.Line {
		start := m.Lines[n.Children[0].At.Line-1]
		line := m.text[start:scan.LineEnd(m.text, start)]
		if rest := strings.TrimLeft(line, " "); strings.HasPrefix(rest, "- ") {
			indent = line[:len(line)-len(rest)]
		}
	}
	return s.blockList(indent)
}

// blockList returns the values as a list, each item behind a line break and an indentation.
func (s YAMLSet) blockList(indent string) string {
	var b strings.Builder
	for i := range s.Values {
		b.WriteString("\n" + indent + "- " + s.scalar(i))
	}
	return b.String()
}

// additions returns the ways to add a missing key, the best first: behind everything in the
// document; or before its last entry, for behind a block of text that ends the file without
// a newline there is no place that belongs to nobody.
func (m *yamlMap) additions(s YAMLSet) [][]edit {
	key := yamlScalar(s.Key) + ": "
	entries := m.root.Children
	if m.flow {
		if len(entries) == 0 {
			open := max(m.root.Span.Start, strings.LastIndexByte(m.text[:m.root.Span.End], '{')) + 1
			return [][]edit{{{open, open, key + inlineValue(s)}}}
		}
		end := entries[len(entries)-1].Span.End
		return [][]edit{{{end, end, ", " + key + inlineValue(s)}}}
	}
	indent := ""
	places := []int{len(m.text)}
	if len(entries) > 0 {
		indent = m.indent(entries[0])
		from := max(m.root.Span.End-1, 0)
		for _, mark := range []string{"\n---", "\n..."} {
			if i := strings.Index(m.text[from:places[0]], mark); i >= 0 {
				places[0] = from + i + 1 // another document may follow
			}
		}
		places = append(places, scan.LineStart(m.text, entries[len(entries)-1].At.Start))
	}
	line := s.entry(indent)
	var ways [][]edit
	for _, at := range places {
		text := line
		if at > 0 && m.text[at-1] != '\n' {
			text = "\n" + line
		}
		ways = append(ways, []edit{{at, at, text}})
	}
	return ways
}
