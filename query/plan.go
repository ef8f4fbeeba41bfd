package query

import (
	"strings"

	"github.com/OWNER/handex/query/internal/match"
)

// Statement is SQL, or a piece of it, and its arguments, of types the driver
// takes: string, int64, float64. As a condition it is never NULL, so that NOT
// means what it says.
type Statement struct {
	SQL  string
	Args []any
}

// sql makes a statement of a text with a question mark for each argument. An argument
// that is a Statement itself replaces its question mark.
func sql(text string, args ...any) (s Statement) {
	s.add(text, args...)
	return s
}

func (s *Statement) add(text string, args ...any) {
	for _, arg := range args {
		before, after, _ := strings.Cut(text, "?")
		if inner, ok := arg.(Statement); ok {
			s.SQL += before + inner.SQL
			s.Args = append(s.Args, inner.Args...)
		} else {
			s.SQL += before + "?"
			s.Args = append(s.Args, arg)
		}
		text = after
	}
	s.SQL += text
}

// Condition is a condition on the row h of handoff that the caller adds to
// those of the query.
type Condition = Statement

// Plan is a query as SQL over the schema of the index. It needs the functions
// of Functions registered, and a Plan is used with the index its Lexicon came
// from.
type Plan struct {
	// Page yields the hits asked for, in order: one column, the id of the
	// handoff; if Counted two: id, and how many hits there are in all. If Ranked it
	// yields the fields of WordMatches, of which Candidates makes what is ranked.
	Page            Statement
	Ranked, Counted bool
	// Cap is, of a ranked plan, how many matches are ranked: those that contain
	// most of the words, a rare word weighing more, then the newest. The page
	// has no others.
	Cap int
	// Buckets answers count-by: its values as text columns, then the number.
	// Nil without count-by.
	Buckets *Statement
	// Facets answer facets: one value, then the number.
	Facets []FacetPlan
	// Leaves are the pieces of text the query looks for, in its order.
	Leaves []Leaf
	// Notes say where the plan looks for less than the query means.
	Notes []string

	count  Statement    // ids of all matches, unordered
	words  []string     // ranked by
	newest bool         // the newest candidates are the most promising
	specs  []match.Spec // of the words
}

// FacetPlan is the counts of one field.
type FacetPlan struct {
	Field string
	Statement
}

// Count yields the number of matches as one row, but never more than bound+1;
// a bound of 0 or less counts all.
func (p *Plan) Count(bound int) Statement {
	if bound > 0 {
		return sql("SELECT count(*) FROM (? LIMIT ?)", p.count, int64(bound)+1)
	}
	return sql("SELECT count(*) FROM (?)", p.count)
}

// Function is a function that compiled queries call inside SQLite.
type Function = match.Function

// Functions returns the functions the index must give SQLite, as deterministic ones,
// before it runs a Plan.
func Functions() []Function { return match.Functions() }

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
	// HasProject reports whether a project has the name, in any case of ASCII.
	HasProject(name string) bool
	// SignMarks returns an FTS5 expression of tokens of the column meta which
	// every handoff meets that has text in it, in any case and with any white
	// space; "" is none.
	SignMarks(text string) string
}

// noWords is a Lexicon that knows nothing.
type noWords struct{}

func (noWords) Forms(string) []string                       { return nil }
func (noWords) Near(string) []string                        { return nil }
func (noWords) Beginning(string, int) ([]string, bool)      { return nil, false }
func (noWords) Containing(string, int) ([]string, bool)     { return nil, false }
func (noWords) Marks(string, string, bool) ([]string, bool) { return nil, false }
func (noWords) HasProject(string) bool                      { return false }
func (noWords) SignMarks(string) string                     { return "" }
