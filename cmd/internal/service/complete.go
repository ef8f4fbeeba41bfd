package service

import (
	"maps"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// maxValues bounds the values of a field that a word is completed with.
const maxValues = 200

// A Completer completes words of queries.
type Completer struct {
	// Queries are the saved ones by name.
	Queries map[string]string
	// Ask answers a query from the index as it is; with nothing if that takes too long.
	Ask func(*query.Query) *index.Result
}

// Word returns the completions of a word of a query: names and values of fields, directives
// and saved queries.
func (c Completer) Word(word string) []query.Candidate {
	completion := query.Complete(word)
	list := completion.Candidates
	if name, typed, ok := strings.Cut(strings.TrimLeft(word, "-!"), ":"); ok {
		before := word[:len(word)-len(typed)]
		switch name {
		case "query":
			return c.savedQueries(before, typed)
		case "agent":
			return append(c.values("from", before, typed), c.values("to", before, typed)...)
		}
	}
	if completion.Field != "" {
		live := c.values(completion.Field, completion.Before, completion.Typed)
		known := func(x query.Candidate) bool {
			return slices.ContainsFunc(live, func(y query.Candidate) bool { return x.Text == y.Text })
		}
		list = slices.Concat(live, slices.DeleteFunc(list, known))
	}
	return list
}

// savedQueries returns the saved queries whose names begin with typed, each with before in
// front.
func (c Completer) savedQueries(before, typed string) []query.Candidate {
	var list []query.Candidate
	for _, name := range slices.Sorted(maps.Keys(c.Queries)) {
		if HasPrefixFold(name, typed) {
			list = append(list, query.Candidate{Text: before + name, Doc: c.Queries[name]})
		}
	}
	return list
}

// values returns the values in the index of a field that begin with typed, the most common
// first, each with before in front.
func (c Completer) values(field, before, typed string) []query.Candidate {
	counts, ok := countsOf(field)
	if !ok {
		return nil
	}
	typed = strings.TrimPrefix(typed, `"`)
	var list []query.Candidate
	for _, b := range c.Ask(counts).Buckets {
		if len(list) == maxValues {
			break
		}
		value := b.Values[0]
		if value == "" || !HasPrefixFold(value, typed) {
			continue
		}
		if written, ok := WriteValue(field, value); ok {
			list = append(list, query.Candidate{Text: before + written, Doc: render.Several(b.Count, "handoff")})
		}
	}
	return list
}

// countsOf returns the query that counts all handoffs by the values of a field. ok is false
// if handoffs cannot be counted by it.
func countsOf(field string) (counts *query.Query, ok bool) {
	everything, err := query.Parse("", query.Env{})
	if err != nil {
		return nil, false
	}
	return everything.Counts(field)
}

// HasPrefixFold reports whether text begins with prefix, whatever their case.
func HasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// WriteValue returns a value as it is written in a query behind the field, in quotes if it
// needs them. ok is false if no query can contain exactly this value.
func WriteValue(field, value string) (written string, ok bool) {
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	for _, written := range []string{value, quoted} {
		q, err := query.Parse(field+":"+written, query.Env{})
		if err != nil {
			continue
		}
		if key, ok := q.Expr.(query.Key); ok && key.Value == value && (key.Op == query.KeyEqual || key.Op == query.KeyExact) {
			return written, true
		}
	}
	return "", false
}
