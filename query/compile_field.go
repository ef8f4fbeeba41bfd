package query

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/query/internal/match"
	"github.com/OWNER/handex/query/internal/text"
)

const (
	// An earlier version of a file is known by the path it was at.
	pathColumn  = "iif(x.version_of = '', x.path, x.version_of)"
	pathOfRow   = "(SELECT " + pathColumn + " FROM file x WHERE x.id = h.file_id)"
	projectName = "(SELECT x.name FROM project x WHERE x.id = h.project_id)"
)

// rowsOf returns the condition on the alias of the field's table that keeps to rows of
// the field and of one of the handoffs. Keys of meta. are in any case.
func (f *Field) rowsOf(alias string, handoffs Statement) Statement {
	rows := sql(alias+".handoff_id ?", handoffs)
	if f.table == "attr" {
		rows.add(" AND "+alias+".name = ?", f.Name)
	}
	if strings.HasPrefix(f.Name, "meta.") {
		rows.add(" COLLATE NOCASE")
	}
	return rows
}

// anyValue returns SQL that is true where a value of the field meets the condition.
func (f *Field) anyValue(condition func(column string) Statement) Statement {
	if f.table != "" {
		return sql("EXISTS (SELECT 1 FROM "+f.table+" x WHERE ? AND ?)", f.rowsOf("x", sql("= h.id")),
			condition("x."+f.columns[0]))
	}
	if f.Name == "path" {
		return sql("h.file_id IN (SELECT x.id FROM file x WHERE ?)", condition(pathColumn))
	}
	var list []Statement
	for _, column := range f.columns {
		list = append(list, condition(column))
	}
	return sql("(?)", joined(list, " OR "))
}

// isNumeric reports whether the field is kept as a number, NULL where a handoff
// does not give it.
func (f *Field) isNumeric() bool {
	return f.Kind == FieldNumber && f.Name != "version" || f.Kind == FieldDate || f.Name == "priority"
}

// given returns SQL that is true of a column where the handoff gives the field.
func (f *Field) given(column string) string {
	if f.isNumeric() {
		return column + " IS NOT NULL"
	}
	return column + " <> ''"
}

// whiteSpace is the characters of Unicode's White_Space.
const whiteSpace = "char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, " +
	"8200, " +
	"8201, 8202, 8232, 8233, 8239, 8287, 12288)"

// specialHas is true where the handoff gives what no column alone says.
var specialHas = map[string]string{
	"escalation": "(h.escalated = 1)",
	"link":       "EXISTS (SELECT 1 FROM attr x WHERE x.handoff_id = h.id AND x.name = 'link')",
	"project":    "1", "format": "1", "path": "1", "updated": "1",
	"date":     "(h.date_source NOT IN ('mtime', 'git'))",
	"words":    "(h.words > 0)",
	"blockers": "EXISTS (SELECT 1 FROM body b WHERE b.id = h.id AND handex_given(b.blockers))",
}

// hasWhere returns SQL that is true where the handoff gives the field.
func hasWhere(name string) Statement {
	if special, ok := specialHas[name]; ok {
		return sql(special)
	}
	f := lookup(name)
	if f.Kind != FieldProse {
		return f.anyValue(func(column string) Statement { return sql("(" + f.given(column) + ")") })
	}
	return sql("EXISTS (SELECT 1 FROM body b WHERE b.id = h.id AND trim(?, "+whiteSpace+") <> '')", f.prose(""))
}

// prose returns the text of a field in the row b of body, with sep between columns.
func (f *Field) prose(sep string) Statement {
	if slug := f.section(); slug != "" {
		return sql("handex_section(?, h.sections, "+bodyColumns(match.TextColumns)+")", slug)
	}
	return sql("b." + strings.Join(f.columns, " || "+sep+"b."))
}

func bodyColumns(names []string) string { return "b." + strings.Join(names, ", b.") }

// sameWhere returns SQL that is true where the field has a value it has in a handoff
// that meets X.
func (c *compiler) sameWhere(e Same) Statement {
	f, ids := lookup(e.Field), c.scan(e.X, nil).ids()
	if f.Name == "agent" {
		return sameAgent(ids)
	}
	column, in := "y."+strings.TrimPrefix(f.columns[0], "h."), sql("IN (?)", ids)
	values := sql("SELECT "+column+" FROM handoff y WHERE "+column+" IS NOT NULL AND y.id ?", in)
	if f.table != "" {
		values = sql("SELECT "+column+" FROM "+f.table+" y WHERE ?", f.rowsOf("y", in))
	}
	same := func(column string) Statement { return sql("("+f.given(column)+" AND "+column+" IN (?))", values) }
	if f.Name == "path" {
		return same("h.file_id")
	}
	return f.anyValue(same)
}

