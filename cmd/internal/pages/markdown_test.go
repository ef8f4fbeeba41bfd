package pages_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/cmd/internal/pages"
)

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \n", ""},
		{"two\nlines", "<p>two\nlines</p>\n"},
		{"**b** _i_ `c`", "<p><strong>b</strong> <em>i</em> <code>c</code></p>\n"},
		{"- [ ] open\n- [x] done\n- [y] text", "<ul>\n<li>☐ open</li>\n<li>☑ done</li>\n<li>[y] text</li>\n</ul>\n"},
		{"[ ] no list", "<p>[ ] no list</p>\n"},
		{"3. c\n4. d", "<ol start=\"3\">\n<li>c</li>\n<li>d</li>\n</ol>\n"},
		{"```go\nx < y\n```", "<pre><code>x &lt; y\n</code></pre>\n"},
		{"Vec<String> & <details>x</details>", "<p>Vec&lt;String&gt; &amp; &lt;details&gt;x&lt;/details&gt;</p>\n"},
		{"> # big", "<blockquote>\n<p><strong>big</strong></p>\n</blockquote>\n"},
		{"| a | b\\|c |\n|---|:-:|\n| `1` | |\n| 2 |", scroller + "<table>\n<thead><tr><th>a</th><th>b|c</th></tr></thead>\n<tbody><tr><td><code>1</code></td><td></td></tr>\n<tr><td>2</td><td></td></tr>\n</tbody></table></div>\n"},
		{"before\na|b\n-|-\n1|2", "<p>before</p>\n" + scroller + "<table>\n<thead><tr><th>a</th><th>b</th></tr></thead>\n<tbody><tr><td>1</td><td>2</td></tr>\n</tbody></table></div>\n"},
		{"a|b\n-|-|-\n1|2", "<p>a|b\n-|-|-\n1|2</p>\n"},
		{"[a](https://x.example/?a=1&b=2 \"t\")", "<p><a href=\"https://x.example/?a=1&amp;b=2\" rel=\"noopener noreferrer nofollow\">a</a></p>\n"},
		{"[a](mailto:a@b.example)", "<p><a href=\"mailto:a@b.example\" rel=\"noopener noreferrer nofollow\">a</a></p>\n"},
		{"[a](../docs/x.md)", "<p><a title=\"../docs/x.md\">a</a></p>\n"},
		{"[a](//x.example)", "<p><a title=\"//x.example\">a</a></p>\n"},
		{"[a](JaVaScript:alert(1))", "<p><a>a</a></p>\n"},
		{"[a](file:///etc/passwd)", "<p><a>a</a></p>\n"},
		{"![alt](https://x.example/i.png)", "<p><a href=\"https://x.example/i.png\" rel=\"noopener noreferrer nofollow\">image: alt</a></p>\n"},
		{"<https://x.example>", "<p><a href=\"https://x.example\" rel=\"noopener noreferrer nofollow\">https://x.example</a></p>\n"},
		{"a\u202eb\x1b[2J", "<p>a&lt;U+202E&gt;b^[[2J</p>\n"},
		{strings.Repeat("a ", 5000), "<pre>" + strings.Repeat("a ", 5000) + "</pre>"},
		{strings.Repeat("> ", 30) + "<b>", "<pre>" + strings.Repeat("&gt; ", 30) + "&lt;b&gt;</pre>"},
		{strings.Repeat("-", 80), "<hr>\n"},
	} {
		if got := string(pages.Markdown(c.text, false)); got != c.want {
			t.Errorf("%.60q:\n got %q\nwant %q", c.text, got, c.want)
		}
	}
	if got := pages.Markdown("two\nlines", true); got != "<p>two<br>\nlines</p>\n" {
		t.Errorf("kept lines: %q", got)
	}
}

// What goldmark is slow with is shown as it stands; the rest takes little time
// however long it is. The bound is far above what it takes.
func TestHostileMarkdown(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"[", "![", "*a_ ", "**a ", "> ", "- ", "`", "<", "[a](", "[a](b)", "[a]: b\n", "|", "|-", "\t", "<a@", "&", "\\", "- a\n", "1. > * ", "[a](\n\n", "*_`[<", "[[]"} {
		for _, join := range []string{"", "\n", "\n\n"} {
			text := strings.Repeat(piece+join, (128<<10)/len(piece+join))
			at := time.Now()
			got := pages.Markdown(text, false)
			if spent := time.Since(at); spent > 3*time.Second {
				t.Errorf("%q took %v", piece+join, spent)
			}
			if len(got) > 40*len(text) {
				t.Errorf("%q became %d times as long", piece+join, len(got)/len(text))
			}
		}
	}
}

// Whatever a text is, only elements that are allowed come of it, and all of them
// are closed.
func FuzzMarkdown(f *testing.F) {
	for _, seed := range payloads(f) {
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, text string, lines bool) {
		inert(t, string(pages.Markdown(text, lines)))
	})
}

func TestMarkdownIsInert(t *testing.T) {
	t.Parallel()
	pieces := append([]string{"[", "](", ")", "\n", "\n\n", "> ", "- ", "```\n", "|", "|-|\n", "<", ">", "\"", "'", "javascript:", "&#x6a;", "*", "_", "`", "![", "https://a.example", " onerror=x"}, payloads(t)...)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), "")
		inert(t, string(pages.Markdown(text, rapid.Bool().Draw(t, "lines"))))
	})
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// inert fails on anything a text must not become.
func inert(t failer, out string) {
	t.Helper()
	tokens := html.NewTokenizer(strings.NewReader(out))
	var open []string
	for {
		kind := tokens.Next()
		token := tokens.Token()
		switch kind {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Fatalf("%q leaves %v open", out, open)
			}
			return
		case html.StartTagToken:
			harmless(t, out, token)
			if token.Data != "br" && token.Data != "hr" {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Fatalf("%q closes %s in %v", out, token.Data, open)
			}
			open = open[:len(open)-1]
		case html.TextToken:
		default:
			t.Fatalf("%q holds %v", out, token)
		}
	}
}

// scroller is what a table of a text is within.
const scroller = `<div class="scroll" role="group" tabindex="0" aria-label="Table">`

func harmless(t failer, out string, token html.Token) {
	t.Helper()
	if token.String() == scroller {
		return
	}
	known := strings.Fields("a blockquote br code del em hr li ol p pre span strong table tbody td th thead tr ul")
	if !slices.Contains(known, token.Data) {
		t.Fatalf("%q holds a %s", out, token.Data)
	}
	for _, a := range token.Attr {
		web := strings.HasPrefix(a.Val, "http://") || strings.HasPrefix(a.Val, "https://") || strings.HasPrefix(a.Val, "mailto:")
		switch {
		case a.Key == "href" && web, a.Key == "title", a.Key == "rel", a.Key == "start":
		default:
			t.Fatalf("%q holds %s=%q", out, a.Key, a.Val)
		}
	}
}
