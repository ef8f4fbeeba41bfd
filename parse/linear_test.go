package parse_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/index/testkit"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

// A hostile text is a unit repeated behind a start; it is read by the format of
// its path.
var hostile = []struct{ name, start, unit string }{
	{"nested list in one line", "", "- "},
	{"nested stars in one line", "", "* "},
	{"nested numbers in one line", "", "1. "},
	{"nested quotes", "", ">"},
	{"nested quotes with spaces", "", "> "},
	{"quotes by line", "", "> a\n"},
	{"lazy quotes", "> a\n", "a\n"},
	{"staircase list", "", "- a\n  "},
	{"list lines", "", "- a\n"},
	{"empty list lines", "", "-\n"},
	{"ticked list", "", "- [x] done (priority: high)\n"},
	{"numbered list", "", "1. a\n"},
	{"marked lines", "", "✅ a\n"},
	{"list items with continuation lines", "# T\n\n## Next\n\n", "- a\n  b\n  c\n"},
	{"one item continued", "## Next\n\n- a\n", "b\n"},
	{"link openings", "", "[a]("},
	{"brackets", "", "["},
	{"closing brackets", "", "]"},
	{"images", "", "![a]("},
	{"bracket pairs", "", "[]"},
	{"links", "", "[a](b)"},
	{"emphasis", "", "**_* "},
	{"stars", "", "*"},
	{"underscores", "", "_"},
	{"stars and underscores", "", "*_"},
	{"strikes", "", "~~a "},
	{"back quotes", "", "`"},
	{"back quotes growing", "", "` `` ``` "},
	{"code spans", "", "`a` "},
	{"autolinks", "", "<a"},
	{"comment openings", "", "<!--"},
	{"comment openings by line", "", "<!--\n"},
	{"html blocks", "", "<div>\n"},
	{"html lines", "", "<a>\n\n"},
	{"instructions", "", "<?"},
	{"entities", "", "&amp;"},
	{"backslashes", "", "\\"},
	{"hard breaks", "", "a  \n"},
	{"reference definitions", "", "[a]: b\n"},
	{"reference titles", "", "[a]: b 'c\n"},
	{"references", "", "[a][b] "},
	{"footnotes", "", "[^a]: b\n\n"},
	{"table of one column", "|a|\n|-|\n", "|a|\n"},
	{"table of two columns", "|a|b|\n|-|-|\n", "| **a** | b |\n"},
	{"table row", "", "a|"},
	{"table of many columns", "|" + strings.Repeat("a|", 200) + "\n|" + strings.Repeat("-|", 200) + "\n", "|a\n"},
	{"headings", "", "# a\n"},
	{"headings with text", "", "## a b c\n\ntext\n\n"},
	{"deep headings", "", "###### a\n"},
	{"empty headings", "", "#\n"},
	{"one long heading", "# ", "a "},
	{"one long heading with a date", "# Handoff 2026-01-01 ", "a "},
	{"headings of aliases", "", "## Next steps for the gateway\n- a\n"},
	{"distinct headings", "", "## %d\n"},
	{"dated headings", "", "## 2026-01-01\n"},
	{"dated headings with text", "# Log\n\n", "## 2026-01-01 — a\n\n**Status:** done\n\n- a\n"},
	{"session headings", "", "## Session 1\n\na\n"},
	{"underlines", "", "a\n===\n"},
	{"paragraph over an underline", "", "a\n---\n"},
	{"paragraph never underlined", "", "a = b\n"},
	{"rules", "", "---\n"},
	{"star rules", "", "***\n"},
	{"one long rule", "", "-"},
	{"one long underline", "a\n", "="},
	{"frontmatter never closed", "---\n", "key: value\n"},
	{"frontmatter of one key", "---\nkey: ", "value "},
	{"frontmatter of blank lines", "---\n", "\n"},
	{"fences opened and closed", "", "```\n"},
	{"fences never closed", "", "```a\n"},
	{"fences growing", "", "```a\n````b\n`````c\n"},
	{"fences in turns", "", "```a\n~~~b\n"},
	{"fences with headings", "", "```a\n# b\n"},
	{"fence lines behind text", "# a\n", "text\n```x\n"},
	{"one line", "", "word "},
	{"one long word", "", "a"},
	{"blank lines", "", "\n"},
	{"spaces", "", " "},
	{"tabs", "", "\t"},
	{"indented code", "", "    a\n"},
	{"bold labels by line", "", "**x:** y\n"},
	{"bold labels in one line", "", "**x:** y "},
	{"bold labels below a title", "# T\n\n", "**x:** y\n"},
	{"bold labels that split", "# T\n\ntext\n\n", "**Blockers:** y\n"},
	{"bold labels that split in one line", "# T\n\ntext\n\n", "**Blockers:** y "},
	{"metadata section", "## Metadata\n", "**status:** done\n"},
	{"metadata section in one line", "## Metadata\n", "**status:** done "},
	{"key headings", "", "## Status: done\n"},
	{"bold never closed", "", "**x: "},
	{"bold labels never closed", "", "**x\n"},
	{"plain labels", "", "status: done\n"},
	{"plain labels of one line", "", "status: done "},
	{"plain prelude", "# Handoff — 2026-01-01\n\nsession_id: a\n", "purpose: b\n"},
	{"colons", "", ":"},
	{"wide colons", "", "："},
	{"bars", "", "|"},
	{"state lines", "## Current state\n\n", "Phase: 4/6 | Branch: a\n"},
	{"state in one line", "## Current state\n\n", "Phase: 4/6 | Branch: a | "},
	{"blockers in the state", "## Current state\n\n", "Blockers: a\nb\n"},
	{"approaches in turns", "## Attempted approaches\n\n", "- a ✅\n- b ❌\n"},
	{"approaches of one outcome", "## Attempted approaches\n\n", "- a ✅\n"},
	{"files", "## Files changed\n\n", "- a/b.go (created)\n"},
	{"files in one line", "## Files changed\n\n- ", "a/b.go "},
	{"folders", "## Files changed\n\n- ", "a/"},
	{"dots", "## Files changed\n\n- ", "a."},
	{"files anywhere", "", "a/b.go "},
	{"files in back quotes", "", "`a/b/` "},
	{"files in brackets", "", "(a.go "},
	{"open brackets before a file", "(", "["},
	{"commits", "commit ", "abc1234 "},
	{"commits by line", "# Commits\n\n", "- `abc1234` a\n"},
	{"branches", "", "branch `a` "},
	{"branches by line", "", "on `a/b` commits\n"},
	{"statuses", "Status: x ", "done "},
	{"waiting", "## Next\n\n", "waiting for the user "},
	{"waiting by line", "## Next\n\n", "- waiting for the user\n"},
	{"blocked by line", "## Next\n\n", "- blocked by a\n"},
	{"files of one list item", "## Files changed\n\n- ", "a/b.go, "},
	{"tables to do", "## Next\n\n| Task | Status |\n|-|-|\n", "| a | open |\n"},
	{"paragraphs to do", "## Next\n\n", "a\n\n"},
	{"points of an item", "## Next\n\n- a\n", "  - b\n"},
	{"bold numbers", "## Next\n\n", "**1. a**\n"},
	{"labels alone", "", "**Next steps:**\n\na\n\n"},
	{"bracket pairs in a heading", "## ", "(a) "},
	{"long words of a heading without spaces", "## ", "完成"},
	{"dates below headings", "", "## a\n**Date:** 2026-01-01\n\n"},
	{"dates", "", "2026-01-01 "},
	{"days that are none", "", "2026-99-99 "},
	{"digits", "", "20"},
	{"date in the title", "# Handoff ", "2026-13-01 "},
	{"status of many words", "**Status:** ", "a "},
	{"escalations", "", "HUMAN REVIEW NEEDED\n"},
	{"escalations in one line", "", "HUMAN REVIEW NEEDED "},
	{"lines ended by CR", "", "a\r"},
	{"lines ended by CRLF", "", "# a\r\n"},
	{"NUL", "", "\x00"},
	{"invalid bytes", "", "\xff"},
	{"wide characters", "", "日"},
	{"wide headings", "", "## 次のステップ\n"},
	{"combining characters", "a", "\u0301"},
	{"none", "## Blockers\n\n", "none "},
	{"none by line", "## Blockers\n\n", "- none\n"},
	{"brackets in a heading", "# ", "(a"},
	{"dashes in a heading", "# ", "a — "},
	{"numbers in a heading", "# ", "1.1 "},
}