// sameAgent compares both sides with both sides. It has ids just once:
// nested, they would multiply, and so would references to a common table.
func sameAgent(ids Statement) Statement {
	return sql("h.id IN (SELECT z.id FROM (SELECT DISTINCT CASE k.n WHEN 0 THEN x.sender ELSE x.recipient END AS name "+
		"FROM (SELECT 0 AS n UNION ALL SELECT 1) k CROSS JOIN handoff x WHERE x.id IN (?)) v JOIN handoff z ON "+
		"z.sender = v.name OR z.recipient = v.name WHERE v.name <> '')", ids)
}

// keyWhere compares a name.
func (c *compiler) keyWhere(e Key) Statement {
	f := lookup(e.Field)
	switch {
	case f.Name == "project":
		return c.projectWhere(f, e)
	case f.Name == "priority":
		return amountWhere(Amount{f.Name, "=", f.rank(e.Value)})
	case e.isHere():
		return sql("(h.member = '')")
	case f.Name == "status" && e.Value == "none":
		return sql("(h.status = '')")
	}
	return f.anyValue(func(column string) Statement {
		out := c.compareKey(f, e, column)
		if f.Name == "file" && (e.Op == KeyEqual || e.Op == KeyExact) && strings.HasPrefix(e.Value, "/") {
			return sql("(? OR "+belowRoot+")", out, e.Value)
		}
		return out
	})
}

// Files are mostly written as they lie below the root of the project.
const belowRoot = "x.value <> '' AND (SELECT p.root FROM project p WHERE p.id = h.project_id) || '/' || x.value = ?"

// compareKey compares one column with the value asked for. What SQLite can do
// itself is left to it; calls into Go cost more.
func (c *compiler) compareKey(f *Field, e Key, column string) Statement {
	value, isPath := e.Value, f.Kind == FieldPath
	if isPath {
		value = strings.TrimPrefix(value, "./")
	}
	switch {
	case e.Op == KeyExact:
		return sql("("+column+" = ?)", value)
	case e.Op != KeyEqual || !text.IsASCII(value):
		fold := c.folds(patternHasCapital(value))
		spec := match.JSON(match.Value{Op: e.Op, Value: value, Path: isPath, Prefix: f.Prefix, Fold: fold})
		return sql("("+column+" <> '' AND handex_value(?, "+column+"))", spec)
	case f.Prefix:
		return sql("(substr("+column+", 1, ?) = ? COLLATE NOCASE)", int64(len(value)), value)
	case isPath && !strings.HasPrefix(value, "/"):
		tail := "/" + value
		isTail := "substr(" + column + ", ?) = ? COLLATE NOCASE"
		return sql("("+column+" = ? COLLATE NOCASE OR "+isTail+")", value, -int64(len(tail)), tail)
	}
	return sql("("+column+" = ? COLLATE NOCASE)", value)
}

// Two roots can have one encoded name, so it counts only where it is all that
// is known.
const encodedMatch = "p.root IN (p.dir_v1, p.dir_v2) AND (p.dir_v1 = ? OR p.dir_v2 = ?)"

