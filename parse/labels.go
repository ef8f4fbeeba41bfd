package parse

import (
	"strings"
	"unicode/utf8"
)

// splitBold makes sections of lines that are a bold heading ("**Next steps:**"),
// in handoffs whose real headings say nothing.
func (r *reader) splitBold(pieces []piece) []piece {
	for _, p := range pieces {
		if p.Kind == Next || p.Kind == Done || p.Kind == Gotchas || p.Kind == Risks {
			return pieces
		}
	}
	var out []piece
	for _, p := range pieces {
		out = append(out, r.splitLabels(p)...)
	}
	return out
}

// A label is a bold heading in a body: its text stands behind it.
type label struct {
	start, text int // offsets of the body
	words       string
	kind        Kind
}

func (r *reader) splitLabels(p piece) []piece {
	labels := labelsOf(p)
	if len(labels) == 0 {
		return []piece{p}
	}
	lines := newLineIndex(p.Body)
	var out []piece
	if first := labels[0].start; first > 0 || p.Heading != "" {
		head := r.cut(p, lines, 0, first)
		head.Kind, head.Heading, head.Slug, head.Level = p.Kind, p.Heading, p.Slug, p.Level
		head.Span.Start, head.Span.Line = p.Span.Start, p.Span.Line
		out = append(out, head)
	}
	for i, l := range labels {
		end := len(p.Body)
		if i+1 < len(labels) {
			end = labels[i+1].start
		}
		own := r.cut(p, lines, l.start, end)
		own.Kind, own.Heading, own.Slug, own.Body = l.kind, l.words, slug(l.words), p.Body[l.text:end]
		out = append(out, own)
	}
	return out
}

// labelsOf lists the bold labels that say what the text behind them is about.
// The blockers of a state are part of it, see stateFields.
func labelsOf(p piece) []label {
	if !strings.Contains(p.Body, "**") && !strings.Contains(p.Body, "__") {
		return nil
	}
	var out []label
	at := 0
	for line := range strings.SplitAfterSeq(p.Body, "\n") {
		if l, ok := labelAt(line); ok && (!weakKinds[l.kind] || l.kind == Decisions) && (l.kind != Blockers || p.Kind != State) {
			l.start += at
			l.text += at
			out = append(out, l)
		}
		at += len(line)
	}
	return out
}

// Bold words of these lengths can be a heading.
const minLabel, maxLabel = 2, 60

// labelAt is the bold heading a line begins with: "- **Next steps:** ...".
func labelAt(line string) (label, bool) {
	from := dressed(line)
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
	text := skipBlanks(line, from+2+end+2)
	return label{0, text + colonAt(line, text), words, kindOf(words)}, true
}

// cut is the part of p's body in [from, to), without heading.
func (r *reader) cut(p piece, lines lineIndex, from, to int) piece {
	first, last := lines.line(from)-1, lines.line(max(from, to-1))-1
	q := piece{Section: Section{Kind: Other, Body: p.Body[from:to], BodyLine: p.line(first)}}
	if base := p.Span.End - len(p.Body); p.lines == nil && base >= 0 && r.text[base:p.Span.End] == p.Body {
		q.Span = r.lines.span(base+from, base+to)
		return q
	}
	for n := first; n <= last; n++ {
		q.lines = append(q.lines, p.line(n))
	}
	q.Span = r.linesSpan(q.lines[0], q.lines[len(q.lines)-1])
	return q
}

// linesSpan covers whole lines of the text.
func (r *reader) linesSpan(first, last int) Span {
	last = min(max(first, last), len(r.lines))
	first = min(max(first, 1), last)
	end := len(r.text)
	if last < len(r.lines) {
		end = r.lines[last]
	}
	return Span{r.lines[first-1], end, first, last}
}
