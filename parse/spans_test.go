package parse_test

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/OWNER/handex/parse"
)

// spanFaults lists what is wrong with the places documents name.
func spanFaults(raw []byte, docs []*parse.Document) []string {
	var faults []string
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(raw)), "\n")
	for _, d := range docs {
		if d.Span.Start < 0 || d.Span.End > len(raw) || d.Span.Start > d.Span.End {
			return []string{fmt.Sprintf("entry %d spans %d to %d of %d bytes", d.Entry, d.Span.Start, d.Span.End, len(raw))}
		}
		for _, f := range d.Fields {
			faults = append(faults, fieldFaults(raw, d, f)...)
		}
		faults = append(faults, sectionFaults(raw, lines, d)...)
	}
	return faults
}

func fieldFaults(raw []byte, d *parse.Document, f parse.Field) []string {
	s := f.Span
	switch {
	case s == parse.Span{}:
		return nil
	case s.Start < 0 || s.Start > s.End || s.End > len(raw):
		return []string{fmt.Sprintf("field %s spans %d to %d of %d bytes", f.Key, s.Start, s.End, len(raw))}
	case d.Shape != parse.Markdown || f.Key == "status" || f.Key == "priority":
		return nil // decoded, or folded onto a word of a list
	case !strings.Contains(letters(string(raw[s.Start:s.End])), letters(f.Value)):
		return []string{fmt.Sprintf("field %s is %q, its place holds %q", f.Key, f.Value, raw[s.Start:s.End])}
	}
	return nil
}

var linkTarget = regexp.MustCompile(`\]\([^()\s]*\)`)

// letters is s without all that mark-up and decoding may change.
func letters(s string) string {
	s = linkTarget.ReplaceAllString(s, "]")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

func sectionFaults(raw []byte, lines []string, d *parse.Document) []string {
	var faults []string
	at := d.Span.Start
	for _, s := range d.Sections {
		if s.Span.Start < 0 || s.Span.Start > s.Span.End || s.Span.End > len(raw) {
			faults = append(faults, fmt.Sprintf("section %q spans %d to %d of %d bytes", s.Heading, s.Span.Start, s.Span.End, len(raw)))
			continue
		}
		if d.Shape != parse.Markdown || s.Span.End == 0 {
			continue
		}
		if s.Span.Start < at || s.Span.End > d.Span.End {
			faults = append(faults, fmt.Sprintf("section %q spans %d to %d, the text before ends at %d, the entry at %d", s.Heading, s.Span.Start, s.Span.End, at, d.Span.End))
		}
		at = s.Span.End
		text := letters(string(raw[s.Span.Start:s.Span.End]))
		if s.Level > 0 && !strings.HasPrefix(text, letters(s.Heading)) || !strings.HasSuffix(text, letters(s.Body)) {
			faults = append(faults, fmt.Sprintf("section %q is not at its place, which holds %.80q", s.Heading, raw[s.Span.Start:s.Span.End]))
		}
		if first, _, _ := strings.Cut(s.Body, "\n"); s.BodyLine < 1 || s.BodyLine > len(lines) || !strings.Contains(letters(lines[s.BodyLine-1]), letters(first)) {
			faults = append(faults, fmt.Sprintf("the text of section %q is not on line %d", s.Heading, s.BodyLine))
		}
	}
	return faults
}
