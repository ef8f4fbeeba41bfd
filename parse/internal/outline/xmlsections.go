package outline

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/OWNER/handex/parse/internal/scan"
)

// LowerTag is a tag name that may start a section nobody knows.
var LowerTag = scan.Pattern(`^[a-z_][a-z0-9_]*$`)

// parts returns the sections of the text and the tags around them, in order. A section
// starts at a tag at the start of a line; it ends at the tag that closes it or, if that is
// missing, at the next known section, the end of the root or the end of the text.
func (x *xmlReader) parts() []xmlPart {
	for i, tag := range x.tags {
		if tag.kind != shutTag && x.known(tag.name) && leads(x.text, tag.start) {
			x.starts = append(x.starts, i)
		}
	}
	var found []xmlPart
	root := -1
	for i := 0; i < len(x.tags); i++ {
		tag := x.tags[i]
		isEnd := root >= 0 && tag.kind == shutTag && tag.name == x.tags[root].name
		switch {
		case isEnd || x.isRoot(i, root):
			if root = i; isEnd {
				root = -1
			}
			found = append(found, xmlPart{name: tag.name, root: true, start: tag.start, end: tag.end, open: tag.end})
		case tag.kind != shutTag && leads(x.text, tag.start) && x.isSection(tag):
			p := x.sectionAt(i, root)
			found = append(found, p)
			i = x.tagAfter(p.end) - 1
		}
	}
	return found
}

// nextStart returns the index of the first tag, from index i on, that starts a known
// section; the number of tags if there is none.
func (x *xmlReader) nextStart(i int) int {
	if n := sort.SearchInts(x.starts, i); n < len(x.starts) {
		return x.starts[n]
	}
	return len(x.tags)
}

// isRoot reports whether tag i, of an unknown name, is around sections: known sections are
// in it, or another tag follows at once and no known section comes after its end. root is
// the index of the tag that tag i is in, -1 for none.
func (x *xmlReader) isRoot(i, root int) bool {
	tag := x.tags[i]
	if tag.kind != openTag || x.known(tag.name) || !leads(x.text, tag.start) || root >= 0 &&
		x.tags[root].name != tag.name {
		return false
	}
	if x.nextStart(i) < tag.match {
		return true
	}
	return i+1 < len(x.tags) && x.tags[i+1].kind != shutTag && x.onlyMarks(tag.end, x.tags[i+1].start) &&
		(tag.match < 0 || x.nextStart(tag.match) == len(x.tags))
}

// onlyMarks reports whether text[start:end] is white space and comments.
func (x *xmlReader) onlyMarks(start, end int) bool {
	for i := x.markAfter(start); i < len(x.marks) && x.marks[i].end <= end; i++ {
		if x.marks[i].cdata || strings.TrimSpace(x.text[start:x.marks[i].start]) != "" {
			return false
		}
		start = x.marks[i].end
	}
	return strings.TrimSpace(x.text[start:end]) == ""
}

// isSection reports whether a tag at the start of a line begins a section: a known, closed
// or empty one, or one in lower case with nothing behind it on its line.
func (x *xmlReader) isSection(tag xmlTag) bool {
	rest := strings.TrimLeft(x.text[tag.end:], " \t")
	return tag.kind == emptyTag || tag.match >= 0 || x.known(tag.name) ||
		LowerTag().MatchString(tag.name) && (rest == "" || rest[0] == '\n')
}

// sectionAt returns the section that tag i begins. root is the index of the tag around it,
// -1 for none. It is a problem if no tag closes the section.
func (x *xmlReader) sectionAt(i, root int) xmlPart {
	tag := x.tags[i]
	p := xmlPart{name: tag.name, start: tag.start, open: tag.end}
	var ok bool
	if _, p.shut, p.end, ok = x.content(i); ok {
		return p
	}
	limit := x.nextStart(i + 1)
	for j := i + 1; j < limit; j++ {
		// The tag that closes this one was matched with a mention of it in its
		// text; or it closes the next section of that name.
		if t := x.tags[j]; t.kind == shutTag && t.name == tag.name {
			if !leads(x.text, x.tags[t.match].start) {
				p.shut, p.end = t.start, t.end
				return p
			}
			limit = t.match
		}
	}
	if root >= 0 && x.tags[root].match > i {
		limit = min(limit, x.tags[root].match)
	}
	p.end = x.hi
	if limit < len(x.tags) {
		p.end = x.tags[limit].start
	}
	x.problem("xml.unclosed", x.Span(tag.start, tag.end), "<%s> is not closed", tag.name)
	p.shut = p.end
	return p
}

