package write

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/metadata"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
	"github.com/OWNER/handex/parse/internal/topic"
)

// normalize converts a draft to the form that the layouts are written from, and keeps it as
// the draft to be written: text that the shape can hold, one section for each heading, each
// fact where the format has it. Text that has to change is a loss.
func (w *writer) normalize(d Draft) {
	w.remaining = Draft{Title: w.line("title", d.Title)}
	for _, f := range d.Fields {
		w.normalizeField(f)
	}
	for _, s := range d.Sections {
		s.Heading = w.line(fmt.Sprintf("heading %q", scan.Shorten(s.Heading, 60)), s.Heading)
		s.Body = w.held("section "+sectionName(s), s.Body)
		w.remaining.Sections = append(w.remaining.Sections, w.split(s)...)
	}
	for _, f := range d.Files {
		if f.Path = w.line(fmt.Sprintf("file %q", scan.Shorten(f.Path, 60)), f.Path); f.Path == "" {
			continue
		}
		if i := slices.IndexFunc(w.remaining.Files, func(g parse.File) bool { return g.Path == f.Path }); i < 0 {
			w.remaining.Files = append(w.remaining.Files, f)
		} else if w.remaining.Files[i].Action == "" {
			w.remaining.Files[i].Action = f.Action
		}
	}
	for _, id := range d.WorkItems {
		if id = w.line(fmt.Sprintf("work item %q", scan.Shorten(id, 60)), id); id != "" {
			w.remaining.WorkItems = append(w.remaining.WorkItems, id)
		}
	}
	w.dropRepeated()
}

// normalizeField adds a field to the draft to be written, under the label that it is written
// with. A meta field of several lines becomes a section, and one that means work items
// becomes work items.
func (w *writer) normalizeField(f parse.Field) {
	f.Value = w.held(f.Key, f.Value)
	name, isMeta := strings.CutPrefix(f.Key, "meta.")
	switch {
	case f.Key == "title":
		if w.remaining.Title == "" {
			w.remaining.Title = w.line("title", f.Value)
		}
		return
	case !isMeta:
		f.Label = cmp.Or(fieldLabels[f.Key], f.Key)
	case f.Label == "" || metadata.MetaKey(f.Label) != f.Key:
		f.Label = name
	}
	if strings.HasSuffix(f.Value, "\n") || strings.HasPrefix(f.Value, "\n") {
		f.Value = strings.TrimSpace(f.Value)
	}
	own := w.read.Field(f.Label)
	switch {
	case isMeta && strings.Contains(strings.TrimSpace(f.Value), "\n"):
		w.addLoss(f.Key, fmt.Sprintf("the section %q", f.Label))
		w.remaining.Sections = append(w.remaining.Sections,
			w.split(DraftSection{Kind: w.read.TextKind(f.Label), Heading: f.Label, Body: f.Value})...)
		return
	case isMeta && own == "item":
		w.remaining.WorkItems = append(w.remaining.WorkItems, metadata.ItemIDs(nil, f.Value)...)
		return
	case f.Key == "status":
		f.Value = cmp.Or(w.statusWord(f.Value), f.Value)
	}
	w.remaining.Fields = append(w.remaining.Fields, f)
}

// dropRepeated removes a field such as a goal that only repeats the first line of the text
// about it: formats that have both have it twice.
func (w *writer) dropRepeated() {
	for i, f := range w.remaining.Fields {
		kind, ok := textFields[f.Key]
		if ok && f.Value != "" && f.Value == firstLine(w.lead(kind)) {
			w.remaining.Fields = slices.Delete(w.remaining.Fields, i, i+1)
			return
		}
	}
}

// lead returns the text of a kind that is under its usual heading, so that its sections have
// no heading of their own.
func (w *writer) lead(kind parse.Kind) string {
	var parts []string
	for _, s := range w.remaining.Sections {
		if s.Kind == kind && s.Heading == "" && s.Body != "" {
			parts = append(parts, s.Body)
		}
	}
	return strings.Join(parts, "\n\n")
}

