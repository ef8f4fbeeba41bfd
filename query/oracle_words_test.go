package query_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/OWNER/handex/query"
)

// alphabet is what the index makes of the characters of the oracle's texts that
// are not of ASCII: what it keeps in a word, 0 for what lies between words. The
// table is all the oracle knows; another character is a fault of the test.
var alphabet = map[rune]rune{
	'é': 'e', 'É': 'e', 'ö': 'o', 'Ö': 'o', 'ü': 'u', 'Ü': 'u', 'ó': 'o', 'ź': 'z', 'ß': 'ß', 'ł': 'ł', 'Ł': 'ł', 'ﬁ': 'ﬁ', 'İ': 'i', '\u212a': 'k', 'ſ': 's', 'ⅷ': 'ⅷ',
	'日': '日', '本': '本', '語': '語', '한': '한', '국': '국', '어': '어', 'ไ': 'ไ', 'ท': 'ท', 'ย': 'ย',
	'🧪': '🧪', // younger than the tables of the tokenizer, which takes it for a letter
	'😀': 0, '§': 0, '—': 0, '\u00a0': 0, '\u2028': 0,
}

// accent is passed over inside a word and no part of one at its start.
const accent = '\u0301'

func letterOf(r rune) rune {
	switch {
	case r >= '0' && r <= '9', r >= 'a' && r <= 'z':
		return r
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r < 0x80:
		return 0
	}
	to, ok := alphabet[r]
	if !ok {
		panic(fmt.Sprintf("the oracle does not know %q", r))
	}
	return to
}

// spacelessLetter is true of scripts without blanks.
func spacelessLetter(r rune) bool { return strings.ContainsRune("日本語한국어ไทย", r) }

// oracleWord is a word of a text: runes from and to, and as the index keeps it.
type oracleWord struct {
	from, to int
	folded   string
}

func splitOracle(text []rune) []oracleWord {
	var list []oracleWord
	for i := 0; i < len(text); {
		if text[i] == accent || letterOf(text[i]) == 0 {
			i++
			continue
		}
		w := oracleWord{from: i}
		for ; i < len(text) && (text[i] == accent || letterOf(text[i]) != 0); i++ {
			if text[i] != accent {
				w.folded += string(letterOf(text[i]))
			}
		}
		w.to = i
		list = append(list, w)
	}
	return list
}

func foldedWords(text string) []string {
	var list []string
	for _, w := range splitOracle([]rune(text)) {
		list = append(list, w.folded)
	}
	return list
}

// textMatch reports whether a piece of text stands in one text.
func textMatch(t query.Text, rule query.CaseRule, text string) bool {
	switch t.Kind {
	case query.TextPhrase:
		heeds := rule == query.CaseYes || rule == query.CaseAuto && strings.ContainsFunc(t.Text, unicode.IsUpper)
		return literalMatch(t.Text, text, !heeds, len(foldedWords(t.Text)) > 0, !t.Open)
	case query.TextContains:
		return literalMatch(t.Text, text, true, false, false)
	case query.TextRegex:
		return regexMatch(t.Text, rule, text)
	case query.TextPrefix:
		if runes := []rune(strings.TrimRight(t.Text, string(accent))); letterOf(runes[len(runes)-1]) == 0 {
			return literalMatch(t.Text, text, true, true, false)
		}
	case query.TextNear:
		return nearMatch(t, foldedWords(text))
	case query.TextWord, query.TextExact, query.TextFuzzy:
	}
	return len(placesOf(t, foldedWords(text))) > 0
}

// regexes are the drawn regular expressions, and whether they hold a capital
// that is a letter to be found.
var regexes = map[string]bool{
	`to+ken`: false, `Token`: true, `^fix`: false, `\Sjwt`: false, `JWT$`: true, `\p{Lu}`: false, `(?P<Name>one|two)`: false, `re.?fresh`: false, `日本`: false,
	`[[:digit:]]+\.`: false, `caf[eé]`: false, `x*`: false, `x`: false, `^$`: false, `\bs\b`: false, `K`: true, `straß`: false, `one\n?two`: false, `Fix|token`: true, `(?i)TOKEN`: true, `x(?i:TOKEN)`: true,
}

