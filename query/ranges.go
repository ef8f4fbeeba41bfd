package query

import (
	"strconv"
	"strings"

	"github.com/OWNER/handex/query/internal/text"
)

// ranks resolves < > and ranges of a closed field that has an order.
func (r *resolver) ranks(f *Field, n *node) Expr {
	return r.compare(f, n, func(s string, at *node) (float64, bool) {
		value, ok := f.closedValue(s)
		if !ok {
			r.unknownValue(f.Name, s, at, f.Values)
		}
		return f.rank(value), ok
	})
}

var numberForm = lazy(`^-?\d{1,15}(\.\d{1,15})?%?$`)

// number resolves a condition on a number.
func (r *resolver) number(f *Field, n *node) Expr {
	if t := n.kids[0].token; t.Kind == KindWord && t.Text == "*" && n.op() == "" {
		r.count(n)
		return Has{f.Name}
	}
	return r.compare(f, n, func(s string, at *node) (float64, bool) {
		v, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
		if !numberForm().MatchString(s) || err != nil {
			name := f.Name
			r.fail("bad-number", at.start, at.end, name+` needs a number, not "`+s+`"`,
				"for example "+name+":50, "+name+":>=50 or "+name+":20..50")
			return 0, false
		}
		return v, true
	})
}

// compare resolves a comparison or range of anything with an order.
func (r *resolver) compare(f *Field, n *node, read func(string, *node) (float64, bool)) Expr {
	r.count(n)
	kid := n.kids[0]
	if isRange(n) && n.op() == "" {
		ends, ok := readRange(n, read)
		isBackwards := ok && ends[0] != nil && ends[1] != nil && *ends[0] > *ends[1]
		if !ok || r.isBadRange(f, n, ends[0] == nil && ends[1] == nil, isBackwards) {
			return All{}
		}
		var list []Expr
		for i, op := range []string{">=", "<="} {
			if ends[i] != nil {
				list = append(list, Amount{f.Name, op, *ends[i]})
			}
		}
		return And{list}
	}
	v, _ := read(text.Unescape(kid.token.Text), kid)
	switch op := n.op(); op {
	case "":
		return Amount{f.Name, "=", v}
	case "!=":
		return Not{Amount{f.Name, "=", v}}
	default:
		return Amount{f.Name, op, v}
	}
}

// isRange reports whether the condition's value contains two dots.
func isRange(n *node) bool {
	return len(n.kids) == 1 && n.kids[0].token.Kind != KindRegex && strings.Contains(n.kids[0].token.Text, "..")
}

// splitRange cuts a..b into its ends.
func splitRange(n *node) (low, high *node) {
	shift := n.start
	if n.token.Kind != KindWord {
		shift++ // the quote
	}
	first, last, _ := strings.Cut(n.token.Text, "..")
	end := func(part string, from int) *node {
		return &node{kind: nodeText, token: Token{Kind: KindWord, Text: part}, start: from, end: from + len(part)}
	}
	return end(first, shift), end(last, shift+len(first)+2)
}

// readRange reads the ends of a..b; one that is open is nil. ok is false if one
// could not be read.
func readRange[T any](n *node, read func(string, *node) (T, bool)) (ends [2]*T, ok bool) {
	low, high := splitRange(n.kids[0])
	for i, end := range []*node{low, high} {
		if end.token.Text == "" || end.token.Text == "*" {
			continue
		}
		v, ok := read(text.Unescape(end.token.Text), end)
		if !ok {
			return ends, false
		}
		ends[i] = &v
	}
	return ends, true
}

// isBadRange refuses a range without an end, and one that runs backwards.
func (r *resolver) isBadRange(f *Field, n *node, endless, backwards bool) bool {
	kid := n.kids[0]
	switch {
	case endless:
		r.fail("empty-range", kid.start, kid.end, "the range has no end",
			"give one end or both; for any value write has:"+n.token.field.Name)
	case backwards:
		low, high := splitRange(kid)
		r.fail("empty-range", kid.start, kid.end, "the range "+kid.token.Text+" runs backwards",
			"write "+f.Name+":"+high.token.Text+".."+low.token.Text)
	}
	return endless || backwards
}

