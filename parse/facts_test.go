package parse_test

import (
	"strings"
	"testing"

	"github.com/OWNER/handex/parse"
)

// Facts that sentences and labelled lines give, and what only looks like them.
func TestFactsOfText(t *testing.T) {
	t.Parallel()
	const hash = "0123456789abcdef0123456789abcdef01234567"
	filler := strings.Repeat("Work goes on.\n\n", 30)
	for _, c := range []struct{ name, text, field, want string }{
		{"a whole hash behind HEAD", "# T\n\nHEAD: `" + hash + "` on the server.\n", "commit", hash},
		{"a whole hash behind a sentence", "# T\n\nThe last commit of this session is `" + hash + "`.\n", "commit", hash},
		{"too far behind", "# T\n\nHEAD " + strings.Repeat("of the work ", 4) + "0123abc\n", "commit", ""},
		{"a label in the last lines", "# T\n\n" + filler + "**Branch:** feat/login\n", "branch", "feat/login"},
		{
			"a label in a fence that begins before the last lines",
			"# T\n\n" + filler + "```\n" + strings.Repeat("x\n", 20) + "Session: 12\n```\n", "session", "",
		},
		{
			"a label behind a fence that begins before the last lines",
			"# T\n\n" + filler + "```\n" + strings.Repeat("x\n", 20) + "```\n\n**Session:** 12\n", "session", "12",
		},
	} {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte(c.text)})[0]
		got := ""
		for _, f := range d.Fields {
			if f.Key == c.field {
				got = f.Value
			}
		}
		if got != c.want {
			t.Errorf("%s: %s is %q, want %q", c.name, c.field, got, c.want)
		}
	}
}
