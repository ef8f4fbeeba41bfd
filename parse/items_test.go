package parse_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/parse"
)

func TestItems(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	tests := []struct {
		body string
		want []parse.Item
	}{
		{"- a", []parse.Item{{Text: "a", Line: 7}}},
		{"* a\n+ b\n• c", []parse.Item{{Text: "a", Line: 7}, {Text: "b", Line: 8}, {Text: "c", Line: 9}}},
		{"1. a\n2) b\n10. c", []parse.Item{{Text: "a", Line: 7}, {Text: "b", Line: 8}, {Text: "c", Line: 9}}},
		{"- a\n  - b\n\t- c", []parse.Item{{Text: "a", Line: 7}, {Text: "b", Line: 8}, {Text: "c", Line: 9}}},
		{"- a\n  goes on\n\nnot an item\n- b", []parse.Item{{Text: "a goes on", Line: 7}, {Text: "b", Line: 11}}},
		{"- [ ] a\n- [x] b\n* [X] c\n1. [ ] d", []parse.Item{{Text: "a", Checked: &no, Line: 7}, {Text: "b", Checked: &yes, Line: 8}, {Text: "c", Checked: &yes, Line: 9}, {Text: "d", Checked: &no, Line: 10}}},
		{"- [v] a\n- [✓] b\n- [~] c\n- [link](x) d", []parse.Item{{Text: "a", Checked: &yes, Line: 7}, {Text: "b", Checked: &yes, Line: 8}, {Text: "c", Checked: &no, Line: 9}, {Text: "[link](x) d", Line: 10}}},
		{"- ✅ a\n- ❌ b\n- ⚠️ c\n- ⏳ d\n- ○ e\n- ✓ f", []parse.Item{{Text: "a", Mark: "✅", Line: 7}, {Text: "b", Mark: "❌", Line: 8}, {Text: "c", Mark: "⚠️", Line: 9}, {Text: "d", Mark: "⏳", Line: 10}, {Text: "e", Mark: "○", Line: 11}, {Text: "f", Mark: "✓", Line: 12}}},
		{"✅ a\n❌ b", []parse.Item{{Text: "a", Mark: "✅", Line: 7}, {Text: "b", Mark: "❌", Line: 8}}},
		{"- [x] ✅ a", []parse.Item{{Text: "a", Checked: &yes, Mark: "✅", Line: 7}}},
		{"- ~~a~~ moved", []parse.Item{{Text: "~~a~~ moved", Checked: &yes, Line: 7}}},
		{"- [2026-02-02 10:30] a\n- [10:30] b\n- [12] c", []parse.Item{{Text: "a", Time: "2026-02-02 10:30", Line: 7}, {Text: "b", Time: "10:30", Line: 8}, {Text: "[12] c", Line: 9}}},
		{"- a (priority: high)\n- b (Priority: P0)\n- c (priority = low, ~2h)\n- d (priorité : haute)", []parse.Item{{Text: "a (priority: high)", Priority: "high", Line: 7}, {Text: "b (Priority: P0)", Priority: "critical", Line: 8}, {Text: "c (priority = low, ~2h)", Priority: "low", Line: 9}, {Text: "d (priorité : haute)", Priority: "high", Line: 10}}},
		{"- P1: a\n- [P2] b\n- (p3) c\n- **P0** d\n- P10 e\n- Python f", []parse.Item{{Text: "P1: a", Priority: "high", Line: 7}, {Text: "[P2] b", Priority: "medium", Line: 8}, {Text: "(p3) c", Priority: "low", Line: 9}, {Text: "**P0** d", Priority: "critical", Line: 10}, {Text: "P10 e", Line: 11}, {Text: "Python f", Line: 12}}},
		{"```\n- a\n```\n- b", []parse.Item{{Text: "b", Line: 10}}},
		{"~~~~\n- a\n~~~\n- b\n~~~~\n- c", []parse.Item{{Text: "c", Line: 12}}},
		{"-a\n--- \n1.a\n2026. b\n12345. c\n- \n-", nil},
		{"text\n\nmore", nil},
		{"", nil},
	}
	for _, test := range tests {
		for i := range test.want {
			test.want[i].Section = parse.Done
		}
		if diff := cmp.Diff(test.want, parse.ItemsOf(parse.Done, "", test.body, 7)); diff != "" {
			t.Errorf("%q: want -, got +:\n%s", test.body, diff)
		}
	}
}

// What is asked for is counted as a person would: without the points below an
// item, but in whatever form it is listed.
func TestItemsThatAreAskedFor(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	next := parse.Next
	tests := []struct {
		heading, body string
		want          []parse.Item
	}{
		{"Next", "- a\n  - b\n  goes on\n- c", []parse.Item{{Section: next, Text: "a - b goes on", Line: 7}, {Section: next, Text: "c", Line: 10}}},
		{"Next", "1. a\n   - [ ] b\n2. c", []parse.Item{{Section: next, Text: "a", Line: 7}, {Section: next, Text: "b", Checked: &no, Line: 8}, {Section: next, Text: "c", Line: 9}}},
		{"Next", "- [x] a\n- ~~b~~\n- c", []parse.Item{{Section: parse.Done, Text: "a", Checked: &yes, Line: 7}, {Section: parse.Done, Text: "~~b~~", Checked: &yes, Line: 8}, {Section: next, Text: "c", Line: 9}}},
		{"Next", "**1. Script**\n- write\n- run\n\n**2. Docs**\n   - read", []parse.Item{{Section: next, Text: "Script - write - run", Line: 7}, {Section: next, Text: "Docs - read", Line: 11}}},
		{"Task 2: the gateway", "- open it\n- close it", []parse.Item{{Section: next, Text: "Task 2: the gateway - open it - close it", Line: 6}}},
		{"2. The gateway", "Open it.", []parse.Item{{Section: next, Text: "The gateway", Line: 6}}},
		{"Phase 2", "- open it", []parse.Item{{Section: next, Text: "open it", Line: 7}}},
		{"Next", "| # | Task | Status |\n|---|---|---|\n| 1 | Write **a** | open |\n| 2 | Write b | done |\n| 3 | None | |", []parse.Item{
			{Section: next, Text: "Write **a**", Line: 9}, {Section: parse.Done, Text: "Write b", Line: 10},
		}},
		{"Next", "Push the tag.\nThen rest.\n\nAfterwards:\n\n```\ngit push\n```", []parse.Item{{Section: next, Text: "Push the tag. Then rest.", Line: 7}}},
		{"Next", "None.", nil},
		{"Next", "", nil},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, parse.ItemsOf(next, test.heading, test.body, 7)); diff != "" {
			t.Errorf("%q %q: want -, got +:\n%s", test.heading, test.body, diff)
		}
	}
}

