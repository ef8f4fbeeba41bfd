package query

import (
	"strings"

	"handex/query/internal/text"
)

// date resolves a condition on a date, or on age.
func (r *resolver) date(f *Field, n *node) Expr {
	r.count(n)
	kid, op := n.kids[0], n.op()
	name := f.Name
	switch {
	case kid.token.Kind == KindRegex || kid.token.Kind == KindPrefix:
		return r.badDate(kid, &dateError{message: `not a date: "` + r.text[kid.start:kid.end] + `"`, help: "for example " + f.Example})
	case kid.token.Text == "*" && op == "" && f.columns != nil:
		return Has{name}
	case f.Ordered && op == "" && isRange(n):
		return r.dateRange(f, n)
	case f.Kind == FieldDuration:
		return r.age(n)
	case strings.ContainsAny(op, "<>") && isDuration(kid.token.Text):
		d := kid.token.Text
		r.fail("ambiguous-duration", n.token.End-len(op), n.end, r.text[n.start:n.end]+" can be read two ways",
			"newer than "+d+": age:<"+d+"; older than "+d+": age:>"+d)
		return All{}
	}
	iv, err := r.clock.date(text.Unescape(kid.token.Text))
	if err != nil {
		return r.badDate(kid, err)
	}
	if f.columns == nil { // since, until, before, after
		op, name = map[string]string{"since": ">=", "until": "<=", "before": "<", "after": ">"}[name], "date"
	}
	return during(name, op, iv)
}

// during is the interval a comparison leaves of all time.
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

func (r *resolver) badDate(n *node, err *dateError) Expr {
	e := &Error{Code: "bad-date", Start: n.start, End: n.end, Message: err.message, Suggestions: err.suggestions}
	if err.help != "" {
		e.Help = []string{err.help}
	}
	r.errs = append(r.errs, e)
	return All{}
}

// dateRange resolves a..b; of age the older end may be written first or last.
func (r *resolver) dateRange(f *Field, n *node) Expr {
	low, high := splitRange(n.kids[0])
	var ends [2]interval
	for i, end := range []*node{low, high} {
		if isOpenEnd(end) {
			continue
		}
		text := text.Unescape(end.token.Text)
		if f.Kind == FieldDuration && !isDuration(text) {
			return r.badDate(end, notDuration(text))
		}
		iv, err := r.clock.date(text)
		if err != nil {
			return r.badDate(end, err)
		}
		ends[i] = iv
	}
	name := f.Name
	if f.Kind == FieldDuration {
		name, ends[0], ends[1] = "date", ends[1], ends[0]
	}
	e := During{name, ends[0].From, ends[1].To}
	switch {
	case e.From.IsZero() && e.To.IsZero():
		return r.endless(n)
	case !e.From.IsZero() && !e.To.IsZero() && !e.From.Before(e.To):
		return r.backwards(f, n, low, high)
	}
	return e
}

// age resolves age:<7d. What is exactly so old is not older: < and > divide
// all handoffs between them.
func (r *resolver) age(n *node) Expr {
	kid := n.kids[0]
	text := text.Unescape(kid.token.Text)
	if !isDuration(text) {
		if _, err := r.clock.date(text); err != nil && strings.Contains(err.message, "ambiguous") {
			return r.badDate(kid, err)
		}
		return r.badDate(kid, notDuration(text))
	}
	iv, err := r.clock.date(text)
	if err != nil {
		return r.badDate(kid, err)
	}
	switch op := n.op(); op {
	case "<", "<=":
		return During{Field: "date", From: iv.From}
	case ">":
		return During{Field: "date", To: iv.From}
	case ">=":
		return During{Field: "date", To: iv.To}
	default:
		return during("date", op, iv)
	}
}

func notDuration(text string) *dateError {
	return &dateError{message: `not an age: "` + text + `"`, help: "for example age:<7d or age:>3mo; for dates write since: and before:"}
}
