package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/query"
)

// Lexicon knows the words of the index, as package query asks for them.
type Lexicon struct {
	ctx context.Context //nolint:containedctx // query.Lexicon has none, and this lives for one query
	in  func(func(*sqlitedb.Queries) error) error
	err error
	// roots are those whose projects are known by name; nil are all.
	roots []string
}

// Lexicon returns the words of the index, for the time of one query. It knows
// no words while there is no index.
func (ix Index) Lexicon(ctx context.Context) *Lexicon {
	return &Lexicon{ctx: ctx, in: func(f func(*sqlitedb.Queries) error) error {
		return store.IgnoreNoIndex(ix.Read(ctx, "look up words", f))
	}}
}

// lexiconOf returns the Lexicon of a transaction that is open already, for some roots;
// nil are all.
func lexiconOf(ctx context.Context, q *sqlitedb.Queries, roots []string) *Lexicon {
	return &Lexicon{ctx: ctx, in: func(f func(*sqlitedb.Queries) error) error { return f(q) }, roots: roots}
}

// Err returns the first error that made an answer incomplete.
func (l *Lexicon) Err() error { return l.err }

func (l *Lexicon) ask(f func(*sqlitedb.Queries) error) {
	if l.err == nil {
		l.err = l.in(f)
	}
}

// Forms returns the spellings in the index that share the word's stem, and the
// word itself.
func (l *Lexicon) Forms(word string) []string {
	forms := []string{word}
	l.ask(func(q *sqlitedb.Queries) error {
		found, err := q.Spellings(l.ctx, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`)
		for _, f := range found {
			if f != word {
				forms = append(forms, f)
			}
		}
		return err
	})
	return forms
}

// maxNear is how many words Near returns.
const maxNear = 8

// Near returns words of the index within one edit of the word, two if it has 8
// letters or more: nearest first, the more common first of those, at most 8.
// An edit is a letter more, less or changed, or two neighbours swapped.
func (l *Lexicon) Near(word string) []string {
	word = strings.ToLower(word)
	reach := 1
	if utf8.RuneCountInString(word) >= 8 {
		reach = 2
	}
	var near []nearWord
	l.ask(func(q *sqlitedb.Queries) (err error) {
		near, err = nearWords(l.ctx, q, word, reach)
		return err
	})
	words := make([]string, min(len(near), maxNear))
	for i := range words {
		words[i] = near[i].word
	}
	return words
}

type nearWord struct {
	word     string
	distance int
	handoffs int64
}

func nearWords(ctx context.Context, q *sqlitedb.Queries, word string, reach int) ([]nearWord, error) {
	packs, err := q.TermsOfLength(ctx, sqlitedb.TermsOfLengthParams{
		Low:  int64(len(word) - reach),
		High: int64(len(word) + reach),
	})
	if err != nil {
		return nil, err
	}
	var near []nearWord
	for _, pack := range packs {
		for term := range strings.SplitSeq(pack, "\n") {
			if d := query.EditDistance(word, term, reach); d <= reach && d > 0 {
				near = append(near, nearWord{word: term, distance: d})
			}
		}
	}
	// term outlives the last handoff with the word, until the next build.
	inUse := near[:0]
	for _, n := range near {
		rows, err := q.WordInUse(ctx, n.word)
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			n.handoffs = rows[0].Doc
			inUse = append(inUse, n)
		}
	}
	slices.SortFunc(inUse, func(a, b nearWord) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(b.handoffs, a.handoffs),
			strings.Compare(a.word, b.word))
	})
	return inUse, nil
}
