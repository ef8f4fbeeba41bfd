package brief

import (
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/cmd/internal/redact"
	"github.com/OWNER/handex/cmd/internal/render"
)

// quote returns a text as one line that cannot do harm: without characters that control
// a terminal, are invisible or reverse text, without tags, also those of chat templates,
// and without credentials. It keeps the indentation.
func (c *composer) quote(text string) Line {
	if l, ok := c.quotes[text]; ok {
		return l
	}
	depth := min(len(text)-len(strings.TrimLeft(text, " \t")), maxIndent)
	l := Line{Quote: digest.OneLine(strings.ToValidUTF8(text, ""))}
	if !c.options.KeepSecrets {
		l.Quote, l.masked = redact.Text(l.Quote)
	}
	if l.Quote = render.Line(render.Untagged(l.Quote)); l.Quote != "" {
		l.Quote = strings.Repeat(" ", depth) + l.Quote
	}
	c.quotes[text] = l
	return l
}

// maxIndent is the greatest indentation of a quoted line.
const maxIndent = 8

// clip cuts a line to at most n characters, after a word if there is one near, and marks
// that it was cut.
func clip(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	end, count := 0, 0
	for i := range text {
		if count++; count == n-1 {
			end = i
			break
		}
	}
	text = text[:end]
	if blank := strings.LastIndexByte(text, ' '); blank > end*2/3 {
		text = text[:blank]
	}
	return strings.TrimRight(text, " ,;:.–—-(") + "…"
}

// clipLines cuts lines to at most n characters together.
func clipLines(lines []Line, n int) []Line {
	for i, l := range lines {
		size := utf8.RuneCountInString(l.Quote)
		if size <= n {
			n -= size
			continue
		}
		cut := append([]Line{}, lines[:i]...)
		if i == 0 || n >= leastClip {
			l.Quote = clip(l.Quote, n)
			cut = append(cut, l)
		}
		return cut
	}
	return lines
}

// leastClip is the least number of characters for which a line is cut and not left out.
const leastClip = 40
