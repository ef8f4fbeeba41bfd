package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/OWNER/handex/query/internal/text"
)

// operators are the signs behind the name of a field, the longest first.
var operators = []string{"<=", ">=", "!=", "<", ">", "=", ":"}

// field reads the name and operator of a condition. ok is false where the word
// here is text, whatever it looks like.
func (l *lexer) field() (token Token, ok bool) {
	rest := l.text[l.pos:]
	name := rest[:nameEnd(rest)]
	rest = rest[len(name):]
	op := operator(rest)
	if name == "" || op == "" {
		return Token{}, false
	}
	f := lookup(name)
	if f == nil && !meantAsField(name, op, rest[len(op):]) {
		return Token{}, false
	}
	if op == ":" && f != nil && (f.isKey() || f.Ordered || f.Kind == FieldDate) {
		if op += operator(rest[1:]); op == "::" {
			op = ":"
		}
	}
	return Token{Kind: KindField, Start: l.pos, End: l.pos + len(name) + len(op), Text: name, Op: op, field: f}, true
}

// nameEnd measures a field name: letters, digits and _ . - behind a letter.
// Behind sec. and meta. letters of any script will do.
func nameEnd(s string) int {
	isPrefixed := false
	for i, r := range s {
		isPrefixed = isPrefixed || strings.EqualFold(s[:i], "sec.") || strings.EqualFold(s[:i], "meta.")
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		switch {
		case letter:
		case i > 0 && (r >= '0' && r <= '9' || r == '_' || r == '.' || r == '-'):
		case isPrefixed && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)):
		default:
			return i
		}
	}
	return len(s)
}

// operator returns the operator that s begins with, "" for none.
func operator(s string) string {
	i := slices.IndexFunc(operators, func(op string) bool { return strings.HasPrefix(s, op) })
	if i < 0 {
		return ""
	}
	return operators[i]
}

