package parse_test

import (
	"slices"
	"testing"

	"github.com/OWNER/handex/parse"
)

// What the lines of a handoff say of now: whether something stops the work, and
// whether a person is asked for something.
func TestStatesOfLines(t *testing.T) {
	t.Parallel()
	tests := []struct {
		section, line    string
		blocked, waiting bool
	}{
		{"Current state", "Deploy is blocked on the certificate.", true, false},
		{"Current state", "- [BLOCKED] the importer", true, false},
		{"Current state", "Current blocker: no access to staging", true, false},
		{"Current state", "| Main blocker | the quota |", true, false},
		{"Current state", "| API | blocked |", true, false},
		{"Current state", "| API | HOLD — until Monday |", true, false},
		{"Current state", "PR 12 awaits review.", true, false},
		{"Current state", "Waiting for the mirror to answer.", true, false},
		{"Current state", "We cannot proceed until the key is there.", true, false},
		{"Current state", "Der Import ist blockiert durch das Zertifikat.", true, false},
		{"Current state", "En attente de la clé.", true, false},
		{"Current state", "等待上游修复", true, false},
		{"Current state", "Nothing is blocked.", false, false},
		{"Current state", "No longer blocked on the certificate.", false, false},
		{"Current state", "It was blocked by the proxy.", false, false},
		{"Current state", "Non-blocking lints remain.", false, false},
		{"Current state", "0 blocking issues.", false, false},
		{"Current state", "Current blocker: none", false, false},
		{"Current state", "If it is blocked by the proxy, restart it.", false, false},
		{"Current state", "~~Blocked on the certificate~~", false, false},
		{"Current state", "- [x] blocked on the certificate", false, false},
		{"Current state", "- 4 — item: import, blocked on the key; status: started", true, false},
		{"Current state", "- 4 — item: import, blocked on the key; status: completed", false, false},
		{"Current state", "const a = await load();", false, false},
		{"Done", "Waited, as it was blocked on the key; now blocked on nothing.", false, false},
		{"Blockers", "- the mirror answers nobody — id: B-2; resolved: false", true, false},
		{"Blockers", "- The migration is not done, so nothing can be deployed", true, false},
		{"Blockers", "- Wait until the review is done", true, false},
		{"Blockers", "The release is held until PR 7 is landed.", true, false},
		{"Blockers", "None of us has the key", true, false},
		{"Blockers", "- ~~The mirror~~", false, false},
		{"Blockers", "- The mirror: resolved", false, false},
		{"Blockers", "- [x] The mirror", false, false},
		{"Blockers", "- None expected", false, false},
		{"Blockers", "{{BLOCKERS}}", false, false},
		{"Current state", "The user needs to approve the plan.", false, true},
		{"Current state", "Needs your decision before the tag.", false, true},
		{"Current state", "Requires user input.", false, true},
		{"Current state", "Needs Markus's OK.", false, true},
		{"Current state", "awaiting_human_uat", true, true},
		{"Current state", "- pick a name — owner: user; since: Monday", false, true},
		{"Current state", "Manual verification is needed by @human.", false, true},
		{"Current state", "Continue once the user verifies it.", false, true},
		{"Current state", "It requires a human and cannot be delegated.", false, true},
		{"Current state", "USER ACTION REQUIRED", false, true},
		{"Current state", "Ask the user whether to go on.", false, true},
		{"Current state", "À valider par Manu", false, true},
		{"Current state", "사용자 확인 필요", false, true},
		{"Current state", "需要用户确认", false, true},
		{"Current state", "No user action needed.", false, false},
		{"Current state", "改进建议 (非阻塞)", false, false},
		{"Current state", "已知依赖（可能阻塞 B2-002）", false, false},
		{"Current state", "Approved by the user.", false, false},
		{"Current state", "The user interface needs tests.", false, false},
		{"Current state", "If anything fails, ask the user.", false, false},
		{"Current state", "Sign-up (should require approval)", false, false},
		{"Gotchas", "- Never push: ask the user first", false, false},
		{"Owner actions", "- rotate the key", false, true},
		{"Owner actions", "None.", false, false},
		{"Current state", "Wir warten auf den Schlüssel.", true, false},
		{"Current state", "Push the tag (Markus's hands)", false, true},
		{"Current state", "The mod must decide.", false, true},
		{"Current state", "- [X] blocked on the certificate", false, false},
		{"Blockers", "- ✔ The mirror", false, false},
		{"Needs your decision (DONE)", "- the name", false, false},
	}
	for _, test := range tests {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte("# T\n\n## " + test.section + "\n\n" + test.line + "\n")})[0]
		if d.Blocked != test.blocked || d.Waiting != test.waiting {
			t.Errorf("%s: %q: blocked %v, waiting %v, want %v, %v", test.section, test.line, d.Blocked, d.Waiting, test.blocked, test.waiting)
		}
		for _, l := range append(d.BlockedBy, d.WaitsFor...) {
			if l.Number != 5 && (l.Number != 3 || test.section != "Owner actions") {
				t.Errorf("%q: evidence on line %d", test.line, l.Number)
			}
		}
	}
}

// The lines of what blocks are those of the file, whatever the shape of that.
func TestLinesOfStatesInJSON(t *testing.T) {
	t.Parallel()
	text := "{\n  \"blockers\": [\n    {\n      \"id\": \"k\",\n      \"title\": \"the key\"\n    },\n    {\n      \"id\": \"m\",\n      \"title\": \"the mirror\"\n    }\n  ]\n}\n"
	d := parse.Parse(parse.Source{Path: "handoff.json", Bytes: []byte(text)})[0]
	var numbers []int
	for _, l := range d.BlockedBy {
		numbers = append(numbers, l.Number)
	}
	if !slices.Equal(numbers, []int{3, 7}) {
		t.Errorf("blocked by lines %d of %+v, want 3 and 7", numbers, d.BlockedBy)
	}
}
