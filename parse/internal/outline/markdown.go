package outline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
)

// blocks finds the headings. It is goldmark with only the block parsers
// that decide whether a line is a heading: lists, quotes and all inline parsers
// are super-linear on hostile text, and a heading inside a list or a quote is
// not one of the handoff's own.
var blocks = parser.NewParser(parser.WithBlockParsers(
	util.Prioritized(parser.NewSetextHeadingParser(), 100),
	util.Prioritized(parser.NewThematicBreakParser(), 200),
	util.Prioritized(parser.NewCodeBlockParser(), 500),
	util.Prioritized(parser.NewATXHeadingParser(), 600),
	util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
	util.Prioritized(parser.NewHTMLBlockParser(), 900),
	util.Prioritized(parser.NewParagraphParser(), 1000),
), parser.WithParagraphTransformers(util.Prioritized(shortParagraphs{}, 100)))

// shortParagraphs cuts the text of paragraphs, which nobody asks goldmark for: to look for
// inline marks in it costs more than to find all blocks. A paragraph above an underline is
// left, for it may become a heading.
type shortParagraphs struct{}

// Transform cuts the text of a paragraph to its first byte, unless an underline follows it.
func (shortParagraphs) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	next, _ := reader.PeekLine()
	if next = bytes.TrimLeft(next, " "); len(next) > 0 && (next[0] == '=' || next[0] == '-') {
		return
	}
	lines := p.Lines()
	first := lines.At(0)
	lines.Clear()
	lines.Append(text.NewSegment(first.Start, first.Start+1))
}

// maxHeadings bounds the sections of one file; later headings stay in the text
// of the section they are in.
const maxHeadings = 2000

// MaxStructure is how much Markdown is searched for headings; what follows is
// text of the last section.
const MaxStructure = 1 << 20

// ReadMarkdown returns the sections of src from an offset on, each a heading with the text
// up to the next one. The outline has no fields, since where metadata may be is a matter of
// the format.
func ReadMarkdown(src string, from int, lines source.Lines) Outline {
	o := Outline{HeadEnd: len(src)}
	o.Sections, o.Problems = findHeadings(src, from, lines)
	for i, s := range slices.Backward(o.Sections) {
		o.Sections[i].Key, o.Sections[i].Body = s.Heading, src[s.Span.End:o.HeadEnd]
		o.Sections[i].Span = lines.Span(s.Span.Start, o.HeadEnd)
		o.HeadEnd = s.Span.Start
	}
	return o
}

// findHeadings returns the headings of src[from:] as sections without text, which span the
// line of the heading with its newline, or two lines with an underline. A fence that is
// never closed would hide all headings after it, so the search goes on behind its first
// line.
func findHeadings(src string, from int, lines source.Lines) ([]Section, []source.Problem) {
	var heads []Section
	var problems []source.Problem
	if len(src)-from > MaxStructure {
		src = src[:lines[lines.Line(from+MaxStructure)-1]]
		problems = append(problems, source.NewProblem("markdown.too-large", source.Span{},
			"headings after the first MiB are read as text"))
	}
	// Each round begins behind an unclosed fence; a text with more of them
	// than this is not worth the time.
	const rounds = 8
	for range rounds {
		found, fence := headingsFrom(src, from)
		heads = append(heads, found...)
		if fence < 0 {
			break
		}
		problems = append(problems, unclosedFence(src, from, fence, lines))
		from = scan.LineEnd(src, fence)
	}
	if len(heads) > maxHeadings {
		problems = append(problems, source.NewProblem("markdown.too-many-headings",
			lines.Content(src, lines.Line(heads[maxHeadings].Span.Start)), "headings from here on are read as text"))
		heads = heads[:maxHeadings]
	}
	return heads, problems
}

// headingsFrom returns the headings of src[from:] up to the first fence that is never
// closed, and the offset of that fence, -1 if there is none.
func headingsFrom(src string, from int) ([]Section, int) {
	var heads []Section
	doc := blocks.Parse(text.NewReader([]byte(src[from:])))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			if h, ok := headingOf(src, from, n); ok {
				heads = append(heads, h)
			}
		case *ast.FencedCodeBlock:
			if start, open := unclosed(src, from, n); open {
				return heads, start
			}
		}
	}
	return heads, -1
}

