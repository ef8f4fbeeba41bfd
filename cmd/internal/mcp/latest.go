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

func (s *server) latest(ctx context.Context, a args) (listed, error) {
	question := []string{"latest", a.text("dir")}
	at, err := readCursor(a.text("cursor"), question...)
	if err != nil {
		return listed{}, err
	}
	list, total, notes, err := s.newest(ctx, a, at.at)
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
		out.page = q.page(cursor{at.at + len(list), total}, len(list), question, at.changed(total), notes)
		return out
	}), nil
}

// newest is a page of the latest handoffs, and how many there are.
func (s *server) newest(ctx context.Context, a args, from int) (list []index.Summary, total int, notes []string, err error) {
	limit := a.number("limit", fewHits)
	if dir := a.text("dir"); dir != "" {
		list, notes, err = s.source.Latest(ctx, dir)
		rest := list[min(from, len(list)):]
		return rest[:min(len(rest), limit)], len(list), notes, err
	}
	found, notes, err := s.source.Search(ctx, service.SearchCall{Text: "latest-per:project", Exact: true, Limit: limit, Offset: from})
	if err != nil {
		return nil, 0, nil, err
	}
	return summaries(found.Rows), found.Result.Total, notes, nil
}

func summaries(rows []render.Row) []index.Summary {
	list := make([]index.Summary, len(rows))
	for i, r := range rows {
		list[i] = r.Summary
	}
	return list
}

func (o listed) text() string {
	var b strings.Builder
	b.WriteString(o.About + "\n" + render.Several(o.Total, "handoff") + "\n")
	lineHits(&b, o.Hits)
	o.page.text(&b)
	return b.String()
}
