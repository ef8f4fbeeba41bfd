package pages

import (
	"html"
	"html/template"
	"net/url"
	"slices"
	"strings"

	nethtml "golang.org/x/net/html"
)

// allowed are the elements that the text of a handoff may contain. None of them loads
// anything, has an id in the page or an effect beyond itself.
var allowed = []string{
	"a", "blockquote", "br", "code", "del", "em", "hr", "li", "ol", "p", "pre", "span", "strong",
	"table", "tbody", "td", "th", "thead", "tr", "ul",
}

// sanitize returns HTML with only the allowed elements and the text. Attributes are
// removed, except the address of a link and the first number of a list. The result is
// balanced. It reads tokens undecoded: what would decode them brings tables along that
// every start of the program would fill.
func sanitize(source string) template.HTML {
	var out strings.Builder
	var open []string
	closeTo := func(depth int) {
		for _, name := range slices.Backward(open[depth:]) {
			out.WriteString("</" + name + ">")
			if name == "table" {
				out.WriteString("</div>")
			}
		}
		open = open[:depth]
	}
	for tokens := nethtml.NewTokenizer(strings.NewReader(source)); ; {
		kind := tokens.Next()
		raw := string(tokens.Raw())
		tag, _ := tokens.TagName()
		name := string(tag)
		switch kind { //nolint:exhaustive // comments and the like are left out
		case nethtml.ErrorToken:
			closeTo(0)
			return template.HTML(out.String())
		case nethtml.TextToken:
			out.WriteString(html.EscapeString(html.UnescapeString(raw)))
		case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
			if !slices.Contains(allowed, name) {
				continue
			}
			if name == "table" { // is as wide as its words, and scrolls by itself
				out.WriteString(`<div class="scroll" role="group" tabindex="0" aria-label="Table">`)
			}
			out.WriteString("<" + name + attributes(name, raw) + ">")
			if name != "br" && name != "hr" {
				open = append(open, name)
			}
		case nethtml.EndTagToken:
			for i, inner := range slices.Backward(open) {
				if inner == name {
					closeTo(i)
					break
				}
			}
		}
	}
}

// attributes returns the attributes that sanitize keeps of an element.
func attributes(name, raw string) string {
	switch name {
	case "a":
		return anchor(attribute(raw, "href"))
	case "ol":
		if n := attribute(raw, "start"); n != "" && strings.Trim(n, "0123456789") == "" {
			return ` start="` + n[:min(len(n), 9)] + `"`
		}
	}
	return ""
}

// anchor returns the attributes of a link to an address. Only http, https and mailto
// addresses can be followed; others are shown as a title: what a handoff calls a path is
// not one here.
func anchor(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || !slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) || u.Host == "" &&
		u.Scheme != "mailto" {
		if address == "" {
			return ""
		}
		return ` title="` + html.EscapeString(address) + `"`
	}
	return ` href="` + html.EscapeString(u.String()) + `" rel="noopener noreferrer nofollow"`
}

// attribute returns the value of an attribute in a tag that goldmark wrote, "" if the tag
// does not have it in that form.
func attribute(tag, name string) string {
	_, rest, ok := strings.Cut(tag, " "+name+`="`)
	value, _, closed := strings.Cut(rest, `"`)
	if !ok || !closed {
		return ""
	}
	return html.UnescapeString(value)
}
