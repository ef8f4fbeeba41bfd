package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// A text wider than this is cut around what is marked.
const maxWidth = 72

// Excerpt returns a text on one line, cut to maxWidth around the bytes from
// start to end, and a line with carets below these. An empty span gets one caret,
// behind the text.
func Excerpt(text string, start, end int) (line, carets string) {
	before, marked, after := Printable(text), " ", ""
	if start < end {
		before, marked, after = Printable(text[:start]), Printable(text[start:end]), Printable(text[end:])
	}
	left, right := before, marked+after
	if width(left)+width(right) > maxWidth {
		left = tail(before, maxWidth/3)
		right = head(right, maxWidth-2-width(left))
		// A text that ends soon behind the mark shows more of what is before it.
		left = tail(before, maxWidth-2-width(right))
	}
	line, carets = left+right, strings.Repeat(" ", width(left))
	if left != before {
		line, carets = "…"+line, " "+carets
	}
	if right != marked+after {
		line += "…"
	}
	carets += strings.Repeat("^", max(width(right[:min(len(marked), len(right))]), 1))
	return strings.TrimRight(line, " "), carets
}

// head returns the longest beginning of s that is at most so wide.
func head(s string, most int) string {
	for i, r := range s {
		if most -= runeWidth(r); most < 0 {
			return s[:i]
		}
	}
	return s
}

// tail returns the longest end of s that is at most so wide.
func tail(s string, most int) string {
	for at := len(s); at > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:at])
		if most -= runeWidth(r); most < 0 {
			return s[at:]
		}
		at -= size
	}
	return s
}

func width(s string) (sum int) {
	for _, r := range s {
		sum += runeWidth(r)
	}
	return sum
}

func runeWidth(r rune) int { return uniseg.StringWidth(string(r)) }

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

// Printable returns s with a replacement for each character that is not safe to print, such
// as control characters.
func Printable(s string) string { return strings.Map(shown, s) }
