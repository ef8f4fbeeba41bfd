package outline

import (
	"fmt"
	"html"
	"slices"
	"sort"
	"strings"

	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
)

// MetadataTag is the element whose children are fields.
const MetadataTag = "metadata"

// ReadXML returns the tagged sections of a text, from an offset on, as an outline. Agents
// write "&", "<" and Markdown as they come, and leave out the root, so sections are found by
// their tags alone. known reports the names of sections; other tags count if they are at the
// start of a line. Bodies are slices of the source: inline tags stay as written. Only if the
// text is well-formed XML are entities resolved, and tags in back quotes read as tags.
func ReadXML(text string, from int, lines source.Lines, known func(name string) bool) Outline {
	x := &xmlReader{collector: newCollector(text, lines)}
	x.known = func(name string) bool { return name == MetadataTag || known != nil && known(name) }
	x.lo, x.hi = xmlBounds(text, from)
	fault := x.check()
	x.isXML = fault == nil
	x.scan()
	parts := x.parts()
	if fault != nil {
		x.report(fault, parts)
	}
	x.build(parts)
	return x.finish()
}

// An xmlReader finds the sections of one XML text.
type xmlReader struct {
	*collector
	known  func(name string) bool
	lo, hi int  // the text without a code fence around it and XML declaration
	isXML  bool // the text is well-formed
	tags   []xmlTag
	marks  []xmlMark
	starts []int // the tags that start known sections
}

var xmlDeclaration = scan.Pattern(`^<\?xml( version="[0-9.]*")?( encoding="(?i:utf-8|utf-16|us-ascii|` +
	`iso-8859-1)")?( standalone="\w*")? ?\?>`)

// xmlBounds returns the range of the text, from an offset on, without a code fence around it
// and without the XML declaration.
func xmlBounds(text string, from int) (lo, hi int) {
	lo, hi = from+scan.BlankLen(text[from:]), len(text)
	if isFence(text[lo:scan.LineEnd(text, lo)]) {
		lo = scan.LineEnd(text, lo)
		if body, ok := strings.CutSuffix(strings.TrimRight(text, " \t\n"), "\n```"); ok {
			hi = max(lo, len(body))
		}
		lo += scan.BlankLen(text[lo:hi])
	}
	return lo + len(xmlDeclaration().FindString(text[lo:hi])), hi
}

// isFence reports whether a line is a code fence without a language, or for XML.
func isFence(line string) bool {
	line = strings.TrimSpace(line)
	return line == "```" || line == "```xml"
}

// An xmlPart is an element that is a section or, if root is set, a tag around sections. Of
// such a tag, start and end are those of the tag alone.
type xmlPart struct {
	name       string
	root       bool
	start, end int
	open, shut int // the content, between the tags
}

// report adds the problem that the text is not XML. A text without a root around its tags
// never meant to be XML: that it is not well-formed is no problem then.
func (x *xmlReader) report(f *xmlFault, parts []xmlPart) {
	rooted := slices.ContainsFunc(parts, func(p xmlPart) bool { return p.root })
	if f.rule != "" && (rooted || f.rule != notWellFormed) {
		x.problem(f.rule, x.Span(f.off, f.off), "%s: only its section tags are read", f.msg)
	}
}

// build adds to the outline the parts and the text between them.
func (x *xmlReader) build(parts []xmlPart) {
	pos, seen := x.lo, map[string]bool{}
	for _, p := range parts {
		x.loose(pos, p.start)
		x.attributes(p.name, p.start, p.open)
		switch {
		case p.root && x.text[p.start+1] != '/':
			x.out.Roots = append(x.out.Roots, p.name)
		case !p.root:
			if seen[p.name] {
				x.problem("xml.dup-tag", x.Span(p.start, p.start+len("<")+len(p.name)), "a second <%s>: both are read", p.name)
			}
			seen[p.name] = true
			x.section(p)
		}
		pos = p.end
	}
	x.loose(pos, x.hi)
}

// loose adds the text between two offsets, which is in no section: to the head if it is
// before all sections, otherwise as a section without a key.
func (x *xmlReader) loose(start, end int) {
	block := trimBlank(x.clean(start, end))
	if len(block) > 0 && isFence(block[0].text) {
		block = trimBlank(block[1:])
	}
	if len(block) > 0 && isFence(block[len(block)-1].text) {
		block = trimBlank(block[:len(block)-1])
	}
	if len(block) == 0 {
		return
	}
	body, lines := bodyOf(block)
	if len(x.out.Sections) == 0 {
		x.addHead(body)
		return
	}
	x.addSection("", "", body, lines, x.trimmed(start, end))
}

