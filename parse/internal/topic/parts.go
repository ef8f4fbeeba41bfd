package topic

import (
	"strings"
	"unicode/utf8"

	"handex/parse/internal/scan"
)

// joiners are the signs that mean "and"; a slash among blanks parts a heading
// as a dash does.
var joiners = strings.NewReplacer("’", "'", "_", " ", "&", " and ", " / ", " / ", "/", " and ")

// headingParts are the parts of a heading in lower case, without numbers and
// signs around them: first the main one, then what is behind dashes and
// colons, then what is in brackets. whole is the heading without brackets.
func headingParts(head string) (whole string, parts []string) {
	s := joiners.Replace(withoutPaths(scan.FoldAccents(strings.ToLower(scan.SplitCamel(scan.Plain(head))))))
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
	s = scan.TrimMarks(s)
	rest := s
	for _, w := range stepWords {
		if len(rest) > len(w) && strings.EqualFold(rest[:len(w)], w) {
			rest = strings.TrimLeft(rest[len(w):], " ")
			break
		}
	}
	n := 0
	for n < len(rest) && (scan.IsDigit(rest[n]) || rest[n] == '.' && n > 0 && n+1 < len(rest) && scan.IsDigit(rest[n+1])) {
		n++
	}
	if n > 0 && n < len(rest) && rest[n] == ' ' && len(rest) == len(s) {
		return scan.TrimMarks(rest[n:])
	}
	if n == 0 {
		for n < len(rest) && n < 5 && strings.IndexByte("ivxIVX", rest[n]) >= 0 {
			n++
		}
		if n == 0 && rest != "" && scan.IsAlnum(rest[0]) {
			n = 1
		}
	}
	if n > 0 && n+1 < len(rest) && strings.IndexByte(".):", rest[n]) >= 0 && rest[n+1] == ' ' {
		return scan.TrimMarks(rest[n+1:])
	}
	return s
}
