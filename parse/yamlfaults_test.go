package parse_test

import (
	"strings"
	"testing"

	"github.com/OWNER/handex/parse"
)

// A text that is not YAML is reported at the line that has to change, with a cause and
// a fix that fit, in a file of YAML and in frontmatter.
func TestYAMLFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text       string
		line       int
		cause, fix string
	}{
		{"goal: a\nstatus: x\n\tnow: y\ntimestamp: t\n", 3, "the line is indented with a tab", "Indent with spaces."},
		{"a:\n\t- x\nb: 1\n", 2, "the line is indented with a tab", "Indent with spaces."},
		{"goal: a\nnow: fix: the bug\nstatus: x\n", 2, "a value contains \": \"", "Put the value in quotes, o"},
		{"goal: a\nnow: \"open\nstatus: x\ntimestamp: t\n", 2, "a quote is never closed", "Close the quote; inside '…"},
		{"goal: a\nnow: 'it's'\nstatus: x\n", 2, "text follows a closing quote or bracket", "Put quotes around the whol"},
		{"goal: a\nnow: \"x\" y\nstatus: x\n", 2, "text follows a closing quote or bracket", "Put quotes around the whol"},
		{"goal: a\nfiles: [a, b\nstatus: x\nnow: y\n", 2, "a bracket is never closed, or text follows a value inside it", "Close the bracket, or put "},
		{"goal: a\nm: {a: 1\nstatus: x\nnow: y\n", 2, "a bracket is never closed, or text follows a value inside it", "Close the bracket, or put "},
		{"goal: a\ntitle: [WIP] do it\nstatus: x\n", 2, "text follows a closing quote or bracket", "Put quotes around the whol"},
		{"goal: a\nfrom: @jo\nstatus: x\n", 2, "a value begins with a character that YAML reserves", "Put the value in quotes."},
		{"goal: a\nnow: `x` is\nstatus: x\n", 2, "a value begins with a character that YAML reserves", "Put the value in quotes."},
		{"goal: a\nnow: %x\nstatus: x\n", 2, "a value begins with a character that YAML reserves", "Put the value in quotes."},
		{"goal: a\nnow: *bold* text\nstatus: x\n", 2, "a value begins with a character that YAML reserves", "Put the value in quotes."},
		{"goal: a\nstatus\nnow: y\nz: 1\n", 2, "the line is not \"key: value\"", "Write \"key: value\" with a "},
		{"goal: a\nstatus:x\nnow: y\n", 2, "the line is not \"key: value\"", "Write \"key: value\" with a "},
		{"goal: a\n  status: x\nnow: y\n", 2, "a key is indented below a key that already has a value", "Indent the key like the on"},
		{"a:\n  b: 1\n   c: 2\nd: 1\n", 3, "a key is indented below a key that already has a value", "Indent the key like the on"},
		{"a:\n    b: 1\n  c: 2\nd: 1\n", 3, "the line is not indented like the lines it belongs to", "Indent the line like its ne"},
		{"a:\n  - x\n - y\nb: 1\n", 3, "the line is not indented like the lines it belongs to", "Indent the line like its ne"},
		{"a:\n  - x\n  b: 1\nc: 1\n", 3, "the line is not indented like the lines it belongs to", "Indent the line like its ne"},
		{"a: 1\nb:\n  c: 1\n  - x\nd: 1\n", 4, "the line is not indented like the lines it belongs to", "Indent the line like its ne"},
		{"a:\n  - x: 1\n    y\n  - z\n", 3, "the line is not \"key: value\"", "Write \"key: value\" with a "},
		{"a: |\n  text\n text2\nb: 1\n", 3, "the line is not indented like the lines it belongs to", "Indent the line like its ne"},
		{"a: |x\n  text\nb: 1\n", 1, "text follows | or > on the same line", "Begin the text on the next"},
		{"next:\n  - do: this: now\n  - b\n", 2, "a value contains \": \"", "Put the value in quotes, o"},
		{"next:\n  - a\n  - b: c\n    d: e: f\n", 4, "a value contains \": \"", "Put the value in quotes, o"},
		{"a: 0\nsummary: one two\n  more: three\n  four\nb: 1\n", 3, "a key is indented below a key that already has a value", "Indent the key like the on"},
		{"a: &x 1\nb: *y\n", 2, "a value begins with a character that YAML reserves", "Put the value in quotes."},
		{"a: 1\nb: !done it\nc: [\n", 3, "a bracket is never closed, or a value", "Close the bracket, write"},
		{"a: 1\nb: \"C:\\new\\q\"\nc: 2\n", 2, "a backslash inside \"…\" does not begin a known escape", "Put the value in '…', or w"},
		{"a: 1\nb: \"C:\\Users\\jo\"\nc: 2\n", 2, "a backslash inside \"…\" does not begin a known escape", "Put the value in '…', or w"},
		{"a: 1\nb: \"C:\\UDEADBEEF\"\nc: 2\n", 2, "a backslash inside \"…\" does not begin a known escape", "Put the value in '…', or w"},
		{"a: 1\nb: x\x01y\n", 2, "it contains a control character", "Remove the character."},
		{"a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n", 2, "it contains the markers of an unresolved merge", "Keep one side, and remove "},
		{"```yaml\na: 1\n```\n", 1, "it is inside a code fence", "Remove the lines of the co"},
		{"goal: a\nstatus: b\nThis is a line of text\nnow: c\n", 3, "the line is not \"key: value\"", "Write \"key: value\" with a "},
		{"a: 1\n\"b: 2\nc: 3\n", 2, "a quote is never closed", "Close the quote; inside '…"},
		{"a: 1\n? b\nc d\n", 3, "the line is not \"key: value\"", "Write \"key: value\" with a "},
		{"a: 1\nb: > x\n  y\nc: 1\n", 2, "text follows | or > on the same line", "Begin the text on the next"},
		{"a: 1\nb: - x\n", 2, "a list begins on the line of its key", "Begin the list on the line"},
		{"a: 1\nb: \"x\n  y\nc: 2\nd: 3\n\"e: 4\n", 2, "a quote is never closed", "Close the quote; inside '…"},
		{"log:\n" + strings.Repeat("- date: 2026-04-06\n  summary: x\n", 200) + "- date: y\n  note: a: b\n" + strings.Repeat("- date: z\n", 50), 403, "a value contains \": \"", "Put the value in quotes"},
		{"log:\n" + strings.Repeat("- date: 2026-04-06\n  summary: x\n", 200) + "- date: y\n  - x\n" + strings.Repeat("- date: z\n", 50), 403, "the line is not indented like", "Indent the line like its n"},
	} {
		expectYAMLFault(t, "handoff.yaml", c.text, c.line, c.cause, c.fix)
		expectYAMLFault(t, "HANDOFF.md", "---\n"+c.text+"---\n\n# Handoff\n", c.line+1, c.cause, c.fix)
	}
}

// expectYAMLFault compares the problem of a text that is not YAML.
func expectYAMLFault(t *testing.T, path, text string, line int, cause, fix string) {
	t.Helper()
	if path == "HANDOFF.md" && strings.Contains(cause, "fence") {
		return // no frontmatter begins so
	}
	for _, d := range parse.Parse(parse.Source{Path: path, Bytes: []byte(text), ModTime: modTime}) {
		for _, p := range d.Problems {
			if p.Rule != "yaml.syntax" {
				continue
			}
			if p.Line != line || !strings.HasPrefix(p.Message, "not YAML: "+cause) || !strings.HasPrefix(parse.FixOf(p), fix) {
				t.Errorf("%s %q: line %d, %s; fix %s\nwant line %d, %s; fix %s", path, text, p.Line, p.Message, parse.FixOf(p), line, cause, fix)
			}
			return
		}
	}
	t.Errorf("%s %q: no problem is found", path, text)
}
