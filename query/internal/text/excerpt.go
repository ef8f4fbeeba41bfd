package text

import (
	"strings"
	"unicode"
)

// A text wider than this is cut around what is marked.
const maxWidth = 72

// wideBounds are where runs of characters that take two cells of a terminal
// begin and, in turn, end.
var wideBounds = [...]rune{
	0x1100, 0x1160, 0x2E80, 0x303F, 0x3041, 0x4DC0, 0x4E00, 0xA4D0, 0xA960, 0xA980, 0xAC00, 0xD7A4, 0xF900, 0xFB00,
	0xFE30, 0xFE70, 0xFF00, 0xFF61, 0xFFE0, 0xFFE7, 0x16FE0, 0x18D00, 0x1AFF0, 0x1B300, 0x1F300, 0x1F650,
	0x1F680, 0x1F700, 0x1F900, 0x1FA00, 0x20000, 0x3FFFE,
}

// cells returns the width of a character on a terminal.
func cells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case inRuns(wideBounds[:], r):
		return 2
	}
	return 1
}

// cell is one character as it is shown.
type cell struct {
	char  rune
	width int
	mark  string // what stands below each column of it
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

// layout turns a text into cells; from is the first with a caret.
func layout(text string, start, end int) (row []cell, from int) {
	from = -1
	for i, r := range text + " " {
		c := cell{char: shown(r), width: cells(shown(r)), mark: " "}
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

// window picks the cells to show: all that fit, else a stretch that begins a
// little before the first with a caret.
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

func width(row []cell) int {
	sum := 0
	for _, c := range row {
		sum += c.width
	}
	return sum
}

// shown returns r, or what is shown for it where it is not safe to print:
// control characters could move the cursor or change colours.
func shown(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), unicode.In(r, unicode.Cf):
		return '\uFFFD'
	}
	return r
}

// Printable replaces the characters of s that are not safe to print.
func Printable(s string) string { return strings.Map(shown, s) }
