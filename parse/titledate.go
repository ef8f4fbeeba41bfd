package parse

import (
	"path"
	"strings"
	"time"

	"handex/parse/internal/date"
	"handex/parse/internal/scan"
)

// dateOf decides a document's date: its own field or heading, else the date in
// the file's name, else in its first lines and headings, else the time of its last commit, else the mtime.
func dateOf(src Source, fields []Field, head string, text func() (date.Stamp, bool)) Date {
	for _, key := range []string{"date", "updated"} {
		for _, f := range fields {
			if f.Key != key {
				continue
			}
			if st, ok := date.Find(f.Value, src.Zone); ok {
				return refine(st, "field", src)
			}
		}
	}
	if st, ok := date.Find(head, src.Zone); ok {
		return refine(st, "heading", src)
	}
	if st, ok := nameDate(src.Path, src.Zone); ok {
		return refine(st, "name", src)
	}
	if st, ok := text(); ok {
		return refine(st, "text", src)
	}
	t, source := src.ModTime, "mtime"
	if !src.Committed.IsZero() {
		t, source = src.Committed, "git"
	}
	t = t.In(src.Zone)
	return Date{Time: t, End: t.Add(time.Millisecond), Sort: t, Precision: "instant", Source: source}
}

// nameDate is the date in a file's name, or in that of its folder.
func nameDate(file string, zone *time.Location) (date.Stamp, bool) {
	dir, base := path.Split(file)
	if st, ok := date.Find(base, zone); ok {
		return st, true
	}
	return date.Find(path.Base(dir), zone)
}

// refine orders handoffs that only say their day: by the time in the file's
// name if it names the same day, else by the mtime if that falls on the day.
func refine(st date.Stamp, source string, src Source) Date {
	d := Date{Time: st.Time, End: st.End(), Sort: st.Time, Precision: st.Precision, Source: source}
	if st.Precision == "instant" || st.Precision == "minute" {
		return d
	}
	named, ok := nameDate(src.Path, src.Zone)
	if !ok || named.Precision == "day" {
		named.Time = time.Time{}
	}
	for _, at := range []time.Time{named.Time, src.Committed, src.ModTime} {
		if !at.IsZero() && !at.Before(d.Time) && at.Before(d.End) {
			d.Sort = at
			break
		}
	}
	return d
}

// writtenWords are in a line that says when a handoff was written.
var writtenWords = []string{"handoff", "session", "updated", "written", "generated", "checkpoint", "as of", "prepared", "created", "snapshot", "date", "stand", "time", "authored", "état au", "更新", "作成", "时间", "日時"}

// datedLines is how many lines below the title may say when a handoff was
// written without a label.
const datedLines = 12

// textDate is the date a text gives in a sentence of its first lines, or the
// latest in its headings.
func (r *reader) textDate(d *Document, sections []placedSection) (date.Stamp, bool) {
	lines := strings.SplitN(r.text[d.Span.Start:d.Span.End], "\n", datedLines+1)
	for _, line := range lines[:min(len(lines), datedLines)] {
		if len(line) > 160 || !date.HasYear(line) || strings.Contains(line, "/") || !scan.ContainsAny(strings.ToLower(line), writtenWords) {
			continue
		}
		if st, ok := date.Find(line, r.src.Zone); ok {
			return st, true
		}
	}
	latest, found := shortDate(r.heading, r.src.Zone)
	for _, p := range sections {
		if p.Heading == "" || !strings.ContainsAny(p.Heading, "0123456789") {
			continue
		}
		st, ok := date.Find(p.Heading, r.src.Zone)
		if !ok {
			st, ok = shortDate(p.Heading, r.src.Zone)
		}
		if ok && (!found || st.Time.After(latest.Time)) {
			latest, found = st, true
		}
	}
	return latest, found
}

var shortDay = scan.Pattern(`(?:^|[^0-9-])([01][0-9])-([0-3][0-9])-(2[0-9])(?:[^0-9-]|$)`)

// shortDate reads month-day-year of two digits each, as American logs have it.
func shortDate(s string, zone *time.Location) (date.Stamp, bool) {
	m := shortDay().FindStringSubmatch(s)
	if m == nil {
		return date.Stamp{}, false
	}
	return date.Of(2000+scan.Atoi(m[3]), scan.Atoi(m[1]), scan.Atoi(m[2]), zone)
}

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
