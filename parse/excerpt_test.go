package parse_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/parse"
)

func TestExcerptOf(t *testing.T) {
	t.Parallel()
	const head = "goal: x\nnow: y\ntimestamp: 2026-01-17\n"
	line := func(text string) parse.Excerpt {
		return parse.Excerpt{Line: 4, Column: 9, EndLine: 4, EndColumn: 9 + len([]rune(text)), Before: "status: ", At: text}
	}
	for _, c := range []struct {
		name, text string
		want       parse.Excerpt
	}{
		{"plain", head + "status: done\n", line("done")},
		{"at the end", head + "status: done", line("done")},
		{"wide", head + "status: 完成 # x\n", func() parse.Excerpt { p := line("完成"); p.After = " # x"; return p }()},
		{"CRLF", strings.ReplaceAll(head+"status: done\n", "\n", "\r\n"), line("done")},
		{"CR", strings.ReplaceAll(head+"status: done\n", "\n", "\r"), line("done")},
		{"byte order mark", "\ufeff" + head + "status: done\n", line("done")},
		{"byte order mark on the line", "\ufeffstatus: done\n" + head, parse.Excerpt{Line: 1, Column: 9, EndLine: 1, EndColumn: 13, Before: "status: ", At: "done"}},
		{"invalid bytes before", "#\xff\n" + head + "status: done\n", parse.Excerpt{Line: 5, Column: 9, EndLine: 5, EndColumn: 13, Before: "status: ", At: "done"}},
		{"UTF-16", inUTF16(head + "status: done\n"), line("done")},
		{"several lines", head + "status: 'a\n  b' # c\n", parse.Excerpt{Line: 4, Column: 9, EndLine: 5, EndColumn: 5, Before: "status: ", At: "'a"}},
		{"long", head + "status: " + strings.Repeat("é", 400) + "\n", parse.Excerpt{Line: 4, Column: 9, EndLine: 4, EndColumn: 409, Before: "status: ", At: strings.Repeat("é", 150) + "…"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw := []byte(c.text)
			var got parse.Excerpt
			for _, p := range parse.Parse(parse.Source{Path: ".flow-guardian/handoff.yaml", Bytes: raw})[0].Problems {
				if p.Rule == "flow-guardian.status-enum" {
					got = parse.ExcerptOf(raw, p.Span)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

func TestExcerptOutsideOfTheFile(t *testing.T) {
	t.Parallel()
	for _, s := range []parse.Span{{}, {Line: 1, Start: 2, End: 99, EndLine: 1}, {Line: 1, Start: -1}, {Line: 1, Start: 3, End: 2}} {
		if got := parse.ExcerptOf([]byte("abcd\n"), s); got != (parse.Excerpt{}) {
			t.Errorf("%+v is at %+v", s, got)
		}
	}
}

func inUTF16(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}
