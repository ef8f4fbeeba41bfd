package query

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"handex/query/internal/text"
)

// operators, longest first.
var comparisons = []string{"<=", ">=", "!=", "<", ">", "="}

// field reads the name and operator of a condition. ok is false where the word
// here is text, whatever it looks like.
func (l *lexer) field() (token Token, ok bool) {
	rest := l.text[l.pos:]
	name := rest[:nameEnd(rest)]
	op := operator(rest[len(name):])
	if name == "" || op == "" {
		return Token{}, false
	}
	f := lookup(name)
	if f == nil && !meantAsField(name, op, rest[len(name)+len(op):]) {
		return Token{}, false
	}
	if op == ":" && f != nil && (f.isKey() || f.Ordered || f.Kind == FieldDate) {
		op += comparison(rest[len(name)+1:])
	}
	return Token{Kind: KindField, Start: l.pos, End: l.pos + len(name) + len(op), Text: name, Op: op, field: f}, true
}

// nameEnd measures a field name: letters, digits and _ . - behind a letter.
// Behind sec. and meta. letters of any script will do.
func nameEnd(s string) int {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		switch {
		case letter:
		case i > 0 && (r >= '0' && r <= '9' || r == '_' || r == '.' || r == '-'):
		case i > 0 && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && anyScript(s[:i]):
		default:
			return i
		}
	}
	return len(s)
}

func anyScript(name string) bool {
	low := strings.ToLower(name)
	return strings.HasPrefix(low, "sec.") || strings.HasPrefix(low, "meta.")
}

func operator(s string) string {
	if strings.HasPrefix(s, ":") {
		return ":"
	}
	return comparison(s)
}

func comparison(s string) string {
	for _, op := range comparisons {
		if strings.HasPrefix(s, op) {
			return op
		}
	}
	return ""
}

// meantAsField tells a mistyped field from text that holds a colon: a pasted
// error line, an address, a time. What it lets through is told as an error.
func meantAsField(name, op, after string) bool {
	near := len(text.Suggest(name, knownNames())) > 0
	if op != ":" {
		return near
	}
	r, _ := utf8.DecodeRuneInString(after)
	switch {
	case after == "", unicode.IsSpace(r), r == ')', r == '}', r == ':', r == '\\', strings.HasPrefix(after, "//"):
		return false
	case strings.ContainsFunc(name, unicode.IsUpper), strings.Contains(name, "."):
		return false
	}
	digits := strings.TrimRight(after[:wordLen(after)], ")}")
	return near || strings.Trim(digits, "0123456789") != ""
}

func wordLen(s string) int {
	if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 {
		return i
	}
	return len(s)
}

// value emits the field and reads the value that must stand right behind it.
func (l *lexer) value(field Token) stateFn {
	l.tokens = append(l.tokens, field)
	l.pos = field.End
	list := field.field != nil && (field.field.isKey() || field.field.Kind == fieldControl)
	r, _ := utf8.DecodeRuneInString(l.text[l.pos:])
	switch {
	case strings.TrimSpace(l.text[l.pos:]) == "", l.ends(l.pos, false) && !unicode.IsSpace(r):
		return l.emptyValue(field)
	case unicode.IsSpace(r):
		return l.spaceAfter(field)
	case r == '(':
		return l.openGroup('(', KindOpen)
	case r == '{' && field.field != nil && field.field.isKey():
		return l.openGroup('{', KindOpenSet)
	}
	return l.oneValue(list)
}

// oneValue reads one value of a condition, and what follows it in a list.
func (l *lexer) oneValue(list bool) stateFn {
	if l.quote() != "" {
		return l.phrase(list)
	}
	if end := l.regexEnd(list); end > 0 {
		l.regex(end)
		return l.afterValue(list)
	}
	end := l.wordEnd(l.pos, list)
	if i := unbalanced(l.text[l.pos:end]); i >= 0 && l.depth('(') == 0 {
		l.pos += i
		return l.unmatched()
	}
	if end == l.pos {
		return l.fail("bad-list", l.pos, l.pos+1, "a value is missing before the comma", "write the values as a,b,c")
	}
	l.emit(KindWord, end-l.pos, l.text[l.pos:end])
	return l.afterValue(list)
}

// unbalanced finds a ) that closes nothing in a word, -1 if there is none.
func unbalanced(word string) int {
	parens := 0
	for i := 0; i < len(word); i++ {
		switch word[i] {
		case '\\':
			i++
		case '(':
			parens++
		case ')':
			if parens--; parens < 0 {
				return i
			}
		}
	}
	return -1
}

// afterValue goes on with the list, if this is one.
func (l *lexer) afterValue(list bool) stateFn {
	if !list || !strings.HasPrefix(l.text[l.pos:], ",") {
		return lexElement
	}
	l.emit(KindComma, 1, ",")
	if l.ends(l.pos, false) {
		return l.fail("bad-list", l.pos-1, l.pos, "a value is missing behind the comma", "write the values as a,b,c")
	}
	return l.oneValue(true)
}

func (l *lexer) emptyValue(field Token) stateFn {
	name := l.text[field.Start:field.End]
	return l.fail("empty-value", field.Start, field.End, name+" needs a value", valueHelp(field))
}

func (l *lexer) spaceAfter(field Token) stateFn {
	name := l.text[field.Start:field.End]
	rest := strings.TrimLeftFunc(l.text[field.End:], unicode.IsSpace)
	_, size := utf8.DecodeRuneInString(l.text[field.End:])
	return l.fail("space-after-colon", field.End, field.End+size, `no space is allowed after "`+name+`"`, "write "+name+rest[:wordLen(rest)])
}

// valueHelp says what may stand behind the field.
func valueHelp(field Token) string {
	f := field.field
	switch {
	case f == nil:
		return `to search for the text, quote it: "` + field.Text + field.Op + `"`
	case f.Name == "is":
		return "values: " + strings.Join(stateNames(), ", ")
	case len(f.Values) > 0:
		return "values: " + strings.Join(f.Values, ", ")
	}
	return "for example " + f.Example
}
