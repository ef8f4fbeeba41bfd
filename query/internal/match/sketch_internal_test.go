package match

import (
	"fmt"
	"testing"
)

// sketchOf returns the sketch of some lines, laid out as the columns of a handoff.
func sketchOf(t *testing.T, lines []string) Sketch {
	t.Helper()
	columns := make([]any, len(TextColumns))
	for i, line := range lines {
		before, _ := columns[i%len(columns)].(string)
		columns[i%len(columns)] = before + line + "\n"
	}
	text, err := sketchFunction(columns)
	if err != nil {
		t.Fatal(err)
	}
	return ParseSketch(text.(string))
}

func numbered(from, to int) (lines []string) {
	for i := from; i < to; i++ {
		lines = append(lines, fmt.Sprintf("line %d of a text", i))
	}
	return lines
}

// TestVersions checks which texts are alike, with few lines and with more than a
// sketch has.
func TestVersions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		a, b []string
		want bool
	}{
		{"the same", numbered(0, 5), numbered(0, 5), true},
		{"four of five lines", numbered(0, 4), numbered(0, 5), true},
		{"three of four lines", numbered(0, 3), numbered(0, 4), false},
		{"one line changed of many", numbered(0, 500), numbered(1, 501), true},
		{"half of many", numbered(0, 500), numbered(0, 1000), false},
		{"blanks", []string{" x ", "", "y"}, []string{"y", "x"}, true},
		{"nothing", nil, nil, false},
	} {
		a, b := sketchOf(t, c.a), sketchOf(t, c.b)
		if a.IsAlike(b) != c.want || b.IsAlike(a) != c.want {
			t.Errorf("%s: %v, %v", c.name, a.IsAlike(b), b.IsAlike(a))
		}
	}
	if s := ParseSketch("no sketch!"); s != nil {
		t.Errorf("parsed %v", s)
	}
}