// headingOf returns a heading that goldmark found as a section without text, with its place
// in src. ok is false for an underlined paragraph that was meant as text and a rule.
func headingOf(src string, from int, n *ast.Heading) (h Section, ok bool) {
	h.Level = n.Level
	if n.Lines().Len() == 0 {
		start := from + min(max(n.Pos(), 0), len(src)-from)
		start = scan.LineStart(src, start)
		h.Span = source.Span{Start: start, End: scan.LineEnd(src, start)}
		return h, true
	}
	first, last := n.Lines().At(0), n.Lines().At(n.Lines().Len()-1)
	h.Span = source.Span{Start: scan.LineStart(src, from+first.Start), End: scan.LineEnd(src, from+last.Stop-1)}
	marks := strings.TrimLeft(src[h.Span.Start:], " \t")
	if !strings.HasPrefix(marks, "#") {
		if n.Lines().Len() > 1 || n.Level == 2 {
			return h, false
		}
		h.Span.End = scan.LineEnd(src, h.Span.End) // the underline
	}
	raw := strings.TrimSpace(src[from+first.Start : from+last.Stop])
	h.Heading = scan.Plain(raw)
	h.Struck = strings.HasPrefix(raw, "~~") && strings.HasSuffix(raw, "~~")
	return h, true
}

// unclosed reports whether fence n runs to the end of src without a closing line, and
// returns the offset of its first line.
func unclosed(src string, from int, n *ast.FencedCodeBlock) (start int, open bool) {
	if n.NextSibling() != nil {
		return 0, false
	}
	start = from + max(n.Pos(), 0)
	if n.Lines().Len() > 0 {
		start = min(start, from+n.Lines().At(0).Start)
	}
	start = scan.LineStart(src, min(start, len(src)))
	tail := strings.TrimRight(src, " \t\n")
	last := strings.TrimSpace(tail[strings.LastIndexByte(tail, '\n')+1:])
	mark := strings.TrimSpace(src[start:scan.LineEnd(src, start)])
	fence := mark[:len(mark)-len(strings.TrimLeft(mark, mark[:min(1, len(mark))]))]
	closed := len(fence) >= 3 && strings.HasPrefix(last, fence) && strings.Trim(last, fence[:1]) == "" &&
		scan.LineStart(src, len(tail)-1) != start
	return start, !closed
}

// A fenceLine opens or closes a block of code.
type fenceLine struct {
	start int
	// opens is 1 for a line that looks as if it opens a block, -1 for one that looks as
	// if it closes one, 0 for neither. A line that names a language counts more.
	opens int
	// inner is where a fence line in the block names a language, 0 for none.
	inner int
}

// unclosedFence returns the problem that the code fence at an offset of a text is never
// closed; the text was read from offset from on. The fault may be earlier: a line without a
// partner makes each after it change its meaning, and so does a block that contains another.
func unclosedFence(src string, from, fence int, lines source.Lines) source.Problem {
	at, message := fence, "the code fence is never closed"
	list := fenceLines(src, from, fence)
	if i := partnerless(list); i < len(list)-1 {
		at, message = list[i].start, fmt.Sprintf("the code fence is unpaired: the one on line %d is never closed",
			lines.Line(fence))
	}
	for _, f := range list {
		if f.inner > 0 {
			at, message = f.start, fmt.Sprintf("the code fence is never closed: line %d opens another inside it",
				lines.Line(f.inner))
		}
	}
	return source.NewProblem("markdown.unclosed-fence", lines.Content(src, lines.Line(at)), "%s", message)
}

// fenceLines returns the lines of src, from offset from to offset last, that open and close
// blocks of code in turn.
func fenceLines(src string, from, last int) []fenceLine {
	var list []fenceLine
	var code scan.Fence
	before := ""
	for at := from; at <= last; at = scan.LineEnd(src, at) {
		line := strings.TrimSpace(src[at:scan.LineEnd(src, at)])
		after := strings.TrimSpace(src[scan.LineEnd(src, at):scan.LineEnd(src, scan.LineEnd(src, at))])
		language := strings.Trim(line, "`~") != ""
		switch was := code; {
		case language && was != "" && code.Toggles(src[at:]):
			code = was // such a line closes nothing
			list[len(list)-1].inner = at
		case code.Toggles(src[at:]):
			f := fenceLine{start: at}
			switch {
			case language:
				f.opens = 3
			case before == "" && after != "":
				f.opens = 1
			case before != "" && after == "":
				f.opens = -1
			}
			list = append(list, f)
		}
		before = line
	}
	return list
}

// partnerless returns the index of the line that most likely has no partner: without it, the
// other lines look most as if they open and close in turn.
func partnerless(list []fenceLine) int {
	score := 0 // of the lines before, less that of those from here on with the opposite meaning
	best, at := -len(list)*4, len(list)-1
	turn := func(i int) int { return list[i].opens * (1 - 2*(i%2)) }
	for i := range list {
		score -= turn(i)
	}
	for i := range list {
		score += turn(i) // drop it from those behind
		if score >= best {
			best, at = score, i
		}
		score += turn(i)
	}
	return at
}

