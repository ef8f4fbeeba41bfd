package hostile

import (
	"strings"
	"unicode/utf16"
)

// good files lie between the hostile ones and must not suffer from them.
func good() []file {
	return []file{
		{
			".bon/handoffs/2026-01-10-aa11bb22.md", OK, "",
			"# Handoff — 2026-01-10\n\nsession_id: aa11bb22\npurpose: A good one\n\n## Done\n- WORD\n\n## Next\n- Go on\n",
		},
		{
			".bon/handoffs/2026-01-11-cc33dd44.md", OK, "",
			"# Handoff — 2026-01-11\n\nsession_id: cc33dd44\npurpose: Another\nformat: fond-v1\n\n## For the next Claude\n\n" +
				"### Done\n- WORD\n",
		},
		{".flow-guardian/handoff.yaml", OK, "", "goal: Stay readable\nstatus: in_progress\nnow: WORD\ntimestamp: " +
			"2026-01-12T10:00:00Z\n"},
		{".act/handoffs/2026-01-12-1000.xml", OK, "", actXML("Keep going")},
		{
			".act/handoffs/2026-01-12-1100.md", OK, "",
			"# Context Handoff\n\n## Metadata\n- **Project:** P\n- **Timestamp:** 2026-01-12T11:00:00Z\n- **From Session:** " +
				"s\n\n## Original Task\nStay\n\n## Work Completed\n- one\n\n## Work Remaining\n- WORD\n\n## Current State\n- " +
				"**Phase:** 1/2\n- **Progress:** 50%\n",
		},
		{
			"docs/handoffs/2026-01-13-good.md", OK, "",
			"# A good handoff\n\n**Date:** 2026-01-13\n**Status:** complete\n\n## Summary\n\nWORD\n",
		},
		{
			"docs/handoffs/2026-01-14-good.md", OK, "",
			"---\ntype: handoff\ndate: 2026-01-14\nstatus: open\n---\n\n# Good\n\nWORD\n",
		},
		{
			".claude/handoffs/2026-01-14-101500-good.md", OK, "",
			"# Handoff: Good\n\n## Session Metadata\n- Created: 2026-01-14 10:15:00\n\n## Current State Summary\n\nWORD\n",
		},
		{
			"thoughts/shared/handoffs/general/2026-01-14_10-00-00_good.md", OK, "",
			"---\ndate: 2026-01-14T10:00:00Z\nresearcher: R\ntopic: Good\nstatus: complete\n---\n\n# Handoff\n\n## " +
				"Learnings\n- WORD\n",
		},
		{"HANDOFF.md", OK, "", "# Handoff\n\nDate: 2026-01-15\n\n## Next steps\n\n1. WORD\n"},
	}
}

// texts returns cases of text that is wrong before any format looks at it. Byte order
// marks and odd line ends are read and mean nothing; so do bytes that would act on a
// terminal, as long as they stay off it.
func texts() []file {
	return []file{
		{"docs/handoffs/empty.md", Problem, `text\.empty`, ""},
		{"docs/handoffs/blank.md", Problem, `text\.empty`, "\n \t\n\n"},
		{"docs/handoffs/nul.md", Problem, `text\.nul`, "# Handoff\x00\n\nWORD \x00\x00\n"},
		{"docs/handoffs/only-nul.md", Problem, `text\.nul`, strings.Repeat("\x00", 64<<10)},
		{
			"docs/handoffs/invalid-utf8.md", Problem, `text\.invalid-utf8`,
			"# Handoff \xff\xfe\n\nWORD \xc3\x28 \xed\xa0\x80 \xf8\x88\x80\x80\x80\n",
		},
		{"docs/handoffs/latin1.md", Problem, `text\.invalid-utf8`, "# \xdcbergabe\n\nWORD f\xfcr morgen\n"},
		{"docs/handoffs/utf16le.md", Problem, `text\.utf16`, inUTF16("# Handoff\n\nsixteenbitslittle\n", false)},
		{"docs/handoffs/utf16be.md", Problem, `text\.utf16`, inUTF16("# Handoff\n\nsixteenbitsbig\n", true)},
		{"docs/handoffs/five-megabytes.md", Skip, `too large`, "# Handoff\n\n" + strings.Repeat("five megabytes of words\n",
			5<<20/24)},
		{"docs/handoffs/binary.md", Problem, `text\.`, "\x7fELF\x02\x01\x01" + strings.Repeat("\x00\xfe\x01", 4000)},
		{"docs/handoffs/bom.md", OK, "", "\ufeff# Handoff\n\n**Date:** 2026-01-15\n\n## Done\n- WORD\n"},
		{"docs/handoffs/crlf.md", OK, "", "# Handoff\r\n\r\n**Date:** 2026-01-15\r\n\r\n## Done\r\n- WORD\r\n"},
		{"docs/handoffs/cr.md", OK, "", "# Handoff\r\r**Date:** 2026-01-15\r\r## Done\r- WORD\r"},
		{"docs/handoffs/separators.md", OK, "", "# Handoff\u2028## Not a heading\u2029\u0085\n\n## Done\n- WORD\u2028\n"},
		{"docs/handoffs/escapes.md", OK, "", "# Handoff \x1b[2J\x1b]0;owned\x07\n\n## Done\n- \x1b[31m WORD \x1b[0m " +
			"\u009b31m\n- \x1bP+q\x1b\\ \b\b\b\n- \x1b]8;;file:///etc/passwd\x07click\x1b]8;;\x07\n"},
		{"docs/handoffs/bidi.md", OK, "", "# Handoff \u202etxet\u202c\n\n## Done\n- \u2066WORD\u2069 zero\u200bwidth " +
			"\U000e0041\U000e0042\n"},
	}
}