func regexMatch(pattern string, rule query.CaseRule, text string) bool {
	capital, known := regexes[pattern]
	if !known {
		panic("the oracle does not know /" + pattern + "/")
	}
	flags := "(?m)"
	if rule == query.CaseNo || rule == query.CaseAuto && !capital {
		flags = "(?mi)"
	}
	return regexp.MustCompile(flags + pattern).MatchString(text)
}

// literalMatch looks for text as it stands, runs of white space being equal.
// With left or right it must begin or end where a word does.
func literalMatch(pattern, text string, fold, left, right bool) bool {
	want, runes := literalRunes(pattern, fold), literalRunes(text, fold)
	within := map[int]bool{} // a word goes on here
	for _, w := range splitOracle([]rune(squeeze(text))) {
		for i := w.from + 1; i < w.to; i++ {
			within[i] = true
		}
	}
	for i := 0; i+len(want) <= len(runes); i++ {
		end := i + len(want)
		if !slices.Equal(runes[i:end], want) || left && within[i] && !spacelessLetter(want[0]) || right && within[end] && !spacelessLetter(want[len(want)-1]) {
			continue
		}
		return true
	}
	return false
}

// squeeze makes each run of white space one blank.
func squeeze(s string) string {
	var b strings.Builder
	blank := false
	for _, r := range s {
		if !unicode.IsSpace(r) {
			b.WriteRune(r)
		} else if !blank {
			b.WriteByte(' ')
		}
		blank = unicode.IsSpace(r)
	}
	return b.String()
}

// literalRunes are the characters as they are compared. A capital whose small
// letter is of ASCII, but not it, stays: İ and the Kelvin sign.
func literalRunes(s string, fold bool) []rune {
	runes := []rune(squeeze(s))
	for i, r := range runes {
		if low := unicode.ToLower(r); fold && (r < 0x80) == (low < 0x80) {
			runes[i] = low
		}
	}
	return runes
}

// oraclePlace is where a word or phrase stands: the first and last of its words.
type oraclePlace struct{ first, last int }

// placesOf finds a word, a phrase or a prefix among words.
func placesOf(t query.Text, words []string) []oraclePlace {
	want := foldedWords(t.Text)
	var list []oraclePlace
	for i := 0; len(want) > 0 && i+len(want) <= len(words); i++ {
		here := true
		for k, w := range want {
			here = here && sameWord(t, words[i+k], w, k == len(want)-1)
		}
		if here {
			list = append(list, oraclePlace{i, i + len(want) - 1})
		}
	}
	return list
}

func sameWord(t query.Text, word, want string, last bool) bool {
	switch {
	case t.Kind == query.TextWord:
		return slices.Contains(formsOf(want), word)
	case t.Kind == query.TextFuzzy:
		return edits(word, want) <= allowedEdits(want)
	case last && (t.Kind == query.TextPrefix || t.Open):
		return strings.HasPrefix(word, want)
	}
	return word == want
}

// nearMatch tries every choice of places: from the end of each part to the
// begin of the last no more words may lie than the distance.
func nearMatch(t query.Text, words []string) bool {
	var choose func(parts []query.Text, chosen []oraclePlace) bool
	choose = func(parts []query.Text, chosen []oraclePlace) bool {
		if len(parts) == 0 {
			last := 0
			for _, p := range chosen {
				last = max(last, p.first)
			}
			return !slices.ContainsFunc(chosen, func(p oraclePlace) bool { return last-p.last-1 > t.Distance })
		}
		return slices.ContainsFunc(placesOf(parts[0], words), func(p oraclePlace) bool {
			return choose(parts[1:], append(slices.Clip(chosen), p))
		})
	}
	return choose(t.Near, nil)
}
