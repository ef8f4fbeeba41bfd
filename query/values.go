package query

import (
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/query/internal/match"
	"github.com/OWNER/handex/query/internal/text"
)

// keys resolves the values of a field of names: any of them will do.
func (r *resolver) keys(f *Field, n *node) Expr {
	op := n.op()
	if f.Ordered && (strings.HasPrefix(op, "<") || strings.HasPrefix(op, ">") || isRange(n)) {
		return r.ranks(f, n)
	}
	list := each(n.kids, func(kid *node) Expr { return r.keyValue(f, strings.TrimPrefix(op, "!"), kid) })
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
	e := r.keyAsTyped(f, op, n)
	if k, ok := e.(Key); ok && f.Name == "member" {
		return r.member(k)
	}
	return e
}

func (r *resolver) keyAsTyped(f *Field, op string, n *node) Expr {
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
			r.fail("empty-phrase", t.Start, t.End, "the quotes are empty", "to find handoffs without a value, write no:"+f.Name)
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

// project replaces project:. by the project at hand.
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
		r.fail("unknown-value", t.Start, t.End, "project:. means the current project, and the working folder is in none",
			"name the project: project:name")
		return k
	}
	return Key{f.Name, KeyExact, here}
}

// here is the value of member: that handoffs of this machine meet.
const here = "here"

// isHere reports whether a key asks for the handoffs of this machine.
func (k Key) isHere() bool {
	return k.Field == "member" && k.Value == here && (k.Op == KeyEqual || k.Op == KeyExact)
}

// member reads a name without a machine as that name on any, and me as who uses this
// machine. What has the name of this machine is what is here.
func (r *resolver) member(k Key) Expr {
	user, _, _ := strings.Cut(r.env.Member, "@")
	own := Key{k.Field, KeyEqual, here}
	isMe := strings.EqualFold(k.Value, "me") && (k.Op == KeyEqual || k.Op == KeyExact)
	switch {
	case k.isHere() || isMe && user == "":
		return own
	case isMe:
		k = Key{k.Field, KeyGlob, text.EscapeGlob(user) + "@*"}
	case k.Op == KeyEqual && !strings.Contains(k.Value, "@"):
		k = Key{k.Field, KeyGlob, text.EscapeGlob(k.Value) + "@*"}
	}
	if user != "" && (match.Value{Op: k.Op, Value: k.Value, Fold: true}).Holds(r.env.Member) {
		return Or{[]Expr{own, k}}
	}
	return k
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

func (r *resolver) unknownValue(field, typed string, n *node, values []string) Expr {
	r.fail("unknown-value", n.start, n.end, `unknown value "`+typed+`" for `+field+":")
	known := "values: " + strings.Join(values, ", ")
	if field == "has" || field == "no" {
		known = "list the fields with: handex help fields"
	}
	if field == "is" {
		for _, s := range states {
			values = append(values, s.Spellings()[1:]...)
		}
	}
	return r.advise(typed, values, known)
}

// state resolves is:name.
func (r *resolver) state(n *node) Expr {
	name := text.Unescape(n.token.Text)
	s := lookupState(name)
	switch {
	case s == nil && strings.Contains(name, ","):
		return r.oneName("is", n)
	case s == nil || n.token.Kind == KindRegex || n.token.Kind == KindPrefix:
		return r.unknownValue("is", r.text[n.start:n.end], n, stateNames())
	case s.Name == "mine":
		return r.member(Key{"member", KeyEqual, "me"})
	case s.Name == "stale":
		return Is{s.Name, r.staleBefore()}
	}
	return Is{s.Name, time.Time{}}
}

func (r *resolver) oneName(field string, n *node) Expr {
	first, second, _ := strings.Cut(n.token.Text, ",")
	return r.fail("bad-list", n.start, n.end, field+": takes one name",
		"write ("+field+":"+first+" OR "+field+":"+second+")")
}

// things are what has: and no: take beside the names of fields.
var things = map[string]string{
	"blocker": "blockers", "gotcha": "gotchas", "risk": "risks", "question": "questions", "decision": "decisions",
	"items": "item", "commits": "commit", "problems": "problem", "sections": "heading", "headings": "heading",
	"escalations": "escalation", "links": "link",
}

// thingOnly are things that are no fields.
var thingOnly = []string{"escalation", "link"}

// thing resolves has:name.
func (r *resolver) thing(f *Field, n *node) Expr {
	typed := text.Unescape(n.token.Text)
	low := strings.ToLower(typed)
	if name, ok := things[low]; ok {
		low = name
	}
	if slices.Contains(thingOnly, low) {
		return Has{low}
	}
	name := low
	if strings.HasPrefix(low, "meta.") {
		name = typed
	}
	if field := lookup(name); field.canLack() && n.token.Kind == KindWord {
		return Has{field.Name}
	}
	if strings.Contains(typed, ",") {
		return r.oneName(f.Name, n)
	}
	return r.unknownValue(f.Name, typed, n, thingNames())
}

// thingNames returns the names that has: and no: accept.
func thingNames() []string { return append(fieldNames((*Field).canLack), thingOnly...) }
