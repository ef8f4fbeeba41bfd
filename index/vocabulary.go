package index

import (
	"strings"
	"unicode/utf8"

	"handex/index/internal/sqlitedb"
)

// Containing answers every word of the index that has part in it, as the index
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

// Beginning answers every word of the index that begins with prefix, as the
// index keeps it. Words whose last handoff is gone may be among them. ok is
// false if they are more than most.
func (l *Lexicon) Beginning(prefix string, most int) (words []string, ok bool) {
	if prefix == "" {
		return nil, false
	}
	last := len(prefix) - 1
	l.ask(func(q *sqlitedb.Queries) (err error) {
		words, err = q.TermsFrom(l.ctx, sqlitedb.TermsFromParams{Low: prefix, High: prefix[:last] + string([]byte{prefix[last] + 1}), N: int64(most) + 1})
		ok = err == nil && len(words) <= most
		return err
	})
	return words, ok
}

// isGlobOfTrigrams reports whether part is long enough to hold a trigram, and
// means itself in a glob.
func isGlobOfTrigrams(part string) bool {
	return utf8.RuneCountInString(part) >= 3 && !strings.ContainsAny(part, "*?[")
}