// takeLead returns the same text as lead, and removes its sections from the draft.
func (w *writer) takeLead(kind parse.Kind) string {
	text := w.lead(kind)
	w.remaining.Sections = slices.DeleteFunc(w.remaining.Sections, func(s DraftSection) bool {
		return s.Kind == kind && s.Heading == ""
	})
	return text
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// take removes the fields with a key from the draft and returns their values.
func (w *writer) take(key string) []string {
	var values []string
	w.remaining.Fields = slices.DeleteFunc(w.remaining.Fields, func(f parse.Field) bool {
		if f.Key == key {
			values = append(values, f.Value)
		}
		return f.Key == key
	})
	return values
}

func (w *writer) has(key string) bool {
	return slices.ContainsFunc(w.remaining.Fields, func(f parse.Field) bool { return f.Key == key })
}

// split returns a section as several, one for each heading in its body. A heading that says
// no more than the kind is left out.
func (w *writer) split(s DraftSection) []DraftSection {
	if isUsual(s.Kind, s.Heading) {
		s.Heading = ""
	}
	s.Body = trimBlankLines(s.Body)
	if !headingMark().MatchString(s.Body) {
		return []DraftSection{s}
	}
	o := outline.ReadMarkdown(s.Body, 0, source.NewLines(s.Body))
	if len(o.Sections) == 0 {
		return []DraftSection{s}
	}
	all, body := []DraftSection{}, s.Body
	if s.Body = trimBlankLines(body[:o.HeadEnd]); s.Body != "" || s.Heading != "" {
		all = append(all, s)
	}
	for _, in := range o.Sections {
		head := strings.Trim(body[in.Span.Start:in.Span.End-len(in.Body)], "# \t\n")
		if !strings.HasPrefix(strings.TrimLeft(body[in.Span.Start:], " "), "#") {
			head = firstLine(head) // the other one is the underline
		}
		own := DraftSection{Heading: head, Body: trimBlankLines(in.Body), Level: in.Level}
		own.Kind = topic.Below(s.Kind, w.read.KindOf(in), in.Heading)
		if own.Body != "" && isUsual(own.Kind, head) {
			own.Heading = ""
		}
		all = append(all, own)
	}
	return all
}

// headingMark begins a line that may be a heading or underline one.
var headingMark = scan.Pattern(`(?m)^ *[#=]`)

// trimBlankLines removes the blank lines from both ends of a text.
func trimBlankLines(s string) string {
	s = strings.TrimRight(s, " \t\n")
	return s[scan.LineStart(s, len(s)-len(strings.TrimLeftFunc(s, unicode.IsSpace))):]
}

// held returns s with "\n" line ends and with a sign in place of each character that the
// shape cannot hold. Each such character is a loss; what names the text in its message.
func (w *writer) held(what, s string) string {
	if valid := strings.ToValidUTF8(s, "\ufffd"); valid != s {
		w.addLoss("invalid UTF-8 in "+what, "\ufffd")
		s = valid
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	told := map[rune]bool{}
	return strings.Map(func(r rune) rune {
		if w.canHold(r) {
			return r
		}
		sign := rune(0xfffd)
		if r < 0x20 {
			sign = 0x2400 + r // the picture of the control character
		}
		if !told[r] {
			told[r] = true
			w.addLoss(fmt.Sprintf("U+%04X in %s", r, what), string(sign))
		}
		return sign
	}, s)
}

// canHold reports whether a character can be in a text of the shape.
func (w *writer) canHold(r rune) bool {
	switch w.shape {
	case parse.YAML:
		return true // escaped
	case parse.Markdown:
		return r != 0
	}
	return r >= 0x20 && r != 0xfffe && r != 0xffff || r == '\n' || r == '\t'
}

// line returns s on one line and as held would. Line breaks that become spaces are a loss;
// what names the text in its message.
func (w *writer) line(what, s string) string {
	s = w.held(what, strings.TrimSpace(s))
	if !strings.Contains(s, "\n") {
		return s
	}
	w.addLoss("line breaks of "+what, "spaces")
	return strings.Join(strings.Fields(s), " ")
}

// sectionName returns the name of a section for a message: its heading in quotes, or its
// kind if it has none.
func sectionName(s DraftSection) string {
	if s.Heading != "" {
		return fmt.Sprintf("%q", scan.Shorten(s.Heading, 60))
	}
	return string(s.Kind)
}
