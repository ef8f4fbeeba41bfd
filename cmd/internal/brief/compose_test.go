package brief_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/cmd/internal/brief"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

var kinds = []parse.Kind{parse.Next, parse.Blockers, parse.State, parse.Gotchas, parse.Decisions, parse.Done, parse.Other, parse.Reflection}

// anyHandoff is a handoff of any size, with texts of any kind.
func anyHandoff(t *rapid.T) *index.Handoff {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-zé│日 <>\[\]*.]{0,400}`), rapid.SampledFrom(attempts[:39]))
	section := rapid.Custom(func(t *rapid.T) parse.Section {
		marks := rapid.SliceOfN(rapid.SampledFrom([]string{"- ", "  - ", "1. ", "", "| ", "```\n", "\n", "- [x] "}), 0, 8).Draw(t, "marks")
		var body strings.Builder
		for _, mark := range marks {
			body.WriteString(mark + text.Draw(t, "line") + "\n")
		}
		return parse.Section{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Heading: text.Draw(t, "heading"), Level: rapid.IntRange(0, 4).Draw(t, "level"), Body: body.String()}
	})
	return &index.Handoff{
		Summary: index.Summary{
			ID: rapid.StringMatching(`h_[0-9a-f]{12}`).Draw(t, "id"), Title: text.Draw(t, "title"), Format: "markdown", Path: "/p/HANDOFF.md",
			Date: testNow.Add(-time.Duration(rapid.IntRange(-100, 20_000).Draw(t, "age")) * time.Hour), Branch: text.Draw(t, "branch"),
			States: rapid.SliceOfN(rapid.SampledFrom([]string{"open", "latest", "escalated", "acked"}), 0, 3).Draw(t, "states"),
		},
		Head: text.Draw(t, "head"), Sections: rapid.SliceOfN(section, 0, 6).Draw(t, "sections"),
		Escalations: []parse.Line{{Number: 1, Text: text.Draw(t, "call")}},
	}
}

func anyFacts(t *rapid.T) *brief.Facts {
	list := rapid.SliceOfN(rapid.Custom(anyHandoff), 0, 5)
	f := &brief.Facts{
		Project: rapid.String().Draw(t, "project"), Branch: "main", Agent: rapid.SampledFrom([]string{"", "claude"}).Draw(t, "agent"),
		Handoffs: list.Draw(t, "handoffs"), Foreign: list.Draw(t, "foreign"),
	}
	f.Addressed, f.Escalations, f.Overtaken = f.Handoffs, f.Handoffs, f.Handoffs
	f.Total = len(f.Handoffs) + len(f.Foreign) + rapid.IntRange(0, 2000).Draw(t, "more")
	return f
}

func measured(text string, unit byte) int {
	switch unit {
	case 'b':
		return len(text)
	case 't':
		n := 0
		for _, r := range text {
			if r >= utf8.RuneSelf {
				n += 4
			} else {
				n++
			}
		}
		return (n + 3) / 4
	}
	return utf8.RuneCountInString(text)
}

func TestBudgetHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts(t)
		a, _ := brief.FindAgent(rapid.SampledFrom([]string{"plain", "markdown", "xml", "json"}).Draw(t, "form"))
		budget := brief.Budget{N: rapid.IntRange(600, 12_000).Draw(t, "budget"), Unit: rapid.SampledFrom([]byte("cbt")).Draw(t, "unit")}
		if budget.Unit == 't' {
			budget.N /= 3
		}
		o := brief.ComposeOptions{Budget: budget, Now: testNow}
		b := brief.Compose(f, a.Shape, o)
		if b == nil {
			if !f.Empty() {
				t.Fatal("nothing is told")
			}
			return
		}
		text := a.Write(b)
		if n := measured(text, budget.Unit); n > budget.N {
			t.Errorf("%d of %d%c are used", n, budget.N, budget.Unit)
		}
		if again := a.Write(brief.Compose(f, a.Shape, o)); again != text {
			t.Error("the second time it is another")
		}
	})
}

func TestEachLineIsMarked(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := brief.Compose(anyFacts(t), brief.Plain, brief.ComposeOptions{Budget: brief.Budget{N: 9000, Unit: 'c'}, Now: testNow})
		if b == nil {
			return
		}
		marked := 0
		_, lines, _ := strings.Cut(brief.Plain.Write(b), "\n") // the first explains the mark
		for line := range strings.Lines(lines) {
			if strings.Contains(line, "│") {
				marked++
			}
		}
		want := 0
		for _, block := range b.Blocks {
			for _, l := range block.Lines {
				if l.Quote != "" {
					want++
				}
				if strings.Contains(l.Note, "│") {
					t.Errorf("a note holds the mark: %q", l.Note)
				}
			}
		}
		if marked != want {
			t.Errorf("%d lines are marked, %d quote", marked, want)
		}
	})
}

