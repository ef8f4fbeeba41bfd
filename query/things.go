package query

import (
	"slices"
	"strings"
	"time"

	"handex/query/internal/text"
)

// state resolves is:name.
func (r *resolver) state(n *node) Expr {
	name := text.Unescape(n.token.Text)
	s := lookupState(name)
	switch {
	case s == nil && strings.Contains(name, ","):
		r.oneName("is", n)
		return All{}
	case s == nil || n.token.Kind == KindRegex || n.token.Kind == KindPrefix:
		r.unknownValue("is", r.text[n.start:n.end], n, stateNames())
		return All{}
	case s.Name == "stale":
		return Is{s.Name, r.staleBefore()}
	}
	return Is{s.Name, time.Time{}}
}

func (r *resolver) oneName(field string, n *node) {
	first, second, _ := strings.Cut(n.token.Text, ",")
	r.fail("bad-list", n.start, n.end, field+": takes one name", "write ("+field+":"+first+" OR "+field+":"+second+")")
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
		r.oneName(f.Name, n)
		return All{}
	}
	r.unknownValue(f.Name, typed, n, thingNames())
	return All{}
}

// thingNames are the names behind has: and no:.
func thingNames() []string { return append(fieldNames((*Field).canLack), thingOnly...) }
