package query

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/OWNER/handex/query/internal/text"
)

// Limits of a query; a hostile one must not cost more than a long one.
const (
	maxBytes = 4096
	maxTerms = 128
	maxDepth = 32
	maxSame  = 8 // of field:{ }, each a search of its own
)

// Kind is what a token is.
type Kind uint8

// The kinds of tokens.
const (
	KindEnd      Kind = iota
	KindError         // Token.Err says why; it is the last token
	KindWord          // a bare word or value, escapes still in it
	KindPhrase        // quoted text, quotes and escapes removed
	KindPrefix        // quoted text with a * behind it
	KindRegex         // a regular expression without its slashes
	KindField         // name and operator of a condition or directive
	KindComma         // between the values of a list
	KindOpen          // (
	KindClose         // )
	KindOpenSet       // { of field:{...}
	KindCloseSet      // }
	KindAnd
	KindOr
	KindNot // NOT, - or !
	KindNear
)

// Token is a piece of a query. Start and End are byte offsets.
type Token struct {
	Kind       Kind
	Start, End int
	// Text is the token's content; for KindField the name as typed.
	Text string
	// Op is the operator of a KindField: ":", "=", "<", ">=", ":<".
	Op string
	// Err is the fault of a KindError.
	Err *Error

	field *Field // nil: a name no field has
}

// Lex splits a query into tokens. It never fails: a fault is a KindError token
// and then the last one; else the last is KindEnd.
func Lex(query string) []Token { return lex(query, maxBytes).tokens }

// lexer reads one element after the other.
type lexer struct {
	text    string
	pos     int
	open    []opened // groups not closed yet
	tokens  []Token
	notes   []string
	dropped []Token // lone signs
	done    bool
}

type opened struct {
	char byte
	pos  int
}

// lex splits a query that may have so many bytes.
func lex(query string, most int) *lexer {
	l := &lexer{text: query}
	l.checkText(most)
	for !l.done {
		l.element()
	}
	return l
}

// checkText refuses what could not be read safely.
func (l *lexer) checkText(most int) {
	if len(l.text) > most {
		l.fail("too-long", maxBytes, len(l.text), "the query is longer than 4096 bytes",
			"save a part of it and write query:name")
		return
	}
	for i, r := range l.text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(l.text[i:], string(utf8.RuneError)):
			l.fail("bad-utf8", i, i+1, "the query is not UTF-8 text")
			return
		case unicode.IsControl(r) && !unicode.IsSpace(r):
			l.fail("bad-char", i, i+utf8.RuneLen(r), "the query contains a control character")
			return
		}
	}
}

// element reads an operator, a bracket, a condition, a phrase, a regular
// expression or a word.
func (l *lexer) element() {
	rest := strings.TrimLeftFunc(l.text[l.pos:], unicode.IsSpace)
	l.pos = len(l.text) - len(rest)
	switch {
	case rest == "":
		l.end()
	case rest[0] == '(':
		l.openGroup('(', KindOpen)
	case rest[0] == ')':
		l.closeGroup('(', KindClose)
	case rest[0] == '}' && l.depth('{') > 0:
		l.closeGroup('{', KindCloseSet)
	case (rest[0] == '-' || rest[0] == '!') && l.negates():
		l.emit(KindNot, 1, rest[:1])
	case l.quote() != "":
		l.phrase(false)
	case l.regexEnd(l.pos, false) > 0:
		l.regex(false)
	default:
		if token, ok := l.field(); ok {
			l.condition(token)
			return
		}
		l.noteBrokenRegex()
		l.word()
	}
}

func (l *lexer) end() {
	if n := len(l.open); n > 0 {
		l.unclosed(l.open[n-1])
		return
	}
	l.emit(KindEnd, 0, "")
	l.done = true
}

