package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/cmd/internal/service"
)

var reportTool = tool{
	name: "report", title: "Report on a period",
	call: (*server).report, result: reported{},
	doc: "What happened in a period, across projects: done, next, escalations, blockers, gotchas, failed approaches, " +
		"activity. Each number has the query that lists its handoffs.",
	params: []param{
		{name: "name", doc: "digest (default), weekly, standup, todo, escalations, health, timeline (of " +
			"one project), or one of the user's", example: "standup"},
		{name: "query", doc: "restricts it, as in search", example: "branch:main"},
		anyProjectParam,
		{name: "since", doc: "start date: yesterday, 14d, monday, 2026-02-01", example: "14d"},
		{name: "until", doc: "end date", example: "2026-02-14"},
		{name: "by", doc: "group by project, agent, session, branch, status, format, day, week or month", example: "agent"},
		limitParam, cursorParam,
	},
}

// reported is the result of report: a title and what the report says, in order.
type reported struct {
	About   string  `json:"about"`
	Title   string  `json:"title"`
	From    string  `json:"from,omitempty"`
	To      string  `json:"to,omitempty"` // the first day behind it
	Total   int     `json:"total"`
	Entries []entry `json:"entries"`
	page
}

// An entry is one text of a report, or one number with the query that finds its handoffs.
type entry struct {
	Section string `json:"section"`
	Group   string `json:"quote_group,omitempty"`
	Text    string `json:"quote,omitempty"`
	Figure  *int   `json:"figure,omitempty"`
	Query   string `json:"query,omitempty"`
	ID      string `json:"id,omitempty"`
	Date    string `json:"date,omitempty"`
	State   string `json:"state,omitempty"`
}

// report returns a page of the entries of a report.
func (s *server) report(ctx context.Context, svc *service.Service, a args) (answer, error) {
	ask := service.ReportQuestion{
		Name: a.text("name"), Query: a.text("query"), Since: a.text("since"), Until: a.text("until"), By: a.text("by"),
		KeepSecrets: s.opt.KeepSecrets, Here: a.text("project") == "",
	}
	at, err := readCursor(a.text("cursor"), "report", ask.Name, ask.Query, ask.Since, ask.Until, ask.By, a.text("project"))
	if err != nil {
		return nil, err
	}
	r, notes, err := s.makeReport(ctx, svc, ask, a.text("project"))
	if err != nil {
		return nil, err
	}
	all := s.entries(r)
	return fit(room(a), window(all, at, a.number("limit", mostHits)), func(list []entry) answer {
		q := s.quoter()
		out := reported{About: about, Title: q.line(r.Title, longestTitle), Total: len(all), Entries: []entry{}}
		if !r.From.IsZero() {
			out.From = s.date(r.From, "day")
		}
		if !r.To.IsZero() {
			out.To = s.date(r.To, "day")
		}
		for _, e := range list {
			const longestQuery = 100
			e.Group, e.Text, e.Query = q.line(e.Group, longestName), q.line(e.Text, longestLine), q.query(e.Query, longestQuery)
			out.Entries = append(out.Entries, e)
		}
		q.masked += r.Masked
		out.page = q.page(at, len(list), len(all), notes, r.Notes)
		return out
	}), nil
}

// makeReport makes a report of a project, or of all if project is "".
func (s *server) makeReport(
	ctx context.Context, svc *service.Service, ask service.ReportQuestion, project string,
) (r *report.Report, notes []string, err error) {
	names, err := s.opt.ReportNames()
	if err != nil {
		return nil, nil, err
	}
	ask.Name = cmp.Or(ask.Name, names[0])
	if err := service.MustBeOneOf("name", ask.Name, names); err != nil {
		return nil, nil, err
	}
	o, err := svc.ReportOptions(ask)
	if err != nil {
		return nil, nil, err
	}
	restrict(svc, o.Query, project)
	if err := svc.Open(ctx); err != nil {
		return nil, nil, err
	}
	if r, err = svc.Report(ctx, o); err != nil {
		return nil, nil, err
	}
	warnings, err := svc.StaleWarnings(ctx)
	return r, s.notes(svc, append(o.Query.Notes, warnings...)...), err
}

// query returns a query that can be run as it is, or "" if it is longer than n characters
// or changed by being made safe.
func (q *quoter) query(text string, n int) string {
	if clean := q.line(text, n); clean == text {
		return text
	}
	return ""
}

// entries returns everything a report says as a list of entries.
func (s *server) entries(r *report.Report) []entry {
	list := []entry{figure("", r.Handoffs), figure("", r.Projects)}
	for _, sec := range r.Sections {
		for _, n := range sec.Numbers {
			list = append(list, figure(sec.Name, n))
		}
		for _, it := range sec.Items {
			list = append(list, s.item(sec.Name, it))
		}
		list = append(list, s.table(sec.Name, sec.Table)...)
		if sec.Days != nil {
			for _, row := range sec.Days.Rows {
				list = append(list, figure(sec.Name, row.Number))
			}
		}
		for _, e := range sec.Flow {
			one := figure(sec.Name, e.Number)
			one.Text = e.From + " → " + e.To
			list = append(list, one)
		}
		if sec.Omitted > 0 {
			list = append(list, entry{Section: sec.Name, Text: fmt.Sprintf("%d more are left out", sec.Omitted)})
		}
	}
	return list
}

// figure returns the entry for a number in a section of a report.
func figure(section string, n report.Number) entry {
	return entry{Section: section, Text: n.Label, Figure: &n.Value, Query: n.Query}
}

// item returns the entry for an item in a section of a report.
func (s *server) item(section string, it report.Item) entry {
	e := entry{Section: section, Group: it.Group, Text: it.Text, ID: it.ID, Date: s.date(it.When, "day"), State: it.State}
	if it.Count != nil && it.Count.Value > 1 {
		e.Figure, e.Query = &it.Count.Value, it.Count.Query
	}
	return e
}

// table returns an entry for each row of a table. The first number of the row is its
// figure.
func (s *server) table(section string, t *report.Table) []entry {
	if t == nil {
		return nil
	}
	list := make([]entry, len(t.Rows))
	for i, row := range t.Rows {
		list[i].Section = section
		var cells []string
		for _, c := range row {
			switch {
			case c.Number != nil && list[i].Figure == nil:
				list[i].Figure, list[i].Query = &c.Number.Value, c.Number.Query
			case c.Number != nil:
				cells = append(cells, fmt.Sprint(c.Number.Value))
			case !c.When.IsZero():
				cells = append(cells, s.date(c.When, "day"))
			default:
				cells = append(cells, c.Text)
			}
			if c.Ref != nil {
				list[i].ID = c.Ref.ID
			}
		}
		list[i].Text = strings.Join(compact(cells...), ", ")
	}
	return list
}

// write writes the report as text: its title and period, then its entries.
func (o reported) write(b *strings.Builder) {
	b.WriteString(o.About + "\n" + bar + o.Title + "\n")
	section := ""
	for _, e := range o.Entries {
		if e.Section != section {
			section = e.Section
			b.WriteString(section + ":\n")
		}
		figure := ""
		if e.Figure != nil {
			figure = fmt.Sprint(*e.Figure)
		}
		known := strings.Join(compact(figure, e.ID, e.Date, e.State), ", ")
		b.WriteString("  " + known + " " + bar + strings.Join(compact(e.Group, e.Text), ": ") + "\n")
		if e.Query != "" {
			b.WriteString("    query " + bar + e.Query + "\n")
		}
	}
}
