package query

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// isToken reports whether the index makes r part of a word.
func isToken(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	return !unicode.Is(separators, r)
}

// hasToken reports whether the index finds a word in s; what has none must be
// looked for in the text itself.
func hasToken(s string) bool { return strings.IndexFunc(s, isToken) >= 0 }

// endsInToken reports whether s ends inside a word or at its end: a mark behind
// a sign is part of none.
func endsInToken(s string) bool {
	s = strings.TrimRightFunc(s, isDiacritic)
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && isToken(r)
}

func inWord(r rune) bool { return isToken(r) || isDiacritic(r) }

// isDiacritic reports whether the index passes over r inside a word.
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

// plainLetters are the small letters the index reads without their marks.
var plainLetters = sync.OnceValue(func() map[rune]rune {
	return indexPlain(map[rune]string{
		'a': "àáâãäåāăąǎǟǻȁȃȧḁạảấầẩẫậắằẳẵặ", 'b': "ḃḅḇ", 'c': "çćĉċčḉ", 'd': "ďḋḍḏḑḓ", 'e': "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ", 'f': "ḟ",
		'g': "ĝğġģǧǵḡ", 'h': "ĥȟḣḥḧḩḫẖ", 'i': "ìíîïĩīĭįǐȉȋḭḯỉị", 'j': "ĵǰ", 'k': "ķǩḱḳḵ", 'l': "ĺļľḷḹḻḽ", 'm': "ḿṁṃ", 'n': "ñńņňǹṅṇṉṋ",
		'o': "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ", 'p': "ṕṗ", 'r': "ŕŗřȑȓṙṛṝṟ", 's': "śŝşšſșṡṣṥṧṩẛ", 't': "ţťțṫṭṯṱẗ",
		'u': "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự", 'v': "ṽṿ", 'w': "ŵẁẃẅẇẉẘ", 'x': "ẋẍ", 'y': "ýÿŷȳẏẙỳỵỷỹ", 'z': "źżžẑẓẕ",
		'β': "ϐ", 'ε': "ϵ", 'θ': "ϑ", 'ι': "\u1FBE", 'κ': "ϰ", 'μ': "µ", 'π': "ϖ", 'ρ': "ϱ", 'σ': "ς", 'φ': "ϕ",
	})
})

func indexPlain(groups map[rune]string) map[rune]rune {
	plain := map[rune]rune{}
	for to, from := range groups {
		for _, r := range from {
			plain[r] = to
		}
	}
	return plain
}

// foldToken is r as the index keeps it in a word; 0 for a mark it passes over.
func foldToken(r rune) rune {
	if r < utf8.RuneSelf {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	if isDiacritic(r) {
		return 0
	}
	r = unicode.ToLower(r)
	if plain, ok := plainLetters()[r]; ok {
		return plain
	}
	return r
}

// isSafe reports whether this package and the index surely fold r alike. They
// do not for scripts that gained small or capital letters after SQLite's
// tables were made.
func isSafe(r rune) bool {
	switch {
	case r < 0x250, r >= 0x386 && r < 0x528, r >= 0x1E00 && r < 0x2000:
		return true
	case r >= 0x30000:
		return false
	}
	return unicode.ToLower(r) == r && unicode.ToUpper(r) == r
}

// token is a word of a text as the index splits it.
type token struct {
	start, end int
	folded     string
	safe       bool // the index surely has the same word
	dense      bool // begins or ends in a script without spaces
}

// eachToken calls yield for the words of text in order until it returns false.
func eachToken(text string, yield func(start, end int, folded []byte) bool) {
	var buf [64]byte
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isToken(r) {
			i += size
			continue
		}
		start, folded := i, buf[:0]
		for i < len(text) && inWord(r) {
			if f := foldToken(r); f != 0 {
				folded = utf8.AppendRune(folded, f)
			}
			i += size
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if !yield(start, i, folded) {
			return
		}
	}
}

func splitTokens(text string) []token {
	var list []token
	eachToken(text, func(start, end int, folded []byte) bool {
		t := token{start: start, end: end, folded: string(folded), safe: true}
		for _, r := range text[start:end] {
			t.safe = t.safe && isSafe(r)
			t.dense = t.dense || isSpaceless(r)
		}
		list = append(list, t)
		return true
	})
	return list
}