func (l *lexer) unclosed(o opened) {
	code := "unclosed-paren"
	if o.char == '{' {
		code = "unclosed-brace"
	}
	char := string(rune(o.char))
	l.fail(code, o.pos, o.pos+1, `"`+char+`" is never closed`,
		`to search for the character, write \`+char+` or quote the text`)
}

func (l *lexer) openGroup(char byte, kind Kind) {
	switch {
	case len(l.open) == maxDepth:
		l.fail("too-deep", l.pos, l.pos+1, "groups are nested deeper than 32")
	case char == '{' && l.depth('{') == maxSame:
		l.fail("too-deep", l.pos, l.pos+1, "{ } is nested deeper than 8")
	default:
		l.open = append(l.open, opened{char, l.pos})
		l.emit(kind, 1, "")
	}
}

// closeGroup ends the group that char opened.
func (l *lexer) closeGroup(char byte, kind Kind) {
	last := len(l.open) - 1
	switch {
	case last < 0:
		l.unmatched()
	case l.open[last].char != char:
		l.unclosed(l.open[last])
	default:
		l.open = l.open[:last]
		l.emit(kind, 1, "")
	}
}

func (l *lexer) unmatched() {
	l.fail("unmatched-paren", l.pos, l.pos+1, `unmatched ")"`, `to search for the character, write \) or quote the text`)
}

// negates reports whether the - or ! here is an operator: it is before
// something, and is not the first of a run of signs such as -> or !=.
func (l *lexer) negates() bool {
	rest := l.text[l.pos+1:]
	word := rest[:l.wordEnd(l.pos+1, false)-l.pos-1]
	switch {
	case strings.HasPrefix(rest, "("):
		return true
	case word == "":
		return false
	}
	return word[0] == '"' || strings.HasPrefix(word, "“") || word == "*" ||
		l.regexEnd(l.pos+1, false) > 0 || strings.IndexFunc(word, notSign) >= 0
}

func notSign(r rune) bool {
	return r >= utf8.RuneSelf || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// word reads a bare word; operators are words in capitals.
func (l *lexer) word() {
	end := l.wordEnd(l.pos, false)
	raw := l.text[l.pos:end]
	kind := KindWord
	switch {
	case raw == "AND":
		kind = KindAnd
	case raw == "OR":
		kind = KindOr
	case raw == "NOT":
		kind = KindNot
	case raw == "NEAR" || strings.HasPrefix(raw, "NEAR/"):
		kind = KindNear
	case raw == "|":
		l.fail("bad-operator", l.pos, end, `"|" is not an operator`, `write OR between alternatives, or quote it: "|"`)
		return
	case raw == "||":
		l.fail("bad-operator", l.pos, end, `"||" is not an operator`, "write OR between alternatives")
		return
	case len(raw) == 1 && !notSign(rune(raw[0])) && raw != "*":
		l.dropped = append(l.dropped, Token{Kind: KindWord, Start: l.pos, End: end, Text: raw})
		l.pos = end
		return
	case strings.HasSuffix(raw, ")") && !strings.Contains(raw, "(") && !strings.HasSuffix(raw, `\)`):
		l.notes = append(l.notes, `")" in "`+raw+`" closes nothing and is searched as text`)
	}
	l.emit(kind, len(raw), raw)
}

// emit adds a token of n bytes and steps behind it.
func (l *lexer) emit(kind Kind, n int, content string) {
	l.tokens = append(l.tokens, Token{Kind: kind, Start: l.pos, End: l.pos + n, Text: content})
	l.pos += n
}

// fail adds an error token, the last one.
func (l *lexer) fail(code string, start, end int, message string, help ...string) {
	err := newError(code, start, end, message, help...)
	l.tokens = append(l.tokens, Token{Kind: KindError, Start: start, End: end, Err: err})
	l.done = true
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

// ends reports whether a token can end at i.
func (l *lexer) ends(i int, list bool) bool {
	r, _ := utf8.DecodeRuneInString(l.text[i:])
	return i == len(l.text) || unicode.IsSpace(r) || list && r == ',' ||
		r == ')' && l.depth('(') > 0 || r == '}' && l.depth('{') > 0
}
