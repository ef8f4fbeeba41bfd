package snippet_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index/internal/snippet"
)

func TestCutLine(t *testing.T) {
	long := strings.Repeat("abcdefghi ", 40)
	for _, c := range []struct {
		name  string
		text  string
		spans [][2]int
		want  snippet.Snippet
	}{
		{"short", "  - a token \r", [][2]int{{6, 11}}, snippet.Snippet{Text: "- a token", Spans: [][2]int{{4, 9}}}},
		{"at the start", long, [][2]int{{0, 9}}, snippet.Snippet{Text: long[:160] + "…", Spans: [][2]int{{0, 9}}}},
		{"in the middle", long, [][2]int{{200, 209}}, snippet.Snippet{Text: "…" + long[160:320] + "…", Spans: [][2]int{{43, 52}}}},
		{"at the end", long, [][2]int{{390, 399}}, snippet.Snippet{Text: "…" + long[239:399], Spans: [][2]int{{154, 163}}}},
		{"far apart", long, [][2]int{{0, 9}, {390, 399}}, snippet.Snippet{Text: long[:160] + "…", Spans: [][2]int{{0, 9}}}},
		{"wide", strings.Repeat("漢", 100), nil, snippet.Snippet{Text: strings.Repeat("漢", 80) + "…"}},
		{"overlapping", "abc", [][2]int{{0, 2}, {1, 3}}, snippet.Snippet{Text: "abc", Spans: [][2]int{{0, 2}, {2, 3}}}},
		{"nothing", "  ", nil, snippet.Snippet{}},
	} {
		if diff := cmp.Diff(c.want, snippet.Cut(c.text, c.spans)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
