package write

import (
	"fmt"
	"strings"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
)

// A Draft is a handoff to be written, or one that was read, without the places
// and derived facts of a [Document]. Texts are UTF-8 with "\n" line ends; blank
// lines around a body, blanks at the end of its lines and the indentation all
// its lines share mean nothing.
type Draft struct {
	// Title is one line.
	Title string
	// Fields are facts by canonical name (see FieldNames) or "meta.<key>". A
	// key given several times is a list; an empty value is null. Label, if
	// set, is the key as it was written; Span is not used.
	Fields []parse.Field
	// Sections are the texts, in order. A heading inside a body (a line that
	// Markdown takes for one) begins a section below it.
	Sections []DraftSection
	// Files are files touched, each path once.
	Files []parse.File
	// WorkItems are ids of tickets or queue items.
	WorkItems []string
}

// A DraftSection is the text about one thing. Heading is empty if it would say no more than
// Kind: the usual heading of the format is written then. Level is that of the heading where
// it was read, 0 for none: a section deeper than level 2 is part of the one before it, if
// the format has such parts.
type DraftSection struct {
	Kind          parse.Kind
	Heading, Body string
	Level         int
}

// A Loss is something in a draft that the format has no place for or cannot hold as it is,
// and where it was kept instead.
type Loss struct{ What, Kept string }

func (l Loss) String() string { return l.What + ": kept as " + l.Kept }

// Write writes a draft as the specification of a format has it: its keys,
// headings and tags in its order. What has no place there is kept at the nearest
// one (an extra key, a section of its kind) and reported as a loss, unless it is a
// "meta" field, which every format keeps under its own name. The text is read
// back, and whatever Parse would find different is reported as well; all else it
// finds as the draft has it.
//
// Write fills in what the specification gives itself (a version, the status of
// a manifest before it is sent) and checks nothing: a draft without what the
// format requires makes an invalid handoff, which Parse reports. It fails for a
// format without a layout and for text over the limits of Parse.
func Write(format string, d Draft) (text []byte, losses []Loss, err error) {
	w, err := newWriter(format)
	if err != nil {
		return nil, nil, err
	}
	w.normalize(d)
	normalized, losses := w.draft(), w.losses
	want := factsOf(normalized)
	out := w.text()
	docs, reads := w.parse(out)
	if !reads { // a text inside it looks like a handoff of its own
		w.remaining, w.losses, w.escape = normalized, losses, true
		out = w.text()
		docs, reads = w.parse(out)
	}
	if limit := sizeLimits[w.shape]; len(out) > limit {
		return nil, nil, fmt.Errorf("%d KiB of text: the limit of %s is %d KiB", len(out)>>10, w.name, limit>>10)
	}
	if !reads {
		w.addLoss("the handoff as a whole", fmt.Sprintf("text that reads as %d handoffs of format %s", len(docs),
			docs[0].Format))
	} else {
		w.readBack(docs[0], want)
	}
	return []byte(out), w.losses, nil
}

// sizeLimits are how much of each shape Parse reads by its structure.
var sizeLimits = map[parse.Shape]int{
	parse.YAML: outline.MaxYAML, parse.XML: outline.MaxXML,
	parse.Markdown: outline.MaxStructure,
}

// Convert writes a document that was read in one format in another, as Write does. A status
// that the new format does not know is kept under another key, and the version of the old
// format is left out; both are losses.
func Convert(d *parse.Document, format string) (text []byte, losses []Loss, err error) {
	w, err := newWriter(format)
	if err != nil {
		return nil, nil, err
	}
	draft, fitted := w.adapt(DraftOf(d), d.Format)
	text, losses, err = Write(format, draft)
	return text, append(fitted, losses...), err
}

// Judge returns the problems of a text that is about to be written as a handoff of a format,
// by the strict form of the format's rules. It returns nil for a format that cannot be
// written.
func Judge(format string, text []byte) []parse.Problem {
	w, err := newWriter(format)
	if err != nil {
		return nil
	}
	var problems []parse.Problem
	for _, d := range parse.Parse(parse.Source{Path: w.layout.Path, Bytes: text, Strict: true}) {
		problems = append(problems, d.Problems...)
	}
	return problems
}

// newWriter returns a writer for the format with a name. It fails if the format cannot be
// written.
func newWriter(name string) (*writer, error) {
	if l := parse.LayoutOf(name); l != nil {
		v := parse.VocabularyOf(name)
		return &writer{name: name, shape: v.Shape(), layout: l, read: v}, nil
	}
	return nil, fmt.Errorf("format %q cannot be written; writable formats: %s", name, strings.Join(parse.Writable(), ", "))
}

// A writer writes one draft in one format.
type writer struct {
	name      string // of the format
	shape     parse.Shape
	layout    *parse.Layout
	read      *parse.Vocabulary
	remaining Draft // what is still to be written
	losses    []Loss
	escape    bool // marks in texts that something else could take for its own
}

func (w *writer) addLoss(what, kept string) {
	w.losses = append(w.losses, Loss{what, kept})
}

// text returns the normalized draft as text in the shape of the format.
func (w *writer) text() string {
	switch w.shape {
	case parse.YAML:
		return w.yaml()
	case parse.XML:
		return w.xml()
	default:
		return w.markdown()
	}
}

// adapt returns a draft, made from a handoff of format from, changed to fit the writer's
// format. The losses are the version of the other format, which is left out, and a status
// that the writer's format does not know, which becomes meta.work_status.
func (w *writer) adapt(d Draft, from string) (Draft, []Loss) {
	var losses []Loss
	var fields []parse.Field
	for _, f := range d.Fields {
		switch {
		case f.Key == "version" && from != w.name:
			losses = append(losses, Loss{fmt.Sprintf("version %q of %s", f.Value, from), "nothing: " + w.name +
				" has its own version numbers"})
			continue
		case f.Key == "status" && w.layout.Statuses != nil && w.statusWord(f.Value) == "":
			first := w.layout.Statuses[0]
			losses = append(losses, Loss{fmt.Sprintf("status %q", f.Value), fmt.Sprintf("work_status; the status is %s", first)})
			fields = append(fields, parse.Field{Key: "meta.work_status", Label: "work_status", Value: f.Value})
			f.Value = first
		}
		fields = append(fields, f)
	}
	d.Fields = fields
	return d, losses
}

// statusWord returns a status as the format's closed list spells it, "" if the list has no
// such word.
func (w *writer) statusWord(status string) string {
	for _, word := range w.layout.Statuses {
		if scan.NormalKey(word) == scan.NormalKey(status) {
			return word
		}
	}
	return ""
}
