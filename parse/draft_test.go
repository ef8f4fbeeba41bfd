package parse_test

import (
	"testing"

	"handex/parse"
)

func field(key, value string) parse.Field { return parse.Field{Key: key, Value: value} }

// fullDraft says something of everything.
var fullDraft = parse.Draft{
	Title: "The JWT session",
	Fields: []parse.Field{
		field("project", "webapp"), field("session", "abc123"), field("from", "codex"), field("to", "claude"), field("status", "in-progress"),
		field("branch", "fix/jwt-expiry"), field("source", "discussion/058-codex-response.md"), field("date", "2026-01-17T10:30:00Z"),
		field("phase", "4/6"), field("progress", "60"), field("commit", "abc1234"), field("goal", "Implement \"JWT\": the login"),
		field("hypothesis", "off by one"), field("meta.thread_url", "https://e.example/t#1"), field("meta.tag", "auth"), field("meta.tag", "no"),
	},
	Sections: []parse.DraftSection{
		{Kind: parse.State, Body: "Debugging token expiry"},
		{Kind: parse.Done, Body: "- parser written\n- tests"},
		{Kind: parse.Done, Heading: "Card A", Body: "closed"},
		{Kind: parse.Next, Body: "- [ ] fix the clock (priority: high)"},
		{Kind: parse.Gotchas, Heading: "Gotchas & traps", Body: "```sh\n# no heading\nrun <it> & wait\n```"},
		{Kind: parse.Blockers, Body: "waiting for staging"},
		{Kind: parse.Other, Heading: "Numbers", Body: "| a | b |\n|---|---|\n| 1 | 2 |"},
	},
	Files:     []parse.File{{Path: "src/auth.py", Action: "created"}, {Path: "Makefile"}},
	WorkItems: []string{"autonomy-level-3"},
}

func TestWrite(t *testing.T) {
	for _, name := range parse.Writable() {
		t.Run(name, func(t *testing.T) {
			text, losses, err := parse.Write(name, fullDraft)
			if err != nil || len(text) == 0 || len(losses) == 0 {
				t.Errorf("got %q, %v, %v", text, losses, err)
			}
		})
	}
}
