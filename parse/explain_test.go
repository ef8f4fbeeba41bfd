package parse_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/parse"
)

// A reader must be able to see which evidence decided a kind, term by term.
func TestExplain(t *testing.T) {
	t.Parallel()
	text := `# Importer

Branch: fix/import

## Next
- a

## Where we got to
It runs.

## Things that surprised us along the way
The loader reads twice.

## Flowers
red
`
	docs := parse.Parse(parse.Source{Path: "p/HANDOFF.md", Bytes: []byte(text), Explain: true})
	var got []string
	for _, r := range docs[0].Reasons {
		got = append(got, r.Of+" "+r.Value+": "+r.Why)
	}
	for _, s := range docs[0].Sections {
		got = append(got, string(s.Kind)+" "+s.Heading+": "+s.Why)
	}
	if diff := cmp.Diff([]string{
		"format markdown: path and first lines",
		`branch fix/import: labelled "Branch"`,
		"title Importer: the first heading",
		"next Next: a usual heading",
		`state Where we got to: "where we got to" 9`,
		`gotchas Things that surprised us along the way: "surprised us" 10`,
		"other Flowers: no term scores enough",
	}, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	for _, s := range parse.Parse(parse.Source{Path: "p/HANDOFF.md", Bytes: []byte(text)})[0].Sections {
		if s.Why != "" {
			t.Errorf("%q has a reason nobody asked for", s.Heading)
		}
	}
}
