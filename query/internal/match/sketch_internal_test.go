package match

import (
	"fmt"
	"testing"
)

// columnsOf lays lines out as the columns of a handoff in a file of a name.
func columnsOf(name string, lines ...string) []string {
	columns := make([]string, len(SearchedColumns))
	for i, line := range lines {
		columns[i%len(TextColumns)] += line + "\n"
	}
	columns[len(TextColumns)] = "project\n" + name
	return columns
}

func numbered(from, to int) (lines []string) {
	for i := from; i < to; i++ {
		lines = append(lines, fmt.Sprintf("line %d of a text", i))
	}
	return lines
}

// TestVersions checks which texts are versions of one, with few lines and with more than a
// sketch has.
func TestVersions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		a, b []string
		want bool
	}{
		{"the same", columnsOf("HANDOFF.md", numbered(0, 5)...), columnsOf("handoff.MD", numbered(0, 5)...), true},
		{"another name", columnsOf("HANDOFF.md", numbered(0, 5)...), columnsOf("NEXT.md", numbered(0, 5)...), false},
		{"four of five lines", columnsOf("a", numbered(0, 4)...), columnsOf("a", numbered(0, 5)...), true},
		{"three of four lines", columnsOf("a", numbered(0, 3)...), columnsOf("a", numbered(0, 4)...), false},
		{"one line changed of many", columnsOf("a", numbered(0, 500)...), columnsOf("a", numbered(1, 501)...), true},
		{"half of many", columnsOf("a", numbered(0, 500)...), columnsOf("a", numbered(0, 1000)...), false},
		{"blanks", columnsOf("a", " x ", "", "y"), columnsOf("a", "y", "x"), true},
		{"nothing", columnsOf("a"), columnsOf("a"), false},
	} {
		a, b := ParseSketch("1 "+sketchOf(c.a)), ParseSketch("2 "+sketchOf(c.b))
		if same := ParseSketch("1 " + sketchOf(c.b)); a.IsVersionOf(same) {
			t.Errorf("%s: of one file", c.name)
		}
		if a.IsVersionOf(b) != c.want || b.IsVersionOf(a) != c.want {
			t.Errorf("%s: %v, %v", c.name, a.IsVersionOf(b), b.IsVersionOf(a))
		}
	}
	if s := ParseSketch("no sketch!"); s.IsVersionOf(s) || s.file != 0 {
		t.Errorf("parsed %v", s)
	}
}