// A text over one of these is not checked further.
const (
	MaxXML       = 1 << 20 // bytes
	maxXMLDepth  = 64
	maxXMLTokens = 100_000
)

// An xmlFault says why a text is not taken as XML, and where.
type xmlFault struct {
	rule string // "" for a fault that is not reported
	off  int
	msg  string
}

const notWellFormed = "xml.not-well-formed"

// check returns why the text is not one well-formed element within the limits, nil if it is.
// It refuses what encoding/xml accepts: a second root and text around the root.
func (x *xmlReader) check() *xmlFault {
	if x.hi-x.lo > MaxXML {
		return &xmlFault{"xml.too-large", x.lo, fmt.Sprintf("more than %d KiB of XML", MaxXML>>10)}
	}
	dec := xml.NewDecoder(strings.NewReader(x.text[x.lo:x.hi]))
	depth, roots := 0, 0
	for tokens := 1; ; tokens++ {
		at := x.lo + int(dec.InputOffset())
		tok, err := dec.Token()
		var syntax *xml.SyntaxError
		switch {
		case errors.Is(err, io.EOF) && roots == 0:
			return &xmlFault{notWellFormed, x.lo, "not well-formed XML: no element"}
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &syntax):
			return &xmlFault{notWellFormed, min(x.lo+int(dec.InputOffset()), x.hi), "not well-formed XML: " + syntax.Msg}
		case err != nil:
			return &xmlFault{}
		case tokens > maxXMLTokens:
			return &xmlFault{"xml.too-large", at, fmt.Sprintf("more than %d tags and texts", maxXMLTokens)}
		}
		switch tok := tok.(type) {
		case xml.Directive:
			return &xmlFault{"xml.doctype", at, "the DOCTYPE is not expanded"}
		case xml.CharData:
			if depth == 0 && strings.TrimSpace(string(tok)) != "" {
				at += scan.BlankLen(x.text[at:])
				return &xmlFault{notWellFormed, at, "not well-formed XML: text outside of the root element"}
			}
		case xml.StartElement:
			if depth++; depth > maxXMLDepth {
				return &xmlFault{"xml.depth", at, fmt.Sprintf("nested more than %d levels deep", maxXMLDepth)}
			}
			if depth > 1 {
				continue
			}
			if roots++; roots > 1 {
				return &xmlFault{notWellFormed, at, fmt.Sprintf("not well-formed XML: a second root element <%s>",
					NameAt(x.text, at+1))}
			}
		case xml.EndElement:
			depth--
		}
	}
}

// An xmlTag is a tag outside of comments and CDATA.
type xmlTag struct {
	name       string
	kind       tagKind
	start, end int
	match      int // index of the tag that closes or opens it; -1: none
}

type tagKind int

const (
	openTag tagKind = iota
	shutTag
	emptyTag // <tag/>
)

// An xmlMark is a comment or a CDATA section, with its delimiters.
type xmlMark struct {
	start, end int
	cdata      bool
}

const (
	commentOpen, commentShut = "<!--", "-->"
	cdataOpen, cdataShut     = "<![CDATA[", "]]>"
)

// inner returns the text between the delimiters of the comment or CDATA section.
func (m xmlMark) inner(text string) string {
	if m.cdata {
		return text[m.start+len(cdataOpen) : m.end-len(cdataShut)]
	}
	return text[m.start+len(commentOpen) : m.end-len(commentShut)]
}

