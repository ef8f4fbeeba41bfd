package query_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/query"
)

// drawer draws queries of the whole language. It knows its words, fields,
// states and directives from the tables of package query, so that a new one is
// drawn, and then asked of the oracle, without a change here; and it draws
// values that stand in the handoffs more often than others.
type drawer struct {
	*rapid.T
	handoffs collection
}

// query draws a query: a tree, and in a quarter of the draws directives.
func (d drawer) query() string {
	text := d.tree(rapid.IntRange(0, 3).Draw(d.T, "depth"))
	if chance(d.T, 4) {
		text += " case:" + oneOf(d.T, "yes", "no", "auto", "YES")
	}
	return text
}

// tree joins conditions by operators.
func (d drawer) tree(depth int) string {
	if depth == 0 {
		return d.leaf()
	}
	a, b := d.tree(depth-1), d.tree(rapid.IntRange(0, depth-1).Draw(d.T, "depth"))
	switch rapid.IntRange(0, 8).Draw(d.T, "operator") {
	case 0:
		return "(" + a + " OR " + b + ")"
	case 1:
		return "(" + a + ") -(" + b + ")"
	case 2:
		return "NOT (" + a + " " + b + ")"
	case 3:
		return "(" + a + " AND NOT (" + b + " OR " + d.leaf() + "))"
	case 4:
		return "(-" + d.leaf() + " OR " + a + " OR (" + b + "))"
	case 5:
		return "!(" + a + ") OR " + b
	case 6:
		return d.keyField() + ":{" + a + "}"
	}
	return a + " " + b
}

// leaf draws one condition.
func (d drawer) leaf() string {
	switch rapid.IntRange(0, 9).Draw(d.T, "leaf") {
	case 0, 1:
		return d.text()
	case 2:
		return d.proseField() + ":" + d.textValue()
	case 3:
		return "is:" + oneOf(d.T, query.States()...).Name
	case 4:
		return oneOf(d.T, "has:", "no:") + d.thing()
	case 5:
		return d.rare()
	}
	return d.condition(oneOf(d.T, query.Fields()...))
}

// rare draws what is seldom typed.
func (d drawer) rare() string {
	return oneOf(d.T, "*", "query:both", "open escalations", "stale blocked handoffs", "failed approaches", "since yesterday", "text:*", "is:finished", "project:.", "query:days")
}

// savedQueries are those query: can name.
var savedQueries = map[string]string{"both": "(token OR next:fix) is:open", "days": "since:last-month -status:none"}

// someone draws a handoff to take a value from.
func (d drawer) someone() *handoff { return oneOf(d.T, d.handoffs...) }

func (d drawer) fieldsOf(kinds ...query.FieldKind) []query.Field {
	var list []query.Field
	for _, f := range query.Fields() {
		if slices.Contains(kinds, f.Kind) {
			list = append(list, f)
		}
	}
	return list
}

// nameOf draws a spelling of a field's name.
func (d drawer) nameOf(f query.Field) string {
	switch f.Name {
	case "sec.":
		return "sec." + oneOf(d.T, "next-steps", "risks-co", "2-über", "nosuch")
	case "meta.":
		return oneOf(d.T, append([]string{"META.tags"}, metaKeys...)...)
	}
	name := oneOf(d.T, append([]string{f.Name}, f.Aliases...)...)
	if chance(d.T, 6) {
		return strings.ToUpper(name)
	}
	return name
}

func (d drawer) keyField() string {
	return d.nameOf(oneOf(d.T, d.fieldsOf(query.FieldOpen, query.FieldPath, query.FieldClosed)...))
}

// proseField draws the name of a text field, half of the time one that a
// handoff fills.
func (d drawer) proseField() string {
	if parts := d.someone().parts; len(parts) > 0 && chance(d.T, 2) {
		if kind := oneOf(d.T, parts...).kind; isProse(kind) {
			return kind
		}
	}
	return d.nameOf(oneOf(d.T, d.fieldsOf(query.FieldProse)...))
}

// thing draws what stands behind has: and no:.
func (d drawer) thing() string {
	for {
		f := oneOf(d.T, query.Fields()...)
		switch {
		case f.Kind == query.FieldWord || f.Kind == query.FieldDuration:
			return oneOf(d.T, "escalation", "link", "risk", "blockers")
		case f.Kind == query.FieldDate && !f.Ordered:
			continue
		}
		return d.nameOf(f)
	}
}

// directives draws some, each once.
func (d drawer) directives(names ...string) string {
	text := ""
	for _, name := range names {
		switch {
		case !chance(d.T, 2):
		case name == "latest-per" && chance(d.T, 2):
			text += " latest-per:" + d.groupFields() + fmt.Sprintf(" keep:%d", oneOf(d.T, 1, 2, 3))
		case name == "latest-per" || name == "count-by" || name == "facets" || name == "group-by":
			text += " " + name + ":" + d.groupFields()
		case name == "sort":
			text += " sort:" + d.sortKeys()
		case name == "limit" || name == "offset":
			text += fmt.Sprintf(" %s:%d", name, rapid.IntRange(0, 4).Draw(d.T, name))
		}
	}
	return text
}

func (d drawer) groupFields() string {
	var list []string
	for _, f := range query.Fields() {
		if f.Group {
			list = append(list, f.Name)
		}
	}
	one := func() string { return strings.Replace(oneOf(d.T, list...), "meta.", oneOf(d.T, metaKeys...), 1) }
	if chance(d.T, 3) {
		return one() + "," + one()
	}
	return one()
}

// sortKeys draws one key or two, all but relevance.
func (d drawer) sortKeys() string {
	var list []string
	for _, c := range query.Complete("sort:").Candidates {
		if c.Text != "sort:relevance" {
			list = append(list, strings.TrimPrefix(c.Text, "sort:"))
		}
	}
	one := func() string { return oneOf(d.T, list...) + oneOf(d.T, "", "-asc", "-desc") }
	if chance(d.T, 2) {
		return one() + "," + one()
	}
	return one()
}
