package query

import (
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/query/internal/match"
)

// Expr is what a query asks of a handoff, resolved: fields are known, dates
// absolute, saved queries expanded. String is the canonical form: one
// spelling for every way to write the same thing.
//
//sumtype:decl
type Expr interface {
	String() string
	isExpr()
}

// All is every handoff.
type All struct{}

// None is no handoff.
type None struct{}

// And is every handoff that meets all of List, two or more.
type And struct{ List []Expr }

// Or is every handoff that meets one of List, two or more.
type Or struct{ List []Expr }

// Not is every handoff that does not meet X. A handoff that lacks what X asks
// for does not meet it.
type Not struct{ X Expr }

// TextKind is how a piece of text is searched.
type TextKind = match.Kind

// The kinds of text.
const (
	TextWord     = match.Word     // a word and its other forms
	TextExact    = match.Exact    // its tokens side by side, unstemmed
	TextPhrase   = match.Phrase   // the text itself, white space folded
	TextPrefix   = match.Prefix   // words that begin so
	TextContains = match.Contains // the characters, anywhere
	TextRegex    = match.Regex
	TextFuzzy    = match.Fuzzy // words at most two edits away
	TextNear     = match.Near  // words and phrases close to each other
)

// Text is a piece of text to find.
type Text struct {
	Kind TextKind
	Text string
	// Field is the text field it must be in, "" for the whole handoff.
	Field string
	// Open phrases end in the middle of a word: "big wo"*.
	Open bool
	// Near are the parts of a TextNear, at most Distance tokens apart.
	Near     []Text
	Distance int
}

// KeyOp is how the value of a field is compared.
type KeyOp = match.Op

// The comparisons of names. KeyEqual ignores case and, where the field says
// so, asks only for the beginning; KeyExact is letter for letter.
const (
	KeyEqual = match.OpEqual
	KeyExact = match.OpExact
	KeyGlob  = match.OpGlob
	KeyRegex = match.OpRegex
)

// Key compares a field whose value is a name or a path.
type Key struct {
	Field string
	Op    KeyOp
	Value string
}

// Amount compares a field that has an order; Op is one of = < <= > >=. Value
// is the number, or for priority its rank from 0.
type Amount struct {
	Field string
	Op    string
	Value float64
}

// During is every handoff whose date, updated or sent lies in the half-open
// interval; a zero time is no bound. A handoff dated to the day covers the day.
type During struct {
	Field    string
	From, To time.Time
}

// Is is every handoff in a state. Before is the stale limit of is:stale.
type Is struct {
	State  string
	Before time.Time
}

// Has is every handoff that gives a field.
type Has struct{ Field string }

// Same is every handoff whose field has a value that the field has in some
// handoff meeting X.
type Same struct {
	Field string
	X     Expr
}

func (All) isExpr()    {}
func (None) isExpr()   {}
func (And) isExpr()    {}
func (Or) isExpr()     {}
func (Not) isExpr()    {}
func (Text) isExpr()   {}
func (Key) isExpr()    {}
func (Amount) isExpr() {}
func (During) isExpr() {}
func (Is) isExpr()     {}
func (Has) isExpr()    {}
func (Same) isExpr()   {}

func (All) String() string    { return "(all)" }
func (None) String() string   { return "(none)" }
func (e And) String() string  { return "(and " + join(e.List) + ")" }
func (e Or) String() string   { return "(or " + join(e.List) + ")" }
func (e Not) String() string  { return "(not " + e.X.String() + ")" }
func (e Is) String() string   { return "(is " + e.State + ")" }
func (e Has) String() string  { return "(has " + e.Field + ")" }
func (e Same) String() string { return "(same " + e.Field + " " + e.X.String() + ")" }

func (t Text) String() string {
	if t.Field != "" {
		inner := t
		inner.Field = ""
		return "(in " + t.Field + " " + inner.String() + ")"
	}
	switch t.Kind {
	case TextPhrase:
		if t.Open {
			return "(prefix " + quote(t.Text) + ")"
		}
		return "(phrase " + quote(t.Text) + ")"
	case TextContains:
		return "(contains " + quote(t.Text) + ")"
	case TextRegex:
		return "(regex /" + t.Text + "/)"
	case TextNear:
		return "(near " + strconv.Itoa(t.Distance) + " " + join(t.Near) + ")"
	}
	return "(" + string(t.Kind) + " " + atom(t.Text) + ")"
}

