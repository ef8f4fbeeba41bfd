package write

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/paths"
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
)

// sortSections sorts the sections in the order of the specification, if it has one.
func (w *writer) sortSections() {
	if w.layout.Sorted {
		slices.SortStableFunc(w.remaining.Sections, func(a, b DraftSection) int {
			return cmp.Compare(w.rank(a.Kind), w.rank(b.Kind))
		})
	}
}

// facts calls write with the key and the value of each fact: those of the specification,
// then the others. place returns the key of a fact that the specification does not name, and
// how its loss is described; a fact without a key becomes a section. workItems are the work
// items as values of such a key. Facts of the state section stay in the draft, and texts
// become sections.
func (w *writer) facts(workItems []string, place func(parse.Field) (key, kept string), write func(key, value string)) {
	for _, s := range w.layout.Keys {
		for _, v := range w.slotValues(s) {
			write(s.Key, v)
		}
	}
	if w.remaining.WorkItems == nil {
		workItems = nil // the specification has a key for them
	}
	fields := w.remaining.Fields
	if w.remaining.Title != "" {
		fields = append([]parse.Field{{Key: "title", Label: "title", Value: w.remaining.Title}}, fields...)
	}
	for _, id := range workItems {
		fields = append(fields, parse.Field{Key: "work items", Label: "work_queue_items", Value: id})
	}
	w.remaining.Fields = nil
	for _, f := range fields {
		kind, isText := textFields[f.Key]
		switch key, kept := place(f); {
		case w.isStateKey(f.Key):
			w.remaining.Fields = append(w.remaining.Fields, f)
		case isText && f.Value != "":
			w.addLead(kind, f.Key, f.Value)
		case key == "":
			w.addLoss(f.Key, kept)
			w.remaining.Sections = append(w.remaining.Sections, DraftSection{Kind: parse.Other, Body: "- " + f.Label + ": " +
				f.Value})
		case strings.HasPrefix(f.Key, "meta."):
			write(key, f.Value)
		case f.Value != "":
			w.addLoss(f.Key, kept)
			write(key, f.Value)
		}
	}
}

// stateSection inserts the facts that the format writes as lines of the state section at the
// front of that section, and with them a blocker of one line.
func (w *writer) stateSection() {
	if w.layout.StateKeys == nil {
		return
	}
	var lines []string
	for _, s := range w.layout.StateKeys {
		for _, v := range w.take(s.Field) {
			if v == "" {
				continue
			}
			if s.Field == "progress" && isNumber(v) {
				v += "%"
			}
			lines = append(lines, w.factLine(s.Key, w.line(s.Field, v)))
		}
	}
	blockers := w.lead(parse.Blockers)
	isLine := blockers != "" && !strings.Contains(blockers, "\n") && scan.CleanValue(blockers) == blockers
	if _, isItem := scan.ItemText(blockers); isLine && !isItem && !slices.ContainsFunc(w.remaining.Sections,
		func(s DraftSection) bool { return s.Kind == parse.Blockers && s.Heading != "" }) {
		lines = append(lines, w.factLine("Blockers", w.takeLead(parse.Blockers)))
	}
	w.insertLines(parse.State, lines, 0)
}

// insertLines inserts lines at the front of the text of a kind. If there is no section of
// the kind, they are a new one at index at.
func (w *writer) insertLines(kind parse.Kind, lines []string, at int) {
	if lines == nil {
		return
	}
	if lead := w.takeLead(kind); lead != "" {
		lines = append(lines, "", lead)
	}
	if i := w.sectionOf(kind); i >= 0 {
		at = i
	}
	w.remaining.Sections = slices.Insert(w.remaining.Sections, min(at, len(w.remaining.Sections)),
		DraftSection{Kind: kind, Body: strings.Join(lines, "\n")})
}

// sectionOf returns the index of the first section of a kind, -1 if there is none.
func (w *writer) sectionOf(kind parse.Kind) int {
	return slices.IndexFunc(w.remaining.Sections, func(s DraftSection) bool { return s.Kind == kind })
}

// fileSection inserts the files that no section about files names, as a list at the front of
// the text about files.
func (w *writer) fileSection() {
	var named []paths.Ref
	for _, s := range w.remaining.Sections {
		if s.Kind == parse.Files {
			named = append(named, paths.Listed(s.Heading, s.Body, false)...)
		}
	}
	var lines []string
	for _, f := range w.remaining.Files {
		if !slices.ContainsFunc(named, func(g paths.Ref) bool { return g.Path == f.Path && g.Action == f.Action }) {
			lines = append(lines, fileLine(f))
		}
	}
	w.insertLines(parse.Files, lines, len(w.remaining.Sections))
}

