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

// TestASCIIWordEnd compares every byte at every place with the table.
func TestASCIIWordEnd(t *testing.T) {
	t.Parallel()
	for b := range 256 {
		for at := range 20 {
			word := []byte("abcXYZ0189azAZ09qwerty")
			word[at] = byte(b)
			want := len(word)
			if c := asciiFold[b]; c == 0 || c == notASCII {
				want = at
			}
			if got := asciiWordEnd(string(word), 0); got != want {
				t.Errorf("byte %#x at %d: %d", b, at, got)
			}
		}
	}
}
