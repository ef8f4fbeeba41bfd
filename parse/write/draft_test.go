package write_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/parsetest"
	"github.com/OWNER/handex/parse/write"
)

func field(key, value string) parse.Field { return parse.Field{Key: key, Value: value} }

// fullDraft says something of everything, and breaks no rule of any format.
var fullDraft = write.Draft{
	Title: "The JWT session",
	Fields: []parse.Field{
		field("project", "webapp"), field("session", "abc123"), field("from", "codex"), field("to", "claude"),
		field("branch", "fix/jwt-expiry"), field("source", "discussion/058-codex-response.md"), field("date", "2026-01-17T10:30:00Z"),
		field("phase", "4/6"), field("progress", "60"), field("commit", "abc1234"), field("goal", "Implement \"JWT\": the login"),
		field("hypothesis", "off by one"), field("meta.thread_url", "https://e.example/t#1"), field("meta.tag", "auth"), field("meta.tag", "no"),
	},
	Sections: []write.DraftSection{
		{Kind: parse.State, Body: "Debugging token expiry"},
		{Kind: parse.Done, Body: "- parser written\n- tests"},
		{Kind: parse.Done, Heading: "Card A", Body: "closed", Level: 3},
		{Kind: parse.Next, Body: "- [ ] fix the clock (priority: high)"},
		{Kind: parse.Gotchas, Heading: "Gotchas & traps", Body: "```sh\n# no heading\nrun <it> & wait\n```"},
		{Kind: parse.Blockers, Body: "waiting for staging"},
		{Kind: parse.Other, Heading: "Numbers", Body: "| a | b |\n|---|---|\n| 1 | 2 |"},
	},
	Files:     []parse.File{{Path: "src/auth.py", Action: "created"}, {Path: "docs/plan.md"}},
	WorkItems: []string{"autonomy-level-3"},
}

// with is fullDraft with a status, which the formats have words of their own for.
func with(status string) write.Draft {
	d := fullDraft
	d.Fields = append([]parse.Field{field("status", status)}, d.Fields...)
	return d
}

func TestWrite(t *testing.T) {
	t.Parallel()
	tests := []struct {
		format, status, want string
		losses               []string
	}{
		{"flow-guardian", "in-progress", flowText, []string{
			`title: kept as the key "title"`, `project: kept as the key "project"`, `from: kept as the key "from"`, `to: kept as the key "to"`,
			`source: kept as the key "source_file"`, `phase: kept as the key "phase"`, `progress: kept as the key "progress"`, `commit: kept as the key "last_commit"`,
			`work items: kept as the key "work_queue_items"`, `files that were created: kept as the key "files_created"`,
			`section done: kept as the key "done"`, `section next: kept as the key "next"`, `section "Gotchas & traps": kept as the key "gotchas"`,
			`section blockers: kept as the key "blockers"`,
		}},
		{"company", "pending", companyText, []string{
			`the time of date: kept as the key "generated_time"`, `title: kept as the key "title"`, `project: kept as the key "project"`,
			`phase: kept as the key "phase"`, `progress: kept as the key "progress"`, `commit: kept as the key "last_commit"`,
			`goal: kept as the key "goal"`, `hypothesis: kept as the key "hypothesis"`, `files that were created: kept as the key "files_created"`,
			`section state: kept as the key "current_state"`, `section done: kept as the key "done"`, `section next: kept as the key "next"`,
			`section "Gotchas & traps": kept as the key "gotchas"`, `section blockers: kept as the key "blockers"`,
		}},
		{"act-xml", "in-progress", actXMLText, []string{
			"title: kept as <title> in metadata", "status: kept as <status> in metadata", "from: kept as <from> in metadata",
			"source: kept as <source_file> in metadata", "work items: kept as <work_queue_items> in metadata",
			"section hypothesis: kept as <hypothesis>", `section "Gotchas & traps": kept as <gotchas>`, `section "Numbers": kept as <details>`,
		}},
		{"act-md", "in-progress", actMarkdownText, []string{
			`title: kept as the line "Title:"`, `status: kept as the line "Status:"`, `from: kept as the line "From:"`, `source: kept as the line "Source file:"`,
			`work items: kept as the line "Work queue items:"`, `section hypothesis: kept as the section "Hypothesis"`,
			`section "Gotchas & traps": kept as the section "Gotchas & traps"`, `section "Numbers": kept as the section "Numbers"`,
		}},
		{"claude-suite", "in-progress", suiteText, []string{
			`title: kept as the line "title:"`, `status: kept as the line "status:"`, `project: kept as the line "project:"`, `from: kept as the line "from:"`,
			`to: kept as the line "to:"`, `branch: kept as the line "branch:"`, `source: kept as the line "source_file:"`, `phase: kept as the line "phase:"`,
			`progress: kept as the line "progress:"`, `commit: kept as the line "last_commit:"`, `hypothesis: kept as the section "Hypothesis"`,
			`date: kept as the line "date:"`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.format, func(t *testing.T) {
			text, losses, err := write.Write(tt.format, with(tt.status))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(text)); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
			var told []string
			for _, l := range losses {
				told = append(told, l.String())
			}
			if diff := cmp.Diff(tt.losses, told); diff != "" {
				t.Errorf("losses: want -, got +:\n%s", diff)
			}
			for _, p := range write.Judge(tt.format, text) {
				if p.Severity == parse.Error {
					t.Errorf("breaks %s: %s", p.Rule, p.Message)
				}
			}
		})
	}
	if len(tests) != len(parse.Writable()) {
		t.Errorf("%d of %d formats are tested", len(tests), len(parse.Writable()))
	}
}

