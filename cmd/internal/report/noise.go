package report

import (
	"slices"
	"strings"
	"unicode"

	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/parse"
)

// hasContent reports whether a text says anything: it is not "none", no placeholder that
// was never filled in, and has a word.
func hasContent(text string) bool {
	bare := strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if bare == "" || parse.SaysNone(text) || isPlaceholder(text) {
		return false
	}
	return strings.IndexFunc(bare, unicode.IsLetter) >= 0
}

// isPlaceholder reports whether a text is all of a template: [what was done],
// {{summary}}, <describe>, TODO.
func isPlaceholder(text string) bool {
	text = strings.TrimRight(strings.Trim(text, "*_`\"' -"), ".:;,!")
	switch strings.ToLower(text) {
	case "tbd", "todo", "tba", "pending", "unknown", "unset", "n.a", "same", "as above", "see above", "see " +
		"below", "etc", "xxx":
		return true
	}
	for _, pair := range []string{"[]", "{}", "<>", "‹›"} {
		runes := []rune(pair)
		inner, opened := strings.CutPrefix(text, string(runes[0]))
		inner, closed := strings.CutSuffix(inner, string(runes[1]))
		if opened && closed && !strings.ContainsAny(strings.Trim(inner, "{}"), pair) {
			return true
		}
	}
	return false
}

// withContent returns the pieces that say something.
func withContent(list []digest.Piece) []digest.Piece {
	return slices.DeleteFunc(list, func(p digest.Piece) bool { return !hasContent(p.Text) })
}
