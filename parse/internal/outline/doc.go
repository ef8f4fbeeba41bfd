// Package outline reads the shapes: the fields and sections of a Markdown, YAML, XML
// or JSON text under the names the author gave them. An outline holds every word of
// its text. What cannot be parsed is read line by line, by its tags or by its pairs.
package outline