const flowText = `goal: "Implement \"JWT\": the login"
status: in_progress
now: "Debugging token expiry"
hypothesis: "off by one"
outcome: null
files:
  - src/auth.py
  - docs/plan.md
branch: fix/jwt-expiry
timestamp: "2026-01-17T10:30:00Z"
session_id: "abc123"
title: "The JWT session"
project: webapp
from: codex
to: claude
source_file: discussion/058-codex-response.md
phase: "4/6"
progress: "60"
last_commit: abc1234
thread_url: "https://e.example/t#1"
tag:
  - auth
  - "no"
work_queue_items:
  - autonomy-level-3
files_created:
  - src/auth.py
` + textsOfBoth

// textsOfBoth are the texts that both YAML formats write alike.
const textsOfBoth = `done: |
  - parser written
  - tests

  ### Card A

  closed
next: |
  - [ ] fix the clock (priority: high)
gotchas: |
  ### Gotchas & traps

  ` + "```sh" + `
  # no heading
  run <it> & wait
  ` + "```" + `
blockers: |
  waiting for staging
Numbers: |
  | a | b |
  |---|---|
  | 1 | 2 |
`

const companyText = `version: 1
source_file: discussion/058-codex-response.md
generated_at: "2026-01-17"
from: codex
to: claude
branch: fix/jwt-expiry
work_queue_items:
  - autonomy-level-3
files_changed:
  - src/auth.py
  - docs/plan.md
status: pending
sent_at: null
session_key: abc123
title: "The JWT session"
project: webapp
phase: "4/6"
progress: "60"
last_commit: abc1234
goal: "Implement \"JWT\": the login"
hypothesis: "off by one"
thread_url: "https://e.example/t#1"
tag:
  - auth
  - "no"
generated_time: "2026-01-17T10:30:00Z"
files_created:
  - src/auth.py
current_state: |
  Debugging token expiry
` + textsOfBoth

const actXMLText = `<context_handoff>
  <metadata>
    <project>webapp</project>
    <timestamp>2026-01-17T10:30:00Z</timestamp>
    <from_session>abc123</from_session>
    <to_agent>claude</to_agent>
    <format_version>1.0</format_version>
    <title>The JWT session</title>
    <status>in-progress</status>
    <from>codex</from>
    <source_file>discussion/058-codex-response.md</source_file>
    <thread_url>https://e.example/t#1</thread_url>
    <tag>auth</tag>
    <tag>no</tag>
    <work_queue_items>autonomy-level-3</work_queue_items>
  </metadata>
  <original_task>
    Implement "JWT": the login
  </original_task>
  <work_completed>
    - parser written
    - tests

    ### Card A

    closed
  </work_completed>
  <work_remaining>
    - [ ] fix the clock (priority: high)
  </work_remaining>
  <current_state>
    Phase: 4/6
    Progress: 60%
    Branch: fix/jwt-expiry
    Last Commit: abc1234
    Blockers: waiting for staging

    Debugging token expiry
  </current_state>
  <files_touched>
    - src/auth.py (created)
    - docs/plan.md
  </files_touched>
  <hypothesis>
    off by one
  </hypothesis>
  <gotchas>
    ### Gotchas &amp; traps

    ` + "```sh" + `
    # no heading
    run &lt;it&gt; &amp; wait
    ` + "```" + `
  </gotchas>
  <details>
    ### Numbers

    | a | b |
    |---|---|
    | 1 | 2 |
  </details>
</context_handoff>
`

