package cli_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/cli"
)

func TestSplitWords(t *testing.T) {
	cases := []struct {
		line string
		want []string
		err  string
	}{
		{"", nil, ""},
		{" \t\n ", nil, ""},
		{"notify {id}", []string{"notify", "{id}"}, ""},
		{"  notify   {id}  ", []string{"notify", "{id}"}, ""},
		{`say "new handoff" 'of "them"'`, []string{"say", "new handoff", `of "them"`}, ""},
		{`say "it's"`, []string{"say", "it's"}, ""},
		{`say '' ""`, []string{"say", "", ""}, ""},
		{`--title="a b"c`, []string{"--title=a bc"}, ""},
		{`a\ b $HOME ~ * ; | >`, []string{`a\`, "b", "$HOME", "~", "*", ";", "|", ">"}, ""},
		{`say "it`, nil, `a " is not closed in "say \"it"`},
		{`say it's`, nil, `a ' is not closed in "say it's"`},
	}
	for _, c := range cases {
		got, err := cli.SplitWords(c.line)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.line, diff)
		}
		if text := errorText(err); text != c.err {
			t.Errorf("%q: error %q, want %q", c.line, text, c.err)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
