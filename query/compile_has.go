package query

import (
	"strings"

	"handex/query/internal/match"
)

// whiteSpace is the characters of Unicode's White_Space.
const whiteSpace = "char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288)"

// hasWhere is true where the handoff gives the field.
func hasWhere(name string) frag {
	switch name {
	case "escalation":
		return frag{sql: "(h.escalated = 1)"}
	case "link":
		return existing("attr", "x.name = 'link'")
	case "project", "format", "path", "updated":
		return frag{sql: "1"}
	case "date":
		return frag{sql: "(h.date_source NOT IN ('mtime', 'git'))"}
	case "words":
		return frag{sql: "(h.words > 0)"}
	case "blockers":
		return frag{sql: "EXISTS (SELECT 1 FROM body b WHERE b.id = h.id AND handex_given(b.blockers))"}
	case "approach":
		return existing("attr", "x.name = 'approach' AND x.note <> ''")
	}
	f := lookup(name)
	switch {
	case f.section() != "":
		return frag{"EXISTS (SELECT 1 FROM body b WHERE b.id = h.id AND trim(handex_section(?, h.sections, " + bodyColumns(match.TextColumns) + "), " + whiteSpace + ") <> '')", []any{f.section()}}
	case f.Kind == FieldProse:
		columns := f.columns
		if columns == nil {
			columns = match.TextColumns
		}
		return frag{sql: "EXISTS (SELECT 1 FROM body b WHERE b.id = h.id AND trim(b." + strings.Join(columns, " || b.") + ", " + whiteSpace + ") <> '')"}
	case f.Kind == FieldNumber && f.Name != "version", f.Kind == FieldDate, f.Name == "priority":
		return frag{sql: "(" + f.columns[0] + " IS NOT NULL)"}
	}
	return f.anyValue(func(column string) frag { return frag{sql: "(" + column + " <> '')"} })
}

// sameWhere is true where the field has a value it has in a handoff that
// meets X.
func (c *compiler) sameWhere(e Same) frag {
	f := lookup(e.Field)
	inner := c.scan(e.X, nil)
	ids := frag{sql: "SELECT " + inner.id()}
	ids.addFrag(inner.from(false))
	if f.Name == "agent" {
		return sameAgent(ids)
	}
	values := f.valuesOf(ids)
	switch f.Name {
	case "project":
		return frag{"(h.project_id IN (" + values.sql + "))", values.args}
	case "path":
		return frag{"(h.file_id IN (" + values.sql + "))", values.args}
	case "approach":
		return existing("attr", "x.name = 'approach' AND x.note <> '' AND x.note IN ("+values.sql+")", values.args...)
	case "priority":
		return frag{"(h.priority IS NOT NULL AND h.priority IN (" + values.sql + "))", values.args}
	}
	return f.anyValue(func(column string) frag {
		return frag{"(" + column + " <> '' AND " + column + " IN (" + values.sql + "))", values.args}
	})
}

// valuesOf yields the values the field has in the handoffs with these ids.
func (f *Field) valuesOf(ids frag) frag {
	in := "y.handoff_id IN (" + ids.sql + ")"
	switch {
	case f.Name == "project":
		return frag{"SELECT y.project_id FROM handoff y WHERE y.id IN (" + ids.sql + ")", ids.args}
	case f.Name == "path":
		return frag{"SELECT y.file_id FROM handoff y WHERE y.id IN (" + ids.sql + ")", ids.args}
	case f.Name == "problem":
		return frag{"SELECT y.rule FROM problem y WHERE " + in, ids.args}
	case f.Name == "approach":
		return frag{"SELECT y.note FROM attr y WHERE y.name = 'approach' AND " + in, ids.args}
	case f.attr != "":
		return frag{"SELECT y.value FROM attr y WHERE y.name = ? COLLATE NOCASE AND " + in, append([]any{f.attr}, ids.args...)}
	}
	column := "y." + strings.TrimPrefix(f.columns[0], "h.")
	return frag{"SELECT " + column + " FROM handoff y WHERE " + column + " IS NOT NULL AND y.id IN (" + ids.sql + ")", ids.args}
}

// sameAgent compares both sides with both sides. It holds ids just once:
// nested, they would multiply, and so would references to a common table.
func sameAgent(ids frag) frag {
	return frag{"h.id IN (SELECT z.id FROM (SELECT DISTINCT CASE k.n WHEN 0 THEN x.sender ELSE x.recipient END AS name " +
		"FROM (SELECT 0 AS n UNION ALL SELECT 1) k CROSS JOIN handoff x WHERE x.id IN (" + ids.sql + ")) v " +
		"JOIN handoff z ON z.sender = v.name OR z.recipient = v.name WHERE v.name <> '')", ids.args}
}