const actMarkdownText = `# Context Handoff

## Metadata
- **Project:** webapp
- **Timestamp:** 2026-01-17T10:30:00Z
- **From Session:** abc123
- **To Agent:** claude
- **Format Version:** 1.0
- **Title:** The JWT session
- **Status:** in-progress
- **From:** codex
- **Source file:** discussion/058-codex-response.md
- **thread_url:** https://e.example/t#1
- **tag:** auth
- **tag:** no
- **Work queue items:** autonomy-level-3

## Original Task

Implement "JWT": the login

## Work Completed

- parser written
- tests

### Card A

closed

## Work Remaining

- [ ] fix the clock (priority: high)

## Current State

- **Phase:** 4/6
- **Progress:** 60%
- **Branch:** fix/jwt-expiry
- **Last Commit:** abc1234
- **Blockers:** waiting for staging

Debugging token expiry

## Files Touched

- src/auth.py (created)
- docs/plan.md

## Hypothesis

off by one

` + rest

const suiteText = `# Handoff — 2026-01-17

session_id: abc123
purpose: Implement "JWT": the login
items: autonomy-level-3
title: The JWT session
status: in-progress
project: webapp
from: codex
to: claude
branch: fix/jwt-expiry
source_file: discussion/058-codex-response.md
phase: 4/6
progress: 60
last_commit: abc1234
thread_url: https://e.example/t#1
tag: auth
tag: no
date: 2026-01-17T10:30:00Z

## Hypothesis

off by one

## Current state

Debugging token expiry

## Done

- parser written
- tests

### Card A

closed

## Next

- [ ] fix the clock (priority: high)

## Gotchas & traps

` + "```sh" + `
# no heading
run <it> & wait
` + "```" + `

## Blockers

waiting for staging

## Numbers

| a | b |
|---|---|
| 1 | 2 |

## Files

- src/auth.py (created)
- docs/plan.md
`

const rest = `## Gotchas & traps

` + "```sh" + `
# no heading
run <it> & wait
` + "```" + `

## Numbers

| a | b |
|---|---|
| 1 | 2 |
`

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	_, _, err := write.Write("word", write.Draft{})
	if want := `format "word" cannot be written; writable formats: flow-guardian, company, act-xml, act-md, claude-suite`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, _, err = write.Write("company", write.Draft{Sections: []write.DraftSection{{Kind: parse.Done, Body: strings.Repeat("word ", 60_000)}}})
	if want := "293 KiB of text: the limit of company is 256 KiB"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// What a text would do to the handoff around it, and what is made of it.
