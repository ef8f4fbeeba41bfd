package query

import (
	"strconv"
	"strings"

	"handex/query/internal/text"
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
			r.fail("bad-number", at.start, at.end, name+` needs a number, not "`+s+`"`, "for example "+name+":50, "+name+":>=50 or "+name+":20..50")
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
		return r.amountRange(f, n, read)
	}
	v, ok := read(text.Unescape(kid.token.Text), kid)
	if !ok {
		return All{}
	}
	switch op := n.op(); op {
	case "":
		return Amount{f.Name, "=", v}
	case "!=":
		return Not{Amount{f.Name, "=", v}}
	default:
		return Amount{f.Name, op, v}
	}
}

func (r *resolver) amountRange(f *Field, n *node, read func(string, *node) (float64, bool)) Expr {
	low, high := splitRange(n.kids[0])
	var list []Expr
	var ends [2]float64
	for i, end := range []*node{low, high} {
		if isOpenEnd(end) {
			continue
		}
		v, ok := read(text.Unescape(end.token.Text), end)
		if !ok {
			return All{}
		}
		ends[i] = v
		list = append(list, Amount{f.Name, []string{">=", "<="}[i], v})
	}
	switch {
	case len(list) == 0:
		return r.endless(n)
	case len(list) == 1:
		return list[0]
	case ends[0] > ends[1]:
		return r.backwards(f, n, low, high)
	}
	return And{list}
}

// isRange reports whether the condition's value holds two dots.
func isRange(n *node) bool {
	return len(n.kids) == 1 && n.kids[0].token.Kind != KindRegex && strings.Contains(n.kids[0].token.Text, "..")
}

// splitRange cuts a..b into its ends.
func splitRange(n *node) (low, high *node) {
	text := n.token.Text
	i := strings.Index(text, "..")
	shift := n.start
	if n.token.Kind != KindWord {
		shift++ // the quote
	}
	end := func(from, to int) *node {
		return &node{kind: nodeText, token: Token{Kind: KindWord, Text: text[from:to]}, start: shift + from, end: shift + to}
	}
	return end(0, i), end(i+2, len(text))
}

func isOpenEnd(n *node) bool { return n.token.Text == "" || n.token.Text == "*" }

func (r *resolver) endless(n *node) Expr {
	kid := n.kids[0]
	r.fail("empty-range", kid.start, kid.end, "the range has no end", "give one end or both; for any value write has:"+n.token.field.Name)
	return All{}
}

func (r *resolver) backwards(f *Field, n, low, high *node) Expr {
	kid := n.kids[0]
	r.fail("empty-range", kid.start, kid.end, "the range "+kid.token.Text+" runs backwards", "write "+f.Name+":"+high.token.Text+".."+low.token.Text)
	return All{}
}