// date resolves a condition on a date, or on age.
func (r *resolver) date(f *Field, n *node) Expr {
	r.count(n)
	kid, op := n.kids[0], n.op()
	name, typed := f.Name, kid.token.Text
	switch {
	case kid.token.Kind == KindRegex || kid.token.Kind == KindPrefix:
		return r.failDate(kid, badDate(`not a date: "`+r.text[kid.start:kid.end]+`"`, "for example "+f.Example))
	case typed == "*" && op == "" && f.columns != nil:
		return Has{name}
	case f.Ordered && op == "" && isRange(n):
		return r.dateRange(f, n)
	case strings.ContainsAny(op, "<>") && f.Kind == FieldDate && isDuration(typed):
		return r.fail("ambiguous-duration", n.token.End-len(op), n.end, r.text[n.start:n.end]+" can be read two ways",
			"newer than "+typed+": age:<"+typed+"; older than "+typed+": age:>"+typed)
	}
	typed = text.Unescape(typed)
	if _, err := r.clock.date(typed); f.Kind == FieldDuration && err != nil && strings.Contains(err.Message, "ambiguous") {
		return r.failDate(kid, err)
	}
	iv, _ := r.readDate(f, typed, kid)
	switch {
	case f.Kind == FieldDuration:
		name = "date"
		if older, ok := ageOps[op]; ok {
			op = older
		}
	case f.columns == nil: // since, until, before, after
		name, op = "date", map[string]string{"since": ">=", "until": "<=", "before": "<", "after": ">"}[name]
	}
	return during(name, op, iv)
}

// ageOps are comparisons of an age as those of the date. What is exactly so old
// is not older: < and > divide all handoffs between them.
var ageOps = map[string]string{"<": ">=", "<=": ">=", ">": "<", ">=": "<="}

// during returns the interval a comparison leaves of all time.
func during(field, op string, iv interval) Expr {
	switch op {
	case "<":
		return During{Field: field, To: iv.From}
	case "<=":
		return During{Field: field, To: iv.To}
	case ">":
		return During{Field: field, From: iv.To}
	case ">=":
		return During{Field: field, From: iv.From}
	case "!=":
		return Not{During{field, iv.From, iv.To}}
	}
	return During{field, iv.From, iv.To}
}

// readDate reads a date, or of age how long ago it is.
func (r *resolver) readDate(f *Field, typed string, at *node) (interval, bool) {
	if f.Kind == FieldDuration && !isDuration(typed) {
		r.failDate(at, badDate(`not an age: "`+typed+`"`,
			"for example age:<7d or age:>3mo; for dates write since: and before:"))
		return interval{}, false
	}
	iv, err := r.clock.date(typed)
	if err != nil {
		r.failDate(at, err)
	}
	return iv, err == nil
}

// failDate adds err as an error about the whole of n, and returns All in place of its condition.
func (r *resolver) failDate(n *node, err *Error) Expr {
	err.Start, err.End = n.start, n.end
	r.errs = append(r.errs, err)
	return All{}
}

// dateRange resolves a..b; of age the older end may be written first or last.
func (r *resolver) dateRange(f *Field, n *node) Expr {
	ends, ok := readRange(n, func(s string, at *node) (interval, bool) { return r.readDate(f, s, at) })
	if !ok {
		return All{}
	}
	e := During{Field: f.Name}
	if f.Kind == FieldDuration {
		e.Field, ends[0], ends[1] = "date", ends[1], ends[0]
	}
	if ends[0] != nil {
		e.From = ends[0].From
	}
	if ends[1] != nil {
		e.To = ends[1].To
	}
	isBackwards := !e.From.IsZero() && !e.To.IsZero() && !e.From.Before(e.To)
	if r.isBadRange(f, n, e.From.IsZero() && e.To.IsZero(), isBackwards) {
		return All{}
	}
	return e
}
