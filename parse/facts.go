package parse

import (
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/OWNER/handex/parse/internal/date"
	"github.com/OWNER/handex/parse/internal/gitref"
	"github.com/OWNER/handex/parse/internal/metadata"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
)

// Where labelled lines are looked for beside the head of a text.
const (
	firstLines = 40
	lastLines  = 15
	// maxFacts is how much of a text is searched for the branch and the commit
	// that its sentences name.
	maxFacts = 64 << 10
)

// lineFacts are the fields that a labelled line gives wherever it is in the
// first and last lines of a text.
var lineFacts = scan.Set("branch commit session date updated status from to goal")

// facts adds fields from the rest of the text to those of the head: labelled lines near its
// beginning and end, and the branch, the commit and the session that it names. A field that
// is already there stays.
func (r *reader) facts(d *Document) {
	for _, f := range r.labelledLines(d) {
		if name := metadata.FieldOf(f.Label); lineFacts[name] && f.Value != "" {
			r.addFact(d, name, f)
		}
	}
	r.trimFacts(d)
	if _, ok := d.Field("status"); !ok {
		r.statusOfTitle(d)
	}
	text := r.text[d.Span.Start:min(d.Span.End, d.Span.Start+maxFacts)]
	if _, ok := d.Field("branch"); !ok {
		name, at := gitref.FindBranch(text, r.format.shape != YAML && r.format.shape != JSON)
		r.addFound(d, "branch", name, at)
	}
	if _, ok := d.Field("commit"); !ok {
		hash, at := gitref.FindCommit(text)
		r.addFound(d, "commit", hash, at)
	}
	if _, ok := d.Field("session"); !ok {
		r.sessionNumber(d)
	}
}

// addFact adds a field under a canonical name unless the document has one. A status is added
// as a word of the closed list, and not at all if it means none of them.
func (r *reader) addFact(d *Document, name string, f outline.Field) {
	if _, have := d.Field(name); have {
		return
	}
	value := f.Value
	if name == "status" {
		if value = metadata.Status(f.Value); value == "" {
			return
		}
	}
	d.Fields = append(d.Fields, Field{name, f.Label, value, f.Span})
	if value != f.Value {
		d.Fields = append(d.Fields, Field{"meta.status", f.Label, f.Value, f.Span})
	}
}

// statusOfTitle adds the status that a title ends with: "Phase 3 Complete".
func (r *reader) statusOfTitle(d *Document) {
	if m := titleStatus().FindStringSubmatch(r.heading); m != nil {
		d.Fields = append(d.Fields, Field{"status", "title", metadata.Status(m[1]), r.titleSpan(d, m[1])})
	}
}

var titleStatus = scan.Pattern(`(?i)(?:^|[\s(—–-])(complete|completed|done|blocked|in progress|wip|진행 중|완료|完成|完了|` +
	`进行中|terminée?)(?:\s*[✅✓!)，,]|\s*$|\s+[-—–]\s)`)

// maxFactLine is how long a line is that gives a fact.
const maxFactLine = 300

// labelledLines returns the fields in the first and last lines of a Markdown or XML document
// that begin with a label of lineFacts. Lines of code and boxes to tick give none.
func (r *reader) labelledLines(d *Document) []outline.Field {
	if r.format.shape != Markdown && r.format.shape != XML {
		return nil
	}
	c := outline.LineReader{Knows: func(label string) bool { return lineFacts[metadata.FieldOf(label)] }}
	code := scan.FencesOf(r.text[d.Span.Start:d.Span.End])
	first, last := r.lines.Line(d.Span.Start), r.lines.Line(max(d.Span.Start, d.Span.End-1))
	var out []outline.Field
	for n := first; n <= last; n++ {
		if n >= first+firstLines {
			n = max(n, last-lastLines+1)
		}
		at := r.linesSpan(n, n)
		line := strings.TrimRight(r.text[at.Start:at.End], "\n")
		if len(line) <= maxFactLine && beginsFact(line) && !code.Contains(at.Start-d.Span.Start) &&
			!outline.Ruled(r.text[at.End:scan.LineEnd(r.text, at.End)]) {
			out = append(out, c.Fields(line, at.Start, r.lines)...)
		}
	}
	return out
}