// Each word that is quoted stands in a handoff.
func TestQuotesAreOfHandoffs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z]{1,9}( [a-z]{1,9}){0,60}`)
		var body strings.Builder
		for _, mark := range rapid.SliceOfN(rapid.SampledFrom([]string{"- ", "  - ", "1. ", "", "| ", "    ", "- [x] "}), 1, 40).Draw(t, "marks") {
			body.WriteString(mark + text.Draw(t, "line") + "\n")
		}
		h := handoff("a", text.Draw(t, "title"), parse.Section{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Heading: "Heading", Level: 2, Body: body.String()})
		all := strings.Join(strings.Fields(h.Title+" ## Heading "+strings.ReplaceAll(body.String(), "|", "")), " ")
		b := brief.Compose(&brief.Facts{Handoffs: []*index.Handoff{h}}, brief.Plain, brief.ComposeOptions{Budget: brief.Budget{N: rapid.IntRange(600, 3000).Draw(t, "budget"), Unit: 'c'}, Now: testNow})
		for _, block := range b.Blocks {
			for _, l := range block.Lines {
				if said := strings.Join(strings.Fields(strings.TrimSuffix(l.Quote, "…")), " "); !strings.Contains(all, said) {
					t.Errorf("%q is of no handoff: %q", said, all)
				}
			}
		}
	})
}

func handoff(id, title string, sections ...parse.Section) *index.Handoff {
	return &index.Handoff{
		Summary:  index.Summary{ID: "h_" + strings.Repeat(id, 12), Title: title, Format: "markdown", Path: "/p/" + id + ".md", Date: testNow.Add(-2 * time.Hour), DatePrecision: "instant", States: []string{"open"}},
		Sections: sections,
	}
}

func section(kind parse.Kind, heading, body string) parse.Section {
	return parse.Section{Kind: kind, Heading: heading, Level: 2, Body: body}
}

// long is a list of n items of some 150 characters.
func long(what string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- %s %c goes on for quite a while, as people write who have much to tell. %s\n", what, 'A'+i, strings.Repeat("It has more. ", 6))
	}
	return b.String()
}

func TestCompose(t *testing.T) {
	t.Parallel()
	next := section(parse.Next, "Next", "- Port chapter 4\n- Fix the loader\n```sh\nmake  load\n```\n- [x] Port chapter 2\n")
	acked := handoff("a", "A", section(parse.State, "State", "HUMAN REVIEW NEEDED: prices are wrong\n"))
	acked.States = []string{"escalated", "acked"}
	keys := handoff("a", "A", section(parse.Next, "next", "- Fix the loader annually — owner: null; when: soon; why: null\n- step: null — owner: bob\n"))
	keys.Path, keys.Sections[0].Level = "/p/a.yaml", 0
	broken := handoff("a", "A")
	broken.Problems = []parse.Problem{{Rule: "flow-guardian.now-required", Line: 1, Message: "no now"}, {Rule: "yaml.syntax", Line: 3, Message: "this is no YAML"}}
	for _, tc := range []struct {
		name     string
		budget   int
		handoffs []*index.Handoff
		want     string
	}{
		{"whole, in its own order", 2000, []*index.Handoff{handoff("a", "A", section(parse.Done, "Done", "- The cache\n"), next)}, `
h_aaaaaa, 2 hours ago
│A
│## Done
│- The cache
│## Next
│- Port chapter 4
│- Fix the loader
│make load
│- [x] Port chapter 2
`},
		{"what is next first", 1000, []*index.Handoff{handoff("a", "A", section(parse.Done, "Done", long("Thing", 9)), section(parse.Blockers, "Blocked", "Access to the vault\n"), next)}, `
h_aaaaaa, 2 hours ago
│A
│## Next
│Port chapter 4
│Fix the loader
│make load
│## Blocked
│Access to the vault
│## Done
│- Thing A goes on for quite a while, as people write who have much to tell. It has more. It has more. It has more. It has more. It has more. It has more.
│- Thing B goes on for quite a while, as people write who have much to tell. It has more. It has more. It has more. It has more. It has more. It has more.
│- Thing C goes on for quite a while, as people write who have much to tell. It has more. It has more. It has more. It has more. It has more. It has more.
│- Thing D goes on for quite a while, as people write who have much to tell. It has more. It has more. It has more. It has more. It has more. It has more.
│- Thing E goes on for quite a while, as people write who have much to tell. It has more. It has more. It has more. It has more. It has more. It has more.
+612 chars: handex show h_aaaaaa
`},
		{"each step, however short", 600, []*index.Handoff{handoff("a", "A", section(parse.Next, "Next", long("Step", 5)))}, `
h_aaaaaa, 2 hours ago
│A
│## Next
│Step A goes on for quite a while, as people write who have much to tell. It has more. It…
│Step B goes on for quite a while, as people write who have much to tell. It has more. It…
│Step C goes on for quite a while, as people write who have much to tell. It has more. It…
│Step D goes on for quite a while, as people write who have much to tell. It has more. It…
│Step E goes on for quite a while, as people write who have much to tell. It has more. It…
+307 chars: handex show h_aaaaaa
`},
		{"what leads to a list goes with it, and nothing stands twice", 600, []*index.Handoff{handoff("a", "Load the night's orders",
			section(parse.Goal, "Goal", "Load the night's orders\n"), section(parse.Done, "Done", long("Thing", 9)),
			section(parse.Next, "Next", "Before the release:\n\n- Fix the loader — owner: null; all\n- Ask Ann about these:\n\nAfter it:\n\n- ~~Nothing~~\n"))}, `
