package render

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Cells returns how many cells of a terminal a clean text takes. It measures as
// terminals do that know emoji, whatever the locale of this process says.
func Cells(text string) int {
	sum := 0
	for text != "" {
		cells, rest := nextCharacter(text)
		sum, text = sum+cells, rest
	}
	return sum
}

// Cut shortens a clean text to a width in cells, with "…" for what is left out.
// Room 0 or less cuts nothing.
func Cut(text string, room int) string { return flat(fit([]Span{{Text: text}}, room)) }

// nextCharacter splits off what a terminal shows as one character, and returns its
// width in cells. A mark that combines with an ASCII character is one of its own,
// without a width: most text is ASCII, and looking ahead for marks is slow.
func nextCharacter(text string) (cells int, rest string) {
	switch c := text[0]; {
	case c < ' ' || c == 0x7F:
		return 0, text[1:]
	case c < 0x80:
		return 1, text[1:]
	}
	_, rest, cells, _ = uniseg.FirstGraphemeClusterInString(text, -1)
	return cells, rest
}

// truncate returns the beginning of a clean text that takes at most room cells.
func truncate(text string, room int) string {
	rest := text
	for rest != "" {
		cells, behind := nextCharacter(rest)
		if room -= cells; room < 0 {
			break
		}
		rest = behind
	}
	return text[:len(text)-len(rest)]
}

// truncateLeft returns a clean text without its first cells. Half of a character
// that is two cells wide is a space.
func truncateLeft(text string, cells int) string {
	for text != "" && cells > 0 {
		wide, rest := nextCharacter(text)
		text, cells = rest, cells-wide
	}
	for text != "" { // a mark goes with the character before it
		wide, rest := nextCharacter(text)
		if wide > 0 {
			break
		}
		text = rest
	}
	return strings.Repeat(" ", max(-cells, 0)) + text
}
