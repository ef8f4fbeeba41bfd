package query

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"handex/query/internal/text"
)

// Limits of a query; a hostile one must not cost more than a long one.
const (
	maxBytes = 4096
	maxTerms = 128
	maxDepth = 32
	maxSame  = 8 // of field:{ }, each a search of its own
)

// Lex splits a query into tokens. It never fails: a fault is a KindError token
// and then the last one; else the last is KindEnd.
func Lex(text string) []Token {
	l := lex(text)
	return l.tokens
}

// lexer is a machine of state functions; each emits tokens and names the next.
type lexer struct {
	text    string
	pos     int
	open    []opened // groups not closed yet
	tokens  []Token
	notes   []string
	dropped []Token // lone signs
	most    int     // bytes a query may have
}

type opened struct {
	char byte
	pos  int
}

type stateFn func(*lexer) stateFn

func lex(text string) *lexer { return (&lexer{text: text, most: maxBytes}).run() }

func (l *lexer) run() *lexer {
	for state := lexStart; state != nil; {
		state = state(l)
	}
	return l
}

// lexStart refuses what no later state could handle safely.
func lexStart(l *lexer) stateFn {
	if len(l.text) > l.most {
		return l.fail("too-long", maxBytes, len(l.text), "the query is longer than 4096 bytes", "save a part of it and write query:name")
	}
	for i, r := range l.text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(l.text[i:], string(utf8.RuneError)):
			return l.fail("bad-utf8", i, i+1, "the query is not UTF-8 text")
		case unicode.IsControl(r) && !unicode.IsSpace(r):
			return l.fail("bad-char", i, i+utf8.RuneLen(r), "the query holds a control character")
		}
	}
	return lexElement
}

// lexElement begins an element: operator, group, condition, phrase, regular
// expression or word.
func lexElement(l *lexer) stateFn {
	l.skipSpace()
	if l.pos == len(l.text) {
		return lexEnd
	}
	switch l.text[l.pos] {
	case '(':
		return l.openGroup('(', KindOpen)
	case ')':
		return l.closeGroup(')', KindClose)
	case '}':
		if l.depth('{') > 0 {
			return l.closeGroup('}', KindCloseSet)
		}
	case '-', '!':
		if l.negates() {
			l.emit(KindNot, 1, l.text[l.pos:l.pos+1])
			return lexElement
		}
	}
	if l.quote() != "" {
		return l.phrase(false)
	}
	if end := l.regexEnd(false); end > 0 {
		return l.regex(end)
	}
	if token, ok := l.field(); ok {
		return l.value(token)
	}
	l.noteBrokenRegex()
	return lexWord
}

func lexEnd(l *lexer) stateFn {
	if n := len(l.open); n > 0 {
		return l.unclosed(l.open[n-1])
	}
	l.tokens = append(l.tokens, Token{Kind: KindEnd, Start: l.pos, End: l.pos})
	return nil
}

