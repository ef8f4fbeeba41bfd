package query

import (
	"strings"
	"unicode"
)

// A query wider than this is cut around the error.
const maxWidth = 72

// wide are the characters that take two cells of a terminal.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115F, Stride: 1},
		{Lo: 0x2E80, Hi: 0x303E, Stride: 1},
		{Lo: 0x3041, Hi: 0x33FF, Stride: 1},
		{Lo: 0x3400, Hi: 0x4DBF, Stride: 1},
		{Lo: 0x4E00, Hi: 0x9FFF, Stride: 1},
		{Lo: 0xA000, Hi: 0xA4CF, Stride: 1},
		{Lo: 0xA960, Hi: 0xA97F, Stride: 1},
		{Lo: 0xAC00, Hi: 0xD7A3, Stride: 1},
		{Lo: 0xF900, Hi: 0xFAFF, Stride: 1},
		{Lo: 0xFE30, Hi: 0xFE6F, Stride: 1},
		{Lo: 0xFF00, Hi: 0xFF60, Stride: 1},
		{Lo: 0xFFE0, Hi: 0xFFE6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x16FE0, Hi: 0x18CFF, Stride: 1},
		{Lo: 0x1AFF0, Hi: 0x1B2FF, Stride: 1},
		{Lo: 0x1F300, Hi: 0x1F64F, Stride: 1},
		{Lo: 0x1F680, Hi: 0x1F6FF, Stride: 1},
		{Lo: 0x1F900, Hi: 0x1F9FF, Stride: 1},
		{Lo: 0x20000, Hi: 0x3FFFD, Stride: 1},
	},
}

// cells is the width of a character on a terminal.
func cells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// cell is one character of the query as it is shown.
type cell struct {
	char   rune
	width  int
	marked bool
}

// excerpt is the query on one line, cut to maxWidth around the error, and the
// line of carets below it. An empty span gets one caret.
func excerpt(query string, start, end int) (line, carets string) {
	row, from, to := layout(query, start, end)
	left, right := window(row, from, to)
	var text, marks strings.Builder
	if left > 0 {
		text.WriteString("…")
		marks.WriteString(" ")
	}
	for _, c := range row[left:right] {
		text.WriteRune(c.char)
		mark := " "
		if c.marked {
			mark = "^"
		}
		marks.WriteString(strings.Repeat(mark, c.width))
	}
	if right < len(row) {
		text.WriteString("…")
	}
	return strings.TrimRight(text.String(), " "), strings.TrimRight(marks.String(), " ")
}

// layout turns the query into cells, one caret at least among them; from and
// to are the marked ones.
func layout(query string, start, end int) (row []cell, from, to int) {
	from = -1
	for i, r := range query {
		c := cell{char: shown(r), width: cells(shown(r)), marked: i >= start && i < end}
		if c.marked && from < 0 {
			from = len(row)
		}
		row = append(row, c)
		if c.marked {
			to = len(row)
		}
	}
	if from < 0 {
		row = append(row, cell{char: ' ', width: 1, marked: true})
		from, to = len(row)-1, len(row)
	}
	if len(row) > 0 && from < len(row) && row[from].width == 0 {
		row[from].width = 1
	}
	return row, from, to
}

// window picks the cells to show: all that fit, else a stretch that begins a
// little before the error.
func window(row []cell, from, _ int) (left, right int) {
	if width(row) <= maxWidth {
		return 0, len(row)
	}
	const before = maxWidth / 3
	left = from
	for used := 0; left > 0 && used+row[left-1].width <= before; left-- {
		used += row[left-1].width
	}
	right = left
	for used := 2; right < len(row) && used+row[right].width <= maxWidth; right++ {
		used += row[right].width
	}
	for used := 2 + width(row[left:right]); left > 0 && used+row[left-1].width <= maxWidth; left-- {
		used += row[left-1].width
	}
	return left, right
}

func width(row []cell) int {
	sum := 0
	for _, c := range row {
		sum += c.width
	}
	return sum
}

// shown is a character that is safe to print: control characters could move
// the cursor or change colours.
func shown(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), unicode.In(r, unicode.Cf):
		return '\uFFFD'
	}
	return r
}

func printable(s string) string {
	return strings.Map(shown, s)
}