// section adds an element to the outline: the fields of the metadata element, any other as a
// section.
func (x *xmlReader) section(p xmlPart) {
	if p.name == MetadataTag {
		x.metadata(p)
		return
	}
	body, lines := bodyOf(x.clean(p.open, p.shut))
	x.addSection(p.name, p.name, body, lines, x.Span(p.start, p.end))
}

// metadata adds a field for each child of the metadata element. Other text in it becomes a
// section.
func (x *xmlReader) metadata(p xmlPart) {
	var rest []sourceLine
	pos, before := p.open, len(x.out.Fields)
	for i := x.tagAfter(p.open); i < len(x.tags) && x.tags[i].start < p.shut; i = x.tagAfter(max(pos, x.tags[i].end)) {
		t := x.tags[i]
		open, shut, end, ok := x.content(i)
		if !ok || end > p.shut {
			continue
		}
		rest = append(rest, x.clean(pos, t.start)...)
		value, _ := bodyOf(x.clean(open, shut))
		key := p.name + "." + t.name
		x.attributes(key, t.start, open)
		x.addField(key, t.name, value, t.start, x.trimmed(open, shut))
		pos = end
	}
	rest = append(rest, x.clean(pos, p.shut)...)
	if body, lines := bodyOf(rest); body != "" || len(x.out.Fields) == before {
		x.addSection(p.name, p.name, body, lines, x.Span(p.start, p.end))
	}
}

func (x *xmlReader) addField(key, label, value string, start int, at source.Span) {
	f := Field{Key: key, Label: label, Value: value, Null: value == "", Span: at, Start: start}
	x.out.Fields = append(x.out.Fields, f)
}

// tagAfter returns the index of the first tag that starts at an offset or behind it; the
// number of tags if there is none.
func (x *xmlReader) tagAfter(off int) int {
	return sort.Search(len(x.tags), func(i int) bool { return x.tags[i].start >= off })
}

// attributes adds the attributes of a tag, text[start:end], as fields "key.name".
func (x *xmlReader) attributes(key string, start, end int) {
	for _, m := range attributeForm().FindAllStringSubmatchIndex(x.text[start:end], -1) {
		from, to := start+max(m[4], m[6]), start+max(m[5], m[7])
		name, value := x.text[start+m[2]:start+m[3]], html.UnescapeString(x.text[from:to])
		x.addField(key+"."+name, name, value, start, x.Span(from, to))
	}
}

// clean returns the lines of text[start:end] without comments, which are hints of a template
// and go to the head. It unwraps CDATA and, if the text is XML, resolves entities.
func (x *xmlReader) clean(start, end int) []sourceLine {
	var b strings.Builder
	write := func(s string) {
		if x.isXML {
			s = html.UnescapeString(s)
		}
		b.WriteString(s)
	}
	pos := start
	for i := x.markAfter(start); i < len(x.marks) && x.marks[i].end <= end; i++ {
		m := x.marks[i]
		write(x.text[pos:m.start])
		inner := m.inner(x.text)
		if m.cdata {
			b.WriteString(inner)
		} else {
			x.addHead(inner)
			fmt.Fprintf(&b, "%s%s%s", commentMark, strings.Repeat("\n", strings.Count(inner, "\n")), commentMark)
		}
		pos = m.end
	}
	write(x.text[pos:end])
	return x.cleanLines(b.String(), start, end)
}

// commentMark replaces a comment: the text has no NUL.
const commentMark = "\x00"

// cleanLines returns the lines of a text with their places. The text is what clean made of
// x.text[start:end], with commentMark in place of comments; lines that contained a comment
// and nothing else are left out.
func (x *xmlReader) cleanLines(text string, start, end int) []sourceLine {
	var block []sourceLine
	first, last := x.Line(start), x.Line(end)
	number := first
	for l := range strings.SplitSeq(text, "\n") {
		bare := strings.ReplaceAll(l, commentMark, "")
		if bare == l || strings.TrimSpace(bare) != "" {
			inline := number == first && x.Lines[number-1] < start
			block = append(block, sourceLine{text: bare, start: max(start, x.Lines[number-1]), number: number, inline: inline})
		}
		number = min(number+1, last)
	}
	return block
}

// markAfter returns the index of the first comment or CDATA section that starts at an offset
// or behind it; their number if there is none.
func (x *xmlReader) markAfter(off int) int {
	return sort.Search(len(x.marks), func(i int) bool { return x.marks[i].start >= off })
}
