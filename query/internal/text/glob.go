package text

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// escapable are the characters a backslash takes the meaning from; before any
// other it is a letter, so C:\new survives.
const escapable = `()"-!:*?|/\,=<>{} `

// IsEscape reports whether s begins with an escape: a backslash and one of the characters
// that may follow it, which then has no meaning of its own.
func IsEscape(s string) bool {
	return len(s) > 1 && s[0] == '\\' && strings.IndexByte(escapable, s[1]) >= 0
}

// Unescape returns a text without the backslashes of its escapes.
func Unescape(raw string) string {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if IsEscape(raw[i:]) {
			i++
		}
		b.WriteByte(raw[i])
	}
	return b.String()
}

// Escape returns a text with a backslash before each character that could have a meaning in
// a query.
func Escape(s string) string { return escape(s, escapable) }

// escape returns s with a backslash before each byte that is one of signs.
func escape(s, signs string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(signs, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// A glob is a pattern with the wildcards * and ?. A backslash makes an ordinary
// character of a wildcard; other characters need none.

// IsGlob reports whether raw contains a wildcard without a backslash before it.
func IsGlob(raw string) bool {
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '*', '?':
			return true
		}
	}
	return false
}

// ReadGlob returns a glob for GlobMatcher from one that was typed in a query: it removes the
// backslashes that only the query needs.
func ReadGlob(raw string) string {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		escaped := IsEscape(raw[i:])
		if escaped {
			i++
		}
		if raw[i] == '\\' || escaped && (raw[i] == '*' || raw[i] == '?') {
			b.WriteByte('\\')
		}
		b.WriteByte(raw[i])
	}
	return b.String()
}

// WriteGlob returns a glob as it is typed in a query, with a backslash before each character
// that has a meaning there.
func WriteGlob(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' && i+1 < len(pattern) {
			b.WriteString(pattern[i : i+2])
			i++
			continue
		}
		b.WriteString(escape(pattern[i:i+1], `()"!|\,=<>{} `))
	}
	return b.String()
}

// EscapeGlob returns a glob that matches exactly the text s.
func EscapeGlob(s string) string { return escape(s, `\*?`) }

// GlobMatcher returns a function that reports whether a text matches a glob. Case is
// ignored. If path is set, * and ? stop at a slash and ** does not, and the glob may match a
// trailing part of a path.
func GlobMatcher(pattern string, path bool) func(string) bool {
	re, err := regexp.Compile(globRegex(pattern, path))
	if err != nil { // every piece is quoted
		return func(string) bool { return false }
	}
	return re.MatchString
}

// globRegex returns a glob as a regular expression. path is that of GlobMatcher.
func globRegex(pattern string, path bool) string {
	one, many := ".", ".*"
	var b strings.Builder
	b.WriteString("(?is)^")
	if path {
		one, many = "[^/]", "[^/]*"
		if !strings.HasPrefix(pattern, "/") {
			b.WriteString("(?:.*/)?")
		}
	}
	for rest := pattern; rest != ""; {
		size := 1
		switch {
		case path && strings.HasPrefix(rest, "**/"):
			b.WriteString("(?:.*/)?")
			size = 3
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			size = 2
		case rest[0] == '*':
			b.WriteString(many)
		case rest[0] == '?':
			b.WriteString(one)
		case IsEscape(rest):
			b.WriteString(regexp.QuoteMeta(rest[1:2]))
			size = 2
		default:
			_, size = utf8.DecodeRuneInString(rest)
			b.WriteString(regexp.QuoteMeta(rest[:size]))
		}
		rest = rest[size:]
	}
	b.WriteByte('$')
	return b.String()
}
