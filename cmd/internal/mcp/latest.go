package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

var latestTool = tool{
	name: "latest", title: "Latest handoffs",
	doc: "The newest handoff of each project, or of each format of one project.",
	params: []param{
		anyProjectParam,
		limitParam, cursorParam,
	},
}

// listed is the result of latest.
type listed struct {
	About string `json:"about"`
	Total int    `json:"total"`
	Hits  []hit  `json:"handoffs"`
	page
}

func (s *server) latest(ctx context.Context, svc *service.Service, a args) (listed, error) {
	at, err := readCursor(a.text("cursor"), "latest", a.text("project"))
	if err != nil {
		return listed{}, err
	}
	list, total, notes, err := s.newest(ctx, svc, a.text("project"), a.number("limit", fewHits), at)
	if err != nil {
		return listed{}, err
	}
	return fit(room(a), list, func(list []index.Summary) listed {
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

// newest returns a page of the latest handoffs, of a project or of all, and how many
// there are.
func (s *server) newest(
	ctx context.Context, svc *service.Service, project string, limit int, at cursor,
) (list []index.Summary, total int, notes []string, err error) {
	if project == "" {
		found, err := ask(ctx, svc, question{"latest-per:project", true, "", limit, at.at}, service.SearchOptions{})
		if err != nil {
			return nil, 0, nil, err
		}
		for _, r := range found.Rows {
			list = append(list, r.Summary)
		}
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

func (o listed) write(b *strings.Builder) {
	b.WriteString(o.About + "\n" + render.Several(o.Total, "handoff") + "\n")
	lineHits(b, o.Hits)
}

// How many characters of a text a list has.
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
}

// hit returns a handoff as lists have it.
func (s *server) hit(q *quoter, h index.Summary) hit {
	return hit{
		ID: h.ID, Member: h.Member,
		Date: s.date(h.Date, h.DatePrecision), Age: s.age(h.Date, h.DatePrecision), States: h.States,
		Project: q.line(h.Project, longestName), Title: q.line(render.Title(h), longestTitle),
	}
}

// lineHits writes a list for models: what we know of each before the bar.
func lineHits(b *strings.Builder, hits []hit) {
	for _, h := range hits {
		known := strings.Join(compact(h.ID, h.Member, h.Date, h.Age, strings.Join(h.States, ",")), ", ")
		b.WriteString(known + " " + bar + strings.Join(compact(h.Project, h.Title), ": ") + "\n")
		if h.Line != "" {
			b.WriteString("  " + bar + h.Line + "\n")
		}
		if len(h.Missing) > 0 {
			b.WriteString("  lacks " + bar + strings.Join(h.Missing, ", ") + "\n")
		}
	}
}

// compact returns a list without what is empty.
func compact(list ...string) []string {
	return slices.DeleteFunc(list, func(text string) bool { return text == "" })
}
