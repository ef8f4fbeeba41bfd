package parse

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// joiners are the signs that mean "and"; a slash among blanks parts a heading
// as a dash does.
var joiners = strings.NewReplacer("’", "'", "_", " ", "&", " and ", " / ", " / ", "/", " and ")

// headingParts are the parts of a heading in lower case, without numbers and
// signs around them: first the main one, then what is behind dashes and
// colons, then what is in brackets. whole is the heading without brackets.
func headingParts(head string) (whole string, parts []string) {
	s := joiners.Replace(withoutPaths(foldAccents(strings.ToLower(splitCamel(plain(head))))))
	s, inside := splitBrackets(s)
	s = unnumber(s)
	for _, p := range append(splitDashes(s), inside...) {
		if p = joinFields(unnumber(p)); p != "" {
			parts = append(parts, p)
		}
	}
	return joinFields(s), parts
}

func joinFields(s string) string {
	if !strings.Contains(s, "  ") && !strings.ContainsAny(s, "\t\n") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// splitBrackets takes what is in brackets out of a text.
func splitBrackets(s string) (rest string, inside []string) {
	if !strings.ContainsAny(s, "([（【") {
		return s, nil
	}
	var b strings.Builder
	for {
		open := strings.IndexAny(s, "([（【")
		if open < 0 {
			break
		}
		r, size := utf8.DecodeRuneInString(s[open:])
		shut := strings.IndexRune(s[open+size:], closing[r])
		if shut < 0 {
			break
		}
		b.WriteString(s[:open] + " ")
		inside = append(inside, s[open+size:open+size+shut])
		s = s[open+size+shut+utf8.RuneLen(closing[r]):]
	}
	b.WriteString(s)
	return b.String(), inside
}

var closing = map[rune]rune{'(': ')', '[': ']', '（': '）', '【': '】'}

// splitDashes parts a text at colons, long dashes and arrows, and at other signs
// that are among blanks.
func splitDashes(s string) []string {
	if !strings.ContainsAny(s, "—–|/·-:：→") {
		return []string{s}
	}
	var parts []string
	start := 0
	for i, r := range s {
		cut := false
		switch r {
		case '—', ':', '：', '→':
			cut = true
		case '–', '|', '/', '·', '-':
			end := i + utf8.RuneLen(r)
			cut = i > 0 && s[i-1] == ' ' && end < len(s) && s[end] == ' '
		}
		if cut {
			parts = append(parts, s[start:i])
			start = i + utf8.RuneLen(r)
		}
	}
	return append(parts, s[start:])
}

// stepWords come before the number of a heading.
var stepWords = []string{"step ", "part ", "section ", "§"}

// unnumber takes "1.2", "a)" and "Step 3:" off a heading, and the signs around it.
func unnumber(s string) string {
	s = trimMarks(s)
	rest := s
	for _, w := range stepWords {
		if len(rest) > len(w) && strings.EqualFold(rest[:len(w)], w) {
			rest = strings.TrimLeft(rest[len(w):], " ")
			break
		}
	}
	n := 0
	for n < len(rest) && (isDigit(rest[n]) || rest[n] == '.' && n > 0 && n+1 < len(rest) && isDigit(rest[n+1])) {
		n++
	}
	if n > 0 && n < len(rest) && rest[n] == ' ' && len(rest) == len(s) {
		return trimMarks(rest[n:])
	}
	if n == 0 {
		for n < len(rest) && n < 5 && strings.IndexByte("ivxIVX", rest[n]) >= 0 {
			n++
		}
		if n == 0 && rest != "" && isAlnum(rest[0]) {
			n = 1
		}
	}
	if n > 0 && n+1 < len(rest) && strings.IndexByte(".):", rest[n]) >= 0 && rest[n+1] == ' ' {
		return trimMarks(rest[n+1:])
	}
	return s
}

// trimMarks cuts everything that is neither letter nor digit off both ends.
func trimMarks(s string) string {
	if s != "" && isAlnum(s[0]) && isAlnum(s[len(s)-1]) {
		return s
	}
	return strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// isForeign reports whether a text has accented Latin, Cyrillic or East Asian
// letters, as far as their first bytes show.
func isForeign(text string) bool {
	for i := range len(text) {
		if c := text[i]; letterOf[c] == eastern || c == 0xC3 || c == 0xC5 {
			return true
		}
	}
	return false
}

// foldAccents takes the marks off Latin letters in lower case, which many leave
// out.
func foldAccents(s string) string {
	if strings.IndexByte(s, 0xC3) < 0 { // the first byte of all accents
		return s
	}
	return strings.Map(func(r rune) rune {
		if base, ok := accents()[r]; ok {
			return base
		}
		return r
	}, s)
}

var accents = sync.OnceValue(func() map[rune]rune {
	m := map[rune]rune{}
	for base, marked := range map[rune]string{'a': "àáâãä", 'c': "ç", 'e': "èéêë", 'i': "ìíîï", 'n': "ñ", 'o': "òóôõö", 'u': "ùúûü"} {
		for _, r := range marked {
			m[r] = base
		}
	}
	return m
})

// splitCamel parts the words of a key like "nextTask".
func splitCamel(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' || strings.ContainsAny(s, " _") || strings.ToLower(s) == s {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if i > 0 && 'A' <= s[i] && s[i] <= 'Z' && 'a' <= s[i-1] && s[i-1] <= 'z' {
			b.WriteByte(' ')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
