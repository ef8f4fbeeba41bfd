package index

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"handex/index/internal/project"
	"handex/index/internal/sqlitedb"
)

// The tokens of the column meta are one of these and the value of a field. Each
// holds a digit, so none is a plain word. Those of signs are in signs.go.
const (
	markProject  = "x0p" // the number of the project
	markDeclared = "x0d" // the project the handoff names, if it does
	markFormat   = "x0f"
	markStatus   = "x0s"
)

// meta is the tokens by which a filter can stand inside a MATCH.
func (r *record) meta(project int64) string {
	tokens := []string{
		projectMark(project), markFormat + metaToken(r.doc.Format), markStatus + metaToken(cmp.Or(r.fields["status"], "none")),
	}
	if declared := r.fields["project"]; declared != "" {
		tokens = append(tokens, markDeclared+metaToken(declared))
	}
	if r.signs != "" {
		tokens = append(tokens, r.signs)
	}
	return strings.Join(tokens, " ")
}

func projectMark(id int64) string { return markProject + strconv.FormatInt(id, 10) }

// metaToken keeps the letters and digits of a name.
func metaToken(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(name))
}

// Marks answers the tokens of the column meta of which every handoff has one
// that meets field:value, or field=value if exact; others may have one too.
// Fields are project, format and status. ok is false where that is not known:
// in letters beyond ASCII it takes more to tell which values are equal.
func (l *Lexicon) Marks(field, value string, exact bool) (tokens []string, ok bool) {
	if value == "" || !exact && strings.ContainsFunc(value, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return nil, false
	}
	switch field {
	case "format":
		return []string{markFormat + metaToken(value)}, true
	case "status":
		return []string{markStatus + metaToken(value)}, true
	case "project":
		return l.projectMarks(value)
	}
	return nil, false
}

// projectMarks are those of the projects that value can mean, and that of the
// handoffs which name it themselves.
func (l *Lexicon) projectMarks(value string) (tokens []string, ok bool) {
	if !utf8.ValidString(value) || strings.Contains(value, "\n") {
		return nil, false // encoded by more than one rule
	}
	l.ask(func(q *sqlitedb.Queries) error {
		ids, err := q.ProjectsCalled(l.ctx, sqlitedb.ProjectsCalledParams{
			Name: value, Tail: "/" + value, V1: project.EncodeV1(value), V2: project.EncodeV2(value),
		})
		for _, id := range ids {
			tokens = append(tokens, projectMark(id))
		}
		ok = err == nil
		return err
	})
	return append(tokens, markDeclared+metaToken(value)), ok
}
