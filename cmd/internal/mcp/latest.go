package mcp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/cmd/internal/acks"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

var latestTool = tool{
	name: "latest", title: "Latest handoffs",
	call: (*server).latest, result: listed{},
	doc:    "The newest handoff of each project, or of each format of one project.",
	params: []param{anyProjectParam, limitParam, cursorParam},
}

// listed is the result of latest.
type listed struct {
	About string `json:"about"`
	Total int    `json:"total"`
	Hits  []hit  `json:"handoffs"`
	page
}

// latest returns a page of the newest handoffs, of each project or of each format of one.
func (s *server) latest(ctx context.Context, svc *service.Service, a args) (answer, error) {
	at, err := readCursor(a.text("cursor"), "latest", a.text("project"))
	if err != nil {
		return nil, err
	}
	list, total, notes, err := s.newest(ctx, svc, a.text("project"), a.number("limit", fewHits), at)
	if err != nil {
		return nil, err
	}
	return fit(room(a), list, func(list []index.Summary) answer {
		q := s.quoter()
		out := listed{About: about, Total: total, Hits: []hit{}}
		for _, h := range list {
			one := s.hit(q, h)
			if goal := q.line(h.Goal, longestLine); !strings.HasPrefix(goal, strings.TrimSuffix(one.Title, "…")) {
				one.Line = goal
			}
			out.Hits = append(out.Hits, one)
		}
		out.page = q.page(at, len(list), total, notes)
		return out
	}), nil
}

// newest returns a page of the latest handoffs of a project, or of all if project is "".
// total is how many there are.
func (s *server) newest(
	ctx context.Context, svc *service.Service, project string, limit int, at cursor,
) (list []index.Summary, total int, notes []string, err error) {
	if project == "" {
		found, err := ask(ctx, svc, question{"latest-per:project", true, "", limit, at.at}, service.SearchOptions{})
		if err != nil {
			return nil, 0, nil, err
		}
		list = render.Each(found.Rows, func(r render.Row) index.Summary { return r.Summary })
		return list, found.Result.Total, s.notes(svc, svc.Warnings(found.Result.Stale)...), nil
	}
	folder, err := s.folder(ctx, svc, project)
	if err != nil {
		return nil, 0, nil, err
	}
	if list, err = svc.Latest(ctx, folder); err != nil {
		return nil, 0, nil, err
	}
	if len(list) == 0 {
		notes = append(notes, unknownProject(project))
	}
	warnings, err := svc.StaleWarnings(ctx)
	return window(list, at, limit), len(list), s.notes(svc, append(notes, warnings...)...), err
}

// write writes the list of handoffs as text.
func (o listed) write(b *strings.Builder) {
	b.WriteString(o.About + "\n" + render.Several(o.Total, "handoff") + "\n")
	lineHits(b, o.Hits)
}

// The maximum lengths of texts in a list, in characters.
const (
	longestTitle = 90
	longestLine  = 140
	longestName  = 40
)

// A hit is a handoff in a list. Title and Line are quoted.
type hit struct {
	ID      string   `json:"id"`
	Member  string   `json:"member,omitempty"` // who shared it from another machine
	Date    string   `json:"date,omitempty"`
	Age     string   `json:"age,omitempty"`
	States  []string `json:"states,omitempty"`
	Project string   `json:"quote_project,omitempty"`
	Title   string   `json:"quote_title"`
	Line    string   `json:"quote,omitempty"`   // what answers the query, or what the handoff is for
	Missing []string `json:"missing,omitempty"` // words of the query it lacks

	Versions int `json:"versions,omitempty"` // of its file that are almost the same, and left out
}

// hit returns a handoff as an entry of a list.
func (s *server) hit(q *quoter, h index.Summary) hit {
	return hit{
		ID: h.ID, Member: h.Member,
		Date: s.date(h.Date, h.DatePrecision), Age: s.age(h.Date, h.DatePrecision), States: h.States,
		Project: q.line(h.Project, longestName), Title: q.line(render.Title(h), longestTitle),
	}
}

