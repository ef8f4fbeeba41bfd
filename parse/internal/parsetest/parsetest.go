// Package parsetest contains what the tests of parse and of write share: random files,
// and the real ones.
package parsetest

import (
	_ "embed"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/index/testkit"
	"github.com/OWNER/handex/parse"
)

// paths make Parse try each of its shapes.
var paths = []string{
	"HANDOFF.md", "/home/u/.claude/handoffs/-p/ab12cd34.md", "p/.flow-guardian/handoff.yaml", "p/meta/handoff.yaml",
	"p/meta/handoff-log.yaml",
	"p/.act/handoffs/2026-02-02-1030.xml", "p/.act/handoffs/2026-02-02.md", "p/.planning/HANDOFF.json",
	"p/.continue-here.md", "whats-next.md",
	"thoughts/shared/handoffs/x/2026-01-02_03-04_y.yaml", "thoughts/shared/handoffs/x/2026-01-02.md",
	"plans/handoffs/HANDOFF_A_b_2026-01-02.md",
	"a.json", "a.xml", "a.yml", "a.txt", "",
}

// Lines are what handoffs are made of, and what trips a reader of them.
var Lines = strings.Split(linesText, "\n")

//go:embed lines.txt
var linesText string

// text draws a file: lines in any order, or any bytes.
func text(t *rapid.T) []byte {
	if rapid.Bool().Draw(t, "any bytes") {
		return rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
	}
	end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "line end")
	raw := strings.Join(rapid.SliceOf(rapid.OneOf(rapid.SampledFrom(Lines), rapid.String())).Draw(t, "lines"), end)
	return []byte(rapid.SampledFrom([]string{"", "", "\ufeff", "---" + end, "\xff", "\x00"}).Draw(t, "start") + raw)
}

// Source draws a file at a path that makes Parse try one of its shapes.
func Source(t *rapid.T) parse.Source {
	return parse.Source{
		Path: rapid.SampledFrom(paths).Draw(t, "path"), Bytes: text(t), ModTime: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC),
	}
}

// EachRealFile runs a test on real handoffs. One of sixteen is enough to notice a change
// that fails on many; make faults takes them all.
func EachRealFile(t *testing.T, test func(path string, raw []byte)) {
	t.Helper()
	t.Parallel()
	for _, path := range testkit.RealFiles(t, 16) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		test(path, raw)
	}
}

// Mutant draws a text with up to four faults: cut, doubled, swapped or lost
// pieces, and signs that mean something to a parser.
func Mutant(t *rapid.T, text, signs string) string {
	for range rapid.IntRange(0, 4).Draw(t, "faults") {
		i := rapid.IntRange(0, len(text)).Draw(t, "from")
		j := rapid.IntRange(i, min(len(text), i+60)).Draw(t, "to")
		switch rapid.IntRange(0, 4).Draw(t, "fault") {
		case 0:
			text = text[:i]
		case 1:
			text = text[:i] + text[j:]
		case 2:
			text = text[:j] + text[i:]
		case 3:
			text = text[j:] + text[:i] + text[i:j]
		default:
			runes := rapid.SliceOfN(rapid.SampledFrom([]rune(signs)), 1, 5).Draw(t, "signs")
			text = text[:i] + string(runes) + text[i:]
		}
	}
	return strings.ToValidUTF8(text, "?")
}
