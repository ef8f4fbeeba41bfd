package scan

import (
	"strings"
	"unicode"
)

// Slug returns the heading in lower case with runs of other characters than letters and
// digits replaced by "-": what the query language calls sec.<slug>.
func Slug(head string) string {
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

// Plain returns a line of Markdown without the marks of emphasis, code and links.
func Plain(s string) string {
	if strings.ContainsAny(s, "*_~`") {
		s = inlineMarks.Replace(s)
	}
	if strings.Contains(s, "](") {
		s = linkMark().ReplaceAllString(s, "$1")
	}
	return strings.TrimSpace(s)
}

var inlineMarks = strings.NewReplacer("**", "", "__", "", "~~", "", "`", "")

var linkMark = Pattern(`\[([^\[\]]*)\]\([^()\s]*\)`)

// TrimMarks returns s without everything at its ends that is neither letter nor digit.
func TrimMarks(s string) string {
	if s != "" && IsAlnum(s[0]) && IsAlnum(s[len(s)-1]) {
		return s
	}
	return strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// CleanValue returns a value without the marks and quotes that are not part of it.
func CleanValue(v string) string {
	v = strings.TrimSpace(v)
	v = strings.TrimRight(v, "\\")
	v = strings.ReplaceAll(v, "**", "")
	v = linkMark().ReplaceAllString(v, "$1")
	for _, q := range []string{"`", `"`, "'", "_", "*"} {
		if len(v) >= 2 && strings.HasPrefix(v, q) && strings.HasSuffix(v, q) && strings.Count(v, q) == 2 {
			v = v[1 : len(v)-1]
		}
	}
	return strings.TrimSpace(v)
}

// SplitCamel returns a key like "nextTask" with a blank between its words.
func SplitCamel(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' || strings.ContainsAny(s, " _") || strings.ToLower(s) == s {
		return s
	}
	return innerCapital().ReplaceAllString(s, "$1 $2")
}

var innerCapital = Pattern(`([a-z])([A-Z])`)

// NormalKey returns a label in lower case, with the words of camelCase separated and one
// space for each run of "_", "-", "." and spaces.
func NormalKey(label string) string {
	label = strings.ToLower(SplitCamel(label))
	if !strings.ContainsAny(label, "_-.\t\n\u00a0") && !strings.Contains(label, "  ") &&
		strings.TrimSpace(label) == label {
		return label // most labels
	}
	return strings.Join(strings.FieldsFunc(label, func(r rune) bool {
		return unicode.IsSpace(r) || r == '_' || r == '-' || r == '.'
	}), " ")
}

// FoldedSet returns the set of the words of a text, without their accents.
func FoldedSet(words string) map[string]bool { return Set(FoldAccents(words)) }

// FoldAccents returns s without the accents of Latin letters in lower case, which many leave
// out.
func FoldAccents(s string) string { return accents.Replace(s) }

var accents = strings.NewReplacer("à", "a", "á", "a", "â", "a", "ã", "a", "ä", "a", "ç", "c", "è", "e", "é", "e",
	"ê", "e", "ë", "e", "ì", "i", "í", "i", "î", "i", "ï", "i", "ñ", "n", "ò", "o", "ó", "o", "ô", "o", "õ", "o",
	"ö", "o", "ù", "u", "ú", "u", "û", "u", "ü", "u")
