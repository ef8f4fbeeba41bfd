package parse_test

import (
	"strings"
	"testing"

	"github.com/OWNER/handex/parse"
)

// Where one code fence too many leaves the last one unclosed, the problem is at the line
// that has to change.
func TestUnclosedFenceIsFound(t *testing.T) {
	t.Parallel()
	const code = "Run:\n\n```\nmake\n```\n\n"
	for _, c := range []struct {
		text string
		line int
		says string
	}{
		{"# Handoff\n\n" + code + code + "```sh\nmake\n", 15, "the code fence is never closed"},
		{"# Handoff\n\n" + code + "```\nmake\n\n## Next\n\n- a\n", 9, "the code fence is never closed"},
		{"# Handoff\n\n" + code + "Update this block.\n\n```\n\n---\n\n" + code + code, 11, "the code fence is unpaired: the one on line 25 is never closed"},
		{"# Handoff\n\n" + code + "text\n```\n\nmore\n\n" + code + code + code, 10, "the code fence is unpaired: the one on line 30 is never closed"},
		{"# Handoff\n\n" + code + "Like this:\n\n```markdown\n# T\n\n```text\nx\n```\n\nmore\n```\n\nend\n", 11, "the code fence is never closed: line 14 opens another inside it"},
		{"# Handoff\n\n" + code + "````markdown\n```sh\nx\n```\n````\n\n~~~\nopen\n", 15, "the code fence is never closed"},
	} {
		var found []parse.Problem
		for _, d := range parse.Parse(parse.Source{Path: "HANDOFF.md", Bytes: []byte(c.text), ModTime: modTime}) {
			found = append(found, d.Problems...)
		}
		if len(found) != 1 || found[0].Line != c.line || !strings.HasPrefix(found[0].Message, c.says) {
			t.Errorf("%q: %+v, want line %d: %s", c.text, found, c.line, c.says)
		}
	}
}