// beginsFact reports whether a line begins with a label of lineFacts and a colon, or has one
// in the first cell of a table row.
func beginsFact(line string) bool {
	rest := strings.TrimLeft(line[scan.MarkWidth(line):], "|*_ ")
	label := rest[:min(len(rest), scan.MaxBoldKey+8)]
	end := strings.IndexByte(label, ':')
	if end < 0 {
		end = strings.Index(label, "：")
	}
	if bar := strings.IndexByte(label, '|'); bar >= 0 && (end < 0 || bar < end) {
		end = bar
	}
	return end > 0 && label[0] != '[' && lineFacts[metadata.FieldOf(strings.TrimRight(label[:end], "*_` "))]
}

// trimFacts cuts the values of branch, commit, session and to down to the name, hash or
// number in them, and keeps the whole value as a meta field. It does nothing in formats
// whose specification says what a value is.
func (r *reader) trimFacts(d *Document) {
	if r.format.layout != nil {
		return // its specification says what a value is
	}
	for i := 0; i < len(d.Fields); i++ {
		f := d.Fields[i]
		switch f.Key {
		case "branch":
			d.Fields[i].Value = gitref.BranchName(f.Value)
			if _, have := d.Field("commit"); !have {
				if hash, _ := gitref.FirstHash(f.Value); hash != "" && strings.ContainsAny(f.Value, " @") {
					d.Fields = append(d.Fields, Field{"commit", f.Label, hash, f.Span})
				}
			}
		case "commit":
			if hash, _ := gitref.FirstHash(f.Value); hash != "" {
				d.Fields[i].Value = hash
			}
		case "session":
			d.Fields[i].Value = sessionName(f.Value)
		case "to":
			if name, _, ok := strings.Cut(f.Value, " (for "); ok && name != "" {
				d.Fields[i].Value = name
			}
		default:
			continue
		}
		if d.Fields[i].Value != f.Value && d.Fields[i].Value != "" {
			d.Fields = append(d.Fields, Field{"meta." + f.Key, f.Label, f.Value, f.Span})
		}
	}
	d.Fields = slices.DeleteFunc(d.Fields, func(f Field) bool { return f.Key == "branch" && f.Value == "" })
}

// sessionName returns the number or id that a value begins with if a title follows, as in
// "33 - MinIO" and "#12 (evening)"; otherwise the whole value.
func sessionName(v string) string {
	word, rest, ok := strings.Cut(v, " ")
	if !ok || !strings.ContainsAny(word, "0123456789") || strings.HasSuffix(word, "...") {
		return v
	}
	sign, _ := utf8.DecodeRuneInString(strings.TrimSpace(rest))
	if strings.ContainsRune("-—–:", sign) || sign == '(' && !strings.Contains(word, "-") {
		return strings.Trim(word, "#:")
	}
	return v
}

// addFound adds a field whose value was found at an offset of the document's text. It adds
// nothing if the value is empty.
func (r *reader) addFound(d *Document, name, value string, at int) {
	if value != "" {
		at += d.Span.Start
		d.Fields = append(d.Fields, Field{Key: name, Label: name, Value: value, Span: r.lines.Span(at, at+len(value))})
	}
}

var (
	sessionInTitle = scan.Pattern(`(?i)^(?:\W*)(?:session|sess\.?|sitzung|sessão|sesión|세션)\s*#?\s*([0-9]{1,4}[a-z]?)` +
		`(?:[^0-9A-Za-z-]|$)`)
	sessionInName = scan.Pattern(`(?i)(?:^|[-_ ])session[-_ ]?([0-9]{1,4})(?:[-_. ]|$)`)
)

