package store

import (
	"strings"
	"unicode"
)

// Slug is parse.Section.Slug, which the index does not keep: the heading in
// lower case, letters and digits joined by "-".
func Slug(heading string) string {
	words := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return strings.Join(words, "-")
}
