package index_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// What more matches than are ranked do to an answer: how many there are is
// told, and that not all were looked at.
func TestRankedTotal(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("bank/HANDOFF.md", rollingLog(667, "seven"))
	h.write("mint/HANDOFF.md", rollingLog(667, "other"))
	h.write("shop/HANDOFF.md", rollingLog(667, "other"))
	h.refresh()
	note := "only 400 of the matches are ranked: the newest with most of the words, where rare words count more"
	for _, c := range []struct {
		words   string
		hits    int
		total   int
		atLeast bool
		notes   []string
	}{
		{"token", 50, 2000, true, []string{note}},
		{"token limit:0", 400, 2000, true, []string{note}},
		{"token limit:10 offset:395", 5, 2000, true, []string{note}},
		{"token count-by:project", 0, 2000, true, nil},
		{"seven", 1, 1, false, nil},
		{"token limit:0 next:seven", 1, 1, false, nil},
	} {
		q, err := query.Find(c.words, query.Env{Now: h.now, Zone: h.zone})
		if err != nil {
			t.Fatal(err)
		}
		r, err := h.Search(t.Context(), q, index.SearchOptions{NoSnippets: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Hits) != c.hits || r.Total != c.total || r.TotalAtLeast != c.atLeast {
			t.Errorf("%s: %d hits of %d, at least: %v", c.words, len(r.Hits), r.Total, r.TotalAtLeast)
		}
		if diff := cmp.Diff(c.notes, r.Notes); diff != "" {
			t.Errorf("%s: notes (-want +got):\n%s", c.words, diff)
		}
	}
}

// rollingLog is a file of so many handoffs, each with a token, the oldest with
// a word of its own.
func rollingLog(entries int, word string) string {
	var b strings.Builder
	b.WriteString("# Log\n")
	for i := range entries {
		fmt.Fprintf(&b, "\n## %d-%02d-%02d\n\n### Next\n\n- renew the %s token\n", 2000+i/336, i/28%12+1, i%28+1, word)
		word = "other"
	}
	return b.String()
}
