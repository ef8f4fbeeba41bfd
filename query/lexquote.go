package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// quote is the closing quote for the opening one here, "" if none is here.
func (l *lexer) quote() string {
	switch {
	case strings.HasPrefix(l.text[l.pos:], `"`):
		return `"`
	case strings.HasPrefix(l.text[l.pos:], "“"):
		return "”"
	}
	return ""
}

// phrase reads quoted text. Inside, \" and \\ are escapes and any other
// backslash is itself.
func (l *lexer) phrase(list bool) stateFn {
	start, closing := l.pos, l.quote()
	_, size := utf8.DecodeRuneInString(l.text[start:])
	var b strings.Builder
	for i := start + size; i < len(l.text); {
		rest := l.text[i:]
		switch {
		case strings.HasPrefix(rest, closing):
			return l.endPhrase(i+len(closing), b.String(), list)
		case strings.HasPrefix(rest, `\"`), strings.HasPrefix(rest, `\\`):
			b.WriteByte(rest[1])
			i += 2
		case closing != `"` && strings.HasPrefix(rest, `\`+closing):
			b.WriteString(closing)
			i += 1 + len(closing)
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
	return l.fail("unclosed-quote", start, start+size, "the quote is never closed", `add a closing `+closing+`, or write \" for the character itself`)
}

// endPhrase reads what may follow a closing quote.
func (l *lexer) endPhrase(end int, text string, list bool) stateFn {
	kind, start := KindPhrase, l.pos
	if strings.HasPrefix(l.text[end:], "*") {
		kind, end = KindPrefix, end+1
	}
	l.emit(kind, end-start, text)
	r, _ := utf8.DecodeRuneInString(l.text[end:])
	if end == len(l.text) || unicode.IsSpace(r) || r == ',' || r == ')' || r == '}' && l.depth('{') > 0 {
		return l.afterValue(list)
	}
	stop := l.wordEnd(end, true)
	return l.fail("no-space", end, max(stop, end+1), "a space is missing behind the quote", "write "+l.text[start:end]+" "+l.text[end:stop])
}

// regexEnd finds the end of a regular expression that begins here: it must end
// the token and hold no other slash, or it is a path; 0 if there is none.
func (l *lexer) regexEnd(list bool) int {
	if l.pos >= len(l.text) || l.text[l.pos] != '/' {
		return 0
	}
	for i := l.pos + 1; i < len(l.text); {
		r, size := utf8.DecodeRuneInString(l.text[i:])
		switch {
		case unicode.IsSpace(r), r == '/' && i == l.pos+1:
			return 0
		case r == '\\' && i+1 < len(l.text):
			_, next := utf8.DecodeRuneInString(l.text[i+1:])
			size += next
		case r == '/':
			if l.ends(i+1, list) {
				return i + 1
			}
			return 0
		}
		i += size
	}
	return 0
}

// noteBrokenRegex tells of what looks like a regular expression with a space.
func (l *lexer) noteBrokenRegex() {
	rest := l.text[l.pos:]
	first := wordLen(rest)
	if !strings.HasPrefix(rest, "/") || strings.Count(rest[:first], "/") != 1 || first == 1 {
		return
	}
	second := strings.TrimLeftFunc(rest[first:], unicode.IsSpace)
	second = second[:wordLen(second)]
	if strings.HasSuffix(second, "/") && strings.Count(second, "/") == 1 && second != "/" {
		l.notes = append(l.notes, `"`+rest[:first]+" "+second+`" is read as two words; a space in a regular expression is \s`)
	}
}

// ends reports whether a token can end at i.
func (l *lexer) ends(i int, list bool) bool {
	r, _ := utf8.DecodeRuneInString(l.text[i:])
	return i == len(l.text) || unicode.IsSpace(r) || list && r == ',' ||
		r == ')' && l.depth('(') > 0 || r == '}' && l.depth('{') > 0
}

func (l *lexer) regex(end int) stateFn {
	l.emit(KindRegex, end-l.pos, l.text[l.pos+1:end-1])
	return lexElement
}
