package parse_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/parse"
)

// rulesTold lists "severity rule line" of a file that is found, or about to be
// written.
func rulesTold(path, text string, strict bool, neighbours map[string]string) []string {
	src := parse.Source{Path: path, Bytes: []byte(text), ModTime: modTime, Strict: strict}
	if neighbours != nil {
		src.Neighbour = func(rel string) ([]byte, error) {
			if text, ok := neighbours[rel]; ok {
				return []byte(text), nil
			}
			return nil, errors.New("no such file")
		}
	}
	var out []string
	for _, d := range parse.Parse(src) {
		for _, p := range d.Problems {
			out = append(out, fmt.Sprintf("%s %s %d", p.Severity, p.Rule, p.Line))
		}
	}
	return out
}

func wantTold(t *testing.T, got, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

const flowExample = `# .flow-guardian/handoff.yaml
goal: "Implement user authentication with JWT"
status: in_progress  # in_progress | completed | blocked
now: "Debugging token expiry in auth.py"
hypothesis: "Off-by-one error in timestamp comparison"
outcome: null  # null until resolved, then "success" or description
files:
  - src/auth.py
  - tests/test_auth.py
branch: fix/jwt-expiry
timestamp: 2026-01-17T10:30:00Z
session_id: "abc123"  # Claude Code session ID
`

// The entries of flow-guardian's test plan that are about validity.
func TestFlowGuardianPlan(t *testing.T) {
	t.Parallel()
	t.Run("test_save_validates_required", func(t *testing.T) {
		for _, c := range []struct {
			name, from, to string
			want           []string
		}{
			{"the example is valid", "", "", nil},
			{"goal missing", "goal: \"Implement user authentication with JWT\"\n", "", []string{"error flow-guardian.goal-required 2"}},
			{"goal blank", `"Implement user authentication with JWT"`, `"  "`, []string{"error flow-guardian.goal-required 2"}},
			{"goal no string", `"Implement user authentication with JWT"`, "[a, b]", []string{"error flow-guardian.goal-required 2"}},
			{"goal a number", `"Implement user authentication with JWT"`, "42", []string{"error flow-guardian.goal-required 2"}},
			{"goal a number in a block", `"Implement user authentication with JWT"`, "|\n  42", nil},
			{"goal a number said to be a text", `"Implement user authentication with JWT"`, "!!str 42", nil},
			{"goal in quotes", `"Implement user authentication with JWT"`, `"42"`, nil},
			{"goal of words that are a type elsewhere", `"Implement user authentication with JWT"`, "yes", nil},
			{"goal nested", `goal: "Implement user authentication with JWT"`, "goal:\n  text: x", []string{"error flow-guardian.goal-required 2"}},
			{"goal under another name", "goal:", "purpose:", []string{"error flow-guardian.goal-required 2"}},
			{"goal over several lines", `"Implement user authentication with JWT"`, "|\n  Implement\n  authentication", nil},
			{"status missing", "status: in_progress  #", "#", []string{"error flow-guardian.status-required 2"}},
			{"status null", "status: in_progress", "status: ~", []string{"error flow-guardian.status-required 3"}},
			{"status not in the list", "status: in_progress", "status: in-progress", []string{"error flow-guardian.status-enum 3"}},
			{"status in capitals", "status: in_progress", "status: COMPLETED", []string{"error flow-guardian.status-enum 3"}},
			{"status a list", "status: in_progress", "status: [blocked]", []string{"error flow-guardian.status-enum 3"}},
			{"now empty", `"Debugging token expiry in auth.py"`, `""`, []string{"error flow-guardian.now-required 4"}},
			{"now missing", `now: "Debugging token expiry in auth.py"`, "", []string{"error flow-guardian.now-required 2"}},
			{"timestamp missing", "timestamp: 2026-01-17T10:30:00Z", "", []string{"error flow-guardian.timestamp-required 2"}},
			{"timestamp as the tool writes it", "2026-01-17T10:30:00Z", "'2026-01-17T10:30:00.123456+00:00'", nil},
			{"timestamp without a zone", "2026-01-17T10:30:00Z", "2026-01-17T10:30:00.123456", nil},
			{"timestamp with a blank", "2026-01-17T10:30:00Z", "2026-01-17 10:30:00 +01:00", nil},
			{"timestamp in basic form", "2026-01-17T10:30:00Z", "20260117T103000+0100", nil},
			{"timestamp out of range", "2026-01-17T10:30:00Z", "2026-02-30T10:30:00Z", []string{"error flow-guardian.timestamp-iso8601 11"}},
			{"timestamp in words", "2026-01-17T10:30:00Z", "Jan 17, 2026", []string{"error flow-guardian.timestamp-iso8601 11"}},
			{"files no list", "files:\n  - src/auth.py\n  - tests/test_auth.py", "files: src/auth.py", []string{"warning flow-guardian.field-type 7"}},
			{"session_id a number", `"abc123"`, "123", []string{"warning flow-guardian.field-type 12"}},
			{"optional keys missing", flowExample[strings.Index(flowExample, "hypothesis"):strings.Index(flowExample, "timestamp:")], "", nil},
		} {
			t.Run(c.name, func(t *testing.T) {
				text := strings.Replace(flowExample, c.from, c.to, 1)
				wantTold(t, rulesTold(".flow-guardian/handoff.yaml", text, false, nil), c.want)
			})
		}
	})
}

const companyExample = `version: 1
source_file: discussion/058-codex-response.md
generated_at: "2026-02-09"
from: codex
to: claude
branch: handoff/58-codex-to-claude
work_queue_items:
  - autonomy-level-3
  - safety-gates
files_changed:
  - src/commands/handoff.ts
  - meta/collaboration.yaml
status: pending
sent_at: null
session_key: null
`

var companyNeighbours = map[string]string{
	"collaboration.yaml":                  "participants:\n  - {id: codex, role: builder}\n  - {id: claude}\n",
	"work-queue.yaml":                     "items:\n  - id: autonomy-level-3\n  - id: safety-gates\n",
	"../discussion/058-codex-response.md": "## Done\n\n- x\n",
}

// without is a copy of the neighbours but one.
func without(name string) map[string]string {
	out := map[string]string{}
	for k, v := range companyNeighbours {
		if k != name {
			out[k] = v
		}
	}
	return out
}

// The entries of the protocol's test plan that are about validity.
func TestCompanyPlan(t *testing.T) {
	t.Parallel()
	type mutation struct {
		name, from, to string
		want           []string
	}
	for _, entry := range []struct {
		name  string
		cases []mutation
	}{
		{"Valid manifest passes all structural rules", []mutation{
			{"the example", "", "", nil},
			{"an unquoted date", `"2026-02-09"`, "2026-02-09", nil},
			{"sent", "pending\nsent_at: null", "sent\nsent_at: \"2026-02-09T10:00:00Z\"", nil},
			{"failed", "pending", "failed", nil},
			{"empty lists", "work_queue_items:\n  - autonomy-level-3\n  - safety-gates", "work_queue_items: []", nil},
		}},
		{"Missing `version` treated as legacy (warning, not error)", []mutation{
			{"version missing", "version: 1\n", "", []string{"warning company.version-missing 1"}},
			{"all else wrong", "version: 1\nsource_file: discussion/058-codex-response.md\ngenerated_at: \"2026-02-09\"\nfrom: codex", "from: claude\nstatus: x", []string{"warning company.version-missing 1", "warning yaml.dup-key 11"}},
			{"version wrong is no legacy", "version: 1", "version: 2", []string{"error company.version 1"}},
			{"version a text", "version: 1", "version: '1'", []string{"error company.version 1"}},
		}},
		{"`from === to` rejected", []mutation{
			{"the same", "to: claude", "to: codex", []string{"error company.from-is-to 5"}},
			{"to empty", "to: claude", "to: ''", []string{"error company.to-required 5"}},
			{"from missing", "from: codex\n", "", []string{"error company.from-required 1"}},
		}},
		{"Invalid `status` value rejected", []mutation{
			{"another word", "pending", "done", []string{"error company.status-enum 13"}},
			{"what only logs say", "pending", "received", []string{"error company.status-enum 13"}},
			{"in capitals", "pending", "Pending", []string{"error company.status-enum 13"}},
			{"missing", "status: pending\n", "", []string{"error company.status-required 1"}},
		}},
		{"Invalid `source_file` pattern rejected", []mutation{
			{"two digits", "058-codex", "58-codex", []string{"error company.source-file 2", "warning company.source-missing 2"}},
			{"no response", "codex-response.md", "codex.md", []string{"error company.source-file 2", "warning company.source-missing 2"}},
			{"another folder", "discussion/058", "talk/058", []string{"error company.source-file 2", "warning company.source-missing 2"}},
			{"missing", "source_file: discussion/058-codex-response.md\n", "", []string{"error company.source-file 1"}},
		}},
	} {
		t.Run(entry.name, func(t *testing.T) {
			for _, c := range entry.cases {
				t.Run(c.name, func(t *testing.T) {
					text := strings.Replace(companyExample, c.from, c.to, 1)
					wantTold(t, rulesTold("meta/handoff.yaml", text, false, companyNeighbours), c.want)
				})
			}
		})
	}
}

// The protocol's contextual rules warn, and so do neighbours that are not there.
func TestCompanyContext(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, from, to string
		neighbours     map[string]string
		want           []string
	}{
		{"7: unknown participants", "from: codex", "from: gemini", companyNeighbours, []string{"warning company.participant-unknown 4"}},
		{"7: no collaboration.yaml", "", "", without("collaboration.yaml"), []string{"warning company.collaboration-missing 4"}},
		{"8: no source_file", "", "", without("../discussion/058-codex-response.md"), []string{"warning company.source-missing 2"}},
		{"9: unknown item", "- safety-gates", "- safety-gate", companyNeighbours, []string{"warning company.work-item-unknown 9"}},
		{"9: no work-queue.yaml", "", "", without("work-queue.yaml"), []string{"warning company.work-queue-missing 7"}},
		{"9: no items, no queue", "work_queue_items:\n  - autonomy-level-3\n  - safety-gates", "work_queue_items: []", without("work-queue.yaml"), nil},
		{"10: parent folder", "src/commands/handoff.ts", "src/../../x.ts", companyNeighbours, []string{"warning company.files-changed-path 11"}},
		{"10: absolute", "src/commands/handoff.ts", "/etc/passwd", companyNeighbours, []string{"warning company.files-changed-path 11"}},
		{"10: absolute elsewhere", "src/commands/handoff.ts", `C:\x.ts`, companyNeighbours, []string{"warning company.files-changed-path 11"}},
		{"nobody to ask", "", "", nil, nil},
		{"legacy", "version: 1\n", "", map[string]string{"../discussion/058-codex-response.md": "x"}, []string{"warning company.version-missing 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(companyExample, c.from, c.to, 1)
			wantTold(t, rulesTold("meta/handoff.yaml", text, false, c.neighbours), c.want)
		})
	}
}

