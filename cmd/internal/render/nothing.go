package render

import "strings"

// Nothing returns why a query found nothing, as lines for the standard error: what may
// be meant, what matches nothing, and what would match without it.
func Nothing(a Answer) string {
	var b strings.Builder
	line := func(text string) { b.WriteString("  " + Line(text) + "\n") }
	b.WriteString("handex: nothing matches\n")
	var drops []string
	for _, s := range a.Suggestions {
		if s.Drop != "" {
			drops = append(drops, s.Text)
			continue
		}
		line(s.Text)
	}
	for _, why := range append(a.Reasons, drops...) {
		line(why)
	}
	return b.String()
}