// Texts of other formats, which Parse makes many handoffs or problems of.
var hostileFormats = []struct{ path, start, unit string }{
	{"dispatch.json", "[", `{"date": "2026-01-01", "blockers": ["a"]},` + "\n"},
	{"dispatch.json", "", `{"date": "2026-01-01"}` + "\n"},
	{"p/.planning/HANDOFF.json", "{", `"blockers": [],` + "\n"},
	{"p/meta/handoff-log.yaml", "entries:\n", "  - from: a\n"},
	{"p/meta/handoff-log.yaml", "entries:\n", "  - {}\n"},
	{"p/meta/handoff.yaml", "files_changed:\n", "  - ../a\n"},
	{"p/meta/handoff.yaml", "version: 1\nfiles_changed:\n", "  - \"\\x2f\"\n"},
	{"p/meta/handoff.yaml", "version: 1\nwork_queue_items:\n", "  - \"\\x41\"\n"},
	{"p/meta/handoff.yaml", "version: 1\nwork_queue_items: [", "a%d,"},
	{"p/.flow-guardian/handoff.yaml", "", "# a\n"},
	{"h/.claude/handoffs/-a/x.md", "# Handoff — 2026-01-01\n", "Human review needed\n"},
	{"h/.claude/handoffs/-a/x.md", "# Handoff — 2026-01-01\n", "- > "},
	{"h/.claude/handoffs/-a/x.md", "# Handoff — 2026", "-01"},
	{"h/.claude/handoffs/-a/x.md", "# Handoff log\n", "## 2026-01-01\n\npurpose: a\n\n"},
	{"p/.act/handoffs/a.xml", "<context_handoff>\n<original_task>\n", "{{A}}\n"},
	{"p/.flow-guardian/handoff.yaml", "", "goal:\n"},
	{"p/.flow-guardian/handoff.yaml", "goal: |\n", "  a\n"},
	{"p/.act/handoffs/a.xml", "<context_handoff>", "<current_state>Phase: 1/2</current_state>\n"},
	{"p/.act/handoffs/a.xml", "<current_state>\n", "Phase: 1/2 | Blockers: a\n"},
	{"p/.act/handoffs/a.xml", "<work_completed>\n", "# a\n- b\n"},
	{"p/.act/handoffs/a.xml", "", "<a>\n"},
	{"p/.continue-here.md", "---\n", "a: b\n"},
	{"whats-next.md", "<original_task>\n</original_task>\n<work_remaining>\n", "- a\n"},
}

