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
			t := tagAt(x.text[:x.hi], i)
			if t.end > 0 && (x.isXML || i == 0 || x.text[i-1] != '`') {
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

// tagAt reads the tag at offset i:
//
//	tag  = "<" name { space attr } [ space ] [ "/" ] ">" | "</" name [ space ] ">"
//	attr = name "=" ( '"' text '"' | "'" text "'" )
//
// Its end is 0 where there is none: "a < b", "<int32, error>".
func tagAt(text string, i int) xmlTag {
	t := xmlTag{start: i, match: -1}
	i++
	if strings.HasPrefix(text[i:], "/") {
		t.kind = shutTag
		i++
	}
	t.name = NameAt(text, i)
	if t.name == "" {
		return t
	}
	i += len(t.name)
	if t.kind == openTag {
		_, i = attributesAt(text, i)
	}
	i += scan.BlankLen(text[i:])
	if t.kind == openTag && strings.HasPrefix(text[i:], "/") {
		t.kind = emptyTag
		i++
	}
	if strings.HasPrefix(text[i:], ">") {
		t.end = i + 1
	}
	return t
}

// NameAt is the tag or attribute name at offset i, or "".
func NameAt(text string, i int) string {
	end := i
	for end < len(text) && isNameByte(text[end], end == i) {
		end++
	}
	return text[i:end]
}

func isNameByte(c byte, first bool) bool {
	switch {
	case c|0x20 >= 'a' && c|0x20 <= 'z', c == '_':
		return true
	case c >= '0' && c <= '9', c == '-', c == '.', c == ':':
		return !first
	}
	return false
}

// An attribute's start and end are those of its value, without quotes.
type attribute struct {
	name       string
	start, end int
}

func attributesAt(text string, i int) (attrs []attribute, end int) {
	for {
		at := i + scan.BlankLen(text[i:])
		name := NameAt(text, at)
		if at == i || name == "" {
			return attrs, i
		}
		at += len(name)
		at += scan.BlankLen(text[at:])
		if !strings.HasPrefix(text[at:], "=") {
			return attrs, i
		}
		at += 1 + scan.BlankLen(text[at+1:])
		if at == len(text) || text[at] != '"' && text[at] != '\'' {
			return attrs, i
		}
		// XML allows no "<" in a value, so none is read twice.
		n := strings.IndexAny(text[at+1:], "<"+text[at:at+1])
		if n < 0 || text[at+1+n] == '<' {
			return attrs, i
		}
		attrs = append(attrs, attribute{name: name, start: at + 1, end: at + 1 + n})
		i = at + 1 + n + 1
	}
}

func tagAttributes(text string, start int) []attribute {
	if text[start+1] == '/' {
		return nil
	}
	attrs, _ := attributesAt(text, start+1+len(NameAt(text, start+1)))
	return attrs
}

// leads reports that nothing but tags stands before offset i on its line.
func leads(text string, i int) bool {
	before := strings.TrimRight(text[:i], " \t")
	return before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, ">")
}
