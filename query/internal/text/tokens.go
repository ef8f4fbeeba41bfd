// Package text knows characters and words: it splits text into words as the
// full-text index does, measures what is shown on a terminal, and finds the
// names nearest to a typed one.
package text

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:generate go test -run TestSeparators -update

// IsToken reports whether r is part of a word in the full-text index, and so no separator.
func IsToken(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiFold[r] != 0
	}
	if r >= 0x2010 && r < 0x205F || r >= 0x2190 && r < 0x23F4 || r > 0x2700 && r < 0x2768 {
		return false // dashes, quotation marks, arrows, lines and check marks
	}
	i, found := slices.BinarySearch(separatorBounds[:], r)
	return (i%2 == 1) == found
}

// HasToken reports whether s contains a word for the full-text index. If not, s can only be
// found by looking at the texts themselves.
func HasToken(s string) bool { return strings.IndexFunc(s, IsToken) >= 0 }

// EndsInToken reports whether s ends with a character of a word. Combining marks at its end
// count as part of the character before them.
func EndsInToken(s string) bool {
	s = strings.TrimRightFunc(s, isDiacritic)
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && IsToken(r)
}

// InWord reports whether r continues a word of the full-text index, as a character of it or
// as a combining mark.
func InWord(r rune) bool { return IsToken(r) || isDiacritic(r) }

// isDiacritic reports whether r is a combining mark, which the full-text index leaves out of
// a word.
func isDiacritic(r rune) bool {
	const first, second = 0x08029FDF, 0x000361F8 // from U+0300, from U+0320
	switch {
	case r < 0x300 || r > 0x331:
		return false
	case r < 0x320:
		return first>>(r-0x300)&1 == 1
	}
	return second>>(r-0x320)&1 == 1
}

// lettersByPlain are the small letters the index reads without their marks, by
// the letter it reads.
var lettersByPlain = map[rune]string{
	'a': "àáâãäåāăąǎǟǻȁȃȧḁạảấầẩẫậắằẳẵặ", 'b': "ḃḅḇ", 'c': "çćĉċčḉ", 'd': "ďḋḍḏḑḓ", 'e': "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ",
	'f': "ḟ", 'g': "ĝğġģǧǵḡ", 'h': "ĥȟḣḥḧḩḫẖ", 'i': "ìíîïĩīĭįǐȉȋḭḯỉị", 'j': "ĵǰ", 'k': "ķǩḱḳḵ", 'l': "ĺļľḷḹḻḽ",
	'm': "ḿṁṃ", 'n': "ñńņňǹṅṇṉṋ", 'o': "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ", 'p': "ṕṗ", 'r': "ŕŗřȑȓṙṛṝṟ",
	's': "śŝşšſșṡṣṥṧṩẛ", 't': "ţťțṫṭṯṱẗ", 'u': "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự", 'v': "ṽṿ", 'w': "ŵẁẃẅẇẉẘ", 'x': "ẋẍ",
	'y': "ýÿŷȳẏẙỳỵỷỹ", 'z': "źżžẑẓẕ", 'β': "ϐ", 'ε': "ϵ", 'θ': "ϑ", 'ι': "\u1FBE", 'κ': "ϰ", 'μ': "µ", 'π': "ϖ", 'ρ': "ϱ",
	'σ': "ς", 'φ': "ϕ",
}

var plainLetters = sync.OnceValue(func() map[rune]rune {
	plain := map[rune]rune{}
	for to, from := range lettersByPlain {
		for _, r := range from {
			plain[r] = to
		}
	}
	return plain
})

// foldRune returns r as the full-text index has it in a word, in lower case and without
// accents; 0 for a combining mark, which the index leaves out.
func foldRune(r rune) rune {
	if isDiacritic(r) {
		return 0
	}
	r = unicode.ToLower(r)
	if plain, ok := plainLetters()[r]; ok {
		return plain
	}
	return r
}

// isSafe reports whether this package and the full-text index surely fold r alike. They do
// not for scripts that gained small or capital letters after SQLite's tables were made.
func isSafe(r rune) bool {
	switch {
	case r < 0x250, r >= 0x386 && r < 0x528, r >= 0x1E00 && r < 0x2000:
		return true
	case r >= 0x30000:
		return false
	}
	return unicode.ToLower(r) == r && unicode.ToUpper(r) == r
}

// asciiFold has each byte of a token in small letters, 0 for those between
// tokens, and notASCII for bytes of longer characters.
var asciiFold = func() (table [256]byte) {
	for b := range table {
		switch c := byte(b); {
		case c >= utf8.RuneSelf:
			table[b] = notASCII
		case c >= 'A' && c <= 'Z':
			table[b] = c - 'A' + 'a'
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z':
			table[b] = c
		}
	}
	return table
}()

const notASCII = 0xFF

// NextToken returns where the first word of text at offset from or behind it starts and
// ends; start is len(text) if there is none. folded is the word as the full-text index has
// it, written over buf.
func NextToken(text string, from int, buf []byte) (start, end int, folded []byte) {
	for start = from; start < len(text); {
		size := 1
		if c := asciiFold[text[start]]; c == notASCII {
			var r rune
			if r, size = utf8.DecodeRuneInString(text[start:]); IsToken(r) {
				break
			}
		} else if c != 0 {
			break
		}
		start += size
	}
	folded = buf[:0]
	for end = start; end < len(text); {
		c := asciiFold[text[end]]
		if c == 0 {
			break
		}
		if c != notASCII {
			folded = append(folded, c)
			end++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[end:])
		if !InWord(r) {
			break
		}
		if r = foldRune(r); r != 0 {
			folded = utf8.AppendRune(folded, r)
		}
		end += size
	}
	return start, end, folded
}

// Token is a word of a text as the index splits it.
type Token struct {
	Start, End int
	Folded     string
	// Safe tokens are surely the same word in the index.
	Safe bool
	// Dense tokens have a letter of a script without spaces.
	Dense bool
}

// Tokens returns the words of text as the full-text index splits it.
func Tokens(text string) []Token {
	var list []Token
	for at := 0; ; {
		start, end, folded := NextToken(text, at, nil)
		if start == len(text) {
			return list
		}
		t := Token{Start: start, End: end, Folded: string(folded), Safe: true}
		for _, r := range text[start:end] {
			t.Safe = t.Safe && isSafe(r)
			t.Dense = t.Dense || IsSpaceless(r)
		}
		list, at = append(list, t), end
	}
}

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

// HasCapital reports whether a text has a capital, so that smart case heeds case.
func HasCapital(s string) bool { return strings.IndexFunc(s, IsCapital) >= 0 }