func TestApproaches(t *testing.T) {
	t.Parallel()
	tests := []struct{ line, outcome string }{
		{"- a: ✅ Worked", "worked"},
		{"- a: ❌ Failed because", "failed"},
		{"- a: ⚠️ Partial success", "partial"},
		{"- a: partially", "partial"},
		{"- a succeeded", "worked"},
		{"- a was a success", "worked"},
		{"- a didn't work", "failed"},
		{"- a did not work", "failed"},
		{"- a failed", "failed"},
		{"- a worked", "worked"},
		{"- ✗ a", "failed"},
		{"- ✓ a", "worked"},
		{"❌ a", "failed"},
		{"- le test a échoué", "failed"},
		{"- we networked", ""},
		{"- a unfailing b", ""},
		{"- a", ""},
	}
	for _, test := range tests {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte("# T\n\n## Attempted approaches\n\n" + test.line + "\n")})[0]
		if len(d.Approaches) != 1 || d.Approaches[0].Outcome != test.outcome || d.Approaches[0].Line != 5 {
			t.Errorf("%q: got %v, want outcome %q", test.line, d.Approaches, test.outcome)
		}
		for _, s := range d.Sections {
			var all strings.Builder
			for _, p := range s.Parts {
				all.WriteString(p.Text)
			}
			if s.Parts != nil && all.String() != s.Body {
				t.Errorf("%q: the parts make %q, the body is %q", test.line, all.String(), s.Body)
			}
		}
	}
}

// Escalation is what "grep -l" finds: the words as they stand, anywhere.
func TestEscalation(t *testing.T) {
	t.Parallel()
	const signal = "HUMAN REVIEW NEEDED"
	tests := []struct {
		name, text string
		want       []parse.Line
	}{
		{"body", "# T\n\n" + signal + ": x\n", []parse.Line{{Number: 3, Text: signal + ": x"}}},
		{"heading", "# T\n\n## " + signal + "\n", []parse.Line{{Number: 3, Text: "## " + signal}}},
		{"negated", "No " + signal, []parse.Line{{Number: 1, Text: "No " + signal}}},
		{"inside a word", "x" + signal + "y", []parse.Line{{Number: 1, Text: "x" + signal + "y"}}},
		{"twice in a line", signal + " " + signal, []parse.Line{{Number: 1, Text: signal + " " + signal}}},
		{"two lines", signal + "\r\n\r\n" + signal + "\r\n", []parse.Line{{Number: 1, Text: signal}, {Number: 3, Text: signal}}},
		{"fence", "```\n" + signal + "\n```\n", []parse.Line{{Number: 2, Text: signal}}},
		{"comment", "<!-- " + signal + " -->\n", []parse.Line{{Number: 1, Text: "<!-- " + signal + " -->"}}},
		{"frontmatter", "---\nnote: " + signal + "\n---\ntext\n", []parse.Line{{Number: 2, Text: "note: " + signal}}},
		{"beside invalid bytes", "\xff" + signal + "\x00", []parse.Line{{Number: 1, Text: "\ufffd" + signal + "\ufffd"}}},
		{"other case", "Human review needed", nil},
		{"two lines of words", "HUMAN REVIEW\nNEEDED", nil},
		{"two blanks", "HUMAN REVIEW  NEEDED", nil},
		{"none", "text", nil},
	}
	for _, path := range []string{"a.md", "a.yaml", "a.json", "a.xml", "p/.act/handoffs/a.xml"} {
		for _, test := range tests {
			var got []parse.Line
			for _, d := range parse.Parse(parse.Source{Path: path, Bytes: []byte(test.text)}) {
				got = append(got, d.Escalations...)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s in %s: want -, got +:\n%s", test.name, path, diff)
			}
		}
	}
}

func TestEscalationBehindTheLimit(t *testing.T) {
	t.Parallel()
	text := append(bytes.Repeat([]byte("a b\n"), 1<<20+1), "HUMAN REVIEW NEEDED\n"...)
	d := parse.Parse(parse.Source{Path: "a.md", Bytes: text})[0]
	want := []parse.Line{{Number: 0, Text: "HUMAN REVIEW NEEDED"}}
	if diff := cmp.Diff(want, d.Escalations); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestEscalationOfAnEntryIsItsOwn(t *testing.T) {
	t.Parallel()
	text := "# Log\n\n## 2026-01-03\n\na\n\n## 2026-01-02\n\nHUMAN REVIEW NEEDED\n\n## 2026-01-01\n\nb\n"
	for i, d := range parse.Parse(parse.Source{Path: "a.md", Bytes: []byte(text)}) {
		if got, want := len(d.Escalations) > 0, i == 1; got != want {
			t.Errorf("entry %d: got %v, want %v", i, got, want)
		}
	}
}
