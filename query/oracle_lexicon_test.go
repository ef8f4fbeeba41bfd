package query_test

import (
	"slices"
	"strings"

	"github.com/OWNER/handex/query"
)

// families are the words of the oracle that share a stem.
var families = [][]string{{"refresh", "refreshes", "refreshing"}, {"token", "tokens"}, {"fix", "fixed"}}

// formsOf are the words that share the stem of one as the index keeps it.
func formsOf(folded string) []string {
	for _, family := range families {
		if slices.Contains(family, folded) {
			return family
		}
	}
	return []string{folded}
}

// allowedEdits is how far a word with ~ may be from one that is found.
func allowedEdits(word string) int {
	if len([]rune(word)) >= 8 {
		return 2
	}
	return 1
}

// edits is how many letters must be added, left out, replaced or swapped with
// the next to make b of a: each choice tried.
func edits(a, b string) int { return editsOf([]rune(a), []rune(b), 3) }

func editsOf(a, b []rune, most int) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	switch {
	case most == 0 || len(a) == 0 && len(b) == 0:
		return 0
	case len(a) == 0 || len(b) == 0:
		return len(a) + len(b)
	}
	best := min(editsOf(a[1:], b, most-1), editsOf(a, b[1:], most-1), editsOf(a[1:], b[1:], most-1))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		best = min(best, editsOf(a[2:], b[2:], most-1))
	}
	return best + 1
}

// stems is a Lexicon that knows the words of an index and no more.
type stems struct {
	noWords
	handoffs   collection
	vocabulary []string
}

func newStems(c collection) stems {
	var list []string
	for _, h := range c {
		for _, text := range h.columns() {
			list = append(list, foldedWords(text)...)
		}
	}
	slices.Sort(list)
	return stems{handoffs: c, vocabulary: slices.Compact(list)}
}

func (stems) Forms(word string) []string {
	if folded := strings.Join(foldedWords(word), ""); len(formsOf(folded)) > 1 {
		return formsOf(folded)
	}
	return []string{word}
}

func (s stems) Near(word string) []string {
	var near []string
	want := strings.Join(foldedWords(word), "")
	for _, w := range s.vocabulary {
		if edits(w, want) <= allowedEdits(want) {
			near = append(near, w)
		}
	}
	return near
}

func (s stems) HasProject(name string) bool { return s.handoffs.hasProject(name) }

// knowing is a Lexicon with all it may have: it also searches its words, and
// knows a token for each handoff.
type knowing struct {
	stems
	oracle oracle
}

func (k knowing) Containing(part string, most int) ([]string, bool) {
	var found []string
	for _, w := range k.vocabulary {
		if strings.Contains(w, part) {
			found = append(found, w)
		}
	}
	return found, len(found) <= most
}

func (k knowing) Marks(field, value string, exact bool) ([]string, bool) {
	key := query.Key{Field: field, Value: value}
	if exact {
		key.Op = query.KeyExact
	}
	marks := []string{k.oracle.handoffs[0].mark()} // others may have a mark too
	for _, h := range k.oracle.handoffs {
		if k.oracle.key(key, h) {
			marks = append(marks, h.mark())
		}
	}
	return marks, true
}
