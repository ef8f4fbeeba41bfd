package render

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// style is how a piece of text looks: the parameters of an SGR sequence, ""
// for plain.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
	match  style = "1;31"
	alarm  style = "1;31"
)

// piece is text of one style. The text is clean.
type piece struct {
	text  string
	style style
}

// terminal measures as terminals do that know emoji, whatever the locale of
// this process says.
var terminal = &runewidth.Condition{StrictEmojiNeutral: true}

func cells(text string) int { return terminal.StringWidth(text) }

func width(pieces []piece) int {
	sum := 0
	for _, p := range pieces {
		sum += cells(p.text)
	}
	return sum
}

// fit cuts pieces to a width in cells, with "…" in the place of what is left
// out. Room 0 or less cuts nothing.
func fit(pieces []piece, room int) []piece {
	if room <= 0 || width(pieces) <= room {
		return pieces
	}
	var kept []piece
	for _, p := range pieces {
		w := cells(p.text)
		if w < room {
			kept = append(kept, p)
			room -= w
			continue
		}
		text := terminal.Truncate(p.text, room-1, "")
		kept = append(kept, piece{text + "…", p.style})
		break
	}
	return kept
}

// pad fills pieces with spaces to a width in cells.
func pad(pieces []piece, room int) []piece {
	if missing := room - width(pieces); missing > 0 {
		return append(pieces, piece{text: strings.Repeat(" ", missing)})
	}
	return pieces
}
