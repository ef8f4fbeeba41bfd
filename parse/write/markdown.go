package write

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/date"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/source"
	"github.com/OWNER/handex/parse/internal/topic"
)

// A page is a Markdown text in the making.
type page struct {
	*writer
	strings.Builder
	dated bool // headings with a date are many, and would make a log of the text
}

// markdown returns the draft as Markdown: title, metadata, sections.
func (w *writer) markdown() string {
	p := &page{writer: w}
	p.WriteString("# " + p.title() + "\n\n")
	meta := p.metadata()
	if w.layout.Meta != "" && meta != "" {
		meta = "## " + w.layout.Meta + "\n" + meta
	}
	w.stateSection()
	w.fileSection()
	w.sortSections()
	for i, s := range w.remaining.Sections {
		if _, named := w.partOf(s.Kind); !named && !w.layout.Free {
			w.addLoss("section "+sectionName(s), fmt.Sprintf("the section %q", p.headingOf(s)))
		}
		w.remaining.Sections[i].Body = w.contained(s)
	}
	p.WriteString(meta)
	p.sections()
	return strings.TrimRight(p.String(), "\n") + "\n"
}

// title returns the text of the first heading, and removes from the draft what it says: the
// title, if the format has no key for it, and the date.
func (p *page) title() string {
	title := p.layout.Title
	if title == "" {
		title, p.remaining.Title = cmp.Or(p.remaining.Title, "Handoff"), ""
	}
	if !p.layout.Dated || !p.has("date") {
		return title
	}
	dates := p.take("date")
	st, ok := date.Find(dates[0], time.UTC)
	if day := st.Time.Format("2006-01-02"); ok && st.Precision != "month" {
		title += " — " + day
		if len(dates) == 1 && dates[0] == day {
			return title
		}
	}
	for _, d := range dates {
		p.remaining.Fields = append(p.remaining.Fields, parse.Field{Key: "date", Label: "date", Value: d})
	}
	return title
}

