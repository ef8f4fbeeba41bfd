package parse

import (
	"strings"
	"unicode"
)

var (
	numbering  = lazily(`^(?:(?:step|part|section|§)\s*)?(?:[0-9]+(?:\.[0-9]+)*|[ivx]+|[a-z])[.):]\s+|^[0-9]+(?:\.[0-9]+)*\s+`)
	bracketed  = lazily(`\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）|【[^【】]*】`)
	separators = lazily(`\s+[—–|/·-]\s+|\s*[:：—]\s*|\s*→\s*`)
)

// joiners are the signs that mean "and"; a slash among blanks parts a heading
// as a dash does.
var joiners = strings.NewReplacer("’", "'", "_", " ", "&", " and ", " / ", " / ", "/", " and ")

// headingForms are the normal forms of a heading worth looking up, best first:
// whole, then what stands before and behind a dash or colon.
func headingForms(head string) []string {
	s := strings.ToLower(plain(head))
	s = joiners.Replace(s)
	if strings.ContainsAny(s, "([（【") {
		s = bracketed().ReplaceAllString(s, " ")
	}
	s = unnumber(trimMarks(s))
	forms := []string{strings.Join(strings.Fields(s), " ")}
	if !strings.ContainsAny(s, "—–|/·-:：→") {
		return forms
	}
	parts := separators().Split(s, -1)
	if len(parts) > 1 {
		for _, p := range []string{parts[0], parts[len(parts)-1]} {
			p = strings.Join(strings.Fields(unnumber(p)), " ")
			if p != "" {
				forms = append(forms, p)
			}
		}
	}
	return forms
}

// unnumber takes "1.2", "a)" and "Step 3:" off a heading.
func unnumber(s string) string {
	if strings.ContainsAny(s, ".):") || s != "" && isDigit(s[0]) {
		s = numbering().ReplaceAllString(s, "")
	}
	return trimMarks(s)
}

// trimMarks cuts everything that is neither letter nor digit off both ends.
func trimMarks(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
