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

// maxNodes bounds the parts that the texts of one page may become: blocks, the cells
// of tables, and marked words in a line. A few bytes of a text can make a row of
// hundreds of cells, or a dozen nested quotes.
const maxNodes = 50_000

// prose makes HTML of the texts of one page.
type prose struct {
	room  int  // how many nodes more there may be
	plain bool // a text was not converted, but is shown as it is
}

// markdown returns a text of a handoff as HTML. Line breaks are kept if lines is set,
// as is right for text that no person wrapped.
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
		return preformatted(source)
	}
	return sanitize(out.String())
}

// parse returns the nodes of a text, and takes them off the room there is; nil if they
// take too long to find or are too many.
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

func preformatted(text string) template.HTML {
	return template.HTML("<pre>" + html.EscapeString(text) + "</pre>")
}

// parseable reports whether goldmark is quick with a text.
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

// nesting counts the signs of quotes and lists a line begins with. A line of
// nothing but dashes or stars is a rule.
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

// converters are made when the first text is converted.
var converters = sync.OnceValue(func() converter {
	return converter{wrapped: newConverter(), lines: newConverter(goldhtml.WithHardWraps())}
})

func newConverter(options ...goldhtml.Option) goldmark.Markdown {
	nodes := renderer.WithNodeRenderers(
		util.Prioritized(goldhtml.NewRenderer(options...), 1000), util.Prioritized(textRenderer{}, 100),
	)
	return goldmark.New(goldmark.WithParser(textParser()), goldmark.WithRenderer(renderer.NewRenderer(nodes)))
}

// textParser knows no HTML: what looks like it is text, and shown as that.
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

func inOrder(parsers ...any) []util.PrioritizedValue {
	list := make([]util.PrioritizedValue, len(parsers))
	for i, p := range parsers {
		list[i] = util.Prioritized(p, i)
	}
	return list
}

// textRenderer writes what goldmark would write otherwise: a heading in a text is
// none of the page, and an image is not loaded.
type textRenderer struct{}

// RegisterFuncs says what it writes.
func (textRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, around("<p><strong>", "</strong></p>\n"))
	r.Register(ast.KindImage, image)
	r.Register(kindTable, around("<table>\n", "</tbody></table>\n"))
	row, headRow := around("<tr>", "</tr>\n"), around("<thead><tr>", "</tr></thead>\n<tbody>")
	r.Register(kindRow, ofHead(headRow, row))
	r.Register(kindCell, ofHead(around("<th>", "</th>"), around("<td>", "</td>")))
}

// around writes a text before a node and one behind it.
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

// ofHead writes the parts of a table's first row in another way than the rest.
func ofHead(head, rest renderer.NodeRendererFunc) renderer.NodeRendererFunc {
	return func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.(*block).head {
			return head(w, source, n, entering)
		}
		return rest(w, source, n, entering)
	}
}

// image writes a link to the image.
func image(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, err := w.WriteString("</a>")
		return ast.WalkContinue, err
	}
	address := n.(*ast.Image).Destination
	_, err := w.WriteString(`<a href="` + html.EscapeString(string(address)) + `">image: `)
	return ast.WalkContinue, err
}
