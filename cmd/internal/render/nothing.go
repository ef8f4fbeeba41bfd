package render

import "strings"

// Nothing tells why a query found nothing, as lines for the standard error.
func Nothing(a Answer) string {
	var b strings.Builder
	b.WriteString("handex: nothing matches\n")
	for _, s := range a.Suggestions {
		b.WriteString("  " + Line(s.Text) + "\n")
	}
	for _, why := range a.Reasons {
		b.WriteString("  " + Line(why) + "\n")
	}
	return b.String()
}