func (l *lexer) unclosed(o opened) stateFn {
	code := "unclosed-paren"
	if o.char == '{' {
		code = "unclosed-brace"
	}
	char := string(rune(o.char))
	return l.fail(code, o.pos, o.pos+1, `"`+char+`" is never closed`, `to search for the character, write \`+char+` or quote the text`)
}

func (l *lexer) openGroup(char byte, kind Kind) stateFn {
	if len(l.open) == maxDepth {
		return l.fail("too-deep", l.pos, l.pos+1, "groups are nested deeper than 32")
	}
	if char == '{' && l.depth('{') == maxSame {
		return l.fail("too-deep", l.pos, l.pos+1, "{ } is nested deeper than 8")
	}
	l.open = append(l.open, opened{char, l.pos})
	l.emit(kind, 1, "")
	return lexElement
}

func (l *lexer) closeGroup(char byte, kind Kind) stateFn {
	n := len(l.open)
	if n == 0 {
		return l.unmatched()
	}
	if (l.open[n-1].char == '(') != (char == ')') {
		return l.unclosed(l.open[n-1])
	}
	l.open = l.open[:n-1]
	l.emit(kind, 1, "")
	return lexElement
}

func (l *lexer) unmatched() stateFn {
	return l.fail("unmatched-paren", l.pos, l.pos+1, `unmatched ")"`, `to search for the character, write \) or quote the text`)
}

// negates reports whether the - or ! here is an operator: it stands before
// something, and is not the first of a run of signs such as -> or !=.
func (l *lexer) negates() bool {
	rest := l.text[l.pos+1:]
	end := l.wordEnd(l.pos+1, false) - l.pos - 1
	switch {
	case end == 0 && !strings.HasPrefix(rest, "("):
		return false
	case rest[0] == '(' || rest[0] == '"' || strings.HasPrefix(rest, "“") || rest[:end] == "*":
		return true
	}
	from := l.pos
	l.pos++
	isRegex := l.regexEnd(false) > 0
	l.pos = from
	return isRegex || strings.IndexFunc(rest[:end], notSign) >= 0
}

func notSign(r rune) bool {
	return r >= utf8.RuneSelf || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// lexWord reads a bare word; operators are words in capitals.
func lexWord(l *lexer) stateFn {
	end := l.wordEnd(l.pos, false)
	raw := l.text[l.pos:end]
	switch {
	case raw == "AND":
		l.emit(KindAnd, len(raw), raw)
	case raw == "OR":
		l.emit(KindOr, len(raw), raw)
	case raw == "NOT":
		l.emit(KindNot, len(raw), raw)
	case raw == "NEAR" || strings.HasPrefix(raw, "NEAR/"):
		l.emit(KindNear, len(raw), raw)
	case raw == "|":
		return l.fail("bad-operator", l.pos, end, `"|" is not an operator`, `write OR between alternatives, or quote it: "|"`)
	case raw == "||":
		return l.fail("bad-operator", l.pos, end, `"||" is not an operator`, "write OR between alternatives")
	case len(raw) == 1 && !notSign(rune(raw[0])) && raw != "*":
		l.dropped = append(l.dropped, Token{Kind: KindWord, Start: l.pos, End: end, Text: raw})
		l.pos = end
	default:
		l.noteWord(raw)
		l.emit(KindWord, len(raw), raw)
	}
	return lexElement
}

// noteWord tells of words that look like syntax and are not.
func (l *lexer) noteWord(raw string) {
	if strings.HasSuffix(raw, ")") && !strings.Contains(raw, "(") && !strings.HasSuffix(raw, `\)`) {
		l.notes = append(l.notes, `")" in "`+raw+`" closes nothing and is searched as text`)
	}
}

// emit adds a token of n bytes and steps behind it.
func (l *lexer) emit(kind Kind, n int, text string) {
	l.tokens = append(l.tokens, Token{Kind: kind, Start: l.pos, End: l.pos + n, Text: text})
	l.pos += n
}

// fail adds an error token and stops the machine.
func (l *lexer) fail(code string, start, end int, message string, help ...string) stateFn {
	err := &Error{Code: code, Start: start, End: end, Message: message, Help: help}
	l.tokens = append(l.tokens, Token{Kind: KindError, Start: start, End: end, Err: err})
	return nil
}

func (l *lexer) skipSpace() {
	rest := strings.TrimLeftFunc(l.text[l.pos:], unicode.IsSpace)
	l.pos = len(l.text) - len(rest)
}

// depth counts the open groups of one sort.
func (l *lexer) depth(char byte) int {
	n := 0
	for _, o := range l.open {
		if o.char == char {
			n++
		}
	}
	return n
}

// wordEnd finds where the bare word at from ends: at white space, at a ) or }
// that closes a group, and in a list at a comma. Brackets that open inside the
// word are letters, and so are those that close them.
func (l *lexer) wordEnd(from int, list bool) int {
	parens, braces := 0, 0
	inParen, inBrace := l.depth('(') > 0, l.depth('{') > 0
	for i := from; i < len(l.text); {
		r, size := utf8.DecodeRuneInString(l.text[i:])
		switch {
		case text.IsEscape(l.text[i:]):
			size = 2
		case unicode.IsSpace(r), r == ',' && list:
			return i
		case r == '(':
			parens++
		case r == '{':
			braces++
		case r == ')' && parens > 0:
			parens--
		case r == '}' && braces > 0:
			braces--
		case r == ')' && inParen, r == '}' && inBrace:
			return i
		}
		i += size
	}
	return len(l.text)
}
