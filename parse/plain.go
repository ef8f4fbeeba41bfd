package parse

import (
	"strings"
	"unicode"
)

// slug is the heading in lower case with runs of other characters than letters
// and digits replaced by "-": what the query language calls sec.<slug>.
func slug(head string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(head) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

var inlineMarks = strings.NewReplacer("**", "", "__", "", "~~", "", "`", "")

// plain is a line of Markdown without the marks of emphasis, code and links.
func plain(s string) string {
	if strings.ContainsAny(s, "*_~`") {
		s = inlineMarks.Replace(s)
	}
	if strings.Contains(s, "](") {
		s = linkMark().ReplaceAllString(s, "$1")
	}
	return strings.TrimSpace(s)
}

var linkMark = lazily(`\[([^\[\]]*)\]\([^()\s]*\)`)