// metadata returns a line of text for each fact and a blank line, or "" if there is no fact.
func (p *page) metadata() string {
	var b strings.Builder
	var workItems []string
	if len(p.remaining.WorkItems) > 0 {
		workItems = []string{strings.Join(p.remaining.WorkItems, ", ")}
	}
	place := func(f parse.Field) (key, kept string) {
		if p.layout.List && !strings.HasPrefix(f.Key, "meta.") {
			f.Label = asHeading(strings.ReplaceAll(f.Label, "_", " "))
		}
		return f.Label, fmt.Sprintf("the line %q", f.Label+":")
	}
	p.facts(workItems, place, func(key, value string) { b.WriteString(p.metaLine(key, value)) })
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// isStateKey reports whether the format writes a field as a line of the state section.
func (w *writer) isStateKey(field string) bool {
	return slices.ContainsFunc(w.layout.StateKeys, func(s parse.Slot) bool { return s.Field == field })
}

// slotValues takes the values of a key of the specification from the draft and returns them,
// each on one line. Of a text of several lines it returns the first; the text stays a
// section or becomes one. Without values in the draft it returns the one that the slot has.
func (w *writer) slotValues(s parse.Slot) []string {
	kind, isText := textFields[s.Field]
	values := slices.DeleteFunc(w.take(s.Field), func(v string) bool { return v == "" })
	switch {
	case s.Field == parse.ItemList && len(w.remaining.WorkItems) > 0:
		values, w.remaining.WorkItems = []string{strings.Join(w.remaining.WorkItems, ", ")}, nil
	case isText && len(values) == 0 && !strings.Contains(w.lead(kind), "\n"):
		if text := w.takeLead(kind); text != "" {
			values = []string{text}
		}
	case isText && len(values) == 0:
		values = []string{firstLine(w.lead(kind))}
	case len(values) == 0 && s.Value != "":
		values = []string{s.Value}
	}
	for i, v := range values {
		if isText && strings.Contains(v, "\n") {
			w.addLead(kind, s.Field, v)
			values[i] = firstLine(v)
		}
	}
	return values
}

// addLead inserts the text of a field as a section, in front of the sections of its kind.
func (w *writer) addLead(kind parse.Kind, field, text string) {
	if _, named := w.partOf(kind); !named && w.layout.Free {
		w.addLoss(field, fmt.Sprintf("the section %q", asHeading(kindNames[kind][0])))
	}
	if parts := w.split(DraftSection{Kind: kind, Body: text}); len(parts) > 1 || parts[0].Body != trimBlankLines(text) {
		w.addLoss("heading marks in "+field, `these marks after a "\"`)
		text = escaped(text, "#=")
	}
	w.remaining.Sections = slices.Insert(w.remaining.Sections, max(w.sectionOf(kind), 0),
		DraftSection{Kind: kind, Body: trimBlankLines(text)})
}

// metaLine returns the line of a fact. The value is in quotes if it would read differently
// without.
func (p *page) metaLine(key, value string) string {
	value = p.line(key, value)
	lay := func(value string) string { return strings.TrimRight(p.factLine(key, value), " ") + "\n" }
	for _, q := range []string{"", `"`, "'", "`"} {
		line := lay(q + value + q)
		if fields := outline.MetadataFields(line, 0, len(line), source.NewLines(line),
			outline.LineReader{All: true, Knows: p.read.Knows}); len(fields) == 1 && fields[0].Value == value {
			return line
		}
	}
	return lay(value)
}

// factLine returns a fact as "key: value", or as a list item with a bold key if the layout
// wants a list.
func (w *writer) factLine(key, value string) string {
	if w.layout.List {
		return "- **" + key + ":** " + value
	}
	return key + ": " + value
}

// headingOf returns the heading under which a section is written: its own, or the usual one
// of its kind.
func (p *page) headingOf(s DraftSection) string { return cmp.Or(s.Heading, p.usualHeading(s.Kind)) }

// usualHeading returns the heading for sections of a kind: the name that the specification
// has, or a common one.
func (p *page) usualHeading(kind parse.Kind) string {
	if name, ok := p.partOf(kind); ok {
		return name
	}
	return asHeading(kindNames[kind][0])
}

// sections writes the sections under their headings. One whose heading does not show its
// kind is put below a heading that does; headings with dates are deeper than those of a log.
func (p *page) sections() {
	dates := 0
	for _, s := range p.remaining.Sections {
		if parse.IsDated(s.Heading) {
			dates++
		}
	}
	p.dated = dates >= parse.MinEntries
	var above outlineStack
	for _, s := range p.remaining.Sections {
		h := p.headingOf(s)
		level, ok := p.levelOf(s, &above)
		if !ok {
			above.add(2, s.Kind)
			p.WriteString("## " + p.usualHeading(s.Kind) + "\n\n")
			if level = 3; p.isEntry(h) {
				level = minLogLevel
			}
		}
		above.add(level, s.Kind)
		p.WriteString(strings.Repeat("#", level) + " " + h + "\n\n")
		if s.Body != "" {
			p.WriteString(s.Body + "\n\n")
		}
	}
}

// minLogLevel is the level below which headings with dates begin no entry of a
// log.
const minLogLevel = 4

// isEntry reports whether a heading could be read as the beginning of a log's entry.
func (p *page) isEntry(heading string) bool { return p.dated && parse.IsDated(heading) }

// levelOf returns the level at which a section, below the headings in above, reads as one of
// its kind: its own or, if that is not possible, the outermost. ok is false if the section
// reads as another kind at each level.
func (p *page) levelOf(s DraftSection, above *outlineStack) (level int, ok bool) {
	h := p.headingOf(s)
	own := parse.Section{Kind: p.read.KindOf(outline.Section{Key: h, Level: 2}), Heading: h}
	if s.Heading == "" {
		own.Kind = s.Kind
	}
	for _, level := range []int{min(s.Level, 6), 2, minLogLevel - 1, minLogLevel} {
		if level < 2 || p.isEntry(h) && level < minLogLevel {
			continue
		}
		kind := own.Kind
		if parent := above.parent(level); parent != "" {
			kind = topic.Below(parent, own.Kind, own.Heading)
		} else if level > 2 {
			continue
		}
		if kind == s.Kind {
			return level, true
		}
	}
	return 0, false
}

// An outlineStack is the kinds of the headings that a section is below, by their
// levels; "" for a level without one.
type outlineStack [7]parse.Kind

// add adds a heading at a level, and removes those at this and at deeper levels: what
// follows is not below them.
func (o *outlineStack) add(level int, kind parse.Kind) {
	clear(o[level:])
	o[level] = kind
}

// parent returns the kind of the innermost heading that a heading of a level is below, "" if
// there is none.
func (o *outlineStack) parent(level int) parse.Kind {
	for _, kind := range slices.Backward(o[:level]) {
		if kind != "" {
			return kind
		}
	}
	return ""
}
