package text

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// A text wider than this is cut around what is marked.
const maxWidth = 72

// cell is one character as it is shown.
type cell struct {
	char  rune
	width int
	mark  string // what is shown below each column of it
}

// Excerpt returns a text on one line, cut to maxWidth around the bytes from
// start to end, and a line with carets below these. An empty span gets one caret.
func Excerpt(text string, start, end int) (line, carets string) {
	row, from := layout(text, start, end)
	left, right := window(row, from)
	var chars, marks strings.Builder
	if left > 0 {
		chars.WriteString("…")
		marks.WriteString(" ")
	}
	for _, c := range row[left:right] {
		chars.WriteRune(c.char)
		marks.WriteString(strings.Repeat(c.mark, c.width))
	}
	if right < len(row) {
		chars.WriteString("…")
	}
	return strings.TrimRight(chars.String(), " "), strings.TrimRight(marks.String(), " ")
}

// layout returns a text as cells, with a caret below those for the bytes from start to end,
// and the index of the first cell with a caret.
func layout(text string, start, end int) (row []cell, from int) {
	from = -1
	for i, r := range text + " " {
		c := cell{char: shown(r), width: uniseg.StringWidth(string(shown(r))), mark: " "}
		switch {
		case i == len(text) && from >= 0:
			return row, from
		case i >= start && i < end, i == len(text):
			c.mark = "^"
			if from < 0 {
				from, c.width = len(row), max(c.width, 1)
			}
		}
		row = append(row, c)
	}
	return row, from
}

// window returns the range of the cells to show: all if they fit, else a stretch that begins
// a little before cell from, the first with a caret.
func window(row []cell, from int) (left, right int) {
	if width(row) <= maxWidth {
		return 0, len(row)
	}
	const before = maxWidth / 3
	left = from
	for left > 0 && width(row[left-1:from]) <= before {
		left--
	}
	right = left
	for right < len(row) && 2+width(row[left:right+1]) <= maxWidth {
		right++
	}
	for left > 0 && 2+width(row[left-1:right]) <= maxWidth {
		left--
	}
	return left, right
}

// width returns how many columns of a terminal some cells take.
func width(row []cell) int {
	sum := 0
	for _, c := range row {
		sum += c.width
	}
	return sum
}

// shown returns r, or the character to show in its place if r is not safe to print: control
// characters could move the cursor or change colours.
func shown(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), unicode.In(r, unicode.Cf):
		return '\uFFFD'
	}
	return r
}

// Printable returns s with a replacement for each character that is not safe to print, such
// as control characters.
func Printable(s string) string { return strings.Map(shown, s) }
