package index

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"handex/parse"
)

// A record is a handoff on its way into the index: what Parse made of it, and
// what takes time to work out, so that the one that writes need not.
type record struct {
	doc      *parse.Document
	fields   map[string]string
	layout   layout
	sections string
	head     string
	words    int
}

func newRecord(d *parse.Document, raw []byte) *record {
	r := &record{doc: d, fields: map[string]string{}}
	for _, f := range d.Fields {
		if _, ok := r.fields[f.Key]; !ok {
			r.fields[f.Key] = f.Value
		}
	}
	r.layout = layOut(d, raw)
	r.sections = r.layout.sections()
	r.head = headOf(d)
	r.words = countWords(r.head)
	for _, t := range r.layout.text {
		r.words += countWords(t)
	}
	return r
}

// headOf is the text before the first section with the facts that stand neither
// in it nor in a section, a line each: a search must find every word of a file,
// the keys of its YAML and JSON too.
func headOf(d *parse.Document) string {
	lines := []string{}
	seen := map[string]bool{}
	for _, f := range d.Fields {
		line := f.Label + ": " + f.Value
		switch parse.Kind(f.Key) {
		case parse.Goal, parse.State, parse.Hypothesis, parse.Outcome:
			line = f.Label + ":" // the value has a column
		}
		if seen[line] || strings.Contains(d.Head, f.Label) && strings.Contains(d.Head, f.Value) {
			continue
		}
		seen[line] = true
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return d.Head
	}
	return strings.TrimRight(d.Head, "\n") + "\n" + strings.Join(lines, "\n") + "\n"
}

// slack is how far, in seconds, the instant an id stands for lies outside what
// the handoff's date covers, or at its far end: query needs to know the most of
// all to look for dates by id.
func (p placed) slack() int64 {
	at := p.id + idEpoch
	return max(p.doc.Date.End.Unix()+1-at, at-p.doc.Date.Time.Unix())
}

// countWords counts what white space separates.
func countWords(s string) int {
	n, in := 0, false
	for i := range len(s) {
		space := s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r'
		if !space && !in {
			n++
		}
		in = !space
	}
	return n
}

// meta is the tokens by which a filter can stand inside a MATCH. Each holds a
// digit, so none is a plain word.
func (r *record) meta(project int64) string {
	return "x0p" + strconv.FormatInt(project, 10) + " x0f" + metaToken(r.doc.Format) + " x0s" + metaToken(cmp.Or(r.fields["status"], "none"))
}

// metaToken keeps the letters and digits of a name.
func metaToken(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(name))
}

// write appends the rows of the handoff.
func (p placed) write(w *tables) {
	d, r, id := p.doc, p.record, p.id
	h := w.handoff.row().int(id).text(p.hid).int(p.file, int64(d.Entry), p.project)
	h.text(r.fields["project"], d.Format, r.fields["session"], r.fields["from"], r.fields["to"], r.fields["status"])
	h.text(r.fields["branch"], r.fields["source"], r.fields["version"])
	h.maybe(r.priority()).real(number(r.fields["progress"])).real(number(r.fields["phase"])).int(int64(r.words))
	h.int(d.Date.Time.UnixMilli(), d.Date.End.UnixMilli(), d.Date.Sort.UnixMilli()).text(d.Date.Source, d.Date.Precision)
	h.int(p.mtimeNS / int64(time.Millisecond)).maybe(instant(r.fields["sent"], d.Date.Time.Location()))
	h.int(0).flag(len(d.Escalations) > 0).flag(d.Blocked).flag(d.Legacy).maybe(flag(d.Processed))
	h.int(int64(worst(d.Problems))).text(r.sections).end()
	r.writeAttrs(w, id)
	for i, e := range d.Problems {
		w.problem.row().int(id, int64(i), int64(e.Severity)).text(e.Rule).int(int64(e.Line)).text(e.Message).end()
	}
}

// body is the row of body: its columns in order.
func (p placed) body() []any {
	row := make([]any, 0, len(kinds)+5)
	row = append(row, p.id, withoutNUL(p.doc.Title), p.layout.heading)
	for _, t := range p.layout.text {
		row = append(row, t)
	}
	return append(row, withoutNUL(p.head), p.meta(p.project))
}

func (r *record) writeAttrs(w *tables, id int64) {
	d := r.doc
	ord := map[string]int64{}
	add := func(name, value, note string, line int) {
		w.attr.row().int(id).text(name).int(ord[name]).text(value, note).int(int64(line)).end()
		ord[name]++
	}
	for _, f := range d.Files {
		add("file", f.Path, f.Action, f.Line)
	}
	for _, item := range d.WorkItems {
		add("item", item, "", 0)
	}
	items := r.layout.itemLines(len(d.Approaches) > 0)
	for _, a := range d.Approaches {
		text := a.Text
		if items[a.Line] == text {
			text = ""
		}
		add("approach", text, a.Outcome, a.Line)
	}
	for _, l := range d.Links {
		add("link", l.Target, l.Relation, l.Line)
	}
	for _, e := range d.Escalations {
		add("escalation", e.Text, "", e.Number)
	}
	for _, f := range d.Fields {
		if f.Key == "commit" || strings.HasPrefix(f.Key, "meta.") {
			add(f.Key, f.Value, f.Label, f.Span.Line)
		}
	}
}

var priorities = []string{"low", "medium", "high", "critical"}

// priority is the highest the handoff or an item of it has.
func (r *record) priority() *int64 {
	best := slices.Index(priorities, strings.ToLower(r.fields["priority"]))
	for _, it := range r.doc.Items {
		best = max(best, slices.Index(priorities, it.Priority))
	}
	if best < 0 {
		return nil
	}
	n := int64(best)
	return &n
}

// number reads the number a value begins with ("60 %", "4/6"); nil if there is none.
func number(value string) *float64 {
	value = strings.TrimSpace(value)
	end := strings.IndexFunc(value, func(c rune) bool { return (c < '0' || c > '9') && c != '.' })
	if end >= 0 {
		value = value[:end]
	}
	n, err := strconv.ParseFloat(strings.TrimRight(value, "."), 64)
	if err != nil {
		return nil
	}
	return &n
}

var instants = []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"}

// instant reads a field's time, in milliseconds; nil if it is none.
func instant(value string, zone *time.Location) *int64 {
	for _, form := range instants {
		if t, err := time.ParseInLocation(form, strings.TrimSpace(value), zone); err == nil {
			ms := t.UnixMilli()
			return &ms
		}
	}
	return nil
}

func flag(b *bool) *int64 {
	if b == nil {
		return nil
	}
	n := int64(0)
	if *b {
		n = 1
	}
	return &n
}

func worst(problems []parse.Problem) parse.Severity {
	var s parse.Severity
	for _, p := range problems {
		s = max(s, p.Severity)
	}
	return s
}
