package parse

import (
	"strings"

	"handex/parse/internal/scan"
)

var (
	titleLead = scan.Pattern(`(?i)^(?:auto-generated\s+|session\s+|context\s+|agent\s+|project\s+)*(?:hand-?\s?off|handover|hand-over)(?:\.(?:md|markdown|txt|ya?ml|json|xml)\b)?(?:\s+(?:document|doc|notes?|report|summary|file))?\b(?:\s+#?[0-9]+)?[\s:—–|·-]*`)
	titleDate = scan.Pattern(`^\(?[0-9]{4}-[0-9]{2}-[0-9]{2}[a-z]?(?:[T ,]*[0-9]{1,2}[:h]?[0-9]{2}(?::[0-9]{2})?\s*(?:Z|UTC)?)?\)?[\s:—–|·-]*`)
	titleMood = scan.Pattern(`\s*\(([^()]{1,80})\)\s*$`)
)

// maxMood is how long words in parentheses behind the date are a mood; longer
// ones are a title.
const maxMood = 20

// title takes from the heading the words and the date every handoff begins
// with; a mood in parentheses behind the date is kept as meta.mood.
func (r *reader) title(d *Document, head string) {
	if f, ok := d.Field("title"); ok {
		d.Title = f.Value
		return
	}
	t := scan.Plain(head)
	if rest := WithoutTitleWords(t); rest != t {
		t = titleDate().ReplaceAllString(rest, "")
		if m := titleMood().FindStringSubmatch(" " + t); m != nil && strings.TrimSpace(t) == strings.TrimSpace(m[0]) {
			d.Fields = append(d.Fields, Field{Key: "meta.mood", Label: "mood", Value: m[1], Span: r.titleSpan(d, m[1])})
			if t = ""; len(m[1]) > maxMood || scan.IsForeign(m[1]) {
				t = m[1]
			}
		}
	}
	d.Title = strings.TrimSpace(t)
}

// WithoutTitleWords is a title without the words that every handoff begins with.
func WithoutTitleWords(title string) string { return titleLead().ReplaceAllString(title, "") }

// titleSpan is where words of the title stand.
func (r *reader) titleSpan(d *Document, words string) Span {
	head := r.text[d.Span.Start:d.Span.End]
	i := max(strings.Index(head, words), 0)
	return r.lines.Span(d.Span.Start+i, d.Span.Start+i+len(words))
}
