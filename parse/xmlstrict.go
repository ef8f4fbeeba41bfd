package parse

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A text over one of these is read by its tags alone.
const (
	maxXML       = 1 << 20 // bytes
	maxXMLDepth  = 64
	maxXMLTokens = 100_000
)

// strict reads a text that is one well-formed element. It refuses what
// encoding/xml takes without a word: a second root and text around the root.
func (x *xmlReader) strict() ([]xmlPart, error) {
	s := &strictXML{xmlReader: x, dec: xml.NewDecoder(strings.NewReader(x.text[x.lo:x.hi]))}
	if x.hi-x.lo > maxXML {
		return nil, s.refuse("xml.too-large", x.lo, "more than %d KiB of XML", maxXML>>10)
	}
	for {
		at := s.offset()
		tok, err := s.dec.Token()
		if errors.Is(err, io.EOF) {
			return s.parts()
		}
		if syntax := (*xml.SyntaxError)(nil); errors.As(err, &syntax) {
			return nil, s.refuse(notWellFormed, s.offset(), "not well-formed XML: %s", syntax.Msg)
		}
		if err == nil {
			err = s.token(tok, at)
		}
		if err != nil {
			return nil, err
		}
	}
}

type strictXML struct {
	*xmlReader
	dec      *xml.Decoder
	tokens   int
	depth    int
	root     xmlPart
	children []xmlPart
	prose    bool // the root has text before its first child
	named    bool // a known section is somewhere in the root
}

func (s *strictXML) offset() int { return min(s.lo+int(s.dec.InputOffset()), s.hi) }

func (s *strictXML) refuse(rule string, off int, format string, args ...any) error {
	return &xmlFaultError{rule, off, fmt.Sprintf(format, args...)}
}

func (s *strictXML) token(tok xml.Token, at int) error {
	if s.tokens++; s.tokens > maxXMLTokens {
		return s.refuse("xml.too-large", at, "more than %d tags and texts", maxXMLTokens)
	}
	switch tok := tok.(type) {
	case xml.Directive:
		return s.refuse("xml.doctype", at, "a DOCTYPE is not followed")
	case xml.CharData:
		if strings.TrimSpace(string(tok)) == "" {
			return nil
		}
		if s.depth == 0 {
			return s.refuse(notWellFormed, at+blanks(s.text[at:]), "not well-formed XML: text outside of the root element")
		}
		s.prose = s.prose || s.depth == 1 && len(s.children) == 0
	case xml.StartElement:
		return s.open(at)
	case xml.EndElement:
		s.shut(at)
	}
	return nil
}

func (s *strictXML) open(at int) error {
	name := nameAt(s.text, at+1)
	part := xmlPart{name: name, start: at, open: s.offset()}
	s.depth++
	s.named = s.named || s.depth > 1 && s.known(name) && leads(s.text, at)
	switch {
	case s.depth > maxXMLDepth:
		return s.refuse("xml.depth", at, "nested deeper than %d", maxXMLDepth)
	case s.depth == 1 && s.root.name != "":
		return s.refuse(notWellFormed, at, "not well-formed XML: a second root element <%s>", name)
	case s.depth == 1:
		s.root = part
	case s.depth == 2:
		s.children = append(s.children, part)
	}
	return nil
}

func (s *strictXML) shut(at int) {
	part := &s.root
	if s.depth == 2 {
		part = &s.children[len(s.children)-1]
	}
	if s.depth <= 2 {
		part.shut, part.end = at, s.offset()
	}
	s.depth--
}

// parts tells sections from the root around them: a root without a tag
// directly in it is a section itself.
func (s *strictXML) parts() ([]xmlPart, error) {
	r := s.root
	if r.name == "" {
		return nil, s.refuse(notWellFormed, s.lo, "not well-formed XML: no element")
	}
	if s.known(r.name) || !s.named && (s.prose || len(s.children) == 0) {
		return []xmlPart{r}, nil
	}
	parts := []xmlPart{{name: r.name, root: true, start: r.start, end: r.open}}
	for _, c := range s.children {
		if leads(s.text, c.start) {
			parts = append(parts, c)
		}
	}
	return append(parts, xmlPart{name: r.name, root: true, start: r.shut, end: r.end}), nil
}
