package parse

// A piece is a section in the making, which still knows where each line of its
// body stands: the shapes that make lists of values skip and join lines.
type piece struct {
	Section
	lines []int // nil where the body is a run of lines of the file
}

// piece gives a raw section its kind.
func (r *reader) piece(s rawSection) piece {
	p := piece{lines: s.lines, Section: Section{Kind: Other, Level: s.level, Body: s.body, BodyLine: s.span.Line, Span: s.span}}
	if s.key != "" {
		p.Kind, p.Heading, p.Slug = r.kindOf(s), s.heading, slug(s.heading)
	}
	switch {
	case len(s.lines) > 0:
		p.BodyLine = s.lines[0]
	case s.body != "":
		p.BodyLine = r.lines.line(s.span.End - len(s.body))
	}
	return p
}

// line is the line of the file on which line n of the body stands, from 0.
func (p piece) line(n int) int {
	switch {
	case p.lines == nil:
		return p.BodyLine + n
	case n < len(p.lines):
		return p.lines[n]
	default:
		return p.Span.EndLine
	}
}

// inherited gives a section under an unknown or weak heading the kind of the
// section it stands in, and takes it from nobody above it.
func inherited(pieces []piece) []piece {
	var above []*piece // one of each level, outermost first
	for i := range pieces {
		p := &pieces[i]
		if p.Level == 0 {
			above = above[:0]
			if p.Heading != "" {
				above = append(above, p)
			}
			continue
		}
		for len(above) > 0 && above[len(above)-1].Level >= p.Level {
			above = above[:len(above)-1]
		}
		if len(above) > 0 {
			p.Kind = kindBelow(above[len(above)-1].Kind, p.Section)
		}
		above = append(above, p)
	}
	return pieces
}

// kindBelow is the kind of a section that stands in one of kind above.
func kindBelow(above Kind, s Section) Kind {
	if s.Kind == Other || !weakKinds[above] && (weakKinds[s.Kind] || s.Kind != wholeKind(s.Heading)) {
		return above
	}
	return s.Kind
}
