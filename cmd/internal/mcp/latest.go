package mcp

import (
	"context"
	"strings"

	"handex/cmd/internal/render"
	"handex/cmd/internal/service"
	"handex/index"
)

var latestTool = tool{
	name: "latest", title: "Latest handoffs",
	doc: "The newest handoff of each project, or of each format of one project.",
	params: []param{
		{name: "dir", kind: "string", doc: "a folder of the project, . for this one; left out: all projects", example: "."},
		limitParam, cursorParam,
	},
}

// listed is the answer of latest.
type listed struct {
	About string `json:"about"`
	Total int    `json:"total"`
	Hits  []hit  `json:"handoffs"`
	page
}

func (s *server) latest(ctx context.Context, svc *service.Service, a args) (listed, error) {
	at, err := readCursor(a.text("cursor"), "latest", a.text("dir"))
	if err != nil {
		return listed{}, err
	}
	list, total, notes, err := s.newest(ctx, svc, a.text("dir"), a.number("limit", fewHits), at)
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

// newest returns a page of the latest handoffs, of a folder's project or of all, and how
// many there are.
func (s *server) newest(ctx context.Context, svc *service.Service, dir string, limit int, at cursor) (list []index.Summary, total int, notes []string, err error) {
	if dir == "" {
		found, err := ask(ctx, svc, question{"latest-per:project", true, limit, at.at}, service.SearchOptions{})
		if err != nil {
			return nil, 0, nil, err
		}
		for _, r := range found.Rows {
			list = append(list, r.Summary)
		}
		return list, found.Result.Total, s.notes(svc, svc.Warnings(found.Result.Stale)...), nil
	}
	folder, err := svc.Folder(dir)
	if err != nil {
		return nil, 0, nil, err
	}
	if list, err = svc.Latest(ctx, folder); err != nil {
		return nil, 0, nil, err
	}
	if len(list) == 0 {
		notes = append(notes, "no handoff of the project of "+folder+" is known; without dir all projects are listed")
	}
	warnings, err := svc.StaleWarnings(ctx)
	return window(list, at, limit), len(list), s.notes(svc, append(notes, warnings...)...), err
}

func (o listed) write(b *strings.Builder) {
	b.WriteString(o.About + "\n" + render.Several(o.Total, "handoff") + "\n")
	lineHits(b, o.Hits)
}
