package query

import (
	"strings"
	"unicode/utf8"

	"handex/query/internal/match"
	"handex/query/internal/text"
)

// keyWhere compares a name.
func (c *compiler) keyWhere(e Key) frag {
	f := lookup(e.Field)
	switch {
	case f.Name == "project":
		return c.projectWhere(e)
	case f.Name == "priority":
		for i, v := range f.Values {
			if v == e.Value {
				return frag{"(h.priority IS NOT NULL AND h.priority = ?)", []any{int64(i)}}
			}
		}
		return frag{sql: "0"}
	case f.Name == "status" && e.Value == "none":
		return frag{sql: "(h.status = '')"}
	case f.Name == "approach":
		return existing("attr", "x.name = 'approach' AND x.note = ?", e.Value)
	}
	return f.anyValue(func(column string) frag {
		out := c.compareKey(f, e, column)
		if f.Name == "file" && (e.Op == KeyEqual || e.Op == KeyExact) && strings.HasPrefix(e.Value, "/") {
			out = frag{"(" + out.sql + " OR " + belowRoot + ")", append(out.args, e.Value)}
		}
		return out
	})
}

// Files are mostly written as they lie below the root of the project.
const belowRoot = "x.value <> '' AND (SELECT p.root FROM project p WHERE p.id = h.project_id) || '/' || x.value = ?"

// anyValue is true where a value of the field meets the condition.
func (f *Field) anyValue(condition func(column string) frag) frag {
	switch {
	case f.Name == "path":
		inner := condition(pathColumn)
		return frag{"h.file_id IN (SELECT x.id FROM file x WHERE " + inner.sql + ")", inner.args}
	case f.Name == "problem":
		inner := condition("x.rule")
		return existing("problem", inner.sql, inner.args...)
	case f.attr != "":
		inner := condition("x.value")
		return existing("attr", "x.name = ? COLLATE NOCASE AND "+inner.sql, append([]any{f.attr}, inner.args...)...)
	}
	out := frag{sql: "("}
	for i, column := range f.columns {
		if i > 0 {
			out.add(" OR ")
		}
		out.addFrag(condition(column))
	}
	out.add(")")
	return out
}

func existing(table, condition string, args ...any) frag {
	return frag{"EXISTS (SELECT 1 FROM " + table + " x WHERE x.handoff_id = h.id AND " + condition + ")", args}
}

// compareKey compares one column with the value asked for. What SQLite can do
// itself is left to it; calls into Go cost more.
func (c *compiler) compareKey(f *Field, e Key, column string) frag {
	value := e.Value
	if f.Kind == FieldPath {
		value = strings.TrimPrefix(value, "./")
	}
	switch {
	case e.Op == KeyExact:
		return frag{"(" + column + " = ?)", []any{value}}
	case e.Op != KeyEqual || !text.IsASCII(value):
		spec := match.Value{Op: e.Op, Value: value, Path: f.Kind == FieldPath, Prefix: f.Prefix, Fold: c.folds(patternHasCapital(value))}
		return frag{"(" + column + " <> '' AND handex_value(?, " + column + "))", []any{match.JSON(spec)}}
	case f.Prefix:
		return frag{"(substr(" + column + ", 1, ?) = ? COLLATE NOCASE)", []any{int64(len(value)), value}}
	case f.Kind == FieldPath:
		tail := "/" + strings.TrimPrefix(value, "/")
		if strings.HasPrefix(value, "/") {
			return frag{"(" + column + " = ? COLLATE NOCASE)", []any{value}}
		}
		return frag{"(" + column + " = ? COLLATE NOCASE OR substr(" + column + ", ?) = ? COLLATE NOCASE)", []any{value, -int64(len(tail)), tail}}
	}
	return frag{"(" + column + " = ? COLLATE NOCASE)", []any{value}}
}

// projectWhere compares the name a handoff declares, and of its project the
// name, the root and, where no root is known, the encoded name of the folder:
// a name that cannot be decoded can still be compared with one encoded alike.
func (c *compiler) projectWhere(e Key) frag {
	f := lookup("project")
	var in frag
	for _, column := range []string{"p.name", "p.root"} {
		in.addFrag(c.compareKey(f, e, column))
		in.add(" OR ")
	}
	in.addFrag(c.baseWhere(f, e))
	if e.Op == KeyEqual || e.Op == KeyExact {
		in.add(" OR "+encodedMatch, encodeV1(e.Value), encodeV2(e.Value))
		if !strings.ContainsAny(e.Value, `/\`) {
			in.add(" OR p.dir_v1 = ? OR p.dir_v2 = ?", e.Value, e.Value)
		}
	}
	out := frag{"(h.project_id IN (SELECT p.id FROM project p WHERE " + in.sql + ") OR ", in.args}
	out.addFrag(c.compareKey(f, e, "h.declared"))
	out.add(")")
	return out
}

// baseWhere compares the last part of a project's root.
func (c *compiler) baseWhere(f *Field, e Key) frag {
	tail, collate := "/"+e.Value, " COLLATE NOCASE"
	if e.Op == KeyExact {
		collate = ""
	}
	switch {
	case e.Op != KeyExact && (e.Op != KeyEqual || !text.IsASCII(e.Value)) || e.Value == "":
		return c.compareKey(f, e, "handex_base(p.root)")
	case strings.ContainsAny(e.Value, `/\`):
		return frag{sql: "0"}
	}
	return frag{`(substr('/' || replace(rtrim(p.root, '/\'), '\', '/'), ?) = ?` + collate + ")", []any{-int64(utf8.RuneCountInString(tail)), tail}}
}

// Two roots can have one encoded name, so it counts only where it is all that
// is known.
const encodedMatch = "p.root IN (p.dir_v1, p.dir_v2) AND (p.dir_v1 = ? OR p.dir_v2 = ?)"

// encodeV1 and encodeV2 are how agents name a folder of handoffs after the
// project's root: tr '/.' '-', and sed 's/[^a-zA-Z0-9-]/-/g'.
func encodeV1(root string) string { return strings.NewReplacer("/", "-", ".", "-").Replace(root) }

func encodeV2(root string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && text.IsToken(r) {
			return r
		}
		return '-'
	}, root)
}
