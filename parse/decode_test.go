package parse_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/parse"
)

func TestBytesBecomeText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, raw, body string
		problems        []string
	}{
		{"as it is", "# T\n\n## Next\nà faire\n", "à faire\n", nil},
		{"byte order mark", "\ufeff# T\n\n## Next\na\n", "a\n", nil},
		{"CRLF", "# T\r\n\r\n## Next\r\na\r\n", "a\n", nil},
		{"CR", "# T\r\r## Next\ra\r", "a\n", nil},
		{"all ends", "# T\r\n\n## Next\ra\n\rb", "a\n\nb", nil},
		{"invalid", "# T\n\n## Next\na\xff\xc3b\n", "a\ufffd\ufffdb\n", []string{"text.invalid-utf8 4: 2 bytes are not UTF-8; read as \ufffd"}},
		{"NUL", "# T\n\n## Next\na\x00b\n", "a\ufffdb\n", []string{"text.nul 4: 1 NUL bytes; read as \ufffd"}},
		{"U+FFFD of its own", "# T\n\n## Next\na\ufffdb\n", "a\ufffdb\n", nil},
		{"U+2028", "# T\n\n## Next\na\u2028b\n", "a\u2028b\n", nil},
		{"UTF-16, little", wide("# T\n\n## Next\nà\U0001F642\n", false), "à\U0001F642\n", []string{"text.utf16 0: the file is UTF-16; lines and columns are those of its UTF-8 form"}},
		{"UTF-16, big, CRLF", wide("# T\r\n\r\n## Next\r\na\r\n", true), "a\n", []string{"text.utf16 0: the file is UTF-16; lines and columns are those of its UTF-8 form"}},
	}
	for _, test := range tests {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte(test.raw)})[0]
		if n := len(d.Sections); n != 1 || d.Sections[0].Body != test.body {
			t.Errorf("%s: got %d sections, %v, want %q", test.name, n, d.Sections, test.body)
		}
		var problems []string
		for _, p := range viewOf(d).Problems {
			problems = append(problems, strings.TrimPrefix(p, "warning "))
		}
		if diff := cmp.Diff(test.problems, problems); diff != "" {
			t.Errorf("%s: want -, got +:\n%s", test.name, diff)
		}
	}
}

// wide is s in UTF-16, behind its mark.
func wide(s string, big bool) string {
	out := []byte{0xff, 0xfe}
	if big {
		out = []byte{0xfe, 0xff}
	}
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return string(out)
}

// The bytes of the file at a value's place are the value, whatever decoding did
// to those before it.
func TestSpansAreOfTheFile(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"as it is":        "# T\n\n**Status:** done\n**Branch:** feat/é\n\n## Next\n\na\n",
		"CRLF":            "# T\r\n\r\n**Status:** done\r\n**Branch:** feat/é\r\n\r\n## Next\r\n\r\na\r\n",
		"byte order mark": "\ufeff# T\n\n**Status:** done\n**Branch:** feat/é\n\n## Next\n\na\n",
		"invalid bytes":   "# \xff\xfeT\xc3\n\n**Status:** done\x00\n**Branch:** feat/é\n\n## Next\n\na\n",
		"all at once":     "\ufeff# \xff\xfeT\x00\r\n\r\n\xff**Status:** done\r\n**Branch:** feat/é\r\n\r\n## Next\r\n\r\na\r\n",
	} {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte(raw)})[0]
		found := 0
		for _, f := range d.Fields {
			if got := raw[f.Span.Start:f.Span.End]; f.Key == "branch" && got == "feat/é" && f.Span.Line == 4 && f.Span.EndLine == 4 {
				found++
			}
		}
		for _, s := range d.Sections {
			got := raw[s.Span.Start:s.Span.End]
			if s.Kind == parse.Next && strings.HasPrefix(got, "## Next") && strings.HasSuffix(strings.TrimSpace(got), "a") && s.Span.Line == 6 && s.BodyLine == 7 {
				found++
			}
		}
		if found != 2 {
			t.Errorf("%s: got %v and %v", name, d.Fields, d.Sections)
		}
	}
}

func TestEmptyFilesAreHandoffs(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", "\n\n", " \t ", "\ufeff", "\r\n"} {
		for _, path := range []string{"a.md", "a.yaml", "a.json", "a.xml", "p/meta/handoff.yaml"} {
			docs := parse.Parse(parse.Source{Path: path, Bytes: []byte(raw), ModTime: modTime})
			if len(docs) != 1 || len(docs[0].Problems) == 0 || docs[0].Date.Source != "mtime" {
				t.Errorf("%q in %s: got %+v", raw, path, docs)
				continue
			}
			last := docs[0].Problems[len(docs[0].Problems)-1]
			if !strings.Contains(strings.Join(viewOf(docs[0]).Problems, "\n"), "warning text.empty 0: the file is empty") {
				t.Errorf("%q in %s: got %v", raw, path, last)
			}
		}
	}
}

func TestLimitsAreTold(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		raw  []byte
		want string
	}{
		{"text", bytes.Repeat([]byte("a b\n"), 1<<20+1), "warning text.too-large 0: only the first 4 MiB are read"},
		{"structure", append(bytes.Repeat([]byte("a b\n"), 1<<18), "# Next\n"...), "warning markdown.too-large 0: headings after the first MiB are read as text"},
		{"headings", bytes.Repeat([]byte("## A\n"), 2001), "warning markdown.too-many-headings 2001: headings from here on are read as text"},
	}
	for _, test := range tests {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: test.raw})[0]
		if !strings.Contains(strings.Join(viewOf(d).Problems, "\n"), test.want) {
			t.Errorf("%s: got %q, want %q", test.name, viewOf(d).Problems, test.want)
		}
	}
}