// hostileSize is the size of a hostile text. What takes hangs for it is far above
// what any machine takes (milliseconds), and far below what it takes where the
// time is quadratic. A fourth of the size of a long run takes a sixteenth of the
// time then, so a tenth of the time finds the same.
func hostileSize() (bytes int, hangs time.Duration) {
	if testkit.Long() {
		return 256 << 10, 30 * time.Second
	}
	return 64 << 10, 3 * time.Second
}

func TestHostileFormatsDoNotHang(t *testing.T) {
	t.Parallel()
	size, hangs := hostileSize()
	for _, h := range hostileFormats {
		t.Run(h.path+" "+h.unit, func(t *testing.T) { checkReads(t, h.path, grown(h.start, h.unit, size), hangs) })
	}
}

func TestHostileMarkdownDoesNotHang(t *testing.T) {
	t.Parallel()
	size, hangs := hostileSize()
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) { checkReads(t, "HANDOFF.md", grown(h.start, h.unit, size), hangs) })
	}
}

func checkReads(t *testing.T, path string, raw []byte, hangs time.Duration) {
	t.Helper()
	checkReturns(t, fmt.Sprintf("%d KB are not read", len(raw)>>10), hangs, func() {
		parse.Parse(parse.Source{Path: path, Bytes: raw, Neighbour: func(string) ([]byte, error) {
			return []byte("participants: [a]\nitems:\n  - id: a\n"), nil
		}})
	})
}

