package snippet

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// maxCells is how wide a line is shown.
	maxCells = 160
	// leadCells are before the first match of a line that is cut.
	leadCells = 40
)

// Cut returns the line text as a snippet: trimmed, and cut to maxCells around its first match.
// spans are the byte ranges of the matches.
func Cut(text string, spans [][2]int) Snippet {
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	left := len(text) - len(strings.TrimLeft(text, " \t\r"))
	right := len(strings.TrimRight(text, " \t\r"))
	focus := left
	if len(spans) > 0 {
		left = min(left, spans[0][0])
		focus = spans[0][0]
	}
	right = max(right, left)
	from, to := window(text, left, right, focus)
	s := Snippet{Text: text[from:to]}
	shift := -from
	if from > left {
		s.Text = "…" + s.Text
		shift += len("…")
	}
	if to < right {
		s.Text += "…"
	}
	last := 0
	for _, span := range spans {
		a, b := max(span[0], from, last), min(span[1], to)
		if a < b {
			s.Spans = append(s.Spans, [2]int{a + shift, b + shift})
			last = b
		}
	}
	return s
}

// window returns the part of text[left:right] to show: all of it if it is narrow enough, else a
// part that begins a little before focus.
func window(text string, left, right, focus int) (from, to int) {
	if cells(text[left:right]) <= maxCells {
		return left, right
	}
	from = focus
	for room := leadCells; from > left && room > 0; {
		r, n := utf8.DecodeLastRuneInString(text[left:from])
		room -= cell(r)
		from -= n
	}
	// A line that ends soon behind the match shows more of what is before it.
	to = from
	room := maxCells
	for to < right && room > 0 {
		r, n := utf8.DecodeRuneInString(text[to:right])
		if room -= cell(r); room < 0 {
			break
		}
		to += n
	}
	for to == right && from > left && room > 0 {
		r, n := utf8.DecodeLastRuneInString(text[left:from])
		if room -= cell(r); room < 0 {
			break
		}
		from -= n
	}
	return from, to
}

// cells returns about how many columns of a terminal s takes.
func cells(s string) int {
	n := 0
	for _, r := range s {
		n += cell(r)
	}
	return n
}

// cell returns about how many columns of a terminal r takes.
func cell(r rune) int {
	if r >= 0x1100 && (r < 0x2000 || r >= 0x2e80) {
		return 2
	}
	return 1
}
