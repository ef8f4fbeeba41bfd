package text

import (
	"strings"
	"sync"
)

// stopWords say how the words around them belong together, and nothing of what a text
// is about: pronouns, articles, prepositions, conjunctions, auxiliary verbs, and the
// words of questions.
var stopWords = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(`
		a about after again all also am an and any are as at be been before being but by can could did do
		does doing done during each ever every for from had has have having he her here hers him his how i
		if in into is it its just me might more most must my no nor not of off on only or other our over own
		per she should since so some such than that the their them then there these they this those through
		to too under until up upon us very was we were what when where whether which while who whom whose
		why will with within without would yet you your`) {
		set[word] = true
	}
	return set
})

// IsStopWord reports whether a word, in any case, is an English word that texts on every
// subject contain, such as "the".
func IsStopWord(word string) bool { return stopWords()[strings.ToLower(word)] }
