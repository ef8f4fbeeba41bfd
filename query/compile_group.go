package query

import (
	"strconv"
	"strings"
)

// groupKey is how handoffs are told apart by a field: key is what is equal,
// value what is shown, join what must be joined to the row h for it.
type groupKey struct {
	key, value string
	join       frag
	many       bool
}

// group makes the key of a field. n tells the joins of several apart. A
// handoff without a value is in the group of the empty one.
func (c *compiler) group(name string, n int) groupKey {
	f := lookup(name)
	g := "g" + strconv.Itoa(n)
	attr := func(column string) groupKey {
		value := "coalesce(" + g + "." + column + ", '')"
		return groupKey{value, value, frag{" LEFT JOIN attr " + g + " ON " + g + ".handoff_id = h.id AND " + g + ".name = ? COLLATE NOCASE AND " + g + "." + column + " <> ''", []any{f.attr}}, true}
	}
	switch {
	case f.Name == "project":
		return groupKey{"h.project_id", "(SELECT x.name FROM project x WHERE x.id = h.project_id)", frag{}, false}
	case f.Name == "path":
		return groupKey{pathOfRow, pathOfRow, frag{}, false}
	case f.Name == "problem":
		value := "coalesce(" + g + ".rule, '')"
		return groupKey{value, value, frag{sql: " LEFT JOIN problem " + g + " ON " + g + ".handoff_id = h.id"}, true}
	case f.Name == "approach":
		return attr("note")
	case f.attr != "":
		return attr("value")
	case f.Name == "priority":
		value := "CASE h.priority WHEN 0 THEN 'low' WHEN 1 THEN 'medium' WHEN 2 THEN 'high' WHEN 3 THEN 'critical' ELSE '' END"
		return groupKey{value, value, frag{}, false}
	case f.Name == "status":
		value := "CASE h.status WHEN '' THEN 'none' ELSE h.status END"
		return groupKey{value, value, frag{}, false}
	}
	value := f.columns[0]
	if f.Kind == FieldNumber || f.Kind == FieldDate {
		value = "coalesce(" + value + ", '')"
	}
	return groupKey{value, value, frag{}, false}
}

// An earlier version of a file is known by the path it was at.
const (
	pathColumn = "iif(x.version_of = '', x.path, x.version_of)"
	pathOfRow  = "(SELECT " + pathColumn + " FROM file x WHERE x.id = h.file_id)"
)

func joinGroups(groups []groupKey) (keys []string, joins frag) {
	for _, g := range groups {
		keys = append(keys, g.key)
		joins.addFrag(g.join)
	}
	return keys, joins
}

// buckets counts the handoffs of each combination of values, most first.
func (c *compiler) buckets(b *base, ids Statement, names []string) Statement {
	groups := make([]groupKey, len(names))
	values, order, many := make([]string, len(names)), []string{"n DESC"}, false
	for i, name := range names {
		groups[i] = c.group(name, i)
		values[i] = groups[i].value
		order = append(order, strconv.Itoa(i+1))
		many = many || groups[i].many
	}
	keys, joins := joinGroups(groups)
	count := "count(*)"
	if many {
		count = "count(DISTINCT h.id)"
	}
	f := frag{sql: "SELECT " + strings.Join(values, ", ") + ", " + count + " AS n"}
	if many || b.groups != nil || b.ranked {
		f.add(" FROM ("+ids.SQL+") s JOIN handoff h ON h.id = s.id", ids.Args...)
		f.addFrag(joins)
	} else {
		f.addFrag(b.scan.from(true))
	}
	f.add(" GROUP BY " + strings.Join(keys, ", ") + " ORDER BY " + strings.Join(order, ", "))
	return f.statement()
}

// orderBy writes the order of hits, id being their column; needsRow is false if the id alone decides.
// Missing values come last, and of equals the newest first.
func orderBy(keys []SortKey, id string) (order string, needsRow bool) {
	if len(keys) == 0 || keys[0].Key == relevance {
		return id + " DESC", false
	}
	if len(keys) == 1 && keys[0].Key == "date" {
		return id + direction(keys[0].Desc), false
	}
	var parts []string
	for _, k := range keys {
		missing, value := sortValue(lookup(k.Key))
		if missing != "" {
			parts = append(parts, missing)
		}
		parts = append(parts, value+direction(k.Desc))
	}
	return strings.Join(append(parts, id+" DESC"), ", "), true
}

func direction(desc bool) string {
	if desc {
		return " DESC"
	}
	return ""
}

// sortValue is what a field is sorted by, and what is true of handoffs that
// lack it.
func sortValue(f *Field) (missing, value string) {
	switch {
	case f.Name == "project":
		return "", "(SELECT x.name FROM project x WHERE x.id = h.project_id) COLLATE NOCASE"
	case f.Name == "path":
		return "", pathOfRow
	case f.Name == "date":
		return "", "h.sort"
	case f.Name == "version":
		return "NOT " + isNumber, versionNumber
	case f.Kind == FieldNumber, f.Kind == FieldDate, f.Name == "priority":
		return f.columns[0] + " IS NULL", f.columns[0]
	}
	return f.columns[0] + " = ''", f.columns[0] + " COLLATE NOCASE"
}
