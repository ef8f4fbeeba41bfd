package outline

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"handex/parse/internal/scan"
)

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