// fileLine returns a file as an item of a list with its action, as in "- main.go (created)".
// The path is in back quotes if it would read differently without.
func fileLine(f parse.File) string {
	action := ""
	if f.Action != "" {
		action = " (" + f.Action + ")"
	}
	for _, quote := range []string{"", "`"} {
		line := "- " + quote + f.Path + quote + action
		if found := paths.Listed("", line, false); len(found) == 1 && found[0].Path == f.Path && found[0].Action == f.Action {
			return line
		}
	}
	return "- " + f.Path + action
}

// contained returns the body of a section. If it would hide the headings behind it, by a
// code fence or a tag that is never closed, a backslash is put before such marks, which is a
// loss. If w.escape is set, this is done in every body.
func (w *writer) contained(s DraftSection) string {
	if !w.escape && endsWell(s.Body) {
		return s.Body
	}
	for _, marks := range []string{"<`~", "<`~#="} {
		if body := escaped(s.Body, marks); body == s.Body || endsWell(body) {
			if body != s.Body {
				w.addLoss(fmt.Sprintf("Markdown marks at the start of lines of section %s", sectionName(s)),
					`these marks after a "\"`)
			}
			return body
		}
	}
	return s.Body
}

// endsWell reports whether a heading behind a body reads as a heading, and is the only one.
func endsWell(body string) bool {
	if !strings.ContainsAny(body, "<`~#=") {
		return true
	}
	text := body + "\n\n# end\n"
	o := outline.ReadMarkdown(text, 0, source.NewLines(text))
	return len(o.Sections) == 1 && o.Sections[0].Heading == "end" && len(o.Problems) == 0
}

// escaped returns a text with a backslash before each of marks that begins a line.
func escaped(body, marks string) string {
	return regexp.MustCompile("(?m)^ {0,3}["+marks+"]").ReplaceAllStringFunc(body, func(lead string) string {
		return lead[:len(lead)-1] + `\` + lead[len(lead)-1:]
	})
}

// namedSections calls put with the name and the text of each section, those of one kind as
// one text. isOwn reports whether a section's heading is a name itself, under which the
// section is written alone; isFree whether a name can be used for a kind; kept describes for
// a loss where the text with a name is.
func (w *writer) namedSections(isOwn func(DraftSection) bool, isFree func(string, parse.Kind) bool,
	kept func(string) string, put func(name, text string),
) {
	for len(w.remaining.Sections) > 0 {
		s := w.remaining.Sections[0]
		if isOwn(s) {
			w.remaining.Sections = w.remaining.Sections[1:]
			put(s.Heading, s.Body)
			continue
		}
		text := w.takeKind(s.Kind, isOwn)
		name, named := w.partOf(s.Kind)
		if name = asKey(name); !named && text != "" {
			name = w.kindName(s.Kind, isFree)
			w.addLoss("section "+sectionName(s), kept(name))
		}
		if text != "" {
			put(name, text)
		}
	}
}

// kindName returns a name for texts of a kind: the first of kindNames that isFree accepts
// or, if it accepts none, one that ends in "_text".
func (w *writer) kindName(kind parse.Kind, isFree func(string, parse.Kind) bool) string {
	for _, name := range kindNames[kind] {
		if name = asKey(name); isFree(name, kind) {
			return name
		}
	}
	return asKey(kindNames[kind][0]) + "_text"
}

// takeKind removes all sections of a kind from the draft, but for those that isOwn accepts,
// and returns them with their headings as one text.
func (w *writer) takeKind(kind parse.Kind, isOwn func(DraftSection) bool) string {
	all := []DraftSection{{Kind: kind, Body: w.takeLead(kind)}}
	w.remaining.Sections = slices.DeleteFunc(w.remaining.Sections, func(s DraftSection) bool {
		if s.Kind != kind || isOwn(s) {
			return false
		}
		all = append(all, s)
		return true
	})
	var parts []string
	for i, s := range all {
		if i+1 < len(all) {
			s.Body = w.contained(s)
		}
		if s.Heading != "" {
			s.Body = strings.TrimRight(strings.Repeat("#", min(max(3, s.Level), 6))+" "+s.Heading+"\n\n"+s.Body, "\n")
		}
		if s.Body != "" {
			parts = append(parts, s.Body)
		}
	}
	return strings.Join(parts, "\n\n")
}
