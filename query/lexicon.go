package query

import "strings"

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
	// Beginning returns every word of the index, as the index keeps it, that
	// begins with prefix; ok is false if they are more than most, or not known.
	Beginning(prefix string, most int) (words []string, ok bool)
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

// Signs is a Lexicon that also knows the tokens of the column meta by which the
// index marks the signs that a handoff holds.
type Signs interface {
	// SignMarks returns an FTS5 expression of tokens which every handoff meets
	// that has text in it, in any case and with any white space; "" is none.
	SignMarks(text string) string
}

// No more spellings than this go into one expression; beyond, a look at every
// handoff is as good.
const maxSpellings = 2048

// beginning is the FTS5 expression for the words that begin with prefix, "" if
// there are none or they are not known.
func (c *compiler) beginning(prefix string) string {
	return c.once(prefix+"*", func() string { return c.lookUpBeginning(prefix) })
}

func (c *compiler) lookUpBeginning(prefix string) string {
	vocabulary, ok := c.lex.(Vocabulary)
	if !ok {
		return ""
	}
	words, ok := vocabulary.Beginning(prefix, maxSpellings)
	if !ok || len(words) == 0 || len(words) > maxSpellings {
		return ""
	}
	return anyOf(words)
}

// once asks for what a wildcard stands for once in a query: it can mean a look
// at all words.
func (c *compiler) once(wildcard string, ask func() string) string {
	match, ok := c.wildcards[wildcard]
	if !ok {
		match = ask()
		if c.wildcards == nil {
			c.wildcards = map[string]string{}
		}
		c.wildcards[wildcard] = match
	}
	return match
}

// containing is the FTS5 expression for the words that have part in them, ""
// if they are not known.
func (c *compiler) containing(part string) string {
	return c.once("*"+part+"*", func() string { return c.lookUpContaining(part) })
}

func (c *compiler) lookUpContaining(part string) string {
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
func (c *compiler) mark(e Expr) string {
	or, ok := e.(Or)
	if !ok {
		return c.markOne(e)
	}
	parts := make([]string, len(or.List))
	for i, x := range or.List {
		if parts[i] = c.markOne(x); parts[i] == "" {
			return ""
		}
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

// markOne is mark for what is no list.
func (c *compiler) markOne(e Expr) string {
	if key, ok := e.(Key); ok {
		return c.keyMark(key)
	}
	if t, ok := e.(Text); ok {
		return c.leaf(t).Marks
	}
	return ""
}

// signMarks is the FTS5 expression for the handoffs that hold the signs of a text
// which no word of the index tells of, "" if they are not known.
func (c *compiler) signMarks(t Text) string {
	signs, ok := c.lex.(Signs)
	if !ok || t.Kind != TextContains && t.Kind != TextPhrase {
		return ""
	}
	marks := signs.SignMarks(t.Text)
	if marks == "" {
		return ""
	}
	return "{meta} : (" + marks + ")"
}

func (c *compiler) keyMark(e Key) string {
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
