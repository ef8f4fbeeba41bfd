package render

import (
	"time"

	"handex/index"
	"handex/parse"
)

// Schema is the version of the JSON below. Within a version fields are only
// added.
const Schema = 1

// Wire is a handoff as programs get it. What a handoff does not say is absent;
// times are RFC 3339 in UTC.
type Wire struct {
	ID            string        `json:"id"`
	Project       string        `json:"project,omitempty"`
	Root          string        `json:"root,omitempty"`
	Format        string        `json:"format,omitempty"`
	Path          string        `json:"path"`
	VersionOf     string        `json:"version_of,omitempty"`
	Commit        string        `json:"commit,omitempty"`
	Entry         int           `json:"entry,omitempty"`
	Session       string        `json:"session,omitempty"`
	From          string        `json:"from,omitempty"`
	To            string        `json:"to,omitempty"`
	Date          time.Time     `json:"date,omitzero"`
	DateSource    string        `json:"date_source,omitempty"`
	DatePrecision string        `json:"date_precision,omitempty"`
	Updated       time.Time     `json:"updated,omitzero"`
	Title         string        `json:"title,omitempty"`
	Goal          string        `json:"goal,omitempty"`
	Status        string        `json:"status,omitempty"`
	Branch        string        `json:"branch,omitempty"`
	States        []string      `json:"states,omitempty"`
	Snippets      []WireSnippet `json:"snippets,omitempty"`
	Score         float64       `json:"score,omitzero"`
	Missing       []string      `json:"missing,omitempty"`
	Stale         string        `json:"stale,omitempty"` // why what is known is from before
	Why           *WireWhy      `json:"why,omitempty"`   // what decided, if that was asked
	*WireText
}

// WireSnippet is a line that answers the query; spans are byte ranges of text.
type WireSnippet struct {
	Section string   `json:"section,omitempty"`
	Line    int      `json:"line,omitempty"`
	Text    string   `json:"text"`
	Spans   [][2]int `json:"spans,omitempty"`
}

// WireText is the part of a handoff that only show gives.
type WireText struct {
	Head        string              `json:"head,omitempty"`
	Escalations []WireLine          `json:"escalations,omitempty"`
	Sections    []WireSection       `json:"sections,omitempty"`
	Items       []WireItem          `json:"items,omitempty"`
	Files       []WireFile          `json:"files,omitempty"`
	WorkItems   []string            `json:"work_items,omitempty"`
	Approaches  []WireApproach      `json:"approaches,omitempty"`
	Links       []WireLink          `json:"links,omitempty"`
	Meta        map[string][]string `json:"meta,omitempty"`
	Problems    []WireProblem       `json:"problems,omitempty"`
}

// WireLine is a line of the file.
type WireLine struct {
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

// WireSection is a heading and the text below it.
type WireSection struct {
	Kind    string `json:"kind"`
	Heading string `json:"heading,omitempty"`
	Level   int    `json:"level,omitempty"`
	Line    int    `json:"line,omitempty"`
	Body    string `json:"body"`
}

// WireItem is a list item.
type WireItem struct {
	Section  string `json:"section"`
	Text     string `json:"text"`
	Checked  *bool  `json:"checked,omitempty"`
	Mark     string `json:"mark,omitempty"`
	Priority string `json:"priority,omitempty"`
	Time     string `json:"time,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// WireFile is a file the handoff touched.
type WireFile struct {
	Path   string `json:"path"`
	Action string `json:"action,omitempty"`
	// Section is the kind of the section that names the file.
	Section string `json:"section,omitempty"`
	Line    int    `json:"line,omitempty"`
}

// WireApproach is something that was tried.
type WireApproach struct {
	Text    string `json:"text"`
	Outcome string `json:"outcome,omitempty"`
	Line    int    `json:"line,omitempty"`
}

// WireLink names another handoff.
type WireLink struct {
	Relation string `json:"relation"`
	Target   string `json:"target"`
	Line     int    `json:"line,omitempty"`
}

// WireProblem is a rule the handoff breaks.
type WireProblem struct {
	Severity string `json:"severity"`
	Rule     string `json:"rule"`
	Line     int    `json:"line,omitempty"`
	Message  string `json:"message"`
}

// WireHit is a hit for programs.
func WireHit(h index.Hit) Wire {
	w := wire(h.Summary)
	w.Score, w.Missing = h.Score, h.Missing
	for _, s := range h.Snippets {
		w.Snippets = append(w.Snippets, WireSnippet(s))
	}
	return w
}

// WireHandoff is a whole handoff for programs.
func WireHandoff(h *index.Handoff) Wire {
	w := wire(h.Summary)
	text := &WireText{Head: h.Head, WorkItems: h.WorkItems}
	text.Escalations = each(h.Escalations, func(l parse.Line) WireLine { return WireLine{l.Number, l.Text} })
	text.Sections = each(h.Sections, wireSection)
	text.Items = each(h.Items, wireItem)
	text.Files = each(h.Files, func(f parse.File) WireFile { return WireFile{f.Path, f.Action, string(f.Section), f.Line} })
	text.Approaches = each(h.Approaches, func(a parse.Approach) WireApproach { return WireApproach(a) })
	text.Links = each(h.Links, func(l parse.Link) WireLink { return WireLink(l) })
	text.Problems = each(h.Problems, wireProblem)
	for _, f := range h.Meta {
		if text.Meta == nil {
			text.Meta = map[string][]string{}
		}
		text.Meta[f.Key] = append(text.Meta[f.Key], f.Value)
	}
	w.WireText = text
	return w
}

func wire(s index.Summary) Wire {
	return Wire{
		ID: s.ID, Project: s.Project, Root: s.Root, Format: s.Format, Path: s.Path, VersionOf: s.VersionOf, Commit: s.Revision, Entry: s.Entry,
		Session: s.Session, From: s.From, To: s.To,
		Date: s.Date.UTC(), DateSource: s.DateSource, DatePrecision: s.DatePrecision, Updated: s.Updated.UTC(),
		Title: s.Title, Goal: s.Goal, Status: s.Status, Branch: s.Branch, States: s.States,
	}
}

// WireSections is the text of only some sections.
func WireSections(sections []parse.Section) *WireText {
	return &WireText{Sections: each(sections, wireSection)}
}

func wireSection(s parse.Section) WireSection {
	return WireSection{Kind: string(s.Kind), Heading: s.Heading, Level: s.Level, Line: s.Span.Line, Body: s.Body}
}

func wireItem(i parse.Item) WireItem {
	return WireItem{
		Section: string(i.Section), Text: i.Text, Checked: i.Checked, Mark: i.Mark,
		Priority: i.Priority, Time: i.Time, Line: i.Line,
	}
}

func wireProblem(p parse.Problem) WireProblem {
	return WireProblem{Severity: p.Severity.String(), Rule: p.Rule, Line: p.Line, Message: p.Message}
}

func each[A, B any](list []A, f func(A) B) []B {
	var out []B
	for _, a := range list {
		out = append(out, f(a))
	}
	return out
}
