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

// A handoffText is a handoff as the templates show it.
type handoffText struct {
	Options
	*index.Handoff
	Facts []Fact
	Parts []Part
	// Left counts the bytes of text that are left out.
	Left int
	// Plain says that a text is shown as it was written.
	Plain bool
	// Served says that the text has a page of its own, with a table of contents.
	Served bool
}

// Acked reports whether a person has acknowledged what the handoff asks for.
func (v handoffText) Acked() bool { return slices.Contains(v.States, "acked") }

// HasContents reports whether there are headings enough for a table of contents.
func (v handoffText) HasContents() bool { return v.Served && len(v.Parts) > 3 }

// Fact is a line of the card above the text.
type Fact struct {
	Name   string
	Values []Linked
}

// Part is a heading and the text below it.
type Part struct {
	Heading, Kind string
	Body          template.HTML
}

// handoff makes of a handoff what is shown, with at most room bytes of its text.
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

// A cutter hands out texts as long as there is room.
type cutter struct{ room, left int }

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

// facts returns those that are known, each leading to the handoffs that share it.
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

// maxFiles bounds the files that are listed.
const maxFiles = 40

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

// Condition writes that a field has a value, as a query.
func Condition(field, value string) string {
	if value == "" {
		return ""
	}
	return field + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

// maxPageText bounds the text of a handoff on a page of its own, in bytes.
const maxPageText = 512 << 10

// HandoffPage is a handoff with what is around it.
type HandoffPage struct {
	Frame
	Tab      string // read, raw, history or changes
	Full     *index.Handoff
	Versions []index.Version
	// Raw is the file's text, as far as it is shown; RawLeft counts the bytes that
	// are not.
	Raw     string
	RawLeft int
	// From is the version that Changes leads from, as a unified diff; nil if there is none.
	From    *index.Summary
	Changes string
	// Newer and Older are its neighbours in its project.
	Newer, Older *index.Summary
	// Acked is when it was acknowledged, zero if it is not; Note what was said.
	Acked time.Time
	Note  string
}

// A Copy is a text that a button copies.
type Copy struct{ Label, Text string }

// Copies returns what can be copied of a handoff, but for what is masked.
func (v handoffText) Copies() []Copy {
	list := []Copy{{"Copy id", v.ID}, {"Copy command", "handex show " + v.ID}}
	if path := cmp.Or(v.VersionOf, v.Summary.Path); v.masked(path) == path {
		list = slices.Insert(list, 1, Copy{"Copy path", path})
	}
	return list
}

// A DiffLine is a line of a diff: Kind is ins, del or place, "" for what did not change.
type DiffLine struct{ Text, Kind string }

// DiffLines returns the lines of Changes without the names of the files.
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

// WriteHandoff writes a handoff's page.
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
