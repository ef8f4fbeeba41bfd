package pages

import "html/template"

// Markdown returns a text as it is alone on a page.
func Markdown(text string, lines bool) template.HTML {
	return (&prose{room: maxNodes}).markdown(text, lines)
}
