package parse

import (
	"strings"

	"handex/parse/internal/metadata"
	"handex/parse/internal/outline"
	"handex/parse/internal/scan"
	"handex/parse/internal/topic"
)

// gitFields are what a state section says in lines of any format.
var gitFields = scan.Set("branch", "commit")

// stateFields reads "Phase: 4/6 | Progress: 60%" out of a state section and
// splits its blockers off; formats without such lines still name the branch
// there.
func (r *reader) stateFields(d *Document, p *placedSection) {
	s := stateReader{reader: r, piece: p, parts: partSplitter{body: p.Body, kind: State}}
	n, at := 0, 0
	for line := range strings.SplitAfterSeq(p.Body, "\n") {
		s.line(n, at, line)
		n, at = n+1, at+len(line)
	}
	p.Parts = s.parts.done(State)
	own := &Document{}
	r.fields(own, s.raws, 0)
	for _, f := range own.Fields {
		if _, have := d.Field(f.Key); !have || strings.HasPrefix(f.Key, "meta.") {
			d.Fields = append(d.Fields, f)
		}
	}
	d.Links = append(d.Links, own.Links...)
	d.WorkItems = append(d.WorkItems, own.WorkItems...)
}

type stateReader struct {
	*reader
	piece *placedSection
	parts partSplitter
	raws  []outline.Field
	// below is set behind a label of blockers without text: they are the lines
	// that stand deeper than indent, or the list that follows where the label
	// is no item itself.
	below  bool
	indent int
	inList bool
}

// line reads line n of the body, at its offset.
func (s *stateReader) line(n, at int, line string) {
	if s.below && s.isBelow(line) {
		return
	}
	s.below = false
	for entry := range strings.SplitAfterSeq(line, " | ") {
		s.entry(n, at, line, strings.TrimSuffix(entry, " | "))
		at += len(entry)
	}
}

func (s *stateReader) isBelow(line string) bool {
	_, isItem := scan.ItemText(line)
	return scan.Indent(line) > s.indent || isItem && !s.inList
}

func (s *stateReader) entry(n, at int, line, entry string) {
	label, value, ok := scan.KeyValue(entry)
	switch {
	case ok && topic.Of(label) == Blockers && !strings.HasPrefix(entry, "#"):
		s.parts.cut(at, Blockers)
		s.below, s.indent = value == "", scan.Indent(line)
		_, s.inList = scan.ItemText(line)
		return
	case ok && (s.format.stateKeys || gitFields[metadata.Known()[scan.NormalKey(label)].Field]):
		s.raws = append(s.raws, outline.Field{Key: label, Label: label, Value: value, Span: s.valueSpan(s.piece.line(n), value)})
	}
	s.parts.cut(at, State)
}

// maxLine is how far into a line a value is looked for.
const maxLine = 4 << 10

// valueSpan is where a value stands in a line of the text; the whole line where
// it does not stand there as it is.
func (r *reader) valueSpan(line int, value string) Span {
	all := r.linesSpan(line, line)
	i := strings.Index(r.text[all.Start:min(all.End, all.Start+maxLine)], value)
	if i < 0 || value == "" {
		return all
	}
	return Span{Start: all.Start + i, End: all.Start + i + len(value), Line: all.Line, EndLine: all.Line}
}
