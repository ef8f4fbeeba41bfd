package query

import (
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/query/internal/text"
)

// Source returns a query text that means the same as q, on one line, whatever the clock
// and the saved queries are then; only is:stale keeps up with the clock.
func (q *Query) Source() string {
	p := printer{zone: q.zone}
	list := q.directiveList()
	if _, all := q.Expr.(All); !all || len(list) == 0 {
		list = append([]string{p.expr(q.Expr)}, list...)
	}
	return strings.Join(list, " ")
}

// printer writes expressions in the language.
type printer struct{ zone *time.Location }

func (p printer) expr(e Expr) string {
	switch e := e.(type) {
	case All:
		return "*"
	case None:
		return "-*"
	case And:
		return p.and(e.List)
	case Or:
		return strings.Join(each(e.List, p.operand), " OR ")
	case Not:
		if has, ok := e.X.(Has); ok {
			return "no:" + has.Field
		}
		return negated(p.operand(e.X))
	case Text:
		return p.text(e)
	case Key:
		return p.key(e)
	case Amount:
		if e.Op == "=" {
			return e.Field + ":" + e.value()
		}
		return e.Field + e.Op + e.value()
	case During:
		return p.during(e)
	case Is:
		return "is:" + e.State
	case Has:
		return "has:" + e.Field
	case Same:
		return e.Field + ":{" + p.expr(e.X) + "}"
	}
	return ""
}

// negated returns a text with a minus before it, and parentheses around signs the minus
// would be one word with.
func negated(s string) string {
	if strings.IndexFunc(s, notSign) < 0 && s != "*" && !strings.HasPrefix(s, "(") {
		s = "(" + s + ")"
	}
	return "-" + s
}

// operand writes e so that it is one element of a list.
func (p printer) operand(e Expr) string {
	s := p.expr(e)
	switch e := e.(type) {
	case And, Or:
		return "(" + s + ")"
	case Text:
		if e.Kind == TextNear && e.Field == "" {
			return "(" + s + ")"
		}
	case All, None, Not, Key, Amount, During, Is, Has, Same:
	}
	return s
}

// and writes a list of conditions; words that would be read as an idiom get
// brackets, which keep them apart.
func (p printer) and(list []Expr) string {
	parts := each(list, p.operand)
	for i, x := range list {
		if t, ok := x.(Text); ok && t.Field == "" && isBare(parts[i]) && len(list) > 1 {
			if begins(parts[i:]) {
				parts[i] = "(" + parts[i] + ")"
			}
		}
	}
	return strings.Join(parts, " ")
}

// begins reports whether an idiom begins with the first of these words.
func begins(parts []string) bool {
	n := 0
	for n < len(parts) && isBare(parts[n]) {
		n++
	}
	return n > 1 && readIdiom(parts[:n], true) != nil
}

func (p printer) text(e Text) string {
	field := ""
	if e.Field != "" {
		field = e.Field + ":"
	}
	switch e.Kind {
	case TextPhrase:
		if e.Open {
			return field + quote(e.Text) + "*"
		}
		return field + quote(e.Text)
	case TextRegex:
		return field + "/" + e.Text + "/"
	case TextNear:
		near := strings.Join(each(e.Near, p.text), " NEAR/"+strconv.Itoa(e.Distance)+" ")
		if field != "" {
			return field + "(" + near + ")"
		}
		return near
	}
	return field + bareWord(e, field)
}

// bareWord finds a spelling that is read as just this text behind field ("next:",
// or nothing), where an operator's name is a word.
func bareWord(e Text, field string) string {
	want := e
	want.Field = ""
	plain, safe := e.Text, text.Escape(e.Text)
	tries := []string{plain, safe, plain + "*", safe + "*", "*" + plain + "*", "*" + safe + "*", plain + "~"}
	for _, try := range tries {
		raw, ok := loneWord(try)
		if !ok && field != "" {
			raw, ok = loneWord(field+try, KindField)
		}
		if !ok {
			continue
		}
		if got, _, err := readWord(raw); err == nil && got.String() == want.String() {
			return try
		}
	}
	return quote(e.Text)
}

func (p printer) key(e Key) string {
	switch e.Op {
	case KeyExact:
		if strings.TrimSpace(e.Value) == "" { // empty quotes are an error
			return e.Field + "=" + text.Escape(e.Value)
		}
		return e.Field + "=" + quote(e.Value)
	case KeyGlob:
		glob := text.WriteGlob(e.Value)
		if _, ok := loneWord(e.Field+":"+glob, KindField); !ok && strings.HasPrefix(glob, "/") {
			glob = `\` + glob // with another slash at its end it would be a regular expression
		}
		return e.Field + ":" + glob
	case KeyRegex:
		return e.Field + ":/" + e.Value + "/"
	}
	return bareKey(e)
}

// bareKey finds a spelling that is read as just this value.
func bareKey(e Key) string {
	plain := e.Field + ":" + e.Value
	raw, ok := loneWord(plain, KindField)
	if ok && e.Value != "." && text.Unescape(raw) == e.Value && !text.IsGlob(raw) {
		return plain
	}
	return e.Field + ":" + text.Escape(e.Value)
}

// loneWord returns the last token of text if it is a word, behind tokens of
// these kinds and no others, wherever text is in a query, also in groups.
func loneWord(text string, before ...Kind) (string, bool) {
	// A query at the limit may be longer once its signs are escaped; it is still
	// shown as it is read.
	l := lex("project:{("+text+")}", 3*maxBytes)
	kinds := append(append([]Kind{KindField, KindOpenSet, KindOpen}, before...), KindWord, KindClose, KindCloseSet,
		KindEnd)
	if len(l.tokens) != len(kinds) {
		return "", false
	}
	for i, kind := range kinds {
		if l.tokens[i].Kind != kind {
			return "", false
		}
	}
	word := l.tokens[len(kinds)-4]
	return word.Text, before == nil || l.tokens[3].Op == ":"
}

// during writes whole days as days, anything else to the millisecond.
func (p printer) during(e During) string {
	switch {
	case e.To.IsZero():
		return e.Field + ">=" + p.point(e.From)
	case e.From.IsZero() && e.To.Year() > 9999:
		return e.Field + "<=" + p.point(e.To.Add(-time.Millisecond))
	case e.From.IsZero():
		return e.Field + "<" + p.point(e.To)
	case p.isMidnight(e.From) && p.isMidnight(e.To):
		first, last := p.point(e.From), p.point(e.To.In(p.zone).AddDate(0, 0, -1))
		if first == last {
			return e.Field + ":" + first
		}
		return e.Field + ":" + first + ".." + last
	}
	return e.Field + ":" + e.From.Format(milliseconds) + ".." + e.To.Add(-time.Millisecond).Format(milliseconds)
}

const milliseconds = "2006-01-02T15:04:05.000Z07:00"

// point writes the first instant of what it covers.
func (p printer) point(t time.Time) string {
	if p.isMidnight(t) {
		return t.In(p.zone).Format(time.DateOnly)
	}
	return t.Format(milliseconds)
}

func (p printer) isMidnight(t time.Time) bool {
	t = t.In(p.zone)
	y, m, d := t.Date()
	return t.Equal(time.Date(y, m, d, 0, 0, 0, 0, p.zone))
}
