package brief

import (
	"strings"
	"unicode/utf8"

	"handex/cmd/internal/digest"
	"handex/cmd/internal/redact"
	"handex/cmd/internal/render"
)

// A cleaner makes texts of handoffs harmless and counts what it did.
type cleaner struct {
	keepSecrets bool
	masked      int
}

// line makes a text one line that nothing obeys: no character that acts on a
// terminal, turns text around or is invisible, no tag and nothing that a chat
// template takes for one, and no secret.
func (c *cleaner) line(text string) string {
	text = digest.OneLine(text)
	if !c.keepSecrets {
		var n int
		text, n = redact.Text(text)
		c.masked += n
	}
	return render.Line(render.Untagged(text))
}

// clip cuts a line so that it has at most n characters: at the end of a sentence if
// that leaves half of them, or else of a word, with a mark that it was cut.
func clip(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	end, count := 0, 0
	for i := range text {
		if count++; count == n {
			end = i
			break
		}
	}
	text = text[:end]
	if stop := lastSentence(text); stop > end/2 {
		return text[:stop]
	}
	if blank := strings.LastIndexByte(text, ' '); blank > end*2/3 {
		text = text[:blank]
	}
	return strings.TrimRight(text, " ,;:.–—-(") + "…"
}

// lastSentence is where the last whole sentence of a text ends, 0 if none does.
func lastSentence(text string) int {
	end := 0
	for _, mark := range []string{". ", "! ", "? ", "。", "！", "？"} {
		if i := strings.LastIndex(text, mark); i >= 0 {
			end = max(end, i+len(strings.TrimSuffix(mark, " ")))
		}
	}
	return end
}
