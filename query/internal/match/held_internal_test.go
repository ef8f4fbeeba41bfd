package match

import "testing"

// TestHeld checks what words promise, and when matches are counted.
func TestHeld(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []any
		want string
	}{
		{"nothing", nil, `{"found":0,"held":{}}`},
		{"one word", []any{"2", int64(9), "7,5"}, `{"found":2,"held":{"7":4,"5":4}}`},
		{"a rare word first", []any{"1 3", int64(9), "8,7", "5"}, `{"found":3,"held":{"5":9,"8":1,"7":1}}`},
		{"two words", []any{"1 3", int64(9), "8,7", "7,5"}, `{"found":3,"held":{"7":10,"5":9,"8":1}}`},
		{"all words", []any{"1 3", int64(9), "8", "", "4"}, `{"found":2,"held":{"4":16,"8":1}}`},
		{"not all of a word", []any{"1 3", int64(2), "8,7", "8"}, `{"found":-1,"held":{"8":10,"7":1}}`},
		{"more than are counted", []any{"1 3", int64(2), "8,7", "6"}, `{"found":3,"held":{"6":9,"8":1,"7":1}}`},
	} {
		got, err := heldFunction(c.args)
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}

// TestPromising checks that those with few of the words are left out only where there are
// others.
func TestPromising(t *testing.T) {
	t.Parallel()
	list := func(best, half, rest int) (found []heldWords) {
		for i := range best + half + rest {
			held := 1.0
			switch {
			case i < best:
				held = 8
			case i < best+half:
				held = 4
			}
			found = append(found, heldWords{int64(i), held})
		}
		return found
	}
	for _, c := range []struct{ best, half, rest, want int }{
		{10, 0, 300, 310}, {160, 300, 500, 460}, {500, 100, 500, 600}, {160, 100, 500, 760}, {100, 500, 200, 600},
	} {
		if got := len(promising(list(c.best, c.half, c.rest))); got != c.want {
			t.Errorf("%v: %d", c, got)
		}
	}
}
