package serve

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/OWNER/handex/index"
)

// Filters are added to a query and taken away again without a change to the rest of it.
func TestToggle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, condition, want string }{
		{"", "is:open", "is:open"},
		{`token "a b"`, "is:open", `token "a b" is:open`},
		{`token is:open "a  b"`, "is:open", `token "a  b"`},
		{`project="a b" x`, `project="a b"`, "x"},
		{"a OR b", "is:open", "(a OR b) is:open"},
		{"a OR b sort:words", "is:open", "(a OR b) sort:words is:open"},
		{"(a OR b) is:open", "is:open", "(a OR b)"},
		{"since:7d x", "since:30d", "x since:30d"},
		{`"is:open"`, "is:open", `"is:open" is:open`},
		{`an "open quote`, "is:open", `an "open quote is:open`},
	} {
		got := toggle(c.text, "", c.condition, 0).Link
		if want := "/?q=" + url.QueryEscape(c.want); got != want {
			t.Errorf("%q with %q leads to %s, want %s", c.text, c.condition, got, want)
		}
	}
}

func TestChips(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`token: is:open -project="a b" sort:words`: `is:open -project="a b"`,
		"project:{is:open is:blocked} limit:5":     "project:{is:open is:blocked} limit:5",
		"a is:open OR b":                           "",
		"http://x.example meta.tags:x":             "meta.tags:x",
	} {
		var got []string
		for _, chip := range chips(text) {
			got = append(got, chip.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q has the chips %q, want %s", text, got, want)
		}
	}
}

// Values beyond the first are folded; those beyond these are counted and linked.
func TestFacetLists(t *testing.T) {
	t.Parallel()
	f := index.Facet{Field: "project"}
	for i := range 100 {
		f.Buckets = append(f.Buckets, index.Bucket{Values: []string{fmt.Sprint("p", i)}, Count: 100 - i})
	}
	list := (&Server{}).facetLists("token", []index.Facet{f})
	l := list[0]
	if len(l.First()) != shownValues || len(l.Rest()) != maxValues-shownValues || l.Left != 20 || l.All != "/?q=token+count-by%3Aproject" {
		t.Errorf("%d values, %d more, %d left at %s", len(l.First()), len(l.Rest()), l.Left, l.All)
	}
	fields := []string{}
	for _, l := range list {
		fields = append(fields, l.Field)
	}
	if !slices.Equal(fields, []string{"project", "state", "date"}) {
		t.Errorf("filters of %v", fields)
	}
}
