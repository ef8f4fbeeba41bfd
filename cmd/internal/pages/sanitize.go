package pages

import (
	"html"
	"html/template"
	"net/url"
	"slices"
	"strings"

	nethtml "golang.org/x/net/html"
)

// allowed are the elements that text of a handoff may become. None of them loads
// anything, has a name in the page or an effect beyond itself.
var allowed = []string{
	"a", "blockquote", "br", "code", "del", "em", "hr", "li", "ol", "p", "pre", "span", "strong",
	"table", "tbody", "td", "th", "thead", "tr", "ul",
}

// sanitize keeps of HTML the elements that are allowed, with no attribute but a
// link's and a list's number, and the text. What it answers is balanced.
func sanitize(source string) template.HTML {
	s := sanitizer{tokens: nethtml.NewTokenizer(strings.NewReader(source))}
	for more := true; more; {
		more = s.next()
	}
	for len(s.open) > 0 {
		s.close()
	}
	return template.HTML(s.out.String())
}

type sanitizer struct {
	tokens *nethtml.Tokenizer
	out    strings.Builder
	open   []string
}

// next takes one token; it answers false at the end. It reads tokens as they stand:
// what would decode them brings tables along that every start of the program would
// fill.
func (s *sanitizer) next() bool {
	kind := s.tokens.Next()
	raw := string(s.tokens.Raw())
	name, _ := s.tokens.TagName()
	switch kind {
	case nethtml.ErrorToken:
		return false
	case nethtml.TextToken:
		s.out.WriteString(html.EscapeString(html.UnescapeString(raw)))
	case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
		s.start(string(name), raw)
	case nethtml.EndTagToken:
		if slices.Contains(s.open, string(name)) {
			for closed := ""; closed != string(name); {
				closed = s.close()
			}
		}
	}
	return true
}

// start writes an element's start tag.
func (s *sanitizer) start(name, raw string) {
	if !slices.Contains(allowed, name) {
		return
	}
	attributes := ""
	switch name {
	case "a":
		attributes = anchor(attribute(raw, "href"))
	case "ol":
		if n := attribute(raw, "start"); n != "" && strings.Trim(n, "0123456789") == "" {
			attributes = ` start="` + n[:min(len(n), 9)] + `"`
		}
	}
	s.out.WriteString("<" + name + attributes + ">")
	if name != "br" && name != "hr" {
		s.open = append(s.open, name)
	}
}

// close writes the end tag of the innermost element and answers its name.
func (s *sanitizer) close() string {
	last := len(s.open) - 1
	name := s.open[last]
	s.open = s.open[:last]
	s.out.WriteString("</" + name + ">")
	return name
}

// anchor are the attributes of a link that may be followed. Of others the address
// can be read, but not followed: what a handoff calls a path is not one here.
func anchor(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || !slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) || u.Host == "" && u.Scheme != "mailto" {
		if address == "" {
			return ""
		}
		return ` title="` + html.EscapeString(address) + `"`
	}
	return ` href="` + html.EscapeString(u.String()) + `" rel="noopener noreferrer nofollow"`
}

// attribute is the value of an attribute in a tag as goldmark writes it, "" if it is
// not there or written in another way.
func attribute(tag, name string) string {
	_, rest, ok := strings.Cut(tag, " "+name+`="`)
	value, _, closed := strings.Cut(rest, `"`)
	if !ok || !closed {
		return ""
	}
	return html.UnescapeString(value)
}
