package query

// Lexicon is what a query must know of the words in the index. Words come and
// go in any case; the index folds them. What it does not know makes a search
// slower and finds the same.
type Lexicon interface {
	// Forms returns the spellings in the index that share the word's stem.
	Forms(word string) []string
	// Near returns words of the index within one edit, two from 8 letters,
	// nearest first, at most 8.
	Near(word string) []string
	// Beginning returns every word of the index, as the index keeps it, that
	// begins with prefix; ok is false if they are more than most, or not known.
	Beginning(prefix string, most int) (words []string, ok bool)
	// Containing returns every word of the index, as the index keeps it, that
	// has part in it; ok is false if they are more than most, or not known.
	Containing(part string, most int) (words []string, ok bool)
	// Marks returns tokens of the column meta of which every handoff that meets
	// field:value (or, if exact, field=value) has one, others may; ok is false if
	// not known. Fields are project, format and status.
	Marks(field, value string, exact bool) (tokens []string, ok bool)
	// SignMarks returns an FTS5 expression of tokens of the column meta which
	// every handoff meets that has text in it, in any case and with any white
	// space; "" is none.
	SignMarks(text string) string
}

// NoWords is a Lexicon that knows nothing.
type NoWords struct{}

// Forms returns none.
func (NoWords) Forms(string) []string { return nil }

// Near returns none.
func (NoWords) Near(string) []string { return nil }

// Beginning reports that the words are not known.
func (NoWords) Beginning(string, int) ([]string, bool) { return nil, false }

// Containing reports that the words are not known.
func (NoWords) Containing(string, int) ([]string, bool) { return nil, false }

// Marks reports that the tokens are not known.
func (NoWords) Marks(string, string, bool) ([]string, bool) { return nil, false }

// SignMarks returns none.
func (NoWords) SignMarks(string) string { return "" }
