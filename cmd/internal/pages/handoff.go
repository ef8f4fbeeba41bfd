package pages

import (
	"cmp"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// A handoffText is the text of a handoff as the templates need it.
type handoffText struct {
	Options
	*index.Handoff
	Facts []Fact
	Parts []Part
	// Left counts the bytes of text that are left out.
	Left int
	// Plain says that some text is shown unconverted, as it was written.
	Plain bool
	// Served says that the text has a page of its own, with a table of contents.
	Served bool
}

// Acked reports whether the handoff is acknowledged.
func (v handoffText) Acked() bool { return slices.Contains(v.States, "acked") }

// HasContents reports whether the page has a table of contents: the text has more than
// three parts and a page of its own.
func (v handoffText) HasContents() bool { return v.Served && len(v.Parts) > 3 }

// Fact is a line of the card above the text: a name and its values.
type Fact struct {
	Name   string
	Values []Linked
}

// Part is a heading and the text below it.
type Part struct {
	Heading, Kind string
	Body          template.HTML
}

// handoff returns the text of a handoff for the templates, with at most room bytes of it.
func (o Options) handoff(h *index.Handoff, room int) handoffText {
	v := handoffText{Options: o, Handoff: h, Facts: o.facts(h)}
	cut, texts := cutter{room: room}, prose{room: maxNodes}
	wrapped := strings.EqualFold(filepath.Ext(cmp.Or(h.VersionOf, h.Path)), ".md")
	if head := texts.markdown(o.masked(cut.take(render.Head(h))), true); head != "" {
		v.Parts = append(v.Parts, Part{Body: head})
	}
	for _, s := range h.Sections {
		body := cut.take(s.Body)
		if cut.left > 0 && body == "" {
			continue
		}
		heading := o.Line(cmp.Or(s.Heading, string(s.Kind)))
		v.Parts = append(v.Parts, Part{heading, string(s.Kind), texts.markdown(o.masked(body), !wrapped)})
	}
	v.Left, v.Plain = cut.left, texts.plain
	return v
}

// A cutter limits the length of several texts together; left counts the bytes it cut off.
type cutter struct{ room, left int }

// take returns text, cut at the end of a line if it is longer than the remaining room.
func (c *cutter) take(text string) string {
	if len(text) <= c.room {
		c.room -= len(text)
		return text
	}
	kept := text[:max(c.room, 0)]
	kept = kept[:strings.LastIndexByte(kept, '\n')+1]
	c.room = 0
	c.left += len(text) - len(kept)
	return kept
}

// facts returns the known facts of a handoff. Their values link to the handoffs that share
// them.
func (o Options) facts(h *index.Handoff) []Fact {
	var list []Fact
	add := func(name string, values ...Linked) {
		var known []Linked
		for _, v := range values {
			if v.Text != "" {
				known = append(known, v)
			}
		}
		if known != nil {
			list = append(list, Fact{name, known})
		}
	}
	add("project", o.Field("project", h.Project), Linked{Text: o.Path(h.Root)})
	for _, f := range []struct{ name, value string }{
		{"member", h.Member},
		{"format", h.Format},
		{"status", h.Status},
		{"from", h.From},
		{"to", h.To},
		{"branch", h.Branch},
		{"session", h.Session},
	} {
		add(f.name, o.Field(f.name, f.value))
	}
	add("work items", render.Each(h.WorkItems, func(item string) Linked { return o.Field("item", item) })...)
	add("links", render.Each(h.Links, func(l parse.Link) Linked {
		return Linked{Text: o.Line(l.Relation + " " + l.Target)}
	})...)
	add("files", o.files(h.Files)...)
	add("path", Linked{Text: o.Path(cmp.Or(h.VersionOf, h.Path))})
	if h.VersionOf != "" {
		text := "kept when it was overwritten"
		if h.Revision != "" {
			text = "from git commit " + h.Revision
		}
		add("earlier version", Linked{Text: text})
	}
	return list
}

// maxFiles is the maximum number of files that are listed.
const maxFiles = 40

// files returns the files of a handoff as values of a fact, at most maxFiles.
func (o Options) files(files []parse.File) []Linked {
	var list []Linked
	for i, f := range files {
		if i == maxFiles {
			return append(list, Linked{Text: "and " + render.Thousands(len(files)-maxFiles) + " more"})
		}
		list = append(list, Linked{Text: o.Line(f.Path + " " + f.Action)})
	}
	return list
}

// Condition returns the condition of a query that a field has exactly this value, "" if the
// value is empty.
func Condition(field, value string) string {
	if value == "" {
		return ""
	}
	return field + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

// maxPageText is the maximum length of a handoff's text on its own page, in bytes.
const maxPageText = 512 << 10

// HandoffPage is the page of one handoff, with its versions and neighbours.
type HandoffPage struct {
	Frame
	Tab      string // read, raw, history or changes
	Full     *index.Handoff
	Versions []index.Version
	// Raw is the beginning of the file's text; RawLeft counts the bytes that are not shown.
	Raw     string
	RawLeft int
	// From is the older version with which Changes, a unified diff, compares; nil if there
	// is none.
	From    *index.Summary
	Changes string
	// Newer and Older are its neighbours in its project.
	Newer, Older *index.Summary
	// Acked is when it was acknowledged, zero if it is not; Note is the note of that.
	Acked time.Time
	Note  string
}

// A Copy is a button that copies Text.
type Copy struct{ Label, Text string }

// Copies returns the texts of a handoff that buttons copy: its id, its path unless that is
// masked, and a command that shows it.
func (v handoffText) Copies() []Copy {
	list := []Copy{{"Copy id", v.ID}, {"Copy command", "handex show " + v.ID}}
	if path := cmp.Or(v.VersionOf, v.Summary.Path); v.masked(path) == path {
		list = slices.Insert(list, 1, Copy{"Copy path", path})
	}
	return list
}

// A DiffLine is a line of a diff. Kind is "ins", "del" or "place" (the line numbers), and
// "" for an unchanged line.
type DiffLine struct{ Text, Kind string }

// DiffLines returns the lines of Changes without the header with the names of the files.
func (p HandoffPage) DiffLines() []DiffLine {
	var list []DiffLine
	_, text, _ := strings.Cut(p.Changes, "\n@@")
	if text == "" {
		return nil
	}
	for line := range strings.Lines("@@" + text) {
		kind := map[byte]string{'+': "ins", '-': "del", '@': "place"}[line[0]]
		list = append(list, DiffLine{line, kind})
	}
	return list
}

// WriteHandoff writes the page of a handoff.
func WriteHandoff(w io.Writer, p HandoffPage, o Options) error {
	p.Title = o.TitleOf(p.Full.Summary)
	text := o.handoff(p.Full, maxPageText)
	text.Served = true
	return write(w, "handoff.tmpl", struct {
		HandoffPage
		Options
		Text handoffText
	}{p, o, text})
}
