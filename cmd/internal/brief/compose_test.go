package brief_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"handex/cmd/internal/brief"
)

// anyFacts are facts of any size, with texts of any kind.
func anyFacts(t *rapid.T) *brief.Facts {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-zé│日 <>\[\]*.]{0,400}`), rapid.SampledFrom(attempts[:39]))
	item := rapid.Custom(func(t *rapid.T) brief.Item {
		return brief.Item{
			Text: text.Draw(t, "text"), ID: rapid.StringMatching(`h_[0-9a-f]{12}`).Draw(t, "id"),
			Date: testNow.Add(-time.Duration(rapid.IntRange(-100, 20_000).Draw(t, "age")) * time.Hour), Count: rapid.IntRange(1, 9).Draw(t, "count"),
		}
	})
	items := rapid.SliceOfN(item, 0, 12)
	f := &brief.Facts{
		Project: text.Draw(t, "project"), Total: rapid.IntRange(1, 2000).Draw(t, "total"), Agent: rapid.SampledFrom([]string{"", "claude"}).Draw(t, "agent"),
		Escalations: items.Draw(t, "escalations"), Overtaken: items.Draw(t, "overtaken"), State: items.Draw(t, "state"), Next: items.Draw(t, "next"),
		Blockers: items.Draw(t, "blockers"), Gotchas: items.Draw(t, "gotchas"), Failed: items.Draw(t, "failed"), Earlier: items.Draw(t, "earlier"),
		Foreign: items.Draw(t, "foreign"), Terms: rapid.SliceOfN(rapid.StringMatching(`[a-z/_.]{4,20}`), 0, 60).Draw(t, "terms"),
		Comments: rapid.IntRange(0, 2).Draw(t, "comments"),
	}
	if rapid.Bool().Draw(t, "last") {
		f.Last = &brief.Last{Item: item.Draw(t, "newest"), Format: "markdown", Branch: text.Draw(t, "branch")}
	}
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
			if f.Last != nil || len(f.Foreign) > 0 {
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
		f := anyFacts(t)
		b := brief.Compose(f, brief.Plain, brief.ComposeOptions{Budget: brief.Budget{N: 9000, Unit: 'c'}, Now: testNow})
		if b == nil {
			return
		}
		marked := 0
		for line := range strings.Lines(brief.Plain.Write(b)) {
			if strings.Contains(line, "│ ") {
				marked++
			}
		}
		want := 2 // what the mark means, and the project
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

// What a large budget adds comes behind what fits into 2,000 characters.
func TestFirstPartStandsAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts(t)
		compose := func(n int) *brief.Briefing {
			return brief.Compose(f, brief.Plain, brief.ComposeOptions{Budget: brief.Budget{N: n, Unit: 'c'}, Now: testNow})
		}
		small, large := compose(2000), compose(9000)
		if small == nil {
			return
		}
		first := *large
		first.Blocks, first.Closing = large.Blocks[:large.First], small.Closing
		if got, want := brief.Plain.Write(&first), brief.Plain.Write(small); got != want {
			t.Errorf("it begins with\n%s\nand not with\n%s", got, want)
		}
	})
}
