package query_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/query"
)

// TestCandidates checks what is estimated of matches by their words and lengths, and when they are
// counted.
func TestCandidates(t *testing.T) {
	t.Parallel()
	long := map[string]int{"8": 5000, "3": 50_000}
	for _, c := range []struct {
		name, words string
		rows        []query.WordMatches
		found       int
		want        []int64
	}{
		{"nothing", "key", nil, 0, nil},
		{"the newer of equals", "key", []query.WordMatches{{0, "2", "5,7"}}, 2, []int64{7, 5}},
		{"a rare word first", "key mesh", []query.WordMatches{{0, "1", "9,7"}, {1, "3", "5"}}, 3, []int64{5, 9, 7}},
		{"two words", "key mesh", []query.WordMatches{{0, "1", "9,7"}, {1, "3", "7,5"}}, 3, []int64{7, 5, 9}},
		{"all words", "key mesh", []query.WordMatches{{0, "1", "9"}, {1, "3", ""}, {2, "", "4"}}, 2, []int64{4, 9}},
		{"the shorter text", "key", []query.WordMatches{{0, "2", "8,3,2"}}, 3, []int64{2, 8, 3}},
		{
			"a long text of a rare word", "key mesh",
			[]query.WordMatches{{0, "1", "9,7"}, {1, "3", "8,3"}},
			4,
			[]int64{8, 9, 7, 3},
		},
	} {
		found := find(t, c.words).Candidates(c.rows)
		if found.Found != c.found || found.Len() != len(c.want) {
			t.Errorf("%s: %d found, %d ranked", c.name, found.Found, found.Len())
		}
		for n := range len(c.want) + 2 {
			got, err := found.First(n, func(st query.Statement) (string, error) {
				return lengths(fmt.Sprint(st.Args[0]), long), nil
			})
			if diff := cmp.Diff(fmt.Sprint(c.want[:min(n, len(c.want))]), fmt.Sprint(got)); diff != "" || err != nil {
				t.Errorf("%s: the first %d (-want +got):\n%s%v", c.name, n, diff, err)
			}
		}
	}
}

// lengths returns the lengths of a JSON list of ids: those of long, or else 1.
func lengths(ids string, long map[string]int) string {
	var b strings.Builder
	for id := range strings.SplitSeq(strings.Trim(ids, "[]"), ",") {
		fmt.Fprintf(&b, "%s %d ", id, max(long[id], 1))
	}
	return b.String()
}

// TestCandidatesCounted checks that matches are counted only if all of them are known.
func TestCandidatesCounted(t *testing.T) {
	t.Parallel()
	ids := func(from, n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprint(from-i))
		}
		return strings.Join(list, ",")
	}
	for _, c := range []struct{ a, b, want int }{{1999, 1, 2000}, {2000, 0, -1}, {2000, 1, 2001}, {1999, 1999, 3998}} {
		got := find(t, "key mesh").Candidates([]query.WordMatches{{0, "1", ids(9000, c.a)}, {1, "1", ids(5000, c.b)}})
		if got.Found != c.want || got.Len() != 400 {
			t.Errorf("%v: %d found, %d ranked", c, got.Found, got.Len())
		}
	}
}

// TestCandidatesRead checks that no lengths are read of what cannot be among the first.
func TestCandidatesRead(t *testing.T) {
	t.Parallel()
	found := find(t, "key mesh").Candidates([]query.WordMatches{{0, "1", "9,8"}, {1, "3", "7,6"}, {2, "", "7"}})
	var read []any
	_, err := found.First(2, func(st query.Statement) (string, error) {
		read = append(read, st.Args[0])
		return lengths(fmt.Sprint(st.Args[0]), nil), nil
	})
	if diff := cmp.Diff([]any{"[7,6]"}, read); diff != "" || err != nil {
		t.Errorf("(-want +got):\n%s%v", diff, err)
	}
}
