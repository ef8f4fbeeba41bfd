package pages

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// checkboxParser reads [ ] and [x] at the begin of a list item.
type checkboxParser struct{}

// Trigger returns what a checkbox begins with.
func (checkboxParser) Trigger() []byte { return []byte{'['} }

// Parse reads a checkbox, or nothing.
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
