package query

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/query/internal/text"
)

// resolver turns nodes into an Expr: it looks names up, reads values, makes
// dates absolute. It finds all faults before it reports any.
type resolver struct {
	env   Env
	clock clock
	text  string // the text the nodes came from
	query *Query
	errs  Errors
	notes []string
	terms *int     // shared with the saved queries that are expanded
	stack []string // names of saved queries being expanded
	// top is true where a saved query may bring directives along.
	top bool
}

// fail adds an error. It returns an expression for the caller to return, which is of no
// use, as there is no query once there is an error.
func (r *resolver) fail(code string, start, end int, message string, help ...string) Expr {
	r.errs = append(r.errs, newError(code, start, end, message, help...))
	return All{}
}

// advise adds to the last error the names nearest to what was typed, or, with
// none near, what else to type. It returns what fail returns.
func (r *resolver) advise(typed string, names []string, otherwise string) Expr {
	e := r.errs[len(r.errs)-1]
	if e.Suggestions = text.Suggest(typed, names); e.Suggestions == nil && otherwise != "" {
		e.Help = append([]string{otherwise}, e.Help...)
	}
	return All{}
}

// count refuses the 129th term.
func (r *resolver) count(n *node) {
	*r.terms++
	if *r.terms == maxTerms+1 {
		r.fail("too-many-terms", n.start, n.end, "the query has more than 128 terms",
			"leave some out, or use a regular expression: /a|b|c/")
	}
}

// expr resolves a node. in is the field whose values the words inside are, nil
// outside of any.
func (r *resolver) expr(n *node, in *Field) Expr {
	switch n.kind {
	case nodeAnd:
		if len(n.kids) == 0 {
			return All{}
		}
		return And{r.all(n.kids, in)}
	case nodeOr:
		return Or{r.below(n.kids, in)}
	case nodeNot:
		return Not{r.below(n.kids, in)[0]}
	case nodeNear:
		return r.near(n, in)
	case nodeText:
		return r.leaf(n, in)
	case nodeIdiom:
		return r.idiom(n)
	}
	if in != nil {
		name := n.token.Text
		return r.fail("nested-field", n.token.Start, n.token.End, name+": cannot be used inside "+in.Name+":( )",
			"close the bracket first: "+in.Name+":(a) "+name+":b")
	}
	return r.condition(n)
}

func (r *resolver) all(nodes []*node, in *Field) []Expr {
	return each(nodes, func(n *node) Expr { return r.expr(n, in) })
}

// below is like all, for nodes that are not at the top level.
func (r *resolver) below(nodes []*node, in *Field) []Expr {
	outer := r.top
	r.top = false
	list := r.all(nodes, in)
	r.top = outer
	return list
}

// leaf resolves a word, phrase or regular expression: text, or a value of the
// field it is in.
func (r *resolver) leaf(n *node, in *Field) Expr {
	if in != nil && in.isKey() {
		return r.keyValue(in, "", n)
	}
	r.count(n)
	return r.textLeaf(n, in)
}

func (r *resolver) textLeaf(n *node, in *Field) Expr {
	t, isAll, err := readText(n.token)
	switch {
	case err != nil:
		r.errs = append(r.errs, err)
		return All{}
	case isAll && in != nil:
		return Has{in.Name}
	case isAll:
		return All{}
	}
	if in == nil && idForm().MatchString(t.Text) {
		id := Key{Field: "id", Value: t.Text}
		r.notes = append(r.notes, "also searched for the handoff id:"+t.Text+"; to read it: handex show "+t.Text)
		return Or{[]Expr{Text{Kind: TextPhrase, Text: t.Text}, id}}
	}
	if in != nil {
		t.Field = in.Name
	}
	return t
}

// idForm is a public id, or the beginning of one, as it is pasted.
var idForm = lazy(`^h_[0-9a-f]{4,12}$`)

// readText reads the token of a piece of text.
func readText(t Token) (text Text, isAll bool, err *Error) {
	switch t.Kind {
	case KindRegex:
		err = regexFault(t.Text, t.Start+1)
		text = Text{Kind: TextRegex, Text: t.Text}
	case KindPhrase, KindPrefix:
		text = Text{Kind: TextPhrase, Text: strings.Join(strings.Fields(t.Text), " "), Open: t.Kind == KindPrefix}
		if text.Text == "" {
			err = newError("empty-phrase", t.Start, t.End, "the quotes are empty", `to search for the character, write \"`)
		}
	default:
		if text, isAll, err = readWord(t.Text); err != nil {
			err.Start, err.End = t.Start, t.End
		}
	}
	return text, isAll, err
}

// idiom resolves the query text an idiom is read as. A fault is the word's
// that spoils it.
func (r *resolver) idiom(n *node) Expr {
	sub := r.sub(n.idiom.as, r.stack)
	e := sub.expr(n.kids[0], nil)
	for _, err := range sub.errs {
		r.errs = append(r.errs, n.blame(err))
	}
	return e
}

