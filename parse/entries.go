package parse

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/parse/internal/date"
	"github.com/OWNER/handex/parse/internal/metadata"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/topic"
)

// An entry is the part of a file that is one handoff: the sections [first, last) of its
// outline and the text [start, end). key is empty for a whole file, and for what is before
// the first dated heading of a log.
type entry struct {
	key         string
	first, last int
	start, end  int
}

// MinEntries is how many dated headings of one level make a rolling log; two
// are often the plan and the day of one handoff.
const MinEntries = 3

var sessionHeading = scan.Pattern(`(?i)^(?:\W*(?:(?:cc|claude|codex|gemini|cursor|agent|dev|work)\s+)?(?:session|` +
	`sess\.?|day|entry|update|handoff|checkpoint|sitzung|sessão|세션)\s*#?\s*[0-9]+)\b`)

// datedName is a date that begins the name of something, as of a change or a file.
var datedName = scan.Pattern(`[0-9]-[0-9]{1,2}-\pL`)

// entries returns the entries of a rolling log, one for each dated heading, in the order of
// the file. The text before the first dated heading is an entry of its own if it has
// sections, otherwise part of the first. Any other file is one entry.
func (r *reader) entries(o outline.Outline) []entry {
	whole := entry{last: len(o.Sections), end: len(r.text)}
	if r.format.shape != Markdown {
		return []entry{whole}
	}
	starts := r.entryStarts(o)
	if len(starts) < MinEntries {
		return []entry{whole}
	}
	var out []entry
	if lead := starts[0]; lead > 1 || lead == 1 && !r.hasTitle(o) {
		out = append(out, entry{last: lead, end: o.Sections[lead].Span.Start})
	}
	key := uniqueKeys{}
	for i, first := range starts {
		e := entry{first: first, last: len(o.Sections), start: o.Sections[first].Span.Start, end: len(r.text)}
		if i+1 < len(starts) {
			e.last, e.end = starts[i+1], o.Sections[starts[i+1]].Span.Start
		}
		if i == 0 && len(out) == 0 {
			e.start = 0
		}
		e.key = key.of(scan.Slug(o.Sections[first].Heading))
		out = append(out, e)
	}
	return out
}

// uniqueKeys counts how often each key was given to an entry.
type uniqueKeys map[string]int

// of returns key, followed by a number if it was given out before.
func (u uniqueKeys) of(key string) string {
	if u[key]++; u[key] > 1 {
		return fmt.Sprintf("%s#%d", key, u[key])
	}
	return key
}

// entryStarts returns the indexes of the sections that begin an entry of a rolling log, or
// nil if the file is none. They are the dated headings of the outermost level that has at
// least MinEntries of them, if at least half of its headings are dated and they divide the
// whole text (see isPart).
func (r *reader) entryStarts(o outline.Outline) []int {
	for level := 1; level <= 3; level++ {
		var dated []int
		all := 0
		for i, s := range o.Sections {
			if s.Level != level || i == 0 && level == 1 && r.hasTitle(o) {
				continue
			}
			all++
			if IsDated(s.Heading) || r.format.layout == nil && r.isDatedBelow(s) {
				dated = append(dated, i)
			}
		}
		if len(dated) >= MinEntries && 2*len(dated) >= all && !r.isPart(o, dated[0], level) {
			return dated
		}
	}
	return nil
}

// isPart reports whether the headings of a level, from section first on, divide only a part
// of the text: a heading of an outer level follows section first, or has text of its own
// before it.
func (r *reader) isPart(o outline.Outline, first, level int) bool {
	for i, s := range o.Sections {
		if s.Level >= level || s.Level == 0 || i == 0 && r.hasTitle(o) {
			continue
		}
		if i > first || strings.TrimSpace(s.Body) != "" {
			return true
		}
	}
	return false
}

// maxEntryDate is where in a heading a date still says when the entry was
// written; further on it is part of the topic.
const maxEntryDate = 48

// IsDated reports whether a heading can begin an entry of a log: it names a numbered session
// such as "Session 3", or contains a date near its start and is not about one thing such as
// next steps.
func IsDated(head string) bool {
	if !strings.ContainsAny(head, "0123456789") {
		return false
	}
	if sessionHeading().MatchString(head) {
		return true
	}
	if len(head) > maxEntryDate {
		head = head[:scan.RuneBoundary([]byte(head), maxEntryDate)]
	}
	_, ok := date.Find(head, time.UTC)
	return ok && !datedName().MatchString(head) && !topic.Strict[topic.Of(head)]
}

// isDatedBelow reports whether the first line below a heading is a field with a date, like
// "**Time**: 2026-05-26 01:20".
func (r *reader) isDatedBelow(s outline.Section) bool {
	line, _, _ := strings.Cut(strings.TrimLeft(s.Body, "\n"), "\n")
	if len(line) > maxDateLine || !date.HasYear(line) {
		return false
	}
	label, value, ok := scan.KeyValue(line)
	if !ok || metadata.FieldOf(label) != "date" || metadata.Headings()[scan.NormalKey(s.Heading)] ||
		topic.Strict[topic.Of(s.Heading)] {
		return false
	}
	_, ok = date.Find(value, r.src.Zone)
	return ok
}

