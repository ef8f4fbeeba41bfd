package pages

import (
	"bytes"
	"html"
	"html/template"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/OWNER/handex/cmd/internal/render"
)

// goldmark takes time that grows with the square of what it parses as one: a
// paragraph for links and emphasis, a line for quotes in quotes. Texts beyond these
// bounds, in bytes and in signs at the begin of a line, are shown as they are.
const (
	maxMarkdown  = 128 << 10
	maxParagraph = 8 << 10
	maxNesting   = 24
)

// maxNodes is the maximum number of nodes that the texts of one page may become: blocks,
// cells of tables, and marked words in a line. A few bytes of a text can make a row of
// hundreds of cells, or a dozen nested quotes.
const maxNodes = 50_000

// prose converts the texts of one page to HTML, within a limit on their nodes.
type prose struct {
	room  int  // how many nodes more there may be
	plain bool // a text was not converted, but is shown as it is
}

// markdown returns a text in Markdown as sanitized HTML. With lines, line breaks are kept,
// as is right for text that no person wrapped. A text that is too complex is returned as it
// is in <pre>.
func (p *prose) markdown(source string, lines bool) template.HTML {
	source = render.Clean(strings.Trim(source, "\n"))
	if strings.TrimSpace(source) == "" {
		return ""
	}
	convert := converters().wrapped
	if lines {
		convert = converters().lines
	}
	var out bytes.Buffer
	tree := p.parse(convert.Parser(), []byte(source))
	if tree == nil || convert.Renderer().Render(&out, []byte(source), tree) != nil {
		p.plain = true
		return template.HTML("<pre>" + html.EscapeString(source) + "</pre>")
	}
	return sanitize(out.String())
}

// parse returns the tree of a text and subtracts its nodes from the room. It returns nil if
// parsing would take too long or there are too many nodes.
func (p *prose) parse(markdown parser.Parser, source []byte) ast.Node {
	if !parseable(string(source)) {
		return nil
	}
	pc := parser.NewContext()
	pc.Set(roomForCells, p.room)
	tree := markdown.Parse(text.NewReader(source), parser.WithContext(pc))
	left := p.room
	_ = ast.Walk(tree, func(_ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			left--
		}
		return ast.WalkContinue, nil
	})
	if left < 0 || pc.Get(roomForCells).(int) < 0 {
		return nil
	}
	p.room = left
	return tree
}

// parseable reports whether goldmark can parse a text quickly.
func parseable(text string) bool {
	if len(text) > maxMarkdown {
		return false
	}
	paragraph := 0
	for line := range strings.Lines(text) {
		paragraph += len(line)
		if strings.TrimSpace(line) == "" {
			paragraph = 0
		}
		if paragraph > maxParagraph || nesting(line) > maxNesting {
			return false
		}
	}
	return true
}

// nesting returns the number of quote and list signs at the beginning of a line. A line of
// only dashes or stars is a rule and has none.
func nesting(line string) int {
	if strings.Trim(line, "- \t\n") == "" || strings.Trim(line, "* \t\n") == "" {
		return 0
	}
	n := 0
	for _, c := range line {
		switch {
		case strings.ContainsRune(">-*+.)", c):
			n++
		case c != ' ' && c != '\t' && (c < '0' || c > '9'):
			return n
		}
	}
	return n
}

type converter struct{ wrapped, lines goldmark.Markdown }

// converters returns the converters, which are made at the first call.
var converters = sync.OnceValue(func() converter {
	return converter{wrapped: newConverter(), lines: newConverter(goldhtml.WithHardWraps())}
})

// newConverter returns a converter of Markdown to HTML with the options of its renderer.
func newConverter(options ...goldhtml.Option) goldmark.Markdown {
	nodes := renderer.WithNodeRenderers(
		util.Prioritized(goldhtml.NewRenderer(options...), 1000), util.Prioritized(textRenderer{}, 100),
	)
	return goldmark.New(goldmark.WithParser(textParser()), goldmark.WithRenderer(renderer.NewRenderer(nodes)))
}

// textParser returns a parser of Markdown without HTML: tags are shown as text.
func textParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(inOrder(
			parser.NewSetextHeadingParser(), parser.NewThematicBreakParser(), parser.NewListParser(),
			parser.NewListItemParser(), parser.NewCodeBlockParser(), parser.NewATXHeadingParser(),
			parser.NewFencedCodeBlockParser(), parser.NewBlockquoteParser(), parser.NewParagraphParser(),
		)...),
		parser.WithInlineParsers(inOrder(
			checkboxParser{}, parser.NewCodeSpanParser(), parser.NewLinkParser(), parser.NewAutoLinkParser(),
			parser.NewEmphasisParser(),
		)...),
		parser.WithParagraphTransformers(util.Prioritized(tableTransformer{}, 200)),
	)
}

// inOrder returns parsers with priorities in the order in which they are given.
func inOrder(parsers ...any) []util.PrioritizedValue {
	list := make([]util.PrioritizedValue, len(parsers))
	for i, p := range parsers {
		list[i] = util.Prioritized(p, i)
	}
	return list
}

// textRenderer replaces parts of goldmark's output: headings become bold paragraphs, as
// they are not headings of the page, images become links, and tables are added.
type textRenderer struct{}

// RegisterFuncs registers a function for each kind of node that it writes.
func (textRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, around("<p><strong>", "</strong></p>\n"))
	r.Register(ast.KindImage, image)
	r.Register(kindTable, around("<table>\n", "</tbody></table>\n"))
	row, headRow := around("<tr>", "</tr>\n"), around("<thead><tr>", "</tr></thead>\n<tbody>")
	r.Register(kindRow, ofHead(headRow, row))
	r.Register(kindCell, ofHead(around("<th>", "</th>"), around("<td>", "</td>")))
}

