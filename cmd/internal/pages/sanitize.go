package pages

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
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
	s := sanitizer{tokens: html.NewTokenizer(strings.NewReader(source))}
	for more := true; more; {
		more = s.next()
	}
	for len(s.open) > 0 {
		s.close()
	}
	return template.HTML(s.out.String())
}

type sanitizer struct {
	tokens *html.Tokenizer
	out    strings.Builder
	open   []string
}

// next takes one token; it answers false at the end.
func (s *sanitizer) next() bool {
	switch s.tokens.Next() {
	case html.ErrorToken:
		return false
	case html.TextToken:
		s.out.WriteString(html.EscapeString(s.tokens.Token().Data))
	case html.StartTagToken, html.SelfClosingTagToken:
		s.start(s.tokens.Token())
	case html.EndTagToken:
		if name := s.tokens.Token().Data; slices.Contains(s.open, name) {
			for closed := ""; closed != name; {
				closed = s.close()
			}
		}
	}
	return true
}

// start writes an element's start tag.
func (s *sanitizer) start(t html.Token) {
	if !slices.Contains(allowed, t.Data) {
		return
	}
	name, attributes := t.Data, ""
	switch name {
	case "a":
		attributes = anchor(attribute(t, "href"))
	case "ol":
		if n := attribute(t, "start"); n != "" && strings.Trim(n, "0123456789") == "" {
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

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
