package parse

import (
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
	"github.com/OWNER/handex/parse/internal/topic"
)

// splitBold splits sections at bold labels, such as "**Next steps:**" on a line of its own
// or "**Next action:** push". Each becomes a section of its kind, unless a heading of the
// file has that kind: what has headings needs no labels.
func (r *reader) splitBold(pieces []placedSection) []placedSection {
	have := map[Kind]bool{}
	for _, p := range pieces {
		have[p.Kind] = have[p.Kind] || topic.Strict[p.Kind] && !p.label
	}
	var out []placedSection
	for _, p := range pieces {
		out = append(out, r.splitLabels(p, have)...)
	}
	return out
}

// A label is a bold heading inside the body of a section. Its text follows it.
type label struct {
	start, text int // offsets of the body
	words       string
	kind        Kind
	extent      labelExtent
	indent      int // of a bullet
}

// A labelExtent says how far the text of a label goes.
type labelExtent int

const (
	toNextLabel labelExtent = iota // a label alone on its line
	toParagraph                    // a label with text behind it, and the list below
	toItem                         // a label at the beginning of a list item
)

// splitLabels returns a section split at its bold labels, or the section alone if it has
// none. have is the set of kinds that headings of the file have.
func (r *reader) splitLabels(p placedSection, have map[Kind]bool) []placedSection {
	labels := labelsOf(p, have)
	if len(labels) == 0 {
		return []placedSection{p}
	}
	lines := source.NewLines(p.Body)
	var out []placedSection
	if first := labels[0].start; first > 0 || p.Heading != "" {
		head := r.cut(p, lines, 0, first)
		head.Kind, head.Heading, head.Slug, head.Level = p.Kind, p.Heading, p.Slug, p.Level
		head.Span.Start, head.Span.Line, head.Why = p.Span.Start, p.Span.Line, p.Why
		out = append(out, head)
	}
	for i, l := range labels {
		end := len(p.Body)
		if i+1 < len(labels) {
			end = labels[i+1].start
		}
		own := r.cut(p, lines, l.start, end)
		own.Kind, own.Heading, own.Slug, own.Body = l.kind, l.words, scan.Slug(l.words), p.Body[l.text:end]
		if r.src.Explain && l.words != "" {
			own.Why = "a bold label"
		}
		out = append(out, own)
	}
	return out
}

// labelsOf returns the bold labels of a body that say what the text behind them is about.
// Where the text of a label ends before the next one, it adds a label without words. The
// blockers of a state are no labels, see stateFields.
func labelsOf(p placedSection, have map[Kind]bool) []label {
	if !strings.Contains(p.Body, "**") && !strings.Contains(p.Body, "__") {
		return nil
	}
	s := labelScan{kind: p.Kind, have: have}
	for line := range strings.SplitAfterSeq(p.Body, "\n") {
		s.line(line)
		s.at += len(line)
	}
	return s.labels
}

// A labelScan goes over the lines of a body in search of labels.
type labelScan struct {
	kind   Kind // of the section
	have   map[Kind]bool
	labels []label
	at     int
	fence  scan.Fence
	open   bool // the last label goes on
	blank  bool // behind a blank line
}

// line reads the next line of the body. It adds a label, or a label without words if the
// text of the last one ends before the line.
func (s *labelScan) line(line string) {
	if s.fence.Toggles(line) || s.fence != "" {
		return
	}
	if strings.TrimSpace(line) == "" {
		s.blank = true
		return
	}
	isBullet := strings.ContainsAny(line[:scan.MarkWidth(line)], "-*+")
	if !s.open && topic.Strict[s.kind] && isBullet { // an item of what the section is about
		s.blank = false
		return
	}
	l, isLabel := labelAt(line)
	l.start, l.text = s.at, s.at+l.text
	if isLabel && s.takes(l) {
		l.kind = topic.Below(s.kind, l.kind, l.words)
		s.labels, s.open = append(s.labels, l), true
	} else if s.open && s.ends(line, isLabel && l.extent == toNextLabel) {
		s.labels, s.open = append(s.labels, label{start: s.at, text: s.at, kind: s.kind}), false
	}
	s.blank = false
}