// around returns a function that writes one text before a node and one after it.
func around(before, after string) renderer.NodeRendererFunc {
	return func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		text := after
		if entering {
			text = before
		}
		_, err := w.WriteString(text)
		return ast.WalkContinue, err
	}
}

// ofHead returns a function that calls head for parts of a table's first row and rest for
// all others.
func ofHead(head, rest renderer.NodeRendererFunc) renderer.NodeRendererFunc {
	return func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.(*block).head {
			return head(w, source, n, entering)
		}
		return rest(w, source, n, entering)
	}
}

// image writes a link to an image instead of loading it.
func image(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, err := w.WriteString("</a>")
		return ast.WalkContinue, err
	}
	address := n.(*ast.Image).Destination
	_, err := w.WriteString(`<a href="` + html.EscapeString(string(address)) + `">image: `)
	return ast.WalkContinue, err
}

// checkboxParser reads [ ] and [x] at the begin of a list item.
type checkboxParser struct{}

// Trigger returns the characters with which a checkbox begins.
func (checkboxParser) Trigger() []byte { return []byte{'['} }

// Parse returns the node of a checkbox at the beginning of a list item, or nil if there is
// none.
func (checkboxParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	if parent.Parent() == nil || parent.Parent().Kind() != ast.KindListItem || parent.HasChildren() ||
		parent.PreviousSibling() != nil {
		return nil
	}
	line, _ := block.PeekLine()
	const size = len("[x] ")
	if len(line) < size || line[2] != ']' || line[3] != ' ' {
		return nil
	}
	box := "☐ "
	switch line[1] {
	case ' ':
	case 'x', 'X':
		box = "☑ "
	default:
		return nil
	}
	block.Advance(size)
	return ast.NewString([]byte(box))
}

// The kinds of nodes for tables. Tables are parsed here, as goldmark's own parser has
// patterns that every start of the program would compile.
var (
	kindTable = ast.NewNodeKind("Table")
	kindRow   = ast.NewNodeKind("Row")
	kindCell  = ast.NewNodeKind("Cell")
)

// A block is a table, row or cell. head says that it belongs to the first row.
type block struct {
	ast.BaseBlock
	kind ast.NodeKind
	head bool
}

// Kind returns whether the block is a table, a row or a cell.
func (b *block) Kind() ast.NodeKind { return b.kind }

// Dump prints the block, for debugging goldmark.
func (b *block) Dump(source []byte, level int) { ast.DumpHelper(b, source, level, nil, nil) }

// tableTransformer turns paragraphs that are tables into table nodes.
type tableTransformer struct{}

// roomForCells is the key for how many more cells the tables of a text may have: an int
// that is negative if there are too many.
var roomForCells = parser.NewContextKey()

// Transform replaces the part of a paragraph that is a table: a row of dashes below a row
// with the same number of cells, and the lines after it. The lines before stay a paragraph.
// A table for which there is no room is not made.
func (tableTransformer) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := p.Lines()
	for i := 1; i < lines.Len(); i++ {
		columns := dashes(reader.Value(lines.At(i)))
		if columns == 0 || columns != len(cells(lines.At(i-1), reader.Source())) {
			continue
		}
		room := pc.Get(roomForCells).(int) - columns*(lines.Len()-i)
		if pc.Set(roomForCells, room); room < 0 {
			return
		}
		t := table(lines, i, columns, reader.Source())
		p.Parent().InsertAfter(p.Parent(), p, t)
		if i == 1 {
			p.Parent().RemoveChild(p.Parent(), p)
		} else {
			lines.SetSliced(0, i-1)
		}
		return
	}
}

// dashes returns the number of columns of a row such as |---|:-:|, or 0 if the line is
// none.
func dashes(line []byte) int {
	parts := strings.Split(strings.Trim(strings.TrimSpace(string(line)), "|"), "|")
	for _, part := range parts {
		part = strings.TrimSpace(part)
		part = strings.TrimSuffix(strings.TrimPrefix(part, ":"), ":")
		if part == "" || strings.Trim(part, "-") != "" {
			return 0
		}
	}
	if len(parts) == 1 && !bytes.ContainsRune(line, '|') {
		return 0
	}
	return len(parts)
}

// table returns the nodes of a table. The row of dashes is the line with index at.
func table(lines *text.Segments, at, columns int, source []byte) ast.Node {
	t := &block{kind: kindTable}
	for i := at - 1; i < lines.Len(); i++ {
		if i == at {
			continue
		}
		row := &block{kind: kindRow, head: i < at}
		list := cells(lines.At(i), source)
		for c := range columns {
			cell := &block{kind: kindCell, head: row.head}
			if c < len(list) && list[c].Len() > 0 {
				cell.Lines().Append(list[c])
			}
			row.AppendChild(row, cell)
		}
		t.AppendChild(t, row)
	}
	return t
}

// cells splits a row into cells at each | that has no backslash before it.
func cells(line text.Segment, source []byte) []text.Segment {
	line = trimmed(line, source)
	row := line.Value(source)
	start, end := line.Start, line.Stop
	if bytes.HasPrefix(row, []byte("|")) {
		start++
	}
	if len(row) > 1 && row[len(row)-1] == '|' && row[len(row)-2] != '\\' {
		end--
	}
	var list []text.Segment
	from := start
	for i := start; i <= end; i++ {
		if i == end || source[i] == '|' && source[i-1] != '\\' {
			list = append(list, trimmed(text.NewSegment(from, i), source))
			from = i + 1
		}
	}
	return list
}

// trimmed returns a segment without white space at its ends.
func trimmed(s text.Segment, source []byte) text.Segment {
	s = s.TrimLeftSpace(source)
	return s.TrimRightSpace(source)
}
