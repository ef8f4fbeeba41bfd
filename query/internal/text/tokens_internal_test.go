package text

import (
	"slices"
	"testing"
	"unicode/utf8"
)

// TestIsToken checks the ranges that are decided without the table.
func TestIsToken(t *testing.T) {
	t.Parallel()
	for r := rune(utf8.RuneSelf); r < 0x3000; r++ {
		i, found := slices.BinarySearch(separatorBounds[:], r)
		if want := (i%2 == 1) == found; IsToken(r) != want {
			t.Errorf("%U: %v", r, IsToken(r))
		}
	}
}
