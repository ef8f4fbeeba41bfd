package write

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/metadata"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
)

// A fact is something a draft says, whatever the form: two drafts that have all facts in
// common are the same handoff. whole is set if no other fact has its name.
type fact struct {
	name, value string
	whole       bool
}

// valueEnd separates the values of a list, which hardly contain it.
const valueEnd = "\x00"

// factsOf lists the facts of a normalized draft.
func factsOf(d Draft) []fact {
	facts := []fact{{"the title", squeezed(d.Title), true}}
	add := func(name, sep, value string) {
		if i := slices.IndexFunc(facts, func(f fact) bool { return f.name == name }); i >= 0 {
			facts[i].value += sep + value
		} else if value != "" {
			facts = append(facts, fact{name, value, true})
		}
	}
	var texts []DraftSection // fields that are texts, then sections
	for _, f := range d.Fields {
		if kind, isText := textFields[f.Key]; isText {
			texts = append(texts, DraftSection{Kind: kind, Body: f.Value})
		} else if f.Value != "" {
			add(f.Key, valueEnd, plainValue(f.Key, f.Value))
		}
	}
	for _, s := range append(texts, d.Sections...) {
		if body := outline.Dedented(s.Body); s.Heading == "" && body != "" {
			add("the text about "+string(s.Kind), "\n\n", body)
		}
	}
	for _, s := range d.Sections {
		if s.Heading != "" {
			s.Heading = squeezed(scan.Plain(s.Heading))
			facts = append(facts, fact{name: "section " + sectionName(s), value: string(s.Kind) + "\n" +
				outline.Dedented(s.Body)})
		}
	}
	for _, f := range d.Files {
		facts = append(facts, fact{name: fmt.Sprintf("file %q", scan.Shorten(f.Path, 60)), value: f.Action})
	}
	for _, id := range metadata.ItemIDs(nil, strings.Join(d.WorkItems, ",")) {
		facts = append(facts, fact{name: fmt.Sprintf("work item %q", scan.Shorten(id, 60))})
	}
	return facts
}

// squeezed returns s with one space in place of each run of white space.
func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }

// plainValue returns the value of a field without what makes no difference there: another
// spelling of a status or priority, the percent sign of a progress.
func plainValue(key, v string) string {
	v = strings.TrimSpace(v)
	switch key {
	case "status":
		return cmp.Or(metadata.Status(v), v)
	case "progress":
		return strings.TrimSpace(strings.TrimSuffix(v, "%"))
	case "priority":
		return metadata.Priority(v)
	}
	return v
}

// parse reads a text that was written; ok is false if it does not read as one handoff of the
// format.
func (w *writer) parse(text string) (docs []*parse.Document, ok bool) {
	docs = parse.Parse(parse.Source{Path: w.layout.Path, Bytes: []byte(text)})
	return docs, len(docs) == 1 && docs[0].Format == w.name
}

// readBack adds a loss for each fact of want that document d does not have, or has with
// another value. want has the facts of the draft, and d is what the written text reads as.
func (w *writer) readBack(d *parse.Document, want []fact) {
	other := &writer{name: w.name, shape: w.shape, layout: w.layout, read: w.read}
	other.normalize(DraftOf(d))
	first, all := map[string]string{}, map[[2]string]bool{} // values by name, and both
	for _, f := range factsOf(other.remaining) {
		if _, ok := first[f.name]; !ok {
			first[f.name] = f.value
		}
		all[[2]string{f.name, f.value}] = true
	}
	for _, f := range want {
		value, named := first[f.name]
		found := all[[2]string{f.name, f.value}] || named && (f.whole || f.value == "")
		switch {
		case f.whole && found && value != f.value && !w.isReported(f.name):
			w.differs(f.name, strings.ReplaceAll(value, valueEnd, ", "))
		case !found && (!f.whole || !w.isReported(f.name)):
			w.differs(f.name, "")
		}
	}
}

// differs adds the loss that something reads differently from how it was given; got is what
// it reads as.
func (w *writer) differs(what, got string) {
	kept := "text"
	if got != "" {
		kept += fmt.Sprintf(", which reads as %q", scan.Shorten(got, 60))
	}
	w.addLoss("the form of "+what, kept)
}

// isReported reports whether there is already a loss that concerns the fact with the name
// key.
func (w *writer) isReported(key string) bool {
	return slices.ContainsFunc(w.losses, func(l Loss) bool { return strings.HasSuffix(l.What, " of "+key) })
}

// draft returns a copy of what is still to be written.
func (w *writer) draft() Draft {
	d := w.remaining
	d.Fields, d.Sections = slices.Clone(d.Fields), slices.Clone(d.Sections)
	return d
}
