package parse

import (
	"time"

	"handex/parse/internal/outline"
)

// A Vocabulary is what a format takes labels and headings for. A writer asks it
// how the text it writes will be read.
type Vocabulary struct{ reader *reader }

// VocabularyOf is the vocabulary of a format; that of an unknown one has the words
// that all formats share.
func VocabularyOf(name string) *Vocabulary {
	f := formatNamed(name)
	if f == nil {
		f = &format{}
	}
	return &Vocabulary{&reader{format: f, src: Source{Zone: time.UTC}}}
}

// Field is the canonical field that a key means, "" for none. label is the last
// part of the key.
func (v *Vocabulary) Field(key, label string) string {
	name, _ := v.reader.fieldName(outline.Field{Key: key, Label: label})
	return name
}

// TextKind is the kind of a key whose value is text rather than a fact.
func (v *Vocabulary) TextKind(label string) Kind {
	return v.reader.textKey(outline.Field{Key: label, Label: label})
}

// KindOf is what a section is about.
func (v *Vocabulary) KindOf(s outline.Section) Kind { return v.reader.kindOf(s) }

// Knows reports whether a label is one of the format's or of every format's.
func (v *Vocabulary) Knows(label string) bool { return v.reader.knows(label) }

// IsDated reports whether a heading can begin an entry of a log.
func (v *Vocabulary) IsDated(heading string) bool { return v.reader.isDated(heading) }

// Shape is how the format's bytes are read.
func (v *Vocabulary) Shape() Shape { return v.reader.format.shape }