func TestWriteContains(t *testing.T) {
	t.Parallel()
	done := func(body string) write.Draft {
		return write.Draft{Sections: []write.DraftSection{{Kind: parse.Done, Body: body}, {Kind: parse.Next, Body: "go on"}}}
	}
	tests := []struct{ name, format, body, want, told string }{
		{"an open fence", "claude-suite", "```sh\nrun", "## Done\n\n\\```sh\nrun\n\n## Next", "Markdown marks at the start of lines of section done"},
		{"an open comment", "claude-suite", "<!-- why\n# not", "## Done\n\n\\<!-- why\n\\# not\n\n## Next", "Markdown marks at the start of lines of section done"},
		{"a heading", "claude-suite", "one\n\n# Two\n\nthree", "## Done\n\none\n\n### Two\n\nthree\n\n## Next", ""},
		{"a handoff", "claude-suite", "<context_handoff>", "## Done\n\n\\<context_handoff>\n\n## Next", "Markdown marks at the start of lines of section done"},
		{"tags", "act-xml", "</work_completed> ]]> &amp;", "    &lt;/work_completed&gt; ]]&gt; &amp;amp;\n", ""},
		{"a control character", "act-xml", "a\x1b[31m", "    a\u241b[31m\n", "U+001B in section done"},
		{"a line that ends one", "flow-guardian", "a\u2028b", `done: "a\u2028b\n"` + "\n", ""},
		{"an indented block", "flow-guardian", "  a\nb", "done: |2\n    a\n  b\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, losses, err := write.Write(tt.format, done(tt.body))
			if err != nil || !strings.Contains(string(text), tt.want) {
				t.Errorf("%v, want %q in\n%s", err, tt.want, text)
			}
			told := ""
			for _, l := range losses {
				told += l.What + "\n"
			}
			if !strings.Contains(told, tt.told) {
				t.Errorf("told %q, want %q", told, tt.told)
			}
		})
	}
}

func TestConvertFitsStatusAndVersion(t *testing.T) {
	t.Parallel()
	flow := parse.Parse(parse.Source{Path: "p/.flow-guardian/handoff.yaml", Bytes: []byte("goal: g\nstatus: blocked\nnow: n\ntimestamp: 2026-01-17T10:30:00Z\n")})[0]
	text, losses, err := write.Convert(flow, "company")
	if err != nil || !strings.Contains(string(text), "status: pending\n") || !strings.Contains(string(text), "work_status: blocked\n") {
		t.Errorf("%v\n%s", err, text)
	}
	if want := (write.Loss{What: `status "blocked"`, Kept: "work_status; the status is pending"}); len(losses) == 0 || losses[0] != want {
		t.Errorf("got %v, want %v", losses, want)
	}
	act := parse.Parse(parse.Source{Path: "p/.act/handoffs/a.xml", Bytes: []byte("<context_handoff><metadata><format_version>1.0</format_version></metadata></context_handoff>")})[0]
	text, losses, err = write.Convert(act, "company")
	if err != nil || !strings.HasPrefix(string(text), "version: 1\n") {
		t.Errorf("%v\n%s", err, text)
	}
	if want := (write.Loss{What: `version "1.0" of act-xml`, Kept: "nothing: company has its own version numbers"}); len(losses) == 0 || losses[0] != want {
		t.Errorf("got %v, want %v", losses, want)
	}
}

// Any draft is written, and read back as one handoff.
func FuzzWrite(f *testing.F) {
	f.Add("goal", "a: b", "Done", "- x\n# y", "src/a.go", uint8(0))
	f.Add("meta.x", "\x00", "---", "```\n<!--", " ", uint8(3))
	for i, l := range parsetest.Lines {
		f.Add("hypothesis", l, l, l+"\n"+parsetest.Lines[(i*7)%len(parsetest.Lines)], l, uint8(i))
	}
	f.Fuzz(func(t *testing.T, key, value, heading, body, path string, n uint8) {
		name := parse.Writable()[int(n)%len(parse.Writable())]
		kind := kinds[int(n/8)%len(kinds)]
		d := write.Draft{
			Title: heading, Fields: []parse.Field{field(key, value), field("meta.other", body)},
			Sections: []write.DraftSection{{Kind: kind, Heading: heading, Body: body}, {Kind: parse.Next, Body: value}, {Kind: kind, Body: heading}},
			Files:    []parse.File{{Path: path, Action: "created"}},
		}
		text, losses, err := write.Write(name, d)
		if err != nil {
			return
		}
		docs := parse.Parse(parse.Source{Path: home[name], Bytes: text})
		if len(docs) != 1 || docs[0].Format != name {
			t.Errorf("reads as %d of %s:\n%q\n%v", len(docs), docs[0].Format, text, losses)
		}
		if lost := lostOf(longWords(usualHeading.ReplaceAllString(strings.ToValidUTF8(value+"\n"+body, " "), "")), name, text, losses); len(lost) > 0 {
			t.Errorf("lost %q of %+v in\n%s\n%v", lost, d, text, losses)
		}
	})
}
