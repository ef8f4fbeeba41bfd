package query

import (
	"maps"
	"slices"
	"strings"

	"handex/query/internal/text"
)

// saved expands query:name.
func (r *resolver) saved(n *node) Expr {
	t := n.kids[0].token
	name := text.Unescape(t.Text)
	text, ok := r.env.Saved[name]
	switch {
	case !ok:
		return r.unknownQuery(t, name)
	case slices.Contains(r.stack, name):
		r.fail("query-loop", t.Start, t.End, `the saved query "`+name+`" contains itself`, name+" is: "+text)
		return All{}
	case *r.terms > maxTerms:
		return All{}
	}
	sub := r.sub(text, append(slices.Clone(r.stack), name))
	sub.top = r.top
	p, err := parseNodes(text)
	if err != nil {
		return r.badSaved(t, name, text, finish(text, Errors{err}))
	}
	e := sub.expr(p.root, nil)
	if len(p.directives) > 0 && !r.top {
		r.fail("nested-directive", t.Start, t.End, "query:"+name+" holds "+p.directives[0].token.field.Name+":, which can stand only at the top level", name+" is: "+text)
	}
	sub.directives(p.directives)
	if len(sub.errs) > 0 {
		return r.badSaved(t, name, text, finish(text, sub.errs))
	}
	r.notes = append(append(r.notes, p.notes...), sub.notes...)
	return e
}

func (r *resolver) badSaved(t Token, name, text string, errs Errors) Expr {
	if errs[0].Code == "query-loop" || errs[0].Code == "too-many-terms" {
		errs[0].Start, errs[0].End = t.Start, t.End
		r.errs = append(r.errs, errs[0])
		return All{}
	}
	r.fail("bad-saved-query", t.Start, t.End, `the saved query "`+name+`" is wrong: `+errs[0].Message, name+" is: "+text)
	return All{}
}

func (r *resolver) unknownQuery(t Token, name string) Expr {
	names := slices.Sorted(maps.Keys(r.env.Saved))
	known := "no queries are saved"
	if len(names) > 0 {
		known = "saved queries: " + strings.Join(names, ", ")
	}
	r.fail("unknown-query", t.Start, t.End, `no saved query named "`+name+`"`, known)
	r.advise(name, names, "")
	return All{}
}
