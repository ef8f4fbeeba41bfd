package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/query"
)

// maxDays bounds the days of a report: a year's heat map.
const maxDays = 371

// activity counts handoffs per day, and per day and project.
func (b *builder) activity() error {
	groups, err := b.groups("project")
	if err != nil || len(groups) == 0 {
		return err
	}
	from, to := b.bounds()
	list := days(from, to, b.o.Env.Zone)
	if len(list) > maxDays {
		list = list[len(list)-maxDays:]
		b.note("activity covers only the last " + render.Several(maxDays, "day"))
	}
	d := &Days{}
	for _, day := range list {
		n := len(dated(b.list, day, dayAfter(day)))
		d.Days = append(d.Days, Day{When: day, Number: b.counted(day.Format(time.DateOnly), n, b.time, onDay(day))})
	}
	slices.SortStableFunc(groups, func(x, y *group) int { return cmp.Compare(len(y.list), len(x.list)) })
	for _, g := range cut(groups, b.most(), &d.Omitted) {
		d.Rows = append(d.Rows, b.dayRow(g, list))
	}
	s := Section{Name: Activity, Title: "Handoffs per day", Numbers: []Number{b.r.Handoffs, b.r.Projects}, Days: d}
	undated, err := b.count("dated by file time only", b.time, query.Not{X: query.Has{Field: "date"}})
	if err != nil {
		return err
	}
	if undated.Value > 0 {
		s.Numbers = append(s.Numbers, undated)
	}
	b.add(s)
	return nil
}

// bounds returns the report's time, or what its handoffs cover of it.
func (b *builder) bounds() (from, to time.Time) {
	from, to = b.o.From, b.o.To
	if to.IsZero() {
		to = b.o.today().AddDate(0, 0, 1)
	}
	if from.IsZero() {
		from = to
		for i := range b.list {
			if b.list[i].Date.Before(from) {
				from = b.list[i].Date
			}
		}
	}
	return from, to
}

func (b *builder) dayRow(g *group, list []time.Time) DayRow {
	row := DayRow{Number: b.number(g), Counts: make([]int, len(list)), Queries: make([]string, len(list))}
	for i, day := range list {
		if row.Counts[i] = len(dated(g.list, day, dayAfter(day))); row.Counts[i] > 0 {
			row.Queries[i] = b.source(b.query(b.time, g.is, onDay(day)))
		}
	}
	return row
}

func onDay(day time.Time) query.Expr {
	return query.During{Field: "date", From: day, To: dayAfter(day)}
}

func dayAfter(day time.Time) time.Time { return day.AddDate(0, 0, 1) }