// scan finds the tags, comments and CDATA sections of the text in one pass. In a text that
// is not XML, a tag behind a back quote only mentions a tag, and is left out.
func (x *xmlReader) scan() {
	// Once no end is found none will be: do not look again.
	lastComment := strings.LastIndex(x.text[:x.hi], commentShut)
	lastCDATA := strings.LastIndex(x.text[:x.hi], cdataShut)
	for i := x.lo; ; {
		n := strings.IndexByte(x.text[i:x.hi], '<')
		if n < 0 {
			break
		}
		i += n
		rest := x.text[i:x.hi]
		switch {
		case strings.HasPrefix(rest, commentOpen) && i+len(commentOpen) <= lastComment:
			i = x.addMark(i, len(commentOpen), commentShut)
		case strings.HasPrefix(rest, cdataOpen) && i+len(cdataOpen) <= lastCDATA:
			i = x.addMark(i, len(cdataOpen), cdataShut)
		default:
			if t, ok := tagAt(x.text[:x.hi], i); ok && (x.isXML || i == 0 || x.text[i-1] != '`') {
				x.tags = append(x.tags, t)
				i = t.end
				continue
			}
			i++
		}
	}
	x.pair()
}

// addMark adds the comment or CDATA section that starts at an offset, and returns the offset
// behind it. skip is the length of its opening delimiter, shut is the closing one.
func (x *xmlReader) addMark(start, skip int, shut string) (end int) {
	end = start + skip + strings.Index(x.text[start+skip:x.hi], shut) + len(shut)
	x.marks = append(x.marks, xmlMark{start: start, end: end, cdata: shut == cdataShut})
	return end
}

// pair matches each closing tag with the nearest open one of its name.
func (x *xmlReader) pair() {
	open := map[string][]int{}
	for i := range x.tags {
		t := &x.tags[i]
		stack := open[t.name]
		switch {
		case t.kind == openTag:
			open[t.name] = append(stack, i)
		case t.kind == shutTag && len(stack) > 0:
			t.match = stack[len(stack)-1]
			x.tags[t.match].match = i
			open[t.name] = stack[:len(stack)-1]
		}
	}
}

// content returns where the content of the element of tag i starts and ends, and where its
// closing tag ends; ok is false if no tag closes it.
func (x *xmlReader) content(i int) (open, shut, end int, ok bool) {
	t := x.tags[i]
	switch {
	case t.kind == emptyTag:
		return t.end, t.end, t.end, true
	case t.kind == openTag && t.match >= 0:
		m := x.tags[t.match]
		return t.end, m.start, m.end, true
	}
	return 0, 0, 0, false
}

// A tag and an attribute of one. XML allows no "<" in a value, so "a < b" and
// "<int32, error>" are none.
const (
	xmlName      = `[A-Za-z_][A-Za-z0-9_.:-]*`
	xmlAttribute = `[ \t\n]+(` + xmlName + `)[ \t\n]*=[ \t\n]*(?:"([^"<]*)"|'([^'<]*)')`
)

var (
	nameForm      = scan.Pattern(`^` + xmlName)
	attributeForm = scan.Pattern(xmlAttribute)
	tagForm       = scan.Pattern(`^<(?:/(` + xmlName + `)[ \t\n]*|(` + xmlName + `)(?:` + xmlAttribute +
		`)*[ \t\n]*(/?))>`)
)

// NameAt returns the tag or attribute name at offset i, or "".
func NameAt(text string, i int) string { return nameForm().FindString(text[i:]) }

// tagAt reads the tag at offset i; ok is false where there is none.
func tagAt(text string, i int) (t xmlTag, ok bool) {
	m := tagForm().FindStringSubmatchIndex(text[i:])
	if m == nil {
		return t, false
	}
	t = xmlTag{start: i, end: i + m[1], match: -1}
	switch {
	case m[2] >= 0:
		t.kind, t.name = shutTag, text[i+m[2]:i+m[3]]
	case m[12] < m[13]:
		t.kind = emptyTag
		fallthrough
	default:
		t.name = text[i+m[4] : i+m[5]]
	}
	return t, true
}

// leads reports whether nothing but tags and blanks is before offset i on its line.
func leads(text string, i int) bool {
	before := strings.TrimRight(text[:i], " \t")
	return before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, ">")
}
