package outline

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"handex/parse/internal/scan"
)

// LowerTag is a tag name that may start a section nobody knows.
var LowerTag = scan.Pattern(`^[a-z_][a-z0-9_]*$`)

const none = math.MaxInt

// An xmlParts finds sections by their tags. A section starts at a tag
// at the start of a line; it ends at the tag that closes it, or, where that is
// missing, at the next known section, at the end of the root or of the text.
// All its questions are answered from tables made in one pass, so that a text
// of nothing but tags costs no more than others.
type xmlParts struct {
	*xmlReader
	nextShut  []int          // for each tag, the next that closes its name
	nextKnown []int          // for each tag, the next known section at or behind it
	lastShut  map[string]int // for each name, the last tag that closes it
	root      string         // the root the scanner is in
	found     []xmlPart
}

// parts lists the sections of the text, and the tags around them.
func (x *xmlReader) parts() []xmlPart {
	t := &xmlParts{xmlReader: x}
	t.index()
	for i := 0; i < len(t.tags); {
		i = t.step(i)
	}
	return t.found
}

func (t *xmlParts) index() {
	n := len(t.tags)
	t.nextShut, t.nextKnown, t.lastShut = make([]int, n), make([]int, n+1), map[string]int{}
	next := map[string]int{}
	t.nextKnown[n] = none
	for i := n - 1; i >= 0; i-- {
		tag := t.tags[i]
		t.nextShut[i], t.nextKnown[i] = none, t.nextKnown[i+1]
		if at, ok := next[tag.name]; ok {
			t.nextShut[i] = at
		}
		switch {
		case tag.kind == shutTag:
			if next[tag.name] = i; t.lastShut[tag.name] == 0 {
				t.lastShut[tag.name] = i
			}
		case t.known(tag.name) && leads(t.text, tag.start):
			t.nextKnown[i] = i
		}
	}
}

// step reads tag i outside of sections and returns the next to read.
func (t *xmlParts) step(i int) int {
	tag := t.tags[i]
	switch {
	case tag.kind == shutTag && tag.name == t.root:
		t.root = ""
		t.addRoot(tag)
	case tag.kind == shutTag || !leads(t.text, tag.start):
	case t.isRoot(i):
		t.root = tag.name
		t.addRoot(tag)
	case t.isSection(i):
		p := t.sectionAt(i)
		t.found = append(t.found, p)
		return t.tagAfter(p.end)
	}
	return i + 1
}

func (t *xmlParts) addRoot(tag xmlTag) {
	t.found = append(t.found, xmlPart{name: tag.name, root: true, start: tag.start, end: tag.end, open: tag.end})
}

// isRoot reports that an unknown tag stands around sections: another tag
// follows at once and no section comes after its end, or known sections are in
// it.
func (t *xmlParts) isRoot(i int) bool {
	tag := t.tags[i]
	if tag.kind != openTag || t.known(tag.name) || t.root != "" && t.root != tag.name {
		return false
	}
	if shut := t.nextShut[i]; shut < none && t.nextKnown[i+1] < shut {
		return true
	}
	last := max(i, t.lastShut[tag.name])
	return i+1 < len(t.tags) && t.tags[i+1].kind != shutTag && t.onlyMarks(tag.end, t.tags[i+1].start) &&
		(last == i || t.nextKnown[last+1] == none)
}

// onlyMarks reports that text[start:end] is white space and comments.
func (t *xmlParts) onlyMarks(start, end int) bool {
	for i := t.markAfter(start); i < len(t.marks) && t.marks[i].end <= end; i++ {
		if t.marks[i].cdata || strings.TrimSpace(t.text[start:t.marks[i].start]) != "" {
			return false
		}
		start = t.marks[i].end
	}
	return strings.TrimSpace(t.text[start:end]) == ""
}

func (t *xmlParts) isSection(i int) bool {
	tag := t.tags[i]
	if tag.kind == emptyTag || tag.match >= 0 || t.known(tag.name) {
		return true
	}
	rest := strings.TrimLeft(t.text[tag.end:], " \t")
	return LowerTag().MatchString(tag.name) && (rest == "" || rest[0] == '\n')
}

func (t *xmlParts) sectionAt(i int) xmlPart {
	tag := t.tags[i]
	if open, shut, end, ok := t.content(i); ok {
		return xmlPart{name: tag.name, start: tag.start, end: end, open: open, shut: shut}
	}
	limit := t.nextKnown[i+1]
	if shut := t.nextShut[i]; shut < limit {
		// The tag that closes this one was matched with a mention of it in its
		// text; or it closes the next section of that name.
		other := t.tags[shut].match
		if !leads(t.text, t.tags[other].start) {
			return xmlPart{name: tag.name, start: tag.start, end: t.tags[shut].end, open: tag.end, shut: t.tags[shut].start}
		}
		limit = other
	}
	if last, ok := t.lastShut[t.root]; ok && last > i {
		limit = min(limit, last)
	}
	end := t.hi
	if limit < none {
		end = t.tags[limit].start
	}
	t.problem("xml.unclosed", t.Span(tag.start, tag.end), "<%s> is not closed", tag.name)
	return xmlPart{name: tag.name, start: tag.start, end: end, open: tag.end, shut: end}
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

// check returns why the text is not one well-formed element, nil where it is. It
// refuses what encoding/xml accepts: a second root and text around the root.
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
			return &xmlFault{"xml.doctype", at, "a DOCTYPE is not followed"}
		case xml.CharData:
			if depth == 0 && strings.TrimSpace(string(tok)) != "" {
				return &xmlFault{notWellFormed, at + scan.BlankLen(x.text[at:]), "not well-formed XML: text outside of the root element"}
			}
		case xml.StartElement:
			if depth++; depth > maxXMLDepth {
				return &xmlFault{"xml.depth", at, fmt.Sprintf("nested deeper than %d", maxXMLDepth)}
			}
			if depth > 1 {
				continue
			}
			if roots++; roots > 1 {
				return &xmlFault{notWellFormed, at, fmt.Sprintf("not well-formed XML: a second root element <%s>", NameAt(x.text, at+1))}
			}
		case xml.EndElement:
			depth--
		}
	}
}