// projectWhere compares the name a handoff declares, and of its project the
// name, the root and, where no root is known, the encoded name of the folder:
// a name that cannot be decoded can still be compared with one encoded alike.
func (c *compiler) projectWhere(f *Field, e Key) Statement {
	ways := []Statement{c.compareKey(f, e, "p.name"), c.compareKey(f, e, "p.root"), c.baseWhere(f, e)}
	if e.Op == KeyEqual || e.Op == KeyExact {
		ways = append(ways, sql(encodedMatch, encodeV1(e.Value), encodeV2(e.Value)))
		if !strings.ContainsAny(e.Value, `/\`) {
			ways = append(ways, sql("p.dir_v1 = ? OR p.dir_v2 = ?", e.Value, e.Value))
		}
	}
	return sql("(h.project_id IN (SELECT p.id FROM project p WHERE ?) OR ?)", joined(ways, " OR "),
		c.compareKey(f, e, "h.declared"))
}

// baseWhere compares the last part of a project's root.
func (c *compiler) baseWhere(f *Field, e Key) Statement {
	tail, collate := "/"+e.Value, " COLLATE NOCASE"
	if e.Op == KeyExact {
		collate = ""
	}
	switch {
	case e.Op != KeyExact && (e.Op != KeyEqual || !text.IsASCII(e.Value)) || e.Value == "":
		return c.compareKey(f, e, "handex_base(p.root)")
	case strings.ContainsAny(e.Value, `/\`):
		return sql("0")
	}
	last := `substr('/' || replace(rtrim(p.root, '/\'), '\', '/'), ?)`
	return sql("("+last+" = ?"+collate+")", -int64(utf8.RuneCountInString(tail)), tail)
}

// encodeV1 and encodeV2 are how agents name a folder of handoffs after the
// project's root: tr '/.' '-', and sed 's/[^a-zA-Z0-9-]/-/g'.
func encodeV1(root string) string { return strings.NewReplacer("/", "-", ".", "-").Replace(root) }

func encodeV2(root string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && text.IsToken(r) {
			return r
		}
		return '-'
	}, root)
}

// groupKey is how handoffs are grouped by a field: key is what is equal,
// value what is shown, join what must be joined to the row h for it.
type groupKey struct {
	key, value string
	join       Statement
	many       bool
}

// groupOf returns the key of a field. n distinguishes the joins of several. A handoff
// without a value is in the group of the empty one.
func groupOf(name string, n int) groupKey {
	f := lookup(name)
	value := f.columns[0]
	if f.table != "" {
		g := "g" + strconv.Itoa(n)
		join := sql(" LEFT JOIN "+f.table+" "+g+" ON ? AND "+g+"."+value+" <> ''", f.rowsOf(g, sql("= h.id")))
		value = "coalesce(" + g + "." + value + ", '')"
		return groupKey{value, value, join, true}
	}
	switch {
	case f.Name == "project":
		return groupKey{key: value, value: projectName}
	case f.Name == "path":
		value = pathOfRow
	case f.Name == "priority":
		value = "CASE h.priority"
		for i, name := range f.Values {
			value += " WHEN " + strconv.Itoa(i) + " THEN '" + name + "'"
		}
		value += " ELSE '' END"
	case f.Name == "status":
		value = "CASE h.status WHEN '' THEN 'none' ELSE h.status END"
	case f.Name == "member":
		value = "CASE h.member WHEN '' THEN '" + here + "' ELSE h.member END"
	case f.isNumeric():
		value = "coalesce(" + value + ", '')"
	}
	return groupKey{key: value, value: value}
}

func joinGroups(groups []groupKey) (keys string, joins Statement) {
	list := make([]string, len(groups))
	for i, g := range groups {
		list[i] = g.key
		joins.add("?", g.join)
	}
	return strings.Join(list, ", "), joins
}

// buckets counts the handoffs of each combination of values, most first.
func (b *base) buckets(ids Statement, names []string) Statement {
	groups := make([]groupKey, len(names))
	columns, order, count, many := "", "n DESC", "count(*)", false
	for i, name := range names {
		groups[i] = groupOf(name, i)
		columns += groups[i].value + ", "
		order += ", " + strconv.Itoa(i+1)
		many = many || groups[i].many
	}
	if many {
		count = "count(DISTINCT h.id)"
	}
	keys, joins := joinGroups(groups)
	from := b.scan.from(true)
	if many || b.groups != nil || b.ranked {
		from = sql(" FROM (?) s JOIN handoff h ON h.id = s.id?", ids, joins)
	}
	return sql("SELECT "+columns+count+" AS n? GROUP BY "+keys+" ORDER BY "+order, from)
}

// orderBy writes the order of hits, id being their column; needsRow is false if
// the id alone decides. Missing values come last, and of equals the newest first.
func orderBy(keys []SortKey, id string) (order string, needsRow bool) {
	parts := []string{id + " DESC"}
	switch {
	case len(keys) == 0 || keys[0].Key == relevance:
	case len(keys) == 1 && keys[0].Key == "date":
		parts[0] = id + direction(keys[0].Desc)
	default:
		needsRow, parts = true, nil
		for _, k := range keys {
			missing, value := sortValue(lookup(k.Key))
			if missing != "" {
				parts = append(parts, missing)
			}
			parts = append(parts, value+direction(k.Desc))
		}
		parts = append(parts, id+" DESC")
	}
	return " ORDER BY " + strings.Join(parts, ", "), needsRow
}

func direction(desc bool) string {
	if desc {
		return " DESC"
	}
	return ""
}

// sortValue returns what a field is sorted by, and what is true of handoffs that lack
// it.
func sortValue(f *Field) (missing, value string) {
	column := f.columns[0]
	switch {
	case f.Name == "project":
		return "", projectName + " COLLATE NOCASE"
	case f.Name == "path":
		return "", pathOfRow
	case f.Name == "date":
		return "", "h.sort"
	case f.Name == "version":
		return "NOT " + isNumber, versionNumber
	case f.isNumeric():
		return column + " IS NULL", column
	}
	return column + " = ''", column + " COLLATE NOCASE"
}

// Values yields the values a field has in some handoffs, given as a JSON array
// of their ids: rows of id and value, several where there are several values,
// none where there is none. It answers group-by and select. ok is false for a
// name that is no field, and for columns that are not kept as text.
func Values(field, ids string) (s Statement, ok bool) {
	f := lookup(field)
	if !f.canLack() {
		return Statement{}, false
	}
	if f.Kind == FieldProse {
		value := f.prose("char(10) || ")
		if f.section() == "" {
			value.SQL = "trim(" + value.SQL + ", char(10))"
		}
		s = sql("SELECT h.id, ? AS v FROM handoff h JOIN body b ON b.id = h.id", value)
	} else {
		name := f.Name
		if name == "agent" {
			name = "to"
		}
		g := groupOf(name, 0)
		s = sql("SELECT DISTINCT h.id, CAST("+g.value+" AS TEXT) AS v FROM handoff h?", g.join)
	}
	s.add(" WHERE h.id IN (SELECT value FROM json_each(?)) AND v <> ''", ids)
	return s, true
}