h_aaaaaa, 2 hours ago
│Load the night's orders
│## Next
│Before the release:
│Fix the loader — owner: null; all
│Ask Ann about these:
│## Done
│- Thing A goes on for quite a while, as people write who have much to tell. It has more. It has more. It has more. It has more. It has more. It has more.
│- Thing B goes on for quite a while, as people write who have much to tell. It has more. It has more. It has more. It has more. It has more. It has more.
│- Thing C goes on for quite a while, as people…
+1036 chars: handex show h_aaaaaa
`},
		{"steps that differ by a word are all told", 600, []*index.Handoff{handoff("a", "A", section(parse.Done, "Done", long("Thing", 9)),
			section(parse.Next, "Next", "- api: add the missing tests\n- web: add the missing tests\n"))}, `
h_aaaaaa, 2 hours ago
│A
│## Next
│api: add the missing tests
│web: add the missing tests
│## Done
│- Thing A goes on for quite a while, as people write who have much to tell. It has more. It has more. It has more. It has more. It has more. It has more.
│- Thing B goes on for quite a while, as people write who have much to tell. It has more. It has more. It has more. It has more. It has more. It has more.
│- Thing C goes on for quite a while, as people write who have much to tell. It has more. It…
+968 chars: handex show h_aaaaaa
`},
		{"keys without a value are left out where a format has keys", 2000, []*index.Handoff{keys}, `
h_aaaaaa, 2 hours ago
│A
│next:
│- Fix the loader annually — when: soon
│- owner: bob
`},
		{"a few words in a long step are not the same", 2000, []*index.Handoff{
			handoff("a", "A", section(parse.Next, "Next", "- Check the log of the loader when it ends, and if the seed has run by then, start the server again and look at what the clock says\n")),
			handoff("b", "B", section(parse.Next, "Next", "- Check the clock of the server\n")),
		}, `
h_aaaaaa, 2 hours ago
│A
│## Next
│- Check the log of the loader when it ends, and if the seed has run by then, start the server again and look at what the clock says
h_bbbbbb, 2 hours ago │B
`},
		{"the same step and no other is carried", 2000, []*index.Handoff{
			handoff("a", "A", next), handoff("b", "B", section(parse.Next, "Next", "- Port chapter 3\n- Fix the loader\n")), handoff("c", "C", section(parse.Gotchas, "Gotchas", "- None\n")),
		}, `
h_aaaaaa, 2 hours ago
│A
│## Next
│- Port chapter 4
carried 2× │- Fix the loader
│make load
│- [x] Port chapter 2
h_bbbbbb, 2 hours ago │B
│## Next
│- Port chapter 3
h_cccccc, 2 hours ago │C
`},
		{"what several warn of", 2000, []*index.Handoff{
			handoff("a", "A"), handoff("b", "B", section(parse.Gotchas, "Gotchas", "- The seed sets the clock to 2025\n")),
			handoff("c", "C", section(parse.Gotchas, "Gotchas", "- The seed sets the clock to 2025!\n")),
		}, `
h_aaaaaa, 2 hours ago
│A
Same warning in several handoffs:
2×, h_bbbbbb │- The seed sets the clock to 2025
h_bbbbbb, 2 hours ago │B
h_cccccc, 2 hours ago │C
`},
		{"acknowledged", 2000, []*index.Handoff{acked}, `
h_aaaaaa, 2 hours ago
│A
│## State
acknowledged │HUMAN REVIEW NEEDED: prices are wrong
`},
		{"broken", 2000, []*index.Handoff{broken}, `
h_aaaaaa, 2 hours ago
broken file, line 3 │this is no YAML
│A
`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := &brief.Facts{Total: len(tc.handoffs), Handoffs: tc.handoffs}
			text := brief.Plain.Write(brief.Compose(f, brief.Plain, brief.ComposeOptions{Budget: brief.Budget{N: tc.budget, Unit: 'c'}, Now: testNow}))
			lines := strings.Split(text, "\n")
			if diff := cmp.Diff(tc.want, "\n"+strings.Join(lines[1:len(lines)-2], "\n")+"\n"); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Of what came with a clone three short lines are told.
func TestForeignIsShort(t *testing.T) {
	t.Parallel()
	f := &brief.Facts{Total: 9}
	for range 9 {
		f.Foreign = append(f.Foreign, handoff("a", strings.Repeat("obey ", 99)))
	}
	b := brief.Compose(f, brief.Plain, brief.ComposeOptions{Budget: brief.Budget{N: 8000, Unit: 'c'}, Now: testNow})
	if len(b.Blocks) != 1 || len(b.Blocks[0].Lines) != 3 {
		t.Fatalf("blocks are %v", b.Blocks)
	}
	for _, l := range b.Blocks[0].Lines {
		if n := utf8.RuneCountInString(l.Quote); n > 80 {
			t.Errorf("a line has %d characters", n)
		}
	}
}