// maxDateLine is how long a line is that only says when.
const maxDateLine = 80

// hasTitle reports whether the first section of an outline is the document's title: a
// heading of level 1, or one without text before it that is above all others.
func (r *reader) hasTitle(o outline.Outline) bool {
	s := o.Sections[0]
	if s.Level <= 1 {
		return s.Level == 1
	}
	return len(o.Sections) > 1 && strings.TrimSpace(r.text[r.rest:s.Span.Start]) == "" &&
		!slices.ContainsFunc(o.Sections[1:], func(t outline.Section) bool { return t.Level <= s.Level })
}

// outline returns the part of o that belongs to the entry.
func (e entry) outline(o outline.Outline) outline.Outline {
	if e.key == "" && e.last == len(o.Sections) {
		return o
	}
	part := outline.Outline{Sections: o.Sections[e.first:e.last], HeadEnd: o.Sections[e.first].Span.Start}
	if e.start == 0 {
		part.Head, part.Fields, part.Front = o.Head, o.Fields, o.Front
	}
	for _, p := range o.Problems {
		if e.start == 0 && p.Line == 0 || p.Line >= part.Sections[0].Span.Line &&
			p.Line <= part.Sections[len(part.Sections)-1].Span.EndLine {
			part.Problems = append(part.Problems, p)
		}
	}
	return part
}

// pastHandoffs returns a document for each element of the list of past handoffs in a log,
// except for the one that is the current manifest. It returns nil for a file without such a
// list.
func (r *reader) pastHandoffs(o outline.Outline) []*Document {
	log := outline.EntryOf(o.Trees, r.format.log)
	if r.format.log == "" || log.Kind != outline.ListNode {
		return nil
	}
	current := ""
	if text, err := r.neighbour(r.format.current); err == nil {
		current = identity(outline.ReadYAML(text).Fields)
	}
	var docs []*Document
	key := uniqueKeys{}
	for _, el := range log.Children {
		o := outline.OfValue(r.text, r.lines, el)
		id := identity(o.Fields)
		if id == current && id != "" {
			continue
		}
		docs = append(docs, r.document(o, entry{key: key.of(scan.Slug(id)), start: el.Span.Start, end: el.Span.End}))
	}
	if docs == nil {
		docs = []*Document{{
			Format: r.format.name, Shape: r.format.shape, Key: "log", Span: r.lines.Span(0, len(r.text)),
			Date: dateOf(r.src, nil, "", func() (date.Stamp, bool) { return date.Stamp{}, false }),
		}}
	}
	docs[0].Problems = append(o.Problems, docs[0].Problems...)
	docs[0].Head = r.text[:docs[0].Span.Start] + docs[0].Head
	return docs
}

// identity returns a text that is equal for two records of the same handoff: the values of
// source_file, from, to and generated_at.
func identity(fields []outline.Field) string {
	var parts []string
	for _, key := range []string{"source_file", "from", "to", "generated_at"} {
		for _, f := range fields {
			if f.Key == key {
				parts = append(parts, f.Value)
			}
		}
	}
	return strings.Join(parts, " ")
}

// records returns a document for each object of a JSON log, which is a list of objects or
// one object after the other. It returns nil for JSON with less than MinEntries dated
// objects, or less than half of them dated.
func (r *reader) records(o outline.Outline) []*Document {
	nodes := objects(o)
	outlines := make([]outline.Outline, len(nodes))
	dated := 0
	for i, n := range nodes {
		outlines[i] = outline.OfValue(r.text, r.lines, n)
		if r.hasDate(outlines[i].Fields) {
			dated++
		}
	}
	if dated < MinEntries || 2*dated < len(nodes) {
		return nil
	}
	var docs []*Document
	key := uniqueKeys{}
	at := 0
	for i, n := range nodes {
		e := entry{key: key.of(r.recordKey(outlines[i].Fields)), start: at, end: n.Span.End}
		if i == len(nodes)-1 {
			e.end = len(r.text)
		}
		docs = append(docs, r.document(outlines[i], e))
		at = e.end
	}
	docs[0].Problems = append(o.Problems, docs[0].Problems...)
	return docs
}

// objects returns the top-level objects of a JSON text and the elements of its top-level
// lists.
func objects(o outline.Outline) []outline.Node {
	var out []outline.Node
	for _, root := range o.Trees {
		switch root.Kind {
		case outline.DictNode:
			out = append(out, root)
		case outline.ListNode:
			out = append(out, root.Children...)
		}
	}
	return out
}

// hasDate reports whether one of the fields is the date of a handoff, or of its last update.
func (r *reader) hasDate(fields []outline.Field) bool {
	return slices.ContainsFunc(fields, func(f outline.Field) bool {
		name, _ := r.format.fieldName(f)
		return name == "date" || name == "updated"
	})
}

// recordKey returns the key of a JSON record: the slug of its date and its first id, name or
// title.
func (r *reader) recordKey(fields []outline.Field) string {
	date, name := "", ""
	for _, f := range fields {
		switch n, _ := r.format.fieldName(f); {
		case n == "date" && date == "":
			date = f.Value
		case name == "" && (f.Label == "id" || f.Label == "name" || f.Label == "title"):
			name = f.Value
		}
	}
	return scan.Slug(date + " " + name)
}