// checkReturns fails if f takes too long.
func checkReturns(t *testing.T, what string, hangs time.Duration, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(hangs):
		t.Fatalf("%s within %v", what, hangs)
	}
}

// Most of what is read hostile is written as some thousands of sections, fields
// or lines that need a mark.
func TestHostileConversionsDoNotHang(t *testing.T) {
	t.Parallel()
	size, hangs := hostileSize()
	size /= 4
	if !testkit.Long() {
		size /= 2
	}
	for _, h := range testkit.Some(hostile, 2) {
		t.Run(h.name, func(t *testing.T) {
			doc := parse.Parse(parse.Source{Path: "HANDOFF.md", Bytes: grown(h.start, h.unit, size)})[0]
			for _, name := range parse.Writable() {
				checkReturns(t, "not written as "+name, hangs, func() {
					_, _, _ = write.Convert(doc, name) // or refuses what is too large
				})
			}
		})
	}
}

// BenchmarkHostile reads each hostile text at 100 KB and 1 MB: the second may
// take some ten times as long as the first.
func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile {
		for _, size := range []int{100 << 10, 1 << 20} {
			raw := grown(h.start, h.unit, size)
			b.Run(fmt.Sprintf("%s/%dKB", h.name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(raw)))
				for b.Loop() {
					parse.Parse(parse.Source{Path: "HANDOFF.md", Bytes: raw})
				}
			})
		}
	}
}

// BenchmarkConvertItems writes handoffs of 10,000 and of 40,000 items: of the second, an
// item (ns/item) may take as long as of the first, give or take a half. Where the time is
// quadratic it takes four times as long.
func BenchmarkConvertItems(b *testing.B) {
	for _, c := range []struct{ name, start, unit string }{
		{"list", "# Handoff\n\n## Next\n\n", "- a%d\n"},
		{"boxes", "# Handoff\n\n## Next\n\n", "- [ ] a%d\n"},
		{"files", "# Handoff\n\n## Files\n\n", "- `a%d.go`\n"},
		{"work items", "# Handoff\n\n## Next\n\n", "- a%d\n"},
		{"fields", "# Handoff\n\n", "a%d: b\n"},
	} {
		for _, n := range []int{10_000, 40_000} {
			var text strings.Builder
			text.WriteString(c.start)
			for i := range n {
				text.WriteString(strings.ReplaceAll(c.unit, "%d", fmt.Sprint(i)))
			}
			doc := parse.Parse(parse.Source{Path: "HANDOFF.md", Bytes: []byte(text.String())})[0]
			if c.name == "work items" {
				for i := range n {
					doc.WorkItems = append(doc.WorkItems, fmt.Sprint("W-", i))
				}
			}
			for _, format := range []string{"claude-suite", "act-xml"} {
				b.Run(fmt.Sprintf("%s/%s/%d", c.name, format, n), func(b *testing.B) {
					for b.Loop() {
						_, _, _ = write.Convert(doc, format) // or refuses what is too large
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/item")
				})
			}
		}
	}
}

// grown repeats a unit up to a size; %d in it counts.
func grown(start, unit string, size int) []byte {
	var b strings.Builder
	b.WriteString(start)
	for n := 0; b.Len() < size; n++ {
		b.WriteString(strings.ReplaceAll(unit, "%d", fmt.Sprint(n)))
	}
	return []byte(b.String())
}
