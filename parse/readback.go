package parse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// facts are what a draft says, whatever the form: what two drafts must have in
// common to be the same handoff.
type facts struct {
	title    string
	fields   map[string][]string
	order    []string // the keys of fields
	leads    map[Kind]string
	kinds    []Kind // the keys of leads
	sections []DraftSection
	files    []File
	items    []string
}

// facts takes a settled draft.
func (w *writer) facts(d Draft) facts {
	f := facts{title: squeezed(d.Title), fields: map[string][]string{}, leads: map[Kind]string{}, files: d.Files}
	lead := func(k Kind, text string) {
		if text = bare(text); text == "" {
			return
		}
		if f.leads[k] == "" {
			f.kinds = append(f.kinds, k)
			f.leads[k] = text
			return
		}
		f.leads[k] += "\n\n" + text
	}
	for _, x := range d.Fields {
		kind, isText := textFields[x.Key]
		switch {
		case x.Value == "":
		case isText:
			lead(kind, x.Value)
		default:
			if f.fields[x.Key] == nil {
				f.order = append(f.order, x.Key)
			}
			f.fields[x.Key] = append(f.fields[x.Key], plainValue(x.Key, x.Value))
		}
	}
	for _, s := range d.Sections {
		if s.Heading == "" {
			lead(s.Kind, s.Body)
			continue
		}
		s.Heading, s.Body, s.Level = squeezed(plain(s.Heading)), bare(s.Body), 0
		f.sections = append(f.sections, s)
	}
	for _, id := range d.WorkItems {
		f.items = append(f.items, itemIDs(rawField{value: id})...)
	}
	return f
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }

// bare is a text without the white space that means nothing.
func bare(s string) string {
	var block []sourceLine
	for line := range strings.SplitSeq(s, "\n") {
		block = append(block, sourceLine{text: line})
	}
	body, _ := bodyOf(block)
	return body
}

// plainValue is a value without what its field does not tell apart.
func plainValue(key, v string) string {
	v = strings.TrimSpace(v)
	switch key {
	case "status":
		return cmp.Or(normalStatus(v), v)
	case "progress":
		return strings.TrimSpace(strings.TrimSuffix(v, "%"))
	case "priority":
		return plainPriority(v)
	}
	return v
}

func sameValue(key, a, b string) bool { return plainValue(key, a) == plainValue(key, b) }

// reads reports whether a text is one handoff of the format.
func (w *writer) reads(text string) bool {
	docs := w.parse(text)
	return len(docs) == 1 && docs[0].Format == w.name
}

func (w *writer) parse(text string) []*Document {
	return Parse(Source{Path: w.layout.path, Bytes: []byte(text)})
}

// readBack tells what Parse finds different from what was to be written.
func (w *writer) readBack(text string, want facts) {
	docs := w.parse(text)
	if len(docs) != 1 || docs[0].Format != w.name {
		w.lose("the handoff as a whole", fmt.Sprintf("the text, which reads as %d of format %s", len(docs), docs[0].Format))
		return
	}
	other := &writer{format: w.format, read: w.read}
	other.settle(docs[0].Draft())
	w.compare(want, other.facts(other.rest))
}

func (w *writer) compare(want, got facts) {
	if want.title != got.title {
		w.differs("the title", got.title)
	}
	for _, key := range want.order {
		if !slices.Equal(want.fields[key], got.fields[key]) && !w.told(key) {
			w.differs(key, strings.Join(got.fields[key], ", "))
		}
	}
	for _, kind := range want.kinds {
		if want.leads[kind] != got.leads[kind] {
			w.differs("the text about "+string(kind), got.leads[kind])
		}
	}
	for _, s := range want.sections {
		if !slices.Contains(got.sections, s) {
			w.differs("section "+sectionName(s), "")
		}
	}
	for _, f := range want.files {
		if !slices.ContainsFunc(got.files, func(g File) bool { return g.Path == f.Path && (g.Action == f.Action || f.Action == "") }) {
			w.differs(fmt.Sprintf("file %q", cut(f.Path, 60)), "")
		}
	}
	for _, id := range want.items {
		if !slices.Contains(got.items, id) {
			w.differs(fmt.Sprintf("work item %q", cut(id, 60)), "")
		}
	}
}

// differs tells that something reads differently from how it was given.
func (w *writer) differs(what, got string) {
	kept := "its words in the text"
	if got != "" {
		kept += fmt.Sprintf(", which read as %q", cut(got, 60))
	}
	w.lose("the form of "+what, kept)
}

// told reports whether a loss of the field was told already.
func (w *writer) told(key string) bool {
	return slices.ContainsFunc(w.losses, func(l Loss) bool { return strings.HasSuffix(l.What, " of "+key) })
}

// draft is a copy of what is to be written.
func (w *writer) draft() Draft {
	d := w.rest
	d.Fields, d.Sections = slices.Clone(d.Fields), slices.Clone(d.Sections)
	return d
}
