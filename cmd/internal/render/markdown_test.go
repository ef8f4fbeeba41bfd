package render_test

import (
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

const markdownBody = `Some paragraph with **bold words** and ` + "`code()`" + ` in it, wrapped by its
writer. See [docs](https://example.org/x).
key: a value which is so long that it has to be wrapped
key: value

- an item that is long and has to be wrapped, hanging
  continued here
  1. nested
- [ ] open **HUMAN REVIEW NEEDED**: x
- [x] done

| Name | What | State |
|------|:----:|-------|
| alpha | a long text that is wrapped as it is too wide | ok |
| b\|c | short | **bad** |

> quoted words

~~~go
func main() { a := "a long line of code that is not wrapped" }
~~~
***
### End
`

const markdownShown = `
Some paragraph with bold words and
` + "`code()`" + ` in it, wrapped by its writer.
See docs (https://example.org/x).
key: a value which is so long that it
has to be wrapped
key: value

• an item that is long and has to be
  wrapped, hanging continued here
  1. nested
☐ open HUMAN REVIEW NEEDED: x
☑ done

Name   What                        State
alpha  a long text that is         ok
       wrapped as it is too wide
b|c    short                       bad

│ quoted words

    func main() { a := "a long line of code that is not wrapped" }
────────────────────────────────────────
### End
`

// TestMarkdown: a terminal gets Markdown as what it means, a pipe as it is written.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	h := &index.Handoff{
		Summary:  index.Summary{ID: "h_0123456789ab", Title: "T"},
		Sections: []parse.Section{{Kind: parse.Next, Heading: "Next", Level: 2, Body: markdownBody}},
	}
	h.Files = []parse.File{{Path: "src/one/file.go"}, {Path: "src/another/file.go", Action: "modified"}}
	var card strings.Builder
	if err := render.Handoff(&card, h, render.Options{Width: 40}); err != nil {
		t.Fatal(err)
	}
	if want := "files  src/one/file.go,\n       src/another/file.go modified\n"; !strings.Contains(card.String(), want) {
		t.Errorf("no %q in\n%s", want, card.String())
	}
	shown := func(o render.Options) string {
		var b strings.Builder
		if err := render.Handoff(&b, h, o); err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(b.String(), "Next")
		return text
	}
	for _, c := range []struct {
		name, want string
		o          render.Options
	}{{"terminal", "\n" + markdownShown, render.Options{Width: 40}}, {"pipe", "\n\n" + markdownBody, render.Options{}}} {
		check(t, c.name, c.want, func(b *strings.Builder) error {
			b.WriteString(shown(c.o))
			return nil
		})
	}
	check(t, "section", strings.TrimPrefix(markdownShown, "\n"), func(b *strings.Builder) error {
		return render.SectionText(b, render.Sections(h, "next"), render.Options{Width: 40})
	})
	if got := shown(render.Options{Width: 40, Color: true}); !strings.Contains(got, "\x1b[1;31mHUMAN REVIEW NEEDED\x1b[0m:") ||
		strings.Contains(got, "###") {
		t.Errorf("in colour: %q", got)
	}
}

// TestMarkdownIsLinear: what is made to be slow is not.
func TestMarkdownIsLinear(t *testing.T) {
	t.Parallel()
	started := time.Now()
	for _, piece := range []string{"**a ", "[a](", "`", "|", "| a ", "> ", "- ", "_ ", "*", "[", "```\n", "a\n| b\n", "1. "} {
		h := &index.Handoff{Sections: []parse.Section{{Body: strings.Repeat(piece, 100_000)}}}
		var b strings.Builder
		if err := render.Handoff(&b, h, render.Options{Width: 80, Color: true}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(started); took > 60*time.Second {
			t.Fatalf("%q: %s", piece, took)
		}
	}
}
