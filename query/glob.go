package query

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// isGlob reports whether raw holds a wildcard that no backslash takes away.
func isGlob(raw string) bool {
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

// readGlob is a pattern as it was typed, with backslashes left only before
// what is a wildcard without them.
func readGlob(raw string) string {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		c, escaped := raw[i], false
		if c == '\\' && i+1 < len(raw) && strings.IndexByte(escapable, raw[i+1]) >= 0 {
			i++
			c, escaped = raw[i], true
		}
		if c == '\\' || escaped && (c == '*' || c == '?') {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// writeGlob is a pattern as it is to be typed.
func writeGlob(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern):
			b.WriteByte(c)
			i++
			c = pattern[i]
		case c != '*' && c != '?' && strings.IndexByte(escapable, c) >= 0 && c != '/' && c != '-' && c != ':':
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// escapeGlob makes text a glob that matches just it.
func escapeGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`).Replace(s)
}

// globMatcher compiles a pattern. Case is ignored. In paths * and ? stop at a
// slash and ** does not, and the pattern may match a trailing part.
func globMatcher(pattern string, path bool) func(string) bool {
	re, err := regexp.Compile(globRegex(pattern, path))
	if err != nil { // every piece is quoted
		return func(string) bool { return false }
	}
	return re.MatchString
}

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
	for i := 0; i < len(pattern); {
		rest := pattern[i:]
		switch {
		case path && strings.HasPrefix(rest, "**/"):
			b.WriteString("(?:.*/)?")
			i += 3
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			i += 2
		case rest[0] == '*':
			b.WriteString(many)
			i++
		case rest[0] == '?':
			b.WriteString(one)
			i++
		case rest[0] == '\\' && len(rest) > 1 && strings.IndexByte(escapable, rest[1]) >= 0:
			b.WriteString(regexp.QuoteMeta(rest[1:2]))
			i += 2
		default:
			_, size := utf8.DecodeRuneInString(rest)
			b.WriteString(regexp.QuoteMeta(rest[:size]))
			i += size
		}
	}
	b.WriteByte('$')
	return b.String()
}