// meantAsField reports whether a text with a colon is a mistyped field, rather than a
// pasted error line, an address or a time. A mistyped field is an error.
func meantAsField(name, op, after string) bool {
	near := len(text.Suggest(name, knownNames())) > 0
	if op != ":" {
		return near
	}
	word := ""
	if words := strings.Fields(after); len(words) > 0 && strings.HasPrefix(after, words[0]) {
		word = words[0]
	}
	switch {
	case word == "", strings.ContainsAny(word[:1], `)}:\`), strings.HasPrefix(word, "//"):
		return false
	case strings.ContainsFunc(name, unicode.IsUpper), strings.Contains(name, "."):
		return false
	}
	return near || strings.Trim(strings.TrimRight(word, ")}"), "0123456789") != ""
}

// condition emits the field and reads the value that must follow it.
func (l *lexer) condition(field Token) {
	l.tokens = append(l.tokens, field)
	l.pos = field.End
	name, rest := l.text[field.Start:field.End], l.text[field.End:]
	isKey := field.field != nil && field.field.isKey()
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case strings.TrimSpace(rest) == "", l.ends(l.pos, false) && !unicode.IsSpace(r):
		l.fail("empty-value", field.Start, field.End, name+" needs a value", valueHelp(field))
	case unicode.IsSpace(r):
		l.fail("space-after-colon", l.pos, l.pos+size, `no space is allowed after "`+name+`"`,
			"write "+name+strings.Fields(rest)[0])
	case r == '(':
		l.openGroup('(', KindOpen)
	case r == '{' && isKey:
		l.openGroup('{', KindOpenSet)
	default:
		l.value(isKey || field.field != nil && field.field.Kind == fieldControl)
	}
}

// value reads one value of a condition, and what follows it in a list.
func (l *lexer) value(list bool) {
	if l.quote() != "" {
		l.phrase(list)
		return
	}
	if l.regexEnd(l.pos, list) > 0 {
		l.regex(list)
		return
	}
	word := l.text[l.pos:l.wordEnd(l.pos, list)]
	if i := unbalanced(word); i >= 0 && l.depth('(') == 0 {
		l.pos += i
		l.unmatched()
		return
	}
	if word == "" {
		l.fail("bad-list", l.pos, l.pos+1, "a value is missing before the comma", "write the values as a,b,c")
		return
	}
	l.emit(KindWord, len(word), word)
	l.afterValue(list)
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

// afterValue reads the rest of the list, if this is one.
func (l *lexer) afterValue(list bool) {
	if !list || !strings.HasPrefix(l.text[l.pos:], ",") {
		return
	}
	l.emit(KindComma, 1, ",")
	if l.ends(l.pos, false) {
		l.fail("bad-list", l.pos-1, l.pos, "a value is missing after the comma", "write the values as a,b,c")
		return
	}
	l.value(true)
}

// valueHelp returns the help on what may follow the field.
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

// quote returns the closing quote for the opening one here, "" if none is here.
func (l *lexer) quote() string {
	r, _ := utf8.DecodeRuneInString(l.text[l.pos:])
	return map[rune]string{'"': `"`, '“': "”"}[r]
}

// phrase reads quoted text. Inside, \" and \\ are escapes and any other
// backslash is itself.
func (l *lexer) phrase(list bool) {
	start, closing := l.pos, l.quote()
	_, size := utf8.DecodeRuneInString(l.text[start:])
	var b strings.Builder
	for i := start + size; i < len(l.text); {
		rest := l.text[i:]
		switch {
		case strings.HasPrefix(rest, closing):
			l.endPhrase(i+len(closing), b.String(), list)
			return
		case strings.HasPrefix(rest, `\"`), strings.HasPrefix(rest, `\\`):
			b.WriteByte(rest[1])
			i += 2
		case strings.HasPrefix(rest, `\`+closing):
			b.WriteString(closing)
			i += 1 + len(closing)
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
	l.fail("unclosed-quote", start, start+size, "the quote is never closed",
		`add a closing `+closing+`, or write \" for the character itself`)
}

// endPhrase adds the token of a phrase whose closing quote ends at end, or of a prefix if "*" follows.
// If list is set, it reads the rest of a list of values. Other text directly after the quote is an error.
func (l *lexer) endPhrase(end int, content string, list bool) {
	kind, start := KindPhrase, l.pos
	if strings.HasPrefix(l.text[end:], "*") {
		kind, end = KindPrefix, end+1
	}
	l.emit(kind, end-start, content)
	if l.ends(end, true) || strings.HasPrefix(l.text[end:], ")") {
		l.afterValue(list)
		return
	}
	stop := l.wordEnd(end, true)
	l.fail("no-space", end, max(stop, end+1), "a space is missing after the quote",
		"write "+l.text[start:end]+" "+l.text[end:stop])
}

// regexEnd finds the end of a regular expression that begins at start: it must
// end the token and contain no other slash, or it is a path; 0 if there is none.
func (l *lexer) regexEnd(start int, list bool) int {
	if !strings.HasPrefix(l.text[start:], "/") {
		return 0
	}
	for i := start + 1; i < len(l.text); {
		r, size := utf8.DecodeRuneInString(l.text[i:])
		switch {
		case unicode.IsSpace(r), r == '/' && (i == start+1 || !l.ends(i+1, list)):
			return 0
		case r == '/':
			return i + 1
		case r == '\\' && i+1 < len(l.text):
			_, next := utf8.DecodeRuneInString(l.text[i+1:])
			size += next
		}
		i += size
	}
	return 0
}

// regex reads a regular expression, and what follows it in a list.
func (l *lexer) regex(list bool) {
	end := l.regexEnd(l.pos, list)
	l.emit(KindRegex, end-l.pos, l.text[l.pos+1:end-1])
	l.afterValue(list)
}

// noteBrokenRegex adds a note on what looks like a regular expression with a space.
func (l *lexer) noteBrokenRegex() {
	words := strings.Fields(l.text[l.pos:])
	if len(words) < 2 || words[0] == "/" || words[1] == "/" {
		return
	}
	if strings.HasPrefix(words[0], "/") && strings.Count(words[0], "/") == 1 &&
		strings.HasSuffix(words[1], "/") && strings.Count(words[1], "/") == 1 {
		l.notes = append(l.notes, `"`+words[0]+" "+words[1]+`" is read as two words; a space in a regular expression is \s`)
	}
}
