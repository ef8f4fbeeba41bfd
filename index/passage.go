package index

import (
	"strings"

	"handex/parse"
)

// A passage is a run of a handoff's text with what a leaf asks for.
type passage struct {
	column  string // of body
	slug    string // of the section it is in
	section string // as shown
	line    int    // its first, as in piece.firstLine
	text    string
}

// passages lists the text of a handoff in the order in which lines of it are
// best shown.
func passages(b packedText) []passage {
	var fields, sections []passage
	slugged := ""
	first := 0
	for _, p := range b.pieces {
		if p.level == levelField {
			fields = append(fields, passage{string(p.kind), "", string(p.kind), p.firstLine, p.text})
			continue
		}
		if first == 0 {
			first = p.line
		}
		if p.section() {
			slugged = slug(p.headingStr)
			if p.headingStr != "" {
				sections = append(sections, passage{"heading", "", "heading", p.line, p.headingStr})
			}
		}
		sections = append(sections, passage{string(p.kind), slugged, shown(p.kind, slugged), p.firstLine, p.text})
	}
	return append(append(fields, headPassages(b, first)...), sections...)
}

// shown names a section: by its kind, or by its heading if it is of no kind.
func shown(kind parse.Kind, slug string) string {
	if kind == parse.Other && slug != "" {
		return slug
	}
	return string(kind)
}

// headPassages are the title and the lines above the first section, which
// begins at line first. The title stands in the head of most formats.
func headPassages(b packedText, first int) []passage {
	line := 1
	if first > 0 {
		line = max(first-strings.Count(b.head, "\n"), 0)
	}
	head := passage{"head", "", "head", line, b.head}
	before, _, found := strings.Cut(b.head, b.title)
	title := passage{"title", "", "title", 0, b.title}
	if found && line > 0 {
		title.line = line + strings.Count(before, "\n")
	}
	return []passage{title, head}
}