// lineHits writes a list of handoffs for models. In each line, what handex knows is before
// the bar, what the handoff says is behind it.
func lineHits(b *strings.Builder, hits []hit) {
	for _, h := range hits {
		versions := ""
		if h.Versions > 0 {
			versions = "+" + render.Several(h.Versions, "version")
		}
		known := strings.Join(compact(h.ID, h.Member, h.Date, h.Age, strings.Join(h.States, ","), versions), ", ")
		b.WriteString(known + " " + bar + strings.Join(compact(h.Project, h.Title), ": ") + "\n")
		if h.Line != "" {
			b.WriteString("  " + bar + h.Line + "\n")
		}
		if len(h.Missing) > 0 {
			b.WriteString("  lacks " + bar + strings.Join(h.Missing, ", ") + "\n")
		}
	}
}

// compact returns the texts without empty ones.
func compact(list ...string) []string {
	return slices.DeleteFunc(list, func(text string) bool { return text == "" })
}

// projectParam is the parameter for the project of a tool; anyProjectParam is the parameter
// of tools that cover all projects without it.
var (
	projectParam = param{
		name: "project", example: "shop",
		doc: "its name, or a folder in it; default: the project of the server's folder",
	}
	anyProjectParam = param{
		name: "project", example: ".",
		doc: "its name, or a folder in it, or . for the project of the server's folder; default: all",
	}
)

// folder returns a folder of a project. The project is given as a folder, or as a name for
// which exactly one project has handoffs: then its root is returned.
func (s *server) folder(ctx context.Context, svc *service.Service, project string) (string, error) {
	dir, err := svc.Folder(project)
	if err == nil || strings.ContainsRune(project, filepath.Separator) {
		return dir, err
	}
	found, err := ask(ctx, svc, question{"latest-per:project", true, project, mostHits, 0},
		service.SearchOptions{NoSnippets: true})
	if err != nil {
		return "", err
	}
	var roots []string
	for _, row := range found.Rows {
		if filepath.IsAbs(row.Root) && !slices.Contains(roots, row.Root) {
			roots = append(roots, row.Root)
		}
	}
	switch len(roots) {
	case 1:
		return roots[0], nil
	case 0:
		err = fmt.Errorf("project: %q is neither a folder nor a project of the index", clip(project, longestName))
		if meant := replacements(found); len(meant) > 0 {
			err = render.WithHint(err, strings.Join(meant, "; "))
		}
		return "", err
	}
	return "", fmt.Errorf("project: %q is ambiguous: %s", clip(project, longestName), strings.Join(roots, ", "))
}

// restrict adds to a query the condition that handoffs belong to a project, unless that is
// "".
func restrict(svc *service.Service, q *query.Query, project string) {
	if project == "" {
		return
	}
	is := query.Key{Field: "project", Op: query.KeyEqual, Value: project}
	if dir, err := svc.Folder(project); err == nil {
		is.Op, is.Value = query.KeyExact, cmp.Or(svc.Project(dir), dir)
	}
	q.Expr = query.Simplify(query.And{List: []query.Expr{q.Expr, is}})
}

// knows returns nothing if a project has handoffs. Else it returns a note that says so and
// notes on what may be meant.
func (s *server) knows(ctx context.Context, svc *service.Service, project string) ([]string, error) {
	found, err := ask(ctx, svc, question{"", true, project, 1, 0}, service.SearchOptions{NoSnippets: true})
	if err != nil || found.Result.Total > 0 {
		return nil, err
	}
	return append([]string{unknownProject(project)}, replacements(found)...), nil
}

// unknownProject returns the note that a project has no handoffs.
func unknownProject(project string) string {
	return "project " + clip(project, longestName) + " has no handoffs; omit project to list all"
}

// replacements returns the texts of those suggestions that replace a part of a query, for a
// query that found nothing.
func replacements(found render.Answer) []string {
	var list []string
	for _, suggestion := range found.Suggestions {
		if suggestion.Replace != "" {
			list = append(list, suggestion.Text)
		}
	}
	return list
}

var escalationsTool = tool{
	name: "escalations", title: "Escalations to a human",
	call: (*server).escalations, result: escalated{},
	doc: "Open handoffs that ask for human review, oldest first. An acknowledgement or a newer handoff closes one, but " +
		"if it says that it is not done, only a newer handoff of the same work or an acknowledgement does.",
	params: []param{
		anyProjectParam,
		{name: "all", kind: "boolean", doc: "also those that were replaced or acknowledged", example: true},
		limitParam, cursorParam,
	},
}

// escalated is the result of escalations.
type escalated struct {
	About string       `json:"about"`
	Total int          `json:"total"`
	List  []escalation `json:"escalations"`
	page
}

