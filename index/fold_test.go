package index_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// TestNamesInCamelCase checks that the words of the names of projects and files are found,
// and that the names are.
func TestNamesInCamelCase(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("bigKettle/.git/HEAD", "ref: refs/heads/main\n")
	h.write("bigKettle/HANDOFF-parseHTTPHeader2Go.md", "# Handoff\n\n## Next\n\n- rest\n")
	h.refresh()
	for _, word := range []string{"kettle", "bigkettle", "parse", "http", "header2", "go", "parseHTTPHeader2Go", "handoff"} {
		if n := len(h.search(word).Hits); n != 1 {
			t.Errorf("%s: %d hits", word, n)
		}
	}
	if n := len(h.search("ttphea").Hits); n != 0 {
		t.Errorf("a part of words: %d hits", n)
	}
}

// TestVersionsAreFolded checks that versions of a file that share almost all lines are
// one hit of a ranked search, the current one, and that no other handoff is lost in it.
func TestVersionsAreFolded(t *testing.T) {
	t.Parallel()
	h := newArchive(t)
	var lines []string
	for i := range 19 {
		lines = append(lines, fmt.Sprintf("- step %d of the kettle", i))
	}
	text := func(last string) string {
		return "# Handoff\n\n## Next\n\n" + strings.Join(lines, "\n") + "\n- " + last + "\n"
	}
	h.overwrite("shop/HANDOFF.md", "# Handoff\n\n## Next\n\n- an older kettle\n", text("kettle kettle"), text("done"))
	h.write("shop/other/HANDOFF.md", "# Handoff\n\n## Next\n\n- another kettle\n")
	h.write("shop/KETTLE-HANDOFF.md", text("done"))
	h.write("bank/HANDOFF.md", text("done"))
	h.refresh()
	find := func(words string) *index.Result {
		t.Helper()
		q, err := query.Find(words, query.Env{Now: h.now, Zone: h.zone})
		if err != nil {
			t.Fatal(err)
		}
		r, err := h.Search(t.Context(), q, index.SearchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	all := find("kettle")
	var got []string
	for _, hit := range all.Hits {
		path := strings.TrimPrefix(cmp.Or(hit.VersionOf, hit.Path), h.root)
		got = append(got, fmt.Sprint(path, " ", hit.VersionOf == "", " ", len(hit.Versions)))
	}
	want := []string{
		"/shop/KETTLE-HANDOFF.md true 0", "/shop/HANDOFF.md true 1", "/bank/HANDOFF.md true 0",
		"/shop/other/HANDOFF.md true 0", "/shop/HANDOFF.md false 0",
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
	if all.Total != 6 || all.Folded != 1 || len(all.Hits) != 5 || all.HasMore() {
		t.Errorf("%d of %d, %d folded", len(all.Hits), all.Total, all.Folded)
	}
	var pages []string
	for at := range all.Hits {
		page := find(fmt.Sprintf("kettle limit:1 offset:%d", at))
		if len(page.Hits) != 1 || page.Total != 6 || page.HasMore() != (at < 4) {
			t.Fatalf("page %d: %+v", at, page)
		}
		pages = append(pages, page.Hits[0].ID)
	}
	for i, hit := range all.Hits {
		if pages[i] != hit.ID {
			t.Errorf("hit %d is %s alone and %s in the list", i, pages[i], hit.ID)
		}
	}
	if n := len(h.search("kettle").Hits); n != 6 {
		t.Errorf("%d hits in order of date", n)
	}
}
