package query

import (
	"slices"
	"strings"

	"handex/query/internal/text"
)

// keys resolves the values of a field that holds names: any of them will do.
func (r *resolver) keys(f *Field, n *node) Expr {
	op := n.op()
	if f.Ordered && (strings.HasPrefix(op, "<") || strings.HasPrefix(op, ">") || isRange(n)) {
		return r.ranks(f, n)
	}
	list := make([]Expr, len(n.kids))
	for i, kid := range n.kids {
		list[i] = r.keyValue(f, strings.TrimPrefix(op, "!"), kid)
	}
	e := Expr(Or{list})
	if len(list) == 1 {
		e = list[0]
	}
	if op == "!=" {
		return Not{e}
	}
	return e
}

// keyValue resolves one value; op is "=" where it is to be letter for letter.
func (r *resolver) keyValue(f *Field, op string, n *node) Expr {
	r.count(n)
	t := n.token
	switch {
	case f.Kind == FieldClosed:
		return r.closedValue(f, n)
	case t.Kind == KindRegex:
		if err := regexFault(t.Text, t.Start+1); err != nil {
			r.errs = append(r.errs, err)
		}
		return Key{f.Name, KeyRegex, t.Text}
	case t.Kind == KindPhrase || t.Kind == KindPrefix:
		if strings.TrimSpace(t.Text) == "" {
			r.fail("empty-phrase", t.Start, t.End, "the quotes hold nothing", "to find what has none, write no:"+f.Name)
		}
		if t.Kind == KindPrefix {
			return Key{f.Name, KeyGlob, text.EscapeGlob(t.Text) + "*"}
		}
		return r.project(f, Key{f.Name, KeyExact, t.Text}, t)
	case t.Text == "*":
		return Has{f.Name}
	case op == "=":
		return r.project(f, Key{f.Name, KeyExact, text.Unescape(t.Text)}, t)
	case text.IsGlob(t.Text):
		return Key{f.Name, KeyGlob, text.ReadGlob(t.Text)}
	}
	return r.project(f, Key{f.Name, KeyEqual, text.Unescape(t.Text)}, t)
}

// project gives project:. its meaning.
func (r *resolver) project(f *Field, k Key, t Token) Expr {
	if f.Name != "project" {
		return k
	}
	if dir := strings.TrimRight(k.Value, "/"); dir != "" {
		k.Value = dir
	}
	if k.Value != "." {
		return k
	}
	here := ""
	if r.env.Project != nil {
		here = r.env.Project()
	}
	if here == "" {
		r.fail("unknown-value", t.Start, t.End, "project:. means the project you are in, and here is none", "name the project: project:name")
		return k
	}
	return Key{f.Name, KeyExact, here}
}

// closedValue resolves a value of a fixed list.
func (r *resolver) closedValue(f *Field, n *node) Expr {
	t := n.token
	typed := text.Unescape(t.Text)
	if t.Kind == KindWord && t.Text == "*" {
		return Has{f.Name}
	}
	values := f.Values
	if f.Name == "format" {
		values = r.env.Formats
	}
	value, ok := f.closedValue(typed)
	if f.Name == "format" {
		ok = len(values) == 0 || slices.Contains(values, value)
	}
	switch {
	case t.Kind == KindRegex || t.Kind == KindPrefix:
		r.unknownValue(f.Name, r.text[n.start:n.end], n, values)
	case !ok:
		r.unknownValue(f.Name, typed, n, values)
	}
	return Key{f.Name, KeyEqual, value}
}

func (r *resolver) unknownValue(field, typed string, n *node, values []string) {
	r.fail("unknown-value", n.start, n.end, `unknown value "`+typed+`" for `+field+":")
	known := "values: " + strings.Join(values, ", ")
	if field == "has" || field == "no" {
		known = "list the fields with: handex help fields"
	}
	r.advise(typed, values, known)
}