func (k Key) String() string {
	switch k.Op {
	case KeyExact:
		return "(" + k.Field + " = " + quote(k.Value) + ")"
	case KeyGlob:
		return "(" + k.Field + " glob " + atom(k.Value) + ")"
	case KeyRegex:
		return "(" + k.Field + " /" + k.Value + "/)"
	}
	return "(" + k.Field + " " + atom(k.Value) + ")"
}

func (e Amount) String() string {
	return "(" + e.Field + " " + e.Op + " " + e.value() + ")"
}

// value returns the number as text, or the word for it if the field has a closed list
// of values, like priority.
func (e Amount) value() string {
	if f := lookup(e.Field); f != nil && f.Kind == FieldClosed {
		if i := int(e.Value); i >= 0 && i < len(f.Values) {
			return f.Values[i]
		}
	}
	return strconv.FormatFloat(e.Value, 'f', -1, 64)
}

func (e During) String() string {
	return "(" + e.Field + " [" + bound(e.From, "-∞") + " " + bound(e.To, "∞") + "))"
}

func bound(t time.Time, open string) string {
	switch {
	case t.IsZero():
		return open
	case t.Nanosecond() != 0:
		return t.Format("2006-01-02T15:04:05.000Z07:00")
	case t.Second() != 0:
		return t.Format("2006-01-02T15:04:05Z07:00")
	}
	return t.Format("2006-01-02T15:04Z07:00")
}

func join[E Expr](list []E) string { return strings.Join(each(list, E.String), " ") }

// each returns what f returns for each of a list.
func each[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = f(a)
	}
	return out
}

// quote writes text between quotes of the language.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// atom writes text bare where that cannot be misread.
func atom(s string) string {
	if s == "" || strings.ContainsAny(s, " \t\n\"()") {
		return quote(s)
	}
	return s
}

// Simplify folds an expression without changing what it finds: lists are
// flattened, double negation and repetitions go, and so does what is always or
// never true.
func Simplify(e Expr) Expr {
	switch e := e.(type) {
	case And:
		return simplifyList(e.List, true)
	case Or:
		return simplifyList(e.List, false)
	case Not:
		return negate(Simplify(e.X))
	case Same:
		return Same{e.Field, Simplify(e.X)}
	case All, None, Text, Key, Amount, During, Is, Has:
		return e
	}
	return e
}

func negate(e Expr) Expr {
	switch e := e.(type) {
	case Not:
		return e.X
	case All:
		return None{}
	case None:
		return All{}
	case And, Or, Text, Key, Amount, During, Is, Has, Same:
	}
	return Not{e}
}

// simplifyList folds the list of an And or of an Or.
func simplifyList(list []Expr, isAnd bool) Expr {
	empty, decisive := Expr(All{}), Expr(None{})
	if !isAnd {
		empty, decisive = decisive, empty
	}
	var kept []Expr
	seen := map[string]bool{}
	for _, x := range list {
		x = Simplify(x)
		if x == decisive {
			return x
		}
		for _, part := range partsOf(x, isAnd) {
			if s := part.String(); part != empty && !seen[s] {
				seen[s] = true
				kept = append(kept, part)
			}
		}
	}
	switch len(kept) {
	case 0:
		return empty
	case 1:
		return kept[0]
	}
	return listOf(kept, isAnd)
}

func listOf(list []Expr, isAnd bool) Expr {
	if isAnd {
		return And{list}
	}
	return Or{list}
}

// partsOf returns the list of an And, or else of an Or; anything else is its only part.
func partsOf(e Expr, isAnd bool) []Expr {
	if and, ok := e.(And); ok && isAnd {
		return and.List
	}
	if or, ok := e.(Or); ok && !isAnd {
		return or.List
	}
	return []Expr{e}
}

func isAll(e Expr) bool { return e == Expr(All{}) }