// blame moves an error to the token of n.
func (n *node) blame(err *Error) *Error {
	err.Start, err.End = n.token.Start, n.token.End
	return err
}

func (r *resolver) sub(text string, stack []string) *resolver {
	return &resolver{env: r.env, clock: r.clock, text: text, query: r.query, terms: r.terms, stack: stack}
}

// condition resolves a field and its values.
func (r *resolver) condition(n *node) Expr {
	f := n.token.field
	if f == nil {
		return r.unknownField(n)
	}
	if !r.allowed(f, n) {
		return All{}
	}
	switch {
	case n.kind == nodeSame:
		r.count(n)
		return Same{f.Name, r.below(n.kids, nil)[0]}
	case n.kind == nodeGroup && (f.isKey() || f.Kind == FieldProse):
		x := r.expr(n.kids[0], f)
		if n.op() == "!=" {
			return Not{x}
		}
		return x
	case n.kind == nodeGroup:
		return r.fail("bad-list", n.kids[0].start, n.kids[0].end, f.Name+" takes one value",
			"write ("+f.Example+" OR "+f.Name+":...)")
	}
	return r.value(f, n)
}

// value resolves a condition whose values are given one by one.
func (r *resolver) value(f *Field, n *node) Expr {
	switch f.Kind {
	case FieldProse:
		return r.leaf(n.kids[0], f)
	case FieldOpen, FieldPath, FieldClosed:
		return r.keys(f, n)
	case FieldNumber:
		return r.number(f, n)
	case FieldDate, FieldDuration:
		return r.date(f, n)
	}
	r.count(n)
	switch f.Name {
	case "is":
		return r.state(n.kids[0])
	case "has":
		return r.thing(f, n.kids[0])
	case "no":
		return Not{r.thing(f, n.kids[0])}
	}
	return r.saved(n)
}

func (r *resolver) unknownField(n *node) Expr {
	name := n.token.Text
	raw := strings.ReplaceAll(r.text[n.start:n.end], `"`, "")
	r.fail("unknown-field", n.token.Start, n.token.Start+len(name), `unknown field "`+name+`"`,
		`to search for the text, quote it: "`+raw+`"`)
	return r.advise(name, knownNames(), "list the fields with: handex help fields")
}

// op returns the comparison without the colon before it; "" is the colon alone.
func (n *node) op() string { return strings.TrimPrefix(n.token.Op, ":") }

// allowed reports whether the operator means something for the field, and adds an error
// if not.
func (r *resolver) allowed(f *Field, n *node) bool {
	op := n.op()
	isOrder := strings.HasPrefix(op, "<") || strings.HasPrefix(op, ">")
	why := ""
	switch {
	case op == "":
	case isOrder && f.Ordered:
	case !isOrder && (f.isKey() || f.Ordered):
	case isOrder && f.isKey():
		why = " has no order"
	case f.Kind == FieldProse:
		why = " contains words"
	default:
		why = ` takes ":" only`
	}
	if why == "" {
		return true
	}
	r.fail("bad-operator", n.token.End, n.end, f.Name+why+`: "`+op+`" does not apply`,
		"write "+f.Name+":"+r.text[n.token.End:n.end])
	return false
}

// staleBefore returns the start of the first day that is not yet stale.
func (r *resolver) staleBefore() time.Time {
	limit := r.env.StaleAfter
	if limit <= 0 {
		limit = 7 * 24 * time.Hour
	}
	if limit%(24*time.Hour) == 0 {
		return r.clock.today().AddDate(0, 0, -int(limit/(24*time.Hour)))
	}
	return r.clock.now.Add(-limit).In(r.clock.zone).Truncate(time.Millisecond)
}

// saved expands query:name.
func (r *resolver) saved(n *node) Expr {
	t := n.kids[0].token
	name := text.Unescape(t.Text)
	text, ok := r.env.Saved[name]
	switch {
	case !ok:
		return r.unknownQuery(t, name)
	case slices.Contains(r.stack, name):
		return r.fail("query-loop", t.Start, t.End, `the saved query "`+name+`" contains itself`, name+" is: "+text)
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
		r.fail("nested-directive", t.Start, t.End,
			"query:"+name+" contains "+p.directives[0].token.field.Name+":, which can stand only at the top level", name+" "+
				"is: "+text)
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
	return r.fail("bad-saved-query", t.Start, t.End, `the saved query "`+name+`" is wrong: `+errs[0].Message,
		name+" is: "+text)
}

func (r *resolver) unknownQuery(t Token, name string) Expr {
	names := slices.Sorted(maps.Keys(r.env.Saved))
	known := "no queries are saved"
	if len(names) > 0 {
		known = "saved queries: " + strings.Join(names, ", ")
	}
	r.fail("unknown-query", t.Start, t.End, `no saved query named "`+name+`"`, known)
	return r.advise(name, names, "")
}
