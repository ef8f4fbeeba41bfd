package pages

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Tables are read here, as goldmark's own come with patterns that every start of
// the program would compile.
var (
	kindTable = ast.NewNodeKind("Table")
	kindRow   = ast.NewNodeKind("Row")
	kindCell  = ast.NewNodeKind("Cell")
)

// A block is a part of a table. Head says that it is of the first row.
type block struct {
	ast.BaseBlock
	kind ast.NodeKind
	head bool
}

// Kind distinguishes tables, rows and cells.
func (b *block) Kind() ast.NodeKind { return b.kind }

// Dump writes the block for whoever debugs goldmark.
func (b *block) Dump(source []byte, level int) { ast.DumpHelper(b, source, level, nil, nil) }

// tableTransformer makes tables of the paragraphs that are.
type tableTransformer struct{}

// roomForCells is how many cells the tables of a text may still have, an int that is
// negative as soon as there are more.
var roomForCells = parser.NewContextKey()

// Transform looks for a row of dashes below a row of as many cells. The lines
// before these stay a paragraph. A table for which there is no room is not made.
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

// dashes counts the columns of a row as |---|:-:|, 0 if it is none.
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

// table makes the nodes of a table whose row of dashes is line at.
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

// cells splits a row at the strokes without a backslash before them.
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

func trimmed(s text.Segment, source []byte) text.Segment {
	s = s.TrimLeftSpace(source)
	return s.TrimRightSpace(source)
}
