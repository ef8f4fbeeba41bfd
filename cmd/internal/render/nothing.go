package render

import (
	"fmt"
	"strings"
)

// Nothing tells why a query found nothing, as lines for the standard error.
func Nothing(a Answer) string {
	var b strings.Builder
	b.WriteString("handex: nothing matches\n")
	for _, s := range a.Suggestions {
		b.WriteString("  " + Line(s.text()) + "\n")
	}
	for _, why := range a.Reasons {
		b.WriteString("  " + Line(why) + "\n")
	}
	return b.String()
}

func (s Suggestion) text() string {
	if s.Drop != "" {
		return fmt.Sprintf("without %s: %d", s.Drop, s.Hits)
	}
	return fmt.Sprintf("did you mean %s? (%d)", s.Replace, s.Hits)
}
