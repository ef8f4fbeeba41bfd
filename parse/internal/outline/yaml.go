package outline

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/OWNER/handex/parse/internal/source"
)

// Over one of these a YAML text is read line by line. They are far above what
// people and agents write, and keep a hostile file cheap.
const (
	MaxYAML      = 256 << 10 // bytes
	maxYAMLKeys  = 1000      // of one mapping
	maxYAMLItems = 10_000    // of all lists
	maxYAMLDepth = 32
	maxYAMLDocs  = 1000
)

// ReadYAML reads all documents of a YAML stream into one outline. It works on
// nodes, for decoding into Go values costs the square of the keys, changes
// scalars ("no", 0123, dates) and follows aliases.
func ReadYAML(text string) Outline { return ReadYAMLFrom(text, 0, source.NewLines(text)) }

// ReadYAMLFrom returns the outline of the YAML in a text from an offset on, which starts a
// line. What is not YAML or passes a limit is a problem, and is read line by line.
func ReadYAMLFrom(text string, from int, lines source.Lines) Outline {
	c := newCollector(text, lines)
	if len(text)-from > MaxYAML {
		c.problem("yaml.too-large", source.Span{}, "more than %d KiB of YAML: read line by line", MaxYAML>>10)
		return c.readLines(from)
	}
	docs, err := yamlDocuments(strings.NewReader(text[from:]))
	if err != nil {
		c.yamlFault(err, from)
		return c.readLines(from)
	}
	y := newYAMLReader(c, from)
	roots := y.roots(docs)
	if y.exceeded != nil {
		c = newCollector(text, lines)
		c.problem(y.exceeded.Rule, y.exceeded.Span, "%s", y.exceeded.Message)
		return c.readLines(from)
	}
	y.out.Trees = []Node{}
	for _, root := range roots {
		y.addTree(root)
	}
	return y.finish()
}

// yamlDocuments returns the documents of a YAML stream. A panic of the parser is returned as
// an error: it must not be the end of a run over many files.
func yamlDocuments(text io.Reader) (docs []*yaml.Node, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("yaml: %v", v)
		}
	}()
	dec := yaml.NewDecoder(text)
	for {
		var doc yaml.Node
		if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
			return docs, nil
		} else if err != nil {
			return nil, err
		}
		docs = append(docs, &doc)
	}
}

// A YAMLTree is a parsed YAML text: its nodes and their places.
type YAMLTree struct {
	Docs     []*yaml.Node
	Roots    []Node        // of all documents that are not empty
	Comments []source.Span // in order
	Lines    source.Lines
}

// ParseYAML returns the nodes of a YAML text. It fails if the text is not YAML or passes a
// limit.
func ParseYAML(text string) (*YAMLTree, error) {
	if len(text) > MaxYAML {
		return nil, fmt.Errorf("more than %d KiB of YAML", MaxYAML>>10)
	}
	docs, err := yamlDocuments(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("not YAML: %w", err)
	}
	y := newYAMLReader(newCollector(text, source.NewLines(text)), 0)
	roots := y.roots(docs)
	if y.exceeded != nil {
		return nil, fmt.Errorf("line %d: %s", y.exceeded.Line, y.exceeded.Message)
	}
	return &YAMLTree{docs, roots, y.comments, y.Lines}, nil
}

// A yamlReader walks the nodes in the order of the text. It finds the end of
// each scalar itself, for nodes have no end, and reads the gaps between
// scalars for what the nodes do not hold: comments, tags and anchors.
type yamlReader struct {
	*collector
	above    int // lines above the YAML
	done     int // the text before is read
	cursor   yamlCursor
	items    int
	words    map[string]bool // tags, anchors and directives that were met
	exceeded *source.Problem // the limit that was passed
	// comments are the places of all comments, in order.
	comments []source.Span
}

// newYAMLReader returns a reader for the YAML that the collector's text contains from an
// offset on.
func newYAMLReader(c *collector, from int) *yamlReader {
	y := yamlReader{collector: c, above: c.Line(from) - 1, done: from, words: map[string]bool{}}
	y.cursor.off = from
	return &y
}

// roots returns the top values of the documents as nodes with their places, and reads the
// text to its end.
func (y *yamlReader) roots(docs []*yaml.Node) []Node {
	var roots []Node
	for i, doc := range docs {
		if i == maxYAMLDocs {
			y.limit(doc, "yaml.too-large", "more than %d documents", maxYAMLDocs)
		}
		if i == 2 {
			y.problem("yaml.multi-doc", y.Content(y.text, y.above+doc.Line), "%d documents in one file: all are read", len(docs))
		}
		for _, root := range doc.Content {
			roots = append(roots, y.node(root, 1))
		}
	}
	y.gap(len(y.text))
	return roots
}

