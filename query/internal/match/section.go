package match

import (
	"encoding/json"
	"strings"
	"unicode"
)

// TextColumns are the columns of body that hold the handoff's text, all but
// meta, in the table's order.
var TextColumns = []string{
	"title", "heading", "goal", "state", "next", "done", "gotchas", "risks", "blockers", "questions", "human", "decisions",
	"approaches", "worked", "failed", "partial", "context", "advice", "reflection", "hypothesis", "outcome", "checks",
	"files", "other", "head",
}

// sectionFunction is handex_section(slug, sections, column...): the text of
// the sections whose heading has the slug, the columns being TextColumns. See
// the column sections of the schema.
func sectionFunction(args []any) (any, error) {
	if len(args) != 2+len(TextColumns) {
		return "", nil
	}
	rest := map[string]string{}
	for i, name := range TextColumns {
		rest[name] = stringArg(args[2+i])
	}
	var pieces [][]any
	err := json.Unmarshal([]byte(stringArg(args[1])), &pieces)
	return sectionText(stringArg(args[0]), pieces, rest), err
}

// sectionText takes pieces off the columns in turn and keeps those wanted.
func sectionText(slug string, pieces [][]any, rest map[string]string) string {
	var b strings.Builder
	wanted := false
	for _, p := range pieces {
		if len(p) < 6 {
			return b.String()
		}
		kind, _ := p[0].(string)
		level, headingLen, bodyLen := whole(p[1]), whole(p[4]), whole(p[5])
		if level >= 0 {
			wanted = slug == slugOf(cut(rest, "heading", headingLen))
		}
		wanted = wanted && level >= -1
		if text := cut(rest, kind, bodyLen); wanted {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

func whole(v any) int {
	f, _ := v.(float64)
	return int(f)
}

// cut takes n bytes and the newline behind them off a column.
func cut(rest map[string]string, name string, n int) string {
	s := rest[name]
	n = min(max(n, 0), len(s))
	rest[name] = strings.TrimPrefix(s[n:], "\n")
	return s[:n]
}

// slugOf is a heading as sec.<slug> names it.
func slugOf(heading string) string {
	words := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return strings.Join(words, "-")
}
