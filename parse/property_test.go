package parse_test

import (
	"encoding/binary"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"handex/parse"
)

// paths make Parse try each of its shapes.
var paths = []string{
	"HANDOFF.md", "/home/u/.claude/handoffs/-p/ab12cd34.md", "p/.flow-guardian/handoff.yaml", "p/meta/handoff.yaml", "p/meta/handoff-log.yaml",
	"p/.act/handoffs/2026-02-02-1030.xml", "p/.act/handoffs/2026-02-02.md", "p/.planning/HANDOFF.json", "p/.continue-here.md", "whats-next.md",
	"thoughts/shared/handoffs/x/2026-01-02_03-04_y.yaml", "thoughts/shared/handoffs/x/2026-01-02.md", "plans/handoffs/HANDOFF_A_b_2026-01-02.md",
	"a.json", "a.xml", "a.yml", "a.txt", "",
}

// lines are what handoffs are made of, and what trips a reader of them.
var lines = []string{
	"# Handoff — 2026-01-17 (auto)", "# Context Handoff", "# Handoff: the gateway", "## Done", "### Next steps", "## 2026-01-02", "## 2026-01-03 evening", "## Session 12",
	"## Blockers", "## Files touched", "## Approaches", "## Current state", "## Metadata", "## Date", "## Status: blocked", "Underlined", "===", "---", "...", "***",
	"session_id: abc123", "purpose: finish: the \"gateway\"", "**Status:** ✅ COMPLETE", "> **Statut** : terminé", "**Date:** 2026-01-17 · **Branch:** main", "| **Branch** | main |", "|---|---|",
	"- [x] shipped parser", "- [ ] write tests (priority: high)", "* ✅ in-place: worked", "- blue-green: ❌ failed", "1. numbered item", "   continued behind", "- src/auth.go (created)", "- Blockers: none",
	"Phase: 4/6 | Progress: 60% | Blockers: waiting for staging", "None", "aucun", "HUMAN REVIEW NEEDED", "```", "```sh", "~~~", "    indented code", "<!-- comment -->", "<div>", "</div>",
	"goal: migrate", "status: in_progress", "now: null", "timestamp: 2026-01-17T10:30:00Z", "files:", "  - a/b.go", "files: []", "text: |", "  block text", "key: \"un\\u0063losed", "a: &anchor value", "b: *anchor", "? complex", "!tag value",
	"<context_handoff>", "</context_handoff>", "<metadata>", "<project>WebApp</project>", "</metadata>", "<work_remaining>", "</work_remaining>", "<current_state>", "a < b && c", "<![CDATA[", "]]>", "&amp;",
	"{", "}", "[", "]", "\"status\": \"paused\",", "\"blockers\": [{\"description\": \"needs a key\"}]", "**Next:**", "__What was done__", "\t- tabbed", "日本語の見出し", "## 次のステップ", "### ", "#", "#no-heading", "[a](b)", "", "", "",
}

// text draws a file: lines in any order, or any bytes.
func text(t *rapid.T) []byte {
	if rapid.Bool().Draw(t, "any bytes") {
		return rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
	}
	end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "line end")
	raw := strings.Join(rapid.SliceOf(rapid.OneOf(rapid.SampledFrom(lines), rapid.String())).Draw(t, "lines"), end)
	return []byte(rapid.SampledFrom([]string{"", "", "\ufeff", "---" + end, "\xff", "\x00"}).Draw(t, "start") + raw)
}

func source(t *rapid.T) parse.Source {
	return parse.Source{
		Path: rapid.SampledFrom(paths).Draw(t, "path"), Bytes: text(t), ModTime: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC),
	}
}

func TestAnyTextIsReadWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := source(t)
		docs := parse.Parse(src)
		for _, fault := range faults(src.Bytes, docs) {
			t.Error(fault)
		}
		if diff := cmp.Diff(docs, parse.Parse(src)); diff != "" {
			t.Errorf("a second reading differs: %s", diff)
		}
	})
}

// narrow is a UTF-16 file as UTF-8, any other as it is.
func narrow(raw []byte) []byte {
	if len(raw) < 2 || raw[0]^raw[1] != 1 || raw[0] < 0xfe {
		return raw
	}
	var order binary.ByteOrder = binary.BigEndian
	if raw[0] == 0xff {
		order = binary.LittleEndian
	}
	var units []uint16
	for i := 2; i+1 < len(raw); i += 2 {
		units = append(units, order.Uint16(raw[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}

// faults lists the promises of Parse that docs break.
func faults(raw []byte, docs []*parse.Document) []string {
	if len(docs) == 0 {
		return []string{"no document"}
	}
	raw = narrow(raw)
	var out []string
	if lost := lostWords(raw, docs); len(lost) > 0 {
		out = append(out, "lost words: "+strings.Join(lost, ", "))
	}
	signal, told := strings.Contains(string(raw), parse.EscalationSignal), false
	for i, d := range docs {
		told = told || len(d.Escalations) > 0
		if d.Entry != i {
			out = append(out, "entries are not numbered in order")
		}
		if len(docs) > 1 && d.Key == "" && i > 0 {
			out = append(out, "an entry has no key")
		}
	}
	if signal != told {
		out = append(out, "escalation is not what grep finds")
	}
	return append(out, spanFaults(raw, docs)...)
}

func FuzzParse(f *testing.F) {
	for _, x := range fixtures(f) {
		f.Add(x.source.Path, x.source.Bytes)
	}
	for _, h := range hostile {
		f.Add("HANDOFF.md", grown(h.start, h.unit, 200))
	}
	f.Fuzz(func(t *testing.T, path string, raw []byte) {
		src := parse.Source{Path: path, Bytes: raw, ModTime: modTime}
		docs := parse.Parse(src)
		for _, fault := range faults(raw, docs) {
			t.Error(fault)
		}
		if diff := cmp.Diff(docs, parse.Parse(src)); diff != "" {
			t.Errorf("a second reading differs: %s", diff)
		}
	})
}

// Files are read on all cores at once.
func TestManyReadAtOnce(t *testing.T) {
	t.Parallel()
	list := fixtures(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, f := range list {
				if diff := cmp.Diff(f.want, viewAll(parse.Parse(f.source))); diff != "" {
					t.Errorf("%s: want -, got +:\n%s", f.name, diff)
				}
			}
		})
	}
	all.Wait()
}