// An escalation is a handoff with the line that asks for a human. State is open,
// replaced or acknowledged.
type escalation struct {
	ID      string `json:"id"`
	State   string `json:"state"`
	Date    string `json:"date,omitempty"`
	Age     string `json:"age,omitempty"`
	Cloned  bool   `json:"came_with_a_clone,omitempty"`
	Acked   string `json:"acknowledged,omitempty"` // when, and of which text if not this
	Project string `json:"quote_project,omitempty"`
	By      string `json:"quote_by,omitempty"`
	Line    string `json:"quote"`
	Note    string `json:"quote_note,omitempty"` // of the acknowledgement
}

// escalations returns a page of handoffs that ask for a human, oldest first.
func (s *server) escalations(ctx context.Context, svc *service.Service, a args) (answer, error) {
	at, err := readCursor(a.text("cursor"), "escalations", a.text("project"), strconv.FormatBool(a.flag("all")))
	if err != nil {
		return nil, err
	}
	text := "is:escalated sort:date-asc"
	if !a.flag("all") {
		text = "is:open " + text
	}
	project := a.text("project")
	found, err := ask(ctx, svc, question{text, true, project, a.number("limit", fewHits), at.at},
		service.SearchOptions{NoSnippets: true})
	if err != nil {
		return nil, err
	}
	notes := slices.Concat(found.Notes, svc.Warnings(found.Result.Stale))
	if project != "" && found.Result.Total == 0 {
		unknown, err := s.knows(ctx, svc, project)
		if err != nil {
			return nil, err
		}
		notes = append(unknown, notes...)
	}
	notes = s.notes(svc, notes...)
	handoffs := make([]acknowledged, len(found.Rows))
	for i, row := range found.Rows {
		if handoffs[i].Handoff, err = svc.Load(ctx, row.ID); err != nil {
			return nil, err
		}
		if handoffs[i].ack, err = svc.AckOf(row.Summary); err != nil {
			return nil, err
		}
		if handoffs[i].foreign, err = svc.IsForeign(ctx, row.Summary); err != nil {
			return nil, err
		}
	}
	total := found.Result.Total
	return fit(room(a), handoffs, func(list []acknowledged) answer {
		q := s.quoter()
		out := escalated{About: about, Total: total, List: []escalation{}}
		for _, h := range list {
			out.List = append(out.List, s.escalation(q, h))
		}
		out.page = q.page(at, len(list), total, notes)
		return out
	}), nil
}

// acknowledged is a handoff with its last acknowledgement, nil if there is none. foreign
// says that the handoff came with a clone.
type acknowledged struct {
	*index.Handoff
	foreign bool
	ack     *acks.Event
}

// escalation returns a handoff as an entry of the list of escalations.
func (s *server) escalation(q *quoter, h acknowledged) escalation {
	out := escalation{
		ID: h.ID, State: "replaced", Date: s.date(h.Date, h.DatePrecision), Age: s.age(h.Date, h.DatePrecision),
		Cloned: h.foreign, Project: q.line(h.Project, longestName), By: q.line(strings.Join(compact(h.From, h.Session), ", "),
			longestName),
	}
	if len(h.Escalations) > 0 {
		const longest = 300
		out.Line = q.line(h.Escalations[0].Text, longest)
	}
	switch {
	case slices.Contains(h.States, "acked"):
		out.State = "acknowledged"
	case slices.Contains(h.States, "open"):
		out.State = "open"
	}
	if ack := h.ack; ack != nil {
		out.Acked, out.Note = s.date(ack.At, "minute"), q.line(ack.Note, longestLine)
		if ack.Digest != h.Digest {
			out.Acked += ", for another text"
		}
	}
	return out
}

// write writes the list of escalations as text.
func (o escalated) write(b *strings.Builder) {
	b.WriteString(o.About + "\n" + render.Several(o.Total, "escalation") + "\n")
	for _, e := range o.List {
		acked, cloned := "", ""
		if e.Acked != "" {
			acked = "acknowledged " + e.Acked
		}
		if e.Cloned {
			cloned = "came with a clone"
		}
		known := strings.Join(compact(e.ID, e.State, e.Date, e.Age, cloned, acked), ", ")
		b.WriteString(known + " " + bar + strings.Join(compact(e.Project, e.By, e.Line, e.Note), ": ") + "\n")
	}
}
