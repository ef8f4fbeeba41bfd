package render

import "testing"

// Widths are those of terminals, and no cut leaves half of a character.
func TestCells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text        string
		cells       int
		first, rest string // of a cut at three cells
	}{
		{"", 0, "", ""},
		{"plain", 5, "pla", "in"},
		{"a│…·—", 5, "a│…", "·—"},
		{"日本語", 6, "日", " 語"},
		{"ü\u0308e\u0301xyz", 5, "ü\u0308e\u0301x", "yz"},
		{"e\u0301\u0302", 1, "e\u0301\u0302", ""},
		{"\U0001F469\u200D\U0001F4BBab", 4, "\U0001F469\u200D\U0001F4BBa", "b"},
		{"\U0001F1E9\U0001F1EA!?", 4, "\U0001F1E9\U0001F1EA!", "?"},
		{"✔ok!", 4, "✔ok", "!"},
		{"\xffab!", 4, "\xffab", "!"},
		{"a\tb", 2, "a\tb", ""},
	} {
		if got := Cells(c.text); got != c.cells {
			t.Errorf("%q: %d cells, want %d", c.text, got, c.cells)
		}
		if got := truncate(c.text, 3); got != c.first {
			t.Errorf("%q begins with %q, want %q", c.text, got, c.first)
		}
		if got := truncateLeft(c.text, 3); got != c.rest {
			t.Errorf("%q goes on with %q, want %q", c.text, got, c.rest)
		}
	}
}
