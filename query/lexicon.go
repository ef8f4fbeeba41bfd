package query

// Lexicon is what a query must know of the words in the index. Words come and
// go in any case; the index folds them.
type Lexicon interface {
	// Forms returns the spellings in the index that share the word's stem,
	// the word itself included.
	Forms(word string) []string
	// Near returns words of the index within one edit, two from 8 letters,
	// nearest first, at most 8.
	Near(word string) []string
}

// Vocabulary is a Lexicon that can also search its words, so that a part of a
// word is found without reading every handoff.
type Vocabulary interface {
	// Containing returns every word of the index, as the index keeps it, that
	// has part in it; ok is false if they are more than most, or not known.
	Containing(part string, most int) (words []string, ok bool)
}

// Marks is a Lexicon that also knows the tokens of the column meta, by which
// the index marks fields of handoffs, so that a condition on a field is
// answered together with the text.
type Marks interface {
	// Marks returns tokens of which every handoff that meets field:value (or,
	// if exact, field=value) has one, others may; ok is false if not known.
	// Fields are project, format and status.
	Marks(field, value string, exact bool) (tokens []string, ok bool)
}

// No more spellings than this go into one expression; beyond, a look at every
// handoff is as good.
const maxSpellings = 256

// containing is the FTS5 expression for the words that have part in them, ""
// if they are not known.
func (c *compiler) containing(part string) string {
	vocabulary, ok := c.lex.(Vocabulary)
	if !ok || part == "" {
		return ""
	}
	words, ok := vocabulary.Containing(part, maxSpellings)
	switch {
	case !ok || len(words) > maxSpellings:
		return ""
	case len(words) == 0: // then no handoff has it, nor this word
		return ftsString(part)
	}
	return anyOf(words)
}

// mark is the FTS5 expression for the handoffs a condition may hold for, "" if
// it is not known.
func (c *compiler) mark(e Key) string {
	marks, ok := c.lex.(Marks)
	if !ok || e.Op != KeyEqual && e.Op != KeyExact || e.Value == "none" {
		return ""
	}
	switch e.Field {
	case "project", "format", "status":
	default:
		return ""
	}
	tokens, ok := marks.Marks(e.Field, e.Value, e.Op == KeyExact)
	if !ok || len(tokens) == 0 || len(tokens) > maxSpellings {
		return ""
	}
	return "{meta} : (" + anyOf(tokens) + ")"
}