// between is what separates several fields on one line.
const between = " \t|·•—–-,;\\"

// A LineReader decides which lines of a text are metadata: those under labels that Knows
// accepts and, if All is set, those under any short label.
type LineReader struct {
	All   bool
	Knows func(label string) bool
}

// MetadataFields returns the fields in the lines of src[start:end]. It leaves out lines in
// code fences, and labels without a value: their text is below.
func MetadataFields(src string, start, end int, lines source.Lines, c LineReader) []Field {
	var out []Field
	var code scan.Fence
	for at := start; at < end; {
		next := min(scan.LineEnd(src, at), end)
		line := strings.TrimRight(src[at:next], "\n")
		if !code.Toggles(line) && code == "" && !Ruled(src[next:min(scan.LineEnd(src, next), end)]) {
			for _, f := range c.Fields(line, at, lines) {
				if f.Value != "" {
					out = append(out, f)
				}
			}
		}
		at = next
	}
	return out
}

// Ruled reports whether a line is the rule below the header of a table.
func Ruled(line string) bool {
	return strings.HasPrefix(line, "|") && strings.Trim(line, "|-: \t\n") == "" && strings.Contains(line, "-")
}

// Fields returns the fields in one line, which is at offset at of the text that lines
// belongs to.
func (c LineReader) Fields(line string, at int, lines source.Lines) []Field {
	if !strings.ContainsAny(line, ":：|") {
		return nil
	}
	from := scan.MarkWidth(line)
	if strings.HasPrefix(line[from:], "|") {
		return c.rowFields(line, at, lines)
	}
	keys := scan.BoldKeys(line, from)
	if len(keys) == 0 || keys[0].Start > from {
		start := len(line) - len(strings.TrimLeft(line[from:], "*_ "))
		first, ok := scan.PlainKey(line, start)
		if !ok || !c.accepts(line[first.Key:first.KeyEnd]) {
			return nil
		}
		if start > from { // all of the line is in italics
			line = strings.TrimRight(line, "*_ \t")
		}
		keys = append([]scan.KeyMark{first}, keys...)
	}
	var out []Field
	for i, k := range keys {
		end := len(line)
		if i+1 < len(keys) {
			end = keys[i+1].Start
		}
		if k.Value > end {
			continue
		}
		out = append(out, valueAt(line, k.Key, k.KeyEnd, k.Value, end, at, lines))
	}
	return out
}

// accepts reports whether a label without bold marks makes its line metadata: a label that the format
// knows or, if All is set, any of at most three words.
func (c LineReader) accepts(label string) bool {
	if c.Knows(label) {
		return true
	}
	return c.All && len(strings.Fields(label)) <= 3
}

var twoCells = scan.Pattern(`^[^|]*\|([^|]*)\|([^|]*)(?:\|[^|]*)?$`)

// rowFields returns the field in a table row of two cells, nil for any other row and for
// labels that are neither known nor bold.
func (c LineReader) rowFields(line string, at int, lines source.Lines) []Field {
	m := twoCells().FindStringSubmatchIndex(line)
	if m == nil {
		return nil
	}
	f := valueAt(line, m[2], m[3], m[4], m[5], at, lines)
	isBold := strings.HasPrefix(strings.TrimSpace(line[m[2]:]), "**")
	if f.Label == "" || strings.Trim(f.Value, "-: ") == "" || !c.Knows(f.Label) && !c.All && !isBold {
		return nil
	}
	return []Field{f}
}

// valueAt returns the field whose label is line[l0:l1] and whose value is within
// line[v0:v1], without the marks around them. at is the offset of the line in the text.
func valueAt(line string, l0, l1, v0, v1, at int, lines source.Lines) Field {
	label := strings.Trim(line[l0:l1], "*_`: \t")
	for v0 < v1 && strings.IndexByte(" \t*", line[v0]) >= 0 {
		v0++
	}
	v1 = v0 + len(strings.TrimRight(line[v0:v1], between))
	return Field{
		Key:   label,
		Label: label,
		Value: scan.CleanValue(line[v0:v1]),
		Span:  lines.Span(at+v0, at+v1),
		Start: at + l0,
	}
}

// AllKeyed reports whether every line of a block is "key: value" or a row of two cells, and
// at least one key is known: then it is metadata even under labels nobody knows. A single
// line of prose can look like that.
func (c LineReader) AllKeyed(block string) bool {
	known := false
	for line := range strings.SplitSeq(block, "\n") {
		bare := strings.TrimSpace(line[scan.MarkWidth(line):])
		if bare == "" || strings.Trim(bare, "|-: ") == "" {
			continue
		}
		label, ok := scan.KeyOf(bare)
		if !ok {
			return false
		}
		known = known || c.Knows(label)
	}
	return known
}
