package query_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/query"
)

// contains is the leaf that looks for characters anywhere.
func contains(text string) *query.Leaf {
	q := query.Query{Expr: query.Text{Kind: query.TextContains, Text: text}, Case: query.CaseAuto}
	return &q.Compile(nil).Leaves[0]
}

// TestContainsEqualsRegexp compares the search for characters, by bytes and by
// runes, with the obvious pattern.
func TestContainsEqualsRegexp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		letter := rapid.SampledFrom([]string{"a", "b", "A", "B", "aab", "z", "Z", " ", "\n\t", "é", "É", "日", "-"})
		text := strings.Join(rapid.SliceOfN(letter, 0, 60).Draw(t, "text"), "")
		words := strings.Fields(strings.Join(rapid.SliceOfN(letter, 1, 6).Draw(t, "pattern"), ""))
		if len(words) == 0 {
			return
		}
		for i, w := range words {
			words[i] = regexp.QuoteMeta(w)
		}
		var want [][2]int
		for _, at := range regexp.MustCompile("(?i)"+strings.Join(words, `\s+`)).FindAllStringIndex(text, -1) {
			want = append(want, [2]int{at[0], at[1]})
		}
		pattern := strings.ReplaceAll(strings.Join(words, " "), `\`, "")
		if diff := cmp.Diff(want, contains(pattern).Find(text)); diff != "" {
			t.Fatalf("%q in %q (-regexp +query):\n%s", pattern, text, diff)
		}
	})
}

// TestHostileTexts searches texts made to be slow; a quadratic search would
// need minutes.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("z", 1<<20)
	for _, c := range []struct{ pattern, text string }{
		{strings.Repeat("z", 4000) + "y", long},
		{strings.Repeat("Z", 4000) + "é", long},
		{"y" + strings.Repeat("z", 4000), strings.Repeat("y"+strings.Repeat("z", 3999), 300)},
		{strings.Repeat("z ", 2000) + "y", strings.Repeat("z ", 1<<19)},
	} {
		if spans := contains(c.pattern).Find(c.text); spans != nil {
			t.Errorf("%.20s…: %v", c.pattern, spans)
		}
	}
	for _, c := range []struct {
		pattern, text string
		matches       int
	}{
		{"z", long, len(long)},
		{"zz", long, len(long) / 2},
		{"zZz", strings.Repeat("zzzz", 1<<18), (1 << 20) / 3},
		{"zÉ", strings.Repeat("zé", 1<<18), 1 << 18},
		{"z y", strings.Repeat("z y ", 1<<18), 1 << 18},
	} {
		if n := len(contains(c.pattern).Find(c.text)); n != c.matches {
			t.Errorf("%s: %d matches, want %d", c.pattern, n, c.matches)
		}
	}
	near := query.Text{Kind: query.TextNear, Distance: 1000, Near: []query.Text{{Kind: query.TextWord, Text: "z"}, {Kind: query.TextWord, Text: "y"}, {Kind: query.TextWord, Text: "x"}}}
	q := query.Query{Expr: near}
	if spans := q.Compile(nil).Leaves[0].Find(strings.Repeat("z y ", 1<<18)); spans != nil {
		t.Errorf("near: %v", spans)
	}
}
