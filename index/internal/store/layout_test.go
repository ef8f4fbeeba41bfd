package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/parse"
)

var someKinds = []parse.Kind{parse.Goal, parse.Next, parse.Done, parse.Worked, parse.Failed, parse.Other, parse.Files}

func genText(t *rapid.T, name string) string {
	return rapid.StringOfN(rapid.SampledFrom([]rune("ab \n\té\"\\[],|漢")), 0, 12, -1).Draw(t, name)
}

// genSection draws a section as Parse makes them: parts are more than one or of
// another kind than the section, and none is empty.
func genSection(t *rapid.T) parse.Section {
	line := rapid.IntRange(1, 500).Draw(t, "line")
	s := parse.Section{
		Kind:    rapid.SampledFrom(someKinds).Draw(t, "kind"),
		Heading: rapid.SampledFrom([]string{"", "Done", "What's next?", "Été 2026"}).Draw(t, "heading"),
		Level:   rapid.IntRange(0, 6).Draw(t, "level"),
		Body:    genText(t, "body"),
		Span:    parse.Span{Line: line, EndLine: line + rapid.IntRange(0, 9).Draw(t, "lines")},
	}
	s.BodyLine = s.Span.Line + 1
	s.Slug = map[string]string{"": "", "Done": "done", "What's next?": "what-s-next", "Été 2026": "été-2026"}[s.Heading]
	n := rapid.IntRange(0, 3).Draw(t, "parts")
	if n == 0 {
		return s
	}
	s.Body = ""
	for range n {
		p := parse.Part{Kind: rapid.SampledFrom(someKinds).Draw(t, "part"), Text: genText(t, "text") + "."}
		s.Parts = append(s.Parts, p)
		s.Body += p.Text
	}
	if n == 1 && s.Parts[0].Kind == s.Kind {
		s.Parts = nil
	}
	return s
}

func TestSectionsComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := &parse.Document{Shape: parse.Markdown}
		for range rapid.IntRange(0, 5).Draw(t, "fields") {
			d.Fields = append(d.Fields, parse.Field{Key: rapid.SampledFrom([]string{"goal", "state", "branch", "meta.x"}).Draw(t, "key"), Value: genText(t, "value")})
		}
		for range rapid.IntRange(0, 6).Draw(t, "sections") {
			d.Sections = append(d.Sections, genSection(t))
		}
		got, err := roundTrip(d)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d.Sections, got); diff != "" {
			t.Fatalf("sections (-want +got):\n%s", diff)
		}
	})
}

func TestLayout(t *testing.T) {
	t.Parallel()
	d := &parse.Document{
		Shape:  parse.YAML,
		Fields: []parse.Field{{Key: "goal", Value: "log in", Span: parse.Span{Line: 2, EndLine: 2}}, {Key: "branch", Value: "main"}},
		Sections: []parse.Section{
			{Kind: parse.Goal, Heading: "Goal", Level: 2, Body: "more\n", BodyLine: 5, Span: parse.Span{Line: 4, EndLine: 5}},
			{
				Kind: parse.Approaches, Heading: "Tried", Level: 2, Body: "- a\n- b\n", BodyLine: 7, Span: parse.Span{Line: 6, EndLine: 8},
				Parts: []parse.Part{{Kind: parse.Worked, Text: "- a\n"}, {Kind: parse.Failed, Text: "- b\n"}},
			},
			{Kind: "novel", Heading: "New", Level: 3, Body: "- x: 1\n- y: 2\n", BodyLine: 10, Span: parse.Span{Line: 9, EndLine: 13}},
		},
	}
	raw := "\ngoal: log in\n\n## Goal\nmore\n## Tried\n- a\n- b\n### New\nx: 1\n#\ny: 2\n"
	columns, heading, sections := lay(d, []byte(raw))
	wantColumns := map[parse.Kind]string{
		parse.Goal: "log in\nmore\n\n", parse.Approaches: "\n", parse.Worked: "- a\n\n", parse.Failed: "- b\n\n", parse.Other: "- x: 1\n- y: 2\n\n",
	}
	if diff := cmp.Diff(wantColumns, columns); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if want := "Goal\nTried\nNew\n"; heading != want {
		t.Errorf("heading is %q, want %q", heading, want)
	}
	want := `[["goal",-2,2,2,0,6,2],["goal",2,4,5,4,5],["approaches",2,6,8,5,0],["worked",-1,6,8,0,4],["failed",-1,6,8,0,4,8],["other",3,9,13,3,14,-10]]`
	if sections != want {
		t.Errorf("sections are\n%s, want\n%s", sections, want)
	}
}

func TestQuoted(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"", `""`},
		{"plain", `"plain"`},
		{"a\"b\\c\nd\te\rf\x1bg\x7f", "\"a\\\"b\\\\c\\nd\\te\\u000df\\u001bg\x7f\""},
		{"nul\x00", "\"nul\ufffd\""},
		{"\xff ü", "\"\xff ü\""},
	} {
		if got := string(store.AppendQuoted(nil, c[0])); got != c[1] {
			t.Errorf("%q: %s, want %s", c[0], got, c[1])
		}
	}
}

// roundTrip lays sections out and puts them together again.
func roundTrip(d *parse.Document) ([]parse.Section, error) {
	l := store.NewLayout(d, nil)
	pieces, err := store.ReadLayout(l.Sections(), l.Heading, l.Text)
	return store.SectionsOf(pieces), err
}

// lay returns the columns and the sections of a document as they are stored.
func lay(d *parse.Document, raw []byte) (columns map[parse.Kind]string, heading, sections string) {
	l := store.NewLayout(d, raw)
	columns = map[parse.Kind]string{}
	for i, t := range l.Text {
		if t != "" {
			columns[store.Kinds[i]] = t
		}
	}
	return columns, l.Heading, l.Sections()
}
