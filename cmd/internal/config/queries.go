package config

import (
	"slices"
	"strings"
)

// A Query is a saved query. Its name may be one that ValidName refuses.
type Query struct {
	Name, Text string
	file       source
}

// File returns the path of the file that the query is saved in.
func (q Query) File() string { return q.file.path }

// Place returns the place in its file of the byte at an offset of the query's text. If that
// is not known, it is where the text begins.
func (q Query) Place(offset int) Place {
	for _, e := range parseEntries(q.file.text) {
		if e.isQuery(q.Name) {
			if e.verbatim {
				return q.file.place(e.value + offset)
			}
			return q.file.place(e.value)
		}
	}
	return Place{File: q.file.path}
}

// Query returns the saved query with a name.
func (c *Config) Query(name string) (q Query, ok bool) {
	at := slices.IndexFunc(c.Queries, func(q Query) bool { return q.Name == name })
	if at < 0 {
		return Query{}, false
	}
	return c.Queries[at], true
}

// SavedQueries returns the texts of the saved queries by their names.
func (c *Config) SavedQueries() map[string]string {
	texts := make(map[string]string, len(c.Queries))
	for _, q := range c.Queries {
		texts[q.Name] = q.Text
	}
	return texts
}

// ValidName reports whether a query or a report can have a name: it is lower-case
// letters, digits, - and _, the first a letter.
func ValidName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return name != "" && strings.Contains(letters, name[:1]) && strings.Trim(name, letters+"0123456789-_") == ""
}