// takes reports whether a label begins a section of its own.
func (s *labelScan) takes(l label) bool {
	if l.kind == Other || l.kind == Context || s.have[l.kind] {
		return false
	}
	if topic.Below(s.kind, l.kind, l.words) == s.kind {
		return false
	}
	if l.kind == Blockers && s.kind == State {
		return false
	}
	switch l.extent {
	case toItem:
		return topic.Strict[l.kind] && !topic.Strict[s.kind] && topic.IsClear(l.words, l.kind)
	case toParagraph:
		return topic.Strict[l.kind] && topic.IsClear(l.words, l.kind)
	default:
		return true
	}
}

// ends reports whether the text of the last label ends before a line. isHeading says that
// the line is a label alone on its line.
func (s *labelScan) ends(line string, isHeading bool) bool {
	last := s.labels[len(s.labels)-1]
	_, isItem := scan.ItemText(line)
	switch last.extent {
	case toItem:
		return (isItem || s.blank) && scan.Indent(line) <= last.indent
	case toParagraph:
		return isHeading || s.blank && !isItem && scan.Indent(line) == 0
	default:
		return isHeading
	}
}

// Bold words of these lengths can be a heading.
const minLabel, maxLabel = 2, 60

// labelAt returns the bold heading that a line begins with, as in "- **Next steps:** ...".
// It is no label, and the result false, if text follows it without a colon.
func labelAt(line string) (label, bool) {
	from := scan.MarkWidth(line)
	if !strings.HasPrefix(line[from:], "**") && !strings.HasPrefix(line[from:], "__") {
		return label{}, false
	}
	mark, rest := line[from:from+2], line[from+2:]
	end := strings.Index(rest[:min(len(rest), 4*maxLabel)], mark)
	if end < 0 {
		return label{}, false
	}
	words := strings.TrimRight(rest[:end], " \t:：.")
	if n := utf8.RuneCountInString(words); n < minLabel || n > maxLabel || strings.Contains(words, "*") {
		return label{}, false
	}
	text, inner := scan.SkipBlanks(line, from+2+end+2), strings.TrimSpace(rest[:end])
	hasColon := strings.HasSuffix(inner, ":") || strings.HasSuffix(inner, "：") || scan.ColonAt(line, text) > 0
	text += scan.ColonAt(line, text)
	l := label{text: text, words: words, kind: Other, indent: scan.Indent(line)}
	_, isItem := scan.ItemText(line)
	switch alone := strings.TrimSpace(line[text:]) == ""; {
	case isItem:
		l.extent = toItem
	case !alone:
		l.extent = toParagraph
	}
	if hasColon || l.extent == toNextLabel {
		l.kind = topic.Of(words)
		return l, true
	}
	return l, false
}

// cut returns the part of a section with the body p.Body[from:to], of kind Other and without
// heading. lines are the lines of p.Body.
func (r *reader) cut(p placedSection, lines source.Lines, from, to int) placedSection {
	first, last := lines.Line(from)-1, lines.Line(max(from, to-1))-1
	q := placedSection{Section: Section{Kind: Other, Body: p.Body[from:to], BodyLine: p.line(first)}}
	if base := p.Span.End - len(p.Body); p.lines == nil && base >= 0 && r.text[base:p.Span.End] == p.Body {
		q.Span = r.lines.Span(base+from, base+to)
		return q
	}
	for n := first; n <= last; n++ {
		q.lines = append(q.lines, p.line(n))
	}
	q.Span = r.linesSpan(q.lines[0], q.lines[len(q.lines)-1])
	return q
}

// linesSpan returns the span of some whole lines of the text, from first to last.
func (r *reader) linesSpan(first, last int) Span {
	last = min(max(first, last), len(r.lines))
	first = min(max(first, 1), last)
	end := len(r.text)
	if last < len(r.lines) {
		end = r.lines[last]
	}
	return Span{Start: r.lines[first-1], End: end, Line: first, EndLine: last}
}
