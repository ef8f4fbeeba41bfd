package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// spaceless are the scripts written without spaces between words (and Hangul,
// whose words carry their particles): their words are found as substrings.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
	unicode.Khmer, unicode.Myanmar, unicode.Bopomofo, unicode.Yi, unicode.Tibetan,
}

// IsSpaceless reports whether r belongs to a script without spaces.
func IsSpaceless(r rune) bool { return r >= 0x0E00 && unicode.In(r, spaceless...) }

// IsASCII reports whether all of s is ASCII.
func IsASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// IsCapital reports whether r is a capital letter.
func IsCapital(r rune) bool { return unicode.IsUpper(r) || unicode.IsTitle(r) }

// HasCapital is the test of smart case.
func HasCapital(s string) bool { return strings.IndexFunc(s, IsCapital) >= 0 }
