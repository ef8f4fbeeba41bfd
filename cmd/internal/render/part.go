package render

import (
	"io"
	"slices"
	"strings"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// Sections returns the parts of a handoff about name: a kind, or a heading as
// it is written or in lower case with dashes. Where a section's lines are of
// several kinds, it is cut to those asked for.
func Sections(h *index.Handoff, name string) []parse.Section {
	var found []parse.Section
	slug := strings.ToLower(name)
	for _, s := range h.Sections {
		if string(s.Kind) == slug || s.Slug == slug || strings.EqualFold(s.Heading, name) {
			found = append(found, s)
			continue
		}
		if text := partsOf(s, parse.Kind(slug)); text != "" {
			s.Kind, s.Body, s.Parts = parse.Kind(slug), text, nil
			found = append(found, s)
		}
	}
	return found
}

// partsOf returns the text of a section that is of one kind.
func partsOf(s parse.Section, kind parse.Kind) string {
	var b strings.Builder
	for _, p := range s.Parts {
		if p.Kind == kind {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// SectionNames lists what Sections finds in a handoff, each once.
func SectionNames(h *index.Handoff) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, s := range h.Sections {
		if s.Kind == parse.Other {
			add(s.Slug)
			continue
		}
		add(string(s.Kind))
		for _, p := range s.Parts {
			add(string(p.Kind))
		}
	}
	return names
}

// SectionText writes the text of sections without their headings, a blank line between
// them. A terminal gets it as Markdown.
func SectionText(w io.Writer, sections []parse.Section, o Options) error {
	p := &printer{Options: o, w: w}
	for i, s := range sections {
		if i > 0 {
			p.print("\n")
		}
		if text := Clean(strings.Trim(s.Body, "\n")); o.Width > 0 {
			p.markdown(text)
		} else {
			p.print(text + "\n")
		}
	}
	return p.err
}

// IsKind reports whether sections can be about name.
func IsKind(name string) bool { return slices.Contains(kinds, parse.Kind(strings.ToLower(name))) }
