package search

import (
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// Containing returns every word of the index that has part in it, as the index
// keeps words: in small letters, without accents. Words whose last handoff is
// gone may be among them. ok is false if they are more than most, and if a word
// was too long to be kept whole.
func (l *Lexicon) Containing(part string, most int) (words []string, ok bool) {
	l.ask(func(q *sqlitedb.Queries) error {
		cut, err := q.CutTerms(l.ctx)
		if err != nil || cut > 0 {
			return err
		}
		n := int64(most) + 1
		if isGlobOfTrigrams(part) {
			words, err = q.TermsWithTrigrams(l.ctx, sqlitedb.TermsWithTrigramsParams{Pattern: "*" + part + "*", N: n})
		} else {
			words, err = q.TermsWith(l.ctx, sqlitedb.TermsWithParams{Part: part, N: n})
		}
		ok = err == nil && len(words) <= most
		return err
	})
	return words, ok
}

// Beginning returns every word of the index that begins with prefix, as the
// index keeps it. Words whose last handoff is gone may be among them. ok is
// false if they are more than most.
func (l *Lexicon) Beginning(prefix string, most int) (words []string, ok bool) {
	if prefix == "" {
		return nil, false
	}
	last := len(prefix) - 1
	l.ask(func(q *sqlitedb.Queries) (err error) {
		words, err = q.TermsFrom(l.ctx, sqlitedb.TermsFromParams{Low: prefix, High: prefix[:last] +
			string([]byte{prefix[last] + 1}), N: int64(most) + 1})
		ok = err == nil && len(words) <= most
		return err
	})
	return words, ok
}

// isGlobOfTrigrams reports whether part is long enough to contain a trigram, and
// means itself in a glob.
func isGlobOfTrigrams(part string) bool {
	return utf8.RuneCountInString(part) >= 3 && !strings.ContainsAny(part, "*?[")
}

// Marks returns the tokens of the column meta of which every handoff has one
// that meets field:value, or field=value if exact; others may have one too.
// Fields are project, format and status. ok is false where that is not known:
// in letters beyond ASCII it takes more to decide which values are equal.
func (l *Lexicon) Marks(field, value string, exact bool) (tokens []string, ok bool) {
	if value == "" || !exact && strings.ContainsFunc(value, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return nil, false
	}
	switch field {
	case "format":
		return []string{store.MarkFormat + store.MetaToken(value)}, true
	case "status":
		return []string{store.MarkStatus + store.MetaToken(value)}, true
	case "project":
		return l.projectMarks(value)
	}
	return nil, false
}

// projectMarks returns the tokens of the projects that value can mean, and that of the
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
			tokens = append(tokens, store.ProjectMark(id))
		}
		ok = err == nil
		return err
	})
	return append(tokens, store.MarkDeclared+store.MetaToken(value)), ok
}

// HasProject reports whether a project with a handoff in the roots has the name, in any
// case of ASCII.
func (l *Lexicon) HasProject(name string) (has bool) {
	l.ask(func(q *sqlitedb.Queries) error {
		roots, err := q.Roots(l.ctx)
		if err != nil {
			return err
		}
		var among []int64
		for _, r := range roots {
			if IsAmong(r.Path, l.roots) {
				among = append(among, r.ID)
			}
		}
		ids, err := q.ProjectNamed(l.ctx, sqlitedb.ProjectNamedParams{Name: name, Roots: store.NumberList(among)})
		has = len(ids) > 0
		return err
	})
	return has
}

// SignMarks returns an expression over the column meta which every handoff meets that
// has a text in it; "" if the signs of the text decide nothing.
func (l *Lexicon) SignMarks(text string) string {
	s := store.NewSigns()
	s.Add(text)
	var all []string
	for _, mark := range s.Marks() {
		if strings.HasPrefix(mark, store.MarkSign) {
			mark = "(" + mark + " OR " + store.MarkMany + ")"
		}
		all = append(all, mark)
	}
	return strings.Join(all, " AND ")
}