// markdown files make parsers slow or hide the text behind them. Those that
// are only slow elsewhere are fine.
func markdown() []file {
	return []file{
		{
			"docs/handoffs/unclosed-fence.md", Problem, `markdown\.unclosed-fence`,
			"# Handoff\n\n```sh\nmake\n\n## Done\n- WORD\n",
		},
		{"docs/handoffs/unclosed-fences.md", Problem, `markdown\.unclosed-fence`, "# Handoff\n\nWORD\n\n" +
			strings.Repeat("~~~~x\ntext\n```\n\n", 4000)},
		{
			"docs/handoffs/unclosed-frontmatter.md", Problem, `frontmatter\.unclosed`,
			"---\nstatus: open\ndate: 2026-01-15\n\n# Handoff\n\nWORD\n",
		},
		{
			"docs/handoffs/broken-frontmatter.md", Problem, `yaml\.`,
			"---\nstatus: [open\ndate: 2026-01-15\n---\n\n# Handoff\n\nWORD\n",
		},
		{"docs/handoffs/bomb-frontmatter.md", Problem, `yaml\.`, "---\n" + aliasBomb() + "---\n\n# Handoff\n\nWORD\n"},
		{"docs/handoffs/headings.md", Problem, `markdown\.too-many-headings`, strings.Repeat("## Done\n\ntext\n\n", 5000) +
			"WORD\n"},
		{"docs/handoffs/nested-lists.md", OK, "", "# Handoff\n\nWORD\n\n" + strings.Repeat("- ", 10_000) + "x\n"},
		{"docs/handoffs/indented-lists.md", OK, "", "# Handoff\n\nWORD\n\n" + staircase(1000)},
		{"docs/handoffs/nested-quotes.md", OK, "", "# Handoff\n\nWORD\n\n" + strings.Repeat(">", 10_000) + " x\n"},
		{"docs/handoffs/links.md", OK, "", "# Handoff\n\nWORD\n\n" + strings.Repeat("[a](", 30_000) + "\n"},
		{"docs/handoffs/brackets.md", OK, "", "# Handoff\n\nWORD\n\n" + strings.Repeat("[", 60_000) + "\n"},
		{"docs/handoffs/emphasis.md", OK, "", "# Handoff\n\nWORD\n\n" + strings.Repeat("**_* ", 20_000) + "\n"},
		{"docs/handoffs/references.md", OK, "", "# Handoff\n\nWORD\n\n" + strings.Repeat("[a]: /b\n", 50_000)},
		{"docs/handoffs/table.md", OK, "", "# Handoff\n\nWORD\n\n" + strings.Repeat("|a", 200) + "|\n" +
			strings.Repeat("|-", 200) + "|\n" + strings.Repeat("|x|\n", 20_000)},
		{"docs/handoffs/comment.md", OK, "", "# Handoff\n\n<!-- " + strings.Repeat("<!-- ", 20_000) + "\n\nWORD\n"},
		{"docs/handoffs/one-line.md", OK, "", "# Handoff\n\nWORD " + strings.Repeat("a long line ", 1<<20/12-10) + "\n"},
	}
}

func inUTF16(s string, big bool) string {
	var b strings.Builder
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(s))...) {
		if big {
			b.Write([]byte{byte(u >> 8), byte(u)})
		} else {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
	}
	return b.String()
}

// staircase returns a list whose n-th item lies in the one before it.
func staircase(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return b.String()
}
