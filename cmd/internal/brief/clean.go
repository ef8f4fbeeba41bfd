package brief

import (
	"strings"
	"unicode/utf8"

	"handex/cmd/internal/digest"
	"handex/cmd/internal/redact"
	"handex/cmd/internal/render"
)

// A cleaner makes the text of handoffs harmless.
type cleaner struct {
	keepSecrets bool
	cache       map[string]Line // the results of quote by text
}

// quote returns a text as one line that cannot do harm: without characters that control
// a terminal, are invisible or reverse text, without tags, also those of chat templates,
// and without credentials. It keeps the indentation.
func (c *cleaner) quote(text string) Line {
	if l, ok := c.cache[text]; ok {
		return l
	}
	depth := min(len(text)-len(strings.TrimLeft(text, " \t")), maxIndent)
	l := Line{Quote: digest.OneLine(strings.ToValidUTF8(text, ""))}
	if !c.keepSecrets {
		l.Quote, l.masked = redact.Text(l.Quote)
	}
	if l.Quote = render.Line(render.Untagged(l.Quote)); l.Quote != "" {
		l.Quote = strings.Repeat(" ", depth) + l.Quote
	}
	c.cache[text] = l
	return l
}

// maxIndent is the greatest indentation of a quoted line.
const maxIndent = 8

// clip cuts a line to at most n characters, with a mark that it was cut: after a sentence
// if that leaves half of them, else after a word.
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
	if stop := lastSentence(text); stop > end/2 {
		return text[:stop] + " …"
	}
	if blank := strings.LastIndexByte(text, ' '); blank > end*2/3 {
		text = text[:blank]
	}
	return strings.TrimRight(text, " ,;:.–—-(") + "…"
}

// lastSentence returns where the last whole sentence of a text ends, 0 if none does.
func lastSentence(text string) int {
	end := 0
	for _, mark := range []string{". ", "! ", "? ", "。", "！", "？"} {
		if i := strings.LastIndex(text, mark); i >= 0 {
			end = max(end, i+len(strings.TrimSuffix(mark, " ")))
		}
	}
	return end
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
