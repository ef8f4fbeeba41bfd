package pages

import (
	"cmp"
	"html/template"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"handex/cmd/internal/render"
	"handex/index"
	"handex/parse"
)

// A Handoff is one as a page shows it.
type Handoff struct {
	ID, Title   string
	Link        string
	Date        Stamp
	Project     Linked
	Badges      []Badge
	Facts       []Fact
	Escalations []string
	Parts       []Part
	Problems    []Problem
	// Left counts the bytes of text that are left out.
	Left int
}

// Linked is a text that may lead somewhere.
type Linked struct{ Text, Link string }

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

// Problem is a rule the handoff breaks.
type Problem struct{ Severity, Message, Rule, Line string }

// handoff makes of a handoff what is shown, with at most room bytes of its text.
func (o Options) handoff(h *index.Handoff, room int) Handoff {
	v := Handoff{
		ID: h.ID, Title: o.titleOf(h.Summary), Link: o.Links.handoff(h.ID), Date: o.stamp(h.Date, h.DatePrecision),
		Project: Linked{o.line(h.Project), o.leads("project", h.Project)},
		Badges:  badges(h.States), Facts: o.facts(h),
	}
	for _, e := range h.Escalations {
		v.Escalations = append(v.Escalations, o.line(e.Text))
	}
	cut := cutter{room: room}
	wrapped := strings.EqualFold(filepath.Ext(cmp.Or(h.VersionOf, h.Path)), ".md")
	if head := Markdown(o.masked(cut.take(h.Head)), true); head != "" {
		v.Parts = append(v.Parts, Part{Body: head})
	}
	for _, s := range h.Sections {
		body := cut.take(s.Body)
		if cut.left > 0 && body == "" {
			continue
		}
		heading := s.Heading
		if heading == "" {
			heading = string(s.Kind)
		}
		v.Parts = append(v.Parts, Part{o.line(heading), string(s.Kind), Markdown(o.masked(body), !wrapped)})
	}
	v.Left = cut.left
	v.Problems = o.problems(h.Problems)
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

func (o Options) problems(problems []parse.Problem) []Problem {
	var list []Problem
	for _, p := range problems {
		at := ""
		if p.Line > 0 {
			at = "line " + strconv.Itoa(p.Line)
		}
		list = append(list, Problem{p.Severity.String(), o.line(p.Message), p.Rule, at})
	}
	return list
}

// facts are those that are known, each leading to the handoffs that share it.
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
	field := func(name, value string) Linked {
		return Linked{o.line(value), o.leads(name, value)}
	}
	add("project", field("project", h.Project), Linked{Text: o.path(h.Root)})
	add("format", field("format", h.Format))
	add("status", field("status", h.Status))
	add("from", field("from", h.From))
	add("to", field("to", h.To))
	add("branch", field("branch", h.Branch))
	add("session", field("session", h.Session))
	add("work items", o.each("item", h.WorkItems)...)
	add("links", o.links(h.Links)...)
	add("files", o.files(h.Files)...)
	add("path", Linked{Text: o.path(cmp.Or(h.VersionOf, h.Path))})
	if h.VersionOf != "" {
		add("earlier version", Linked{Text: cmp.Or(gitCommit(h.Revision), "kept when it was overwritten")})
	}
	return list
}

func gitCommit(revision string) string {
	if revision == "" {
		return ""
	}
	return "of git commit " + revision
}

func (o Options) path(path string) string { return o.masked(render.Path(path)) }

func (o Options) each(field string, values []string) []Linked {
	var list []Linked
	for _, v := range values {
		list = append(list, Linked{o.line(v), o.leads(field, v)})
	}
	return list
}

func (o Options) links(links []parse.Link) []Linked {
	var list []Linked
	for _, l := range links {
		list = append(list, Linked{Text: o.line(l.Relation + " " + l.Target)})
	}
	return list
}

// maxFiles bounds the files that are listed.
const maxFiles = 40

func (o Options) files(files []parse.File) []Linked {
	var list []Linked
	for i, f := range files {
		if i == maxFiles {
			return append(list, Linked{Text: "and " + thousands(len(files)-maxFiles) + " more"})
		}
		list = append(list, Linked{Text: o.line(f.Path + " " + f.Action)})
	}
	return list
}

// leads is where a value leads: to those that have it, unless the address would tell
// what is masked.
func (o Options) leads(field, value string) string {
	if o.masked(value) != value {
		return ""
	}
	return o.Links.search(Condition(field, value))
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
	Tab      string // read, raw or history
	Full     *index.Handoff
	Versions []index.Version
	// Raw is the file's text, as far as it is shown; RawLeft counts the bytes that
	// are not.
	Raw     string
	RawLeft int
	// Newer and Older are its neighbours in its project.
	Newer, Older *index.Summary
	// Acked is when it was acknowledged, zero if it is not; Note what was said.
	Acked time.Time
	Note  string
}

// A handoffView is a HandoffPage as the template takes it.
type handoffView struct {
	HandoffPage
	Handoff
	Newer, Older *Linked
	Versions     []VersionRow
	Raw          string
	Acked        Stamp
	Escalated    bool
}

// VersionRow is a line of a handoff's history.
type VersionRow struct {
	Linked
	Here           bool
	Written, Until Stamp
}

// WriteHandoff writes a handoff's page.
func WriteHandoff(w io.Writer, p HandoffPage, o Options) error {
	v := handoffView{HandoffPage: p, Handoff: o.handoff(p.Full, maxPageText), Acked: o.stamp(p.Acked, "")}
	v.Newer, v.Older = o.neighbour(p.Newer), o.neighbour(p.Older)
	v.Raw = o.masked(render.Clean(p.Raw))
	v.Escalated = len(p.Full.Escalations) > 0
	for _, one := range p.Versions {
		v.Versions = append(v.Versions, VersionRow{
			Linked{o.titleOf(one.Summary), o.Links.handoff(one.ID)},
			one.ID == p.Full.ID,
			o.stamp(one.Updated, ""), o.stamp(one.Replaced, ""),
		})
	}
	v.Frame.Title = v.Title
	return write(w, "handoff.tmpl", v)
}

func (o Options) neighbour(h *index.Summary) *Linked {
	if h == nil {
		return nil
	}
	return &Linked{o.titleOf(*h), o.Links.handoff(h.ID)}
}