const actExample = `<context_handoff>
  <metadata>
    <project>ACT v2.5</project>
    <timestamp>2026-02-02T10:30:00Z</timestamp>
    <from_session>main-session-abc</from_session>
  </metadata>
  <original_task>
    Implement Phase 4 of ACT v2.5 framework
  </original_task>
  <work_completed>
    - Created specs/SPEC-context-handoff.md
  </work_completed>
  <work_remaining>
    - Create commands/act/handoff.md
  </work_remaining>
  <current_state>
    Phase: 4/6
    Progress: 60%
  </current_state>
</context_handoff>
`

const actMarkdown = `# Context Handoff

## Metadata
- **Project:** ACT v2.5
- **Timestamp:** 2026-02-02T10:30:00Z
- **From Session:** main-session-abc

## Original Task
Implement Phase 4 of ACT v2.5 framework

## Work Completed
- Created specs/SPEC-context-handoff.md

## Work Remaining
- Create commands/act/handoff.md

## Current State
- **Phase:** 4/6
- **Progress:** 60%
`

// ACT's four validation rules, in both forms, for a file about to be written
// (errors) and for one that is found (warnings). A place is that in the XML
// form.
func TestACTValidation(t *testing.T) {
	t.Parallel()
	type mutation struct {
		name     string
		xml, md  [2]string
		rule     string
		xmlLine  int
		markLine int
	}
	none := [2]string{}
	for _, entry := range []struct {
		name  string
		cases []mutation
	}{
		{"1. Have all required fields populated", []mutation{
			{"all", none, none, "", 0, 0},
			{"project", [2]string{"<project>ACT v2.5</project>", ""}, [2]string{"- **Project:** ACT v2.5\n", ""}, "project-required", 1, 1},
			{"project empty", [2]string{"ACT v2.5</project>", "</project>"}, [2]string{"** ACT v2.5\n", "**\n"}, "project-required", 3, 1},
			{"timestamp", [2]string{"<timestamp>2026-02-02T10:30:00Z</timestamp>", ""}, [2]string{"- **Timestamp:** 2026-02-02T10:30:00Z\n", ""}, "timestamp-required", 1, 1},
			{"from_session", [2]string{"main-session-abc", "{{SESSION_ID}}"}, [2]string{"main-session-abc", "{{SESSION_ID}}"}, "from-session-required", 5, 6},
			{"original_task", [2]string{"Implement Phase 4 of ACT v2.5 framework", "<!-- task -->"}, [2]string{"Implement Phase 4 of ACT v2.5 framework", "{{ORIGINAL_TASK}}"}, "original-task-required", 7, 8},
			{"work_completed", [2]string{"- Created specs/SPEC-context-handoff.md", ""}, [2]string{"- Created specs/SPEC-context-handoff.md", ""}, "work-completed-required", 10, 11},
			{"current_state", [2]string{"Phase: 4/6\n    Progress: 60%", ""}, [2]string{"- **Phase:** 4/6\n- **Progress:** 60%\n", ""}, "current-state-required", 16, 17},
		}},
		{"2. Have a valid ISO 8601 timestamp", []mutation{
			{"in words", [2]string{"2026-02-02T10:30:00Z", "Feb 2"}, [2]string{"2026-02-02T10:30:00Z", "Feb 2"}, "timestamp-iso8601", 4, 5},
			{"no such day", [2]string{"2026-02-02T", "2026-02-31T"}, [2]string{"2026-02-02T", "2026-02-31T"}, "timestamp-iso8601", 4, 5},
			{"with a zone", [2]string{"10:30:00Z", "10:30+01:00"}, [2]string{"10:30:00Z", "10:30+01:00"}, "", 0, 0},
		}},
		{"3. Have at least one item in `work_remaining` OR be marked as complete", []mutation{
			{"no item", [2]string{"- Create commands/act/handoff.md", ""}, [2]string{"- Create commands/act/handoff.md", ""}, "work-remaining", 13, 14},
			{"none", [2]string{"- Create commands/act/handoff.md", "None"}, [2]string{"- Create commands/act/handoff.md", "None"}, "work-remaining", 13, 14},
			{"no section", [2]string{"<work_remaining>\n    - Create commands/act/handoff.md\n  </work_remaining>", ""}, [2]string{"## Work Remaining\n- Create commands/act/handoff.md\n", ""}, "work-remaining", 1, 1},
			{"complete by status", [2]string{"- Create commands/act/handoff.md\n  </work_remaining>\n  <current_state>", "</work_remaining>\n  <current_state>\nStatus: complete"}, [2]string{"- Create commands/act/handoff.md\n\n## Current State\n", "\n## Current State\n- **Status:** complete\n"}, "", 0, 0},
			{"complete by progress", [2]string{"- Create commands/act/handoff.md\n  </work_remaining>\n  <current_state>\n    Phase: 4/6\n    Progress: 60%", "</work_remaining>\n  <current_state>\n    Phase: 6/6\n    Progress: 100%"}, [2]string{"- Create commands/act/handoff.md\n\n## Current State\n- **Phase:** 4/6\n- **Progress:** 60%", "\n## Current State\n- **Phase:** 6/6\n- **Progress:** 100%"}, "", 0, 0},
		}},
		{"4. Have consistent phase/progress values", []mutation{
			{"beyond the last phase", [2]string{"4/6", "7/6"}, [2]string{"4/6", "7/6"}, "phase-progress", 17, 18},
			{"beyond 100 %", [2]string{"60%", "120%"}, [2]string{"60%", "120%"}, "phase-progress", 18, 19},
			{"below 0 %", [2]string{"60%", "-5%"}, [2]string{"60%", "-5%"}, "phase-progress", 18, 19},
			{"100 % before the last phase", [2]string{"60%", "100%"}, [2]string{"60%", "100%"}, "phase-progress", 17, 18},
			{"100 % in the last phase", [2]string{"4/6\n    Progress: 60%", "6/6\n    Progress: 100%"}, [2]string{"4/6\n- **Progress:** 60%", "6/6\n- **Progress:** 100%"}, "", 0, 0},
			{"a name behind the phase", [2]string{"4/6", "2/3 (Testing)"}, [2]string{"4/6", "2/3 (Testing)"}, "", 0, 0},
			{"a progress in words", [2]string{"60%", "most of it"}, [2]string{"60%", "most of it"}, "", 0, 0},
		}},
	} {
		t.Run(entry.name, func(t *testing.T) {
			for _, c := range entry.cases {
				t.Run(c.name, func(t *testing.T) {
					xml := strings.Replace(actExample, c.xml[0], c.xml[1], 1)
					md := strings.Replace(actMarkdown, c.md[0], c.md[1], 1)
					wantACT(t, ".act/handoffs/2026-02-02-1030.xml", xml, "act-xml."+c.rule, c.xmlLine)
					wantACT(t, ".act/handoffs/2026-02-02-1030.md", md, "act-md."+c.rule, c.markLine)
				})
			}
		})
	}
}

