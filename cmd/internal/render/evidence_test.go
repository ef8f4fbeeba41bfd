package render_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

func explained() (*index.Summary, *parse.Document) {
	h := &index.Summary{
		Date: time.Date(2026, 2, 9, 0, 0, 0, 0, time.UTC), DatePrecision: "day", DateSource: "field", Status: "blocked",
		States: []string{"open", "blocked", "waiting", "superseded"},
	}
	d := &parse.Document{
		Sections: []parse.Section{
			{Kind: parse.Next, Heading: "What's\x1b[2J next", Span: parse.Span{Line: 12}},
			{Kind: parse.Human, Heading: "Owner actions", Span: parse.Span{Line: 120}, Why: "the words \"owner actions\" \x07"},
			{Kind: parse.Other},
		},
		BlockedBy: []parse.Line{{Number: 5, Text: "  Blocked on: the key\n"}, {Number: 9, Text: "Blocker: CI"}},
		WaitsFor:  []parse.Line{{Number: 121, Text: "- approve \u202e the plan"}},
	}
	return h, d
}

func TestEvidenceText(t *testing.T) {
	h, d := explained()
	bare := *d
	bare.Sections, bare.BlockedBy, bare.WaitsFor = nil, nil, nil
	reasoned := *d
	reasoned.Sections = nil
	reasoned.Reasons = []parse.Reason{
		{Of: "status", Value: "blocked", Why: "the word \"stuck\"", Line: 4},
		{Of: "format", Value: "markdown", Why: "no other format fits"},
		{Of: "date", Why: "the line \"Date: 2026-02-09\""},
	}
	for _, c := range []struct {
		name string
		doc  *parse.Document
		want string
	}{
		{"lines of the file", d, `date 2026-02-09 by field
status blocked
line  kind   heading             why
  12  next   "What's^[[2J next"
 120  human  "Owner actions"     the words "owner actions" ^G
      other
blocked: line 5 "Blocked on: the key"
blocked: line 9 "Blocker: CI"
waiting: line 121 "- approve <U+202E> the plan"
open: its status is blocked, and no newer handoff is in its thread
`},
		{"nothing is known", &bare, "date 2026-02-09 by field\nstatus blocked\n" +
			"blocked\nwaiting\nopen: its status is blocked, and no newer handoff is in its thread\n"},
		{"reasons of the parser", &reasoned, `date 2026-02-09 by field: the line "Date: 2026-02-09"
status blocked: the word "stuck", line 4
format markdown: no other format fits
blocked: line 5 "Blocked on: the key"
blocked: line 9 "Blocker: CI"
waiting: line 121 "- approve <U+202E> the plan"
open: its status is blocked, and no newer handoff is in its thread
`},
	} {
		var b strings.Builder
		if err := render.EvidenceText(&b, render.EvidenceOf(h, c.doc), render.Options{}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestEvidenceOfStanding(t *testing.T) {
	for _, c := range []struct {
		h    index.Summary
		want render.Fact
	}{
		{index.Summary{States: []string{"open", "latest"}}, render.Fact{Of: "open", Why: "it is the latest of its project and format"}},
		{index.Summary{States: []string{"closed", "latest"}, Status: "sent"}, render.Fact{Of: "closed", Why: "its status is sent"}},
		{index.Summary{States: []string{"closed", "latest", "acked"}}, render.Fact{Of: "closed", Why: "it is acknowledged"}},
		{index.Summary{States: []string{"closed", "superseded"}, VersionOf: "/w/a.md"}, render.Fact{Of: "closed", Why: "its file was overwritten"}},
		{index.Summary{States: []string{"closed", "superseded"}}, render.Fact{Of: "closed", Why: "a newer handoff follows it"}},
	} {
		got := render.EvidenceOf(&c.h, &parse.Document{}).States
		if diff := cmp.Diff([]render.Fact{c.want}, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.h.States, diff)
		}
	}
}