// sessionNumber adds the session field if the title or the file's name contains a number of
// a session.
func (r *reader) sessionNumber(d *Document) {
	if m := sessionInTitle().FindStringSubmatch(r.heading); m != nil {
		d.Fields = append(d.Fields, Field{Key: "session", Label: "session", Value: m[1], Span: r.titleSpan(d, m[1])})
		return
	}
	if d.Key != "" {
		return
	}
	name := r.src.Path[strings.LastIndexByte(r.src.Path, '/')+1:]
	if m := sessionInName().FindStringSubmatch(name); m != nil {
		d.Fields = append(d.Fields, Field{Key: "session", Label: "session", Value: m[1]})
	}
}

// dateOf returns the date of a document: that of its fields date or updated, else of its
// heading, else in the name of the file or its folder, else in its text, as the function
// text finds it, else the time of its last commit, else the mtime.
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

// nameDate returns the date in the name of a file or, if that has none, in the name of its
// folder, and whether there is one.
func nameDate(file string, zone *time.Location) (date.Stamp, bool) {
	dir, base := path.Split(file)
	if st, ok := date.Find(base, zone); ok {
		return st, true
	}
	return date.Find(path.Base(dir), zone)
}

// refine returns a found date as a Date with its source. The Sort of a date that says no
// time is the time in the file's name, of the last commit or of the mtime: the first of them
// that is within the date.
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
var writtenWords = scan.Phrases(`handoff|session|updated|written|generated|checkpoint|as of|prepared|created|
	snapshot|date|stand|time|authored|état au|更新|作成|时间|日時`)

// datedLines is how many lines below the title may say when a handoff was
// written without a label.
const datedLines = 12

// textDate returns the date in one of the first lines of a text that says when it was
// written, otherwise the latest date in its headings.
func (r *reader) textDate(d *Document, sections []placedSection) (date.Stamp, bool) {
	lines := strings.SplitN(r.text[d.Span.Start:d.Span.End], "\n", datedLines+1)
	for _, line := range lines[:min(len(lines), datedLines)] {
		if len(line) > 160 || !date.HasYear(line) || strings.Contains(line, "/") || !scan.ContainsAny(strings.ToLower(line),
			writtenWords) {
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

// shortDate returns the first date in s that is written as month-day-year of two digits
// each, as in American logs, from 2020 to 2029.
func shortDate(s string, zone *time.Location) (date.Stamp, bool) {
	m := shortDay().FindStringSubmatch(s)
	if m == nil {
		return date.Stamp{}, false
	}
	return date.Of(2000+scan.Atoi(m[3]), scan.Atoi(m[1]), scan.Atoi(m[2]), zone)
}

var (
	titleLead = scan.Pattern(`(?i)^(?:auto-generated\s+|session\s+|context\s+|agent\s+|project\s+)*(?:hand-?\s?off|` +
		`handover|hand-over)(?:\.(?:md|markdown|txt|ya?ml|json|xml)\b)?(?:\s+(?:document|doc|notes?|report|summary|` +
		`file))?\b(?:\s+#?[0-9]+(?:[\s:—–|·]|$))?[\s:—–|·-]*`)
	titleDate = scan.Pattern(`^\(?[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}[a-z]?(?:[T ,]*[0-9]{1,2}[:h]?[0-9]{2}` +
		`(?::[0-9]{2})?\s*(?:Z|UTC)?)?\)?[\s:—–|·-]*`)
	titleMood = scan.Pattern(`\s*\(([^()]{1,80})\)\s*$`)
)

// maxMood is how long words in parentheses behind the date are a mood; longer
// ones are a title.
const maxMood = 20

// title sets the document's title: the field title, otherwise the heading without the words
// and the date that handoffs begin with. A mood in parentheses behind the date is kept as
// meta.mood.
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

// WithoutTitleWords returns a title without the words that every handoff begins with.
func WithoutTitleWords(title string) string { return titleLead().ReplaceAllString(title, "") }

// titleSpan returns the place where some words of the title first occur in the document.
func (r *reader) titleSpan(d *Document, words string) Span {
	head := r.text[d.Span.Start:d.Span.End]
	i := max(strings.Index(head, words), 0)
	return r.lines.Span(d.Span.Start+i, d.Span.Start+i+len(words))
}
