package outline

import (
	"strings"

	"handex/parse/internal/scan"
)

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

func (m xmlMark) inner(text string) string {
	if m.cdata {
		return text[m.start+len(cdataOpen) : m.end-len(cdataShut)]
	}
	return text[m.start+len(commentOpen) : m.end-len(commentShut)]
}

// scan finds the tags and marks of the text in one pass. In a text that is not
// XML, tags in back quotes are mentions of tags.
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

// content is what stands between tag i and the tag that closes it.
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
	tagForm       = scan.Pattern(`^<(?:/(` + xmlName + `)[ \t\n]*|(` + xmlName + `)(?:` + xmlAttribute + `)*[ \t\n]*(/?))>`)
)

// NameAt is the tag or attribute name at offset i, or "".
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

// leads reports that nothing but tags stands before offset i on its line.
func leads(text string, i int) bool {
	before := strings.TrimRight(text[:i], " \t")
	return before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, ">")
}