func wantACT(t *testing.T, path, text, rule string, line int) {
	t.Helper()
	for _, strict := range []bool{false, true} {
		var want []string
		if line > 0 {
			want = []string{fmt.Sprintf("%s %s %d", map[bool]string{false: "warning", true: "error"}[strict], rule, line)}
		}
		wantTold(t, rulesTold(path, text, strict, nil), want)
	}
}

const contractExample = `# Handoff — 2026-02-01

session_id: 4be1f07a-0000-4000-8000-000000000000
purpose: gates hold: the budget next

` + contractSections

const contractSections = `## Done

- Gates.

## Next

- Budget.

HUMAN REVIEW NEEDED: the keys.
`

// The list of what the contract calls stable.
func TestContractStableList(t *testing.T) {
	t.Parallel()
	const place = "/home/a/.claude/handoffs/-home-a-code/b4db9cba.md"
	for _, entry := range []struct {
		name, path, from, to string
		want                 []string
	}{
		{"Handoff directory location and path encoding/valid", place, "", "", nil},
		{"Handoff directory location and path encoding/a later home", "/home/a/code/.bon/handoffs/x.md", "", "", nil},
		{"Handoff directory location and path encoding/version 1", "/home/a/.claude/handoffs/-home-a-my_code/x.md", "", "", []string{"claude-suite.encoding 0"}},
		{"Metadata fields: `session_id`, `purpose`/no session_id", place, "session_id: 4be1f07a-0000-4000-8000-000000000000\n", "", []string{"claude-suite.session-id 1"}},
		{"Metadata fields: `session_id`, `purpose`/no purpose", place, "purpose: gates hold: the budget next\n", "", []string{"claude-suite.purpose 1"}},
		{"Metadata fields: `session_id`, `purpose`/empty purpose", place, "purpose: gates hold: the budget next", "purpose:", []string{"claude-suite.purpose 1"}},
		{"Metadata fields: `session_id`, `purpose`/in bold", place, "purpose: gates", "**Purpose:** gates", []string{"claude-suite.purpose 4"}},
		{"Metadata fields: `session_id`, `purpose`/far down", place, "purpose:", "\n\n\npurpose:", []string{"claude-suite.metadata-place 7"}},
		{"Escalation signal: `HUMAN REVIEW NEEDED` as grep target/other letters", place, "HUMAN REVIEW NEEDED", "Human Review Needed", []string{"claude-suite.signal-case 14"}},
		{"Escalation signal: `HUMAN REVIEW NEEDED` as grep target/in prose", place, "HUMAN REVIEW NEEDED: the keys.", "There is no human review needed.", nil},
		{"File format: markdown with sections/no section", place, contractSections, "All done.\n", []string{"claude-suite.sections 1"}},
		{"File format: markdown with sections/other headings", place, "## Done", "## For the next Claude", nil},
		{"File format: markdown with sections/title", place, "# Handoff — 2026-02-01", "# Handoff", []string{"claude-suite.title-line 1"}},
		{"File format: markdown with sections/no such day", place, "2026-02-01", "2026-02-31", []string{"claude-suite.title-line 1"}},
		{"File format: markdown with sections/title of the hook", place, "# Handoff — 2026-02-01", "# Handoff — 2026-02-01 (auto)", nil},
	} {
		t.Run(entry.name, func(t *testing.T) {
			text := strings.Replace(contractExample, entry.from, entry.to, 1)
			for _, strict := range []bool{false, true} {
				want := slices.Clone(entry.want)
				for i := range want {
					want[i] = map[bool]string{false: "warning ", true: "error "}[strict] + want[i]
				}
				wantTold(t, rulesTold(entry.path, text, strict, nil), want)
			}
		})
	}
}