// limit notes the problem that the text passes a limit at node n, if it is the first.
func (y *yamlReader) limit(n *yaml.Node, rule, format string, args ...any) {
	if y.exceeded == nil {
		over := source.NewProblem(rule, y.Content(y.text, y.above+n.Line), format+": read line by line", args...)
		y.exceeded = &over
	}
}

// node returns a YAML node as a Node with its place and children, the zero Node once a limit
// is passed. An unknown tag is a problem.
func (y *yamlReader) node(n *yaml.Node, depth int) Node {
	if depth > maxYAMLDepth {
		y.limit(n, "yaml.depth", "nested more than %d levels deep", maxYAMLDepth)
	}
	if y.exceeded != nil {
		return Node{}
	}
	if n.Style&yaml.TaggedStyle != 0 && !strings.HasPrefix(n.Tag, "!!") && !y.words[n.Tag] {
		y.words[n.Tag] = true
		y.addHead(n.Tag)
		at := y.seek(n)
		y.problem("yaml.tag", y.Span(at, at), "tag %s is unknown: the value is read as written", n.Tag)
	}
	switch n.Kind {
	case yaml.MappingNode:
		return y.collection(n, DictNode, depth)
	case yaml.SequenceNode:
		return y.collection(n, ListNode, depth)
	case yaml.AliasNode:
		return y.alias(n)
	default:
		return y.scalar(n)
	}
}

// collection returns a mapping or list as a Node with its place and children.
func (y *yamlReader) collection(n *yaml.Node, kind nodeKind, depth int) Node {
	start := y.seek(n)
	y.gap(start)
	out := Node{Kind: kind}
	if kind == DictNode {
		out.Children = y.entries(n, depth)
	} else {
		out.Children = y.elements(n, depth)
	}
	if n.Style&yaml.FlowStyle != 0 {
		y.closeFlow(start, len(out.Children) == 0)
	}
	out.Span = y.Span(start, max(start, y.done))
	out.At = out.Span
	return out
}

// elements returns the elements of a list as Nodes.
func (y *yamlReader) elements(n *yaml.Node, depth int) []Node {
	if y.items += len(n.Content); y.items > maxYAMLItems {
		y.limit(n, "yaml.too-large", "more than %d list items", maxYAMLItems)
		return nil
	}
	out := make([]Node, 0, len(n.Content))
	for _, c := range n.Content {
		out = append(out, y.node(c, depth+1))
	}
	return out
}

// entries returns the values of a mapping as Nodes with their keys. A key that occurs twice
// is a problem.
func (y *yamlReader) entries(n *yaml.Node, depth int) []Node {
	if len(n.Content) > 2*maxYAMLKeys {
		y.limit(n, "yaml.too-large", "more than %d keys", maxYAMLKeys)
		return nil
	}
	keys := map[string]int{} // lines
	out := make([]Node, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := y.node(n.Content[i], depth+1)
		name := key.Text
		if key.Kind != ScalarNode {
			name = strings.Join(strings.Fields(y.text[key.Span.Start:key.Span.End]), " ")
		}
		c := y.node(n.Content[i+1], depth+1)
		c.Key, c.At, c.dup = name, key.Span, keys[name] > 0
		if c.dup {
			y.problem("yaml.dup-key", key.Span, "key %q occurs twice: the value on line %d is used", name, keys[name])
		} else {
			keys[name] = key.Span.Line
		}
		out = append(out, c)
	}
	return out
}

// alias returns an alias as a scalar with the alias's name as its text. That it is not
// followed is a problem.
func (y *yamlReader) alias(n *yaml.Node) Node {
	start := y.seek(n)
	y.gap(start)
	y.done = min(start+len("*")+len(n.Value), len(y.text))
	out := y.leaf("*"+n.Value, start, y.done)
	y.problem("yaml.alias", out.Span, "alias *%s is not followed: the value is its name", n.Value)
	return out
}

// scalar returns a scalar as a Node with its place.
func (y *yamlReader) scalar(n *yaml.Node) Node {
	const styled = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	plain := n.Style&styled == 0
	if plain && n.Value == "" {
		y.gap(y.seek(n))
		out := y.leaf("", y.done, y.done)
		out.Null = true
		return out
	}
	start, end := scalarSource(y.text, y.seek(n), n.Value)
	y.gap(start)
	y.done = end
	out := y.leaf(n.Value, start, end)
	out.Null = plain && isNull(n.Value)
	return out
}

// leaf returns a scalar with a text, whose source is between two offsets.
func (y *yamlReader) leaf(text string, start, end int) Node {
	at := y.Span(start, end)
	return Node{Text: text, At: at, Span: at}
}
