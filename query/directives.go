package query

import (
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/query/internal/text"
)

const relevance = "relevance"

// String writes the key as sort: takes it.
func (k SortKey) String() string {
	switch {
	case k.Key == relevance:
		return relevance
	case k.Desc:
		return k.Key + "-desc"
	}
	return k.Key + "-asc"
}

// directives resolves the directives of one text. Those of a saved query come
// later than those of the text that uses it, and give way.
func (r *resolver) directives(nodes []*node) {
	first := map[string]*node{}
	for _, n := range nodes {
		name := n.token.field.Name
		if old, twice := first[name]; twice {
			r.fail("duplicate-directive", n.start, n.end, name+": is given twice", "the first is "+r.text[old.start:old.end])
			continue
		}
		first[name] = n
		if r.env.Refuse != nil {
			if why := r.env.Refuse(name); why != "" {
				r.fail("bad-directive", n.start, n.end, name+": "+why, "leave it out")
				continue
			}
		}
		r.directive(name, n)
	}
}

// checkKeep refuses a keep: that has nothing to keep of; a saved query may
// have brought the latest-per:.
func (r *resolver) checkKeep(nodes []*node) {
	for _, n := range nodes {
		if n.idiom == nil && n.token.field.Name == "keep" && r.query.LatestPer == nil {
			r.fail("bad-directive", n.start, n.end, "keep: needs latest-per:", "for example latest-per:project keep:3")
		}
	}
}

// directive sets a directive of the query. It leaves alone what the text around a saved
// query has set.
func (r *resolver) directive(name string, n *node) {
	q := r.query
	switch name {
	case "sort":
		setOnce(&q.Sort, r.sortKeys(n))
	case "limit":
		if v, ok := r.whole(n, 0); ok && !q.hasLimit {
			q.Limit, q.hasLimit = v, true
		}
	case "offset":
		if v, ok := r.whole(n, 0); ok && q.Offset == 0 {
			q.Offset = v
		}
	case "keep":
		if v, ok := r.whole(n, 1); ok && q.Keep == 0 {
			q.Keep = v
		}
	case "latest-per":
		setOnce(&q.LatestPer, r.names(n, readGroup, "cannot take the latest by"))
	case "count-by":
		setOnce(&q.CountBy, r.names(n, readGroup, "cannot count by"))
	case "group-by":
		setOnce(&q.GroupBy, r.names(n, readGroup, "cannot group by"))
	case "facets":
		setOnce(&q.Facets, r.names(n, readGroup, "cannot make facets of"))
	case "select":
		setOnce(&q.Select, r.names(n, readColumn, "unknown column"))
	case "case":
		r.caseRule(n)
	}
}

func setOnce[T any](to *[]T, values []T) {
	if *to == nil {
		*to = values
	}
}

// names reads the values of a directive as names.
func (r *resolver) names(n *node, read func(string) (string, bool), message string) (list []string) {
	if n.kind != nodeCondition || n.op() != "" {
		r.fail("bad-directive", n.start, n.end, n.token.field.Name+": takes names separated by commas",
			"for example "+n.token.field.Example)
		return nil
	}
	for _, kid := range n.kids {
		typed := text.Unescape(kid.token.Text)
		name, ok := read(typed)
		if ok && kid.token.Kind == KindWord {
			list = append(list, name)
			continue
		}
		r.fail("bad-directive", kid.start, kid.end, message+` "`+typed+`"`)
		known := n.token.field.names()
		r.advise(typed, known, "values: "+strings.Join(known, ", "))
	}
	return list
}

// readGroup reads a field that handoffs can be grouped by.
func readGroup(s string) (string, bool) {
	f := lookup(s)
	return f.name(), f.groups()
}

func groupNames() []string { return fieldNames((*Field).groups) }

// extraColumns are what select: takes beside the names of fields.
var extraColumns = []string{"id", "root", "states", "score", "missing", "lines"}

// columnNames returns the names that select: accepts.
func columnNames() []string {
	return append(slices.Clone(extraColumns), fieldNames((*Field).canLack)...)
}

func readColumn(s string) (string, bool) {
	if low := strings.ToLower(s); slices.Contains(extraColumns, low) {
		return low, true
	}
	f := lookup(s)
	return f.name(), f.canLack()
}

// sortKeys reads the keys of sort:.
func (r *resolver) sortKeys(n *node) []SortKey {
	var keys []SortKey
	before := len(r.errs)
	r.names(n, func(s string) (string, bool) {
		key, ok := readSortKey(s)
		keys = append(keys, key)
		return key.Key, ok
	}, "cannot sort by")
	for _, e := range r.errs[before:] { // the words people try first
		switch e.Message {
		case `cannot sort by "newest"`, `cannot sort by "latest"`:
			e.Suggestions, e.Help = nil, []string{"write sort:date-desc"}
		case `cannot sort by "oldest"`:
			e.Suggestions, e.Help = nil, []string{"write sort:date-asc"}
		}
	}
	for i, k := range keys {
		if k.Key == relevance && len(keys) > 1 {
			kid := n.kids[i]
			r.fail("bad-directive", kid.start, kid.end, "relevance cannot be combined with other keys", "write sort:relevance")
		}
	}
	return keys
}

func readSortKey(s string) (SortKey, bool) {
	name, desc := strings.CutSuffix(strings.ToLower(s), "-desc")
	name, asc := strings.CutSuffix(name, "-asc")
	if name == relevance {
		return SortKey{relevance, true}, !asc
	}
	f := lookup(name)
	if !f.sortable() || asc && desc {
		return SortKey{}, false
	}
	return SortKey{f.Name, desc || f.down && !asc}, true
}

func sortNames() []string { return append([]string{relevance}, fieldNames((*Field).sortable)...) }

// whole reads a whole number.
func (r *resolver) whole(n *node, least int) (int, bool) {
	kid := n.kids[0]
	v, err := strconv.ParseInt(kid.token.Text, 10, 32)
	if err == nil && int(v) >= least && len(n.kids) == 1 && n.kind == nodeCondition && n.op() == "" {
		return int(v), true
	}
	name, end := n.token.field.Name, n.kids[len(n.kids)-1].end
	r.fail("bad-directive", kid.start, end, name+`: needs a whole number, not "`+r.text[kid.start:end]+`"`,
		"for example "+n.token.field.Example)
	return 0, false
}

func (r *resolver) caseRule(n *node) {
	kid := n.kids[0]
	rule := CaseRule(strings.ToLower(kid.token.Text))
	switch {
	case len(n.kids) > 1 || n.kind != nodeCondition || !slices.Contains(caseRules(), string(rule)):
		r.fail("bad-directive", kid.start, kid.end, `case: is yes, no or auto, not "`+r.text[kid.start:kid.end]+`"`,
			"for example case:yes")
	case r.query.Case == CaseAuto:
		r.query.Case = rule
	}
}
