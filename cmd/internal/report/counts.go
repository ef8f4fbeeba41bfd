package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// maxDays is the maximum number of days that a report counts: a year's heat map.
const maxDays = 371

// activity adds the section with the number of handoffs per day, and per day and project.
func (b *builder) activity() {
	groups := b.groups("project")
	if len(groups) == 0 {
		return
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
	for _, g := range cut(groups, b.o.Most, &d.Omitted) {
		d.Rows = append(d.Rows, b.dayRow(g, list))
	}
	s := Section{Name: Activity, Title: "Handoffs per day", Numbers: []Number{b.r.Handoffs, b.r.Projects}, Days: d}
	undated := b.count("dated by file time only", b.time, query.Not{X: query.Has{Field: "date"}})
	if undated.Value > 0 {
		s.Numbers = append(s.Numbers, undated)
	}
	b.add(s)
}

// bounds returns the time of the report. If it has no start, the time starts with its
// oldest handoff; if it has no end, it ends with today.
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

// dayRow returns the row of a group: its handoffs on each of the days, with the queries for
// them.
func (b *builder) dayRow(g *group, list []time.Time) DayRow {
	row := DayRow{Number: b.number(g), Counts: make([]int, len(list)), Queries: make([]string, len(list))}
	for i, day := range list {
		if row.Counts[i] = len(dated(g.list, day, dayAfter(day))); row.Counts[i] > 0 {
			row.Queries[i] = b.source(b.query(b.time, g.is, onDay(day)))
		}
	}
	return row
}

// onDay returns the condition for handoffs that are dated to a day.
func onDay(day time.Time) query.Expr {
	return query.During{Field: "date", From: day, To: dayAfter(day)}
}

// dayAfter returns the start of the next day.
func dayAfter(day time.Time) time.Time { return day.AddDate(0, 0, 1) }

// agents adds the section on who handed over to whom, and how many handoffs each agent
// wrote and received.
func (b *builder) agents() {
	list := b.handoffs()
	type pair struct{ from, to string }
	pairs, wrote, got := map[pair]int{}, map[string]int{}, map[string]int{}
	for i := range list {
		h := &list[i]
		if h.From != "" && h.To != "" {
			pairs[pair{h.From, h.To}]++
		}
		if h.From != "" {
			wrote[h.From]++
		}
		if h.To != "" {
			got[h.To]++
		}
	}
	if len(wrote)+len(got) == 0 {
		return
	}
	s := Section{Name: Agents, Title: "Agents"}
	exact := func(field, name string) query.Expr {
		return query.Key{Field: field, Op: query.KeyExact, Value: name}
	}
	for p, n := range pairs {
		s.Flow = append(s.Flow, Edge{From: b.line(p.from), To: b.line(p.to), Number: b.counted("handoffs", n, b.time,
			exact("from", p.from), exact("to", p.to))})
	}
	slices.SortFunc(s.Flow, func(x, y Edge) int {
		return cmp.Or(y.Value-x.Value, strings.Compare(x.From, y.From), strings.Compare(x.To, y.To),
			strings.Compare(x.Query, y.Query))
	})
	s.Flow = cut(s.Flow, b.o.Most, &s.Omitted)
	s.Table = &Table{Columns: []Column{textColumn("agent"), figureColumn("wrote"), figureColumn("received")}}
	for _, name := range cut(busiest(wrote, got), b.o.Most, &s.Omitted) {
		s.Table.Rows = append(s.Table.Rows, []Cell{
			{Text: b.line(name)},
			figure(b.counted("wrote", wrote[name], b.time, exact("from", name))),
			figure(b.counted("received", got[name], b.time, exact("to", name))),
		})
	}
	b.add(s)
}

// busiest returns the names of both maps, sorted by the sum of their counts, largest first.
func busiest(wrote, got map[string]int) []string {
	all := maps.Clone(wrote)
	for name, n := range got {
		all[name] += n
	}
	return slices.SortedFunc(maps.Keys(all), func(x, y string) int {
		return cmp.Or(all[y]-all[x], strings.Compare(x, y))
	})
}

// textColumn returns a column of texts.
func textColumn(name string) Column { return Column{Name: name, Title: name} }

// figureColumn returns a column of numbers.
func figureColumn(name string) Column { return Column{Name: name, Title: name, Right: true} }

// invalid adds the section on broken rules and the handoffs that break them. Earlier
// versions of files do not count.
func (b *builder) invalid() {
	now := query.Not{X: query.Is{State: "earlier"}}
	n := b.count("invalid", b.time, query.Is{State: "invalid"}, now)
	warned := b.count("with warnings only", b.time, query.Is{State: "warned"}, now)
	if n.Value+warned.Value == 0 {
		return
	}
	s := Section{Name: Invalid, Title: "Broken rules", Numbers: []Number{n, warned}}
	s.Table = b.rules(&s.Omitted, now)
	b.add(s)
}

// rules returns a table with the number of handoffs, and of invalid handoffs, that break
// each rule. now is the condition that leaves out earlier versions; rules for which there
// is no room are added to omitted.
func (b *builder) rules(omitted *int, now query.Expr) *Table {
	isInvalid, broken := query.Is{State: "invalid"}, query.Has{Field: "problem"}
	all := b.buckets("problem", b.time, now, broken)
	invalid := map[string]int{}
	for _, r := range b.buckets("problem", b.time, now, isInvalid, broken) {
		invalid[r.Values[0]] = r.Count
	}
	slices.SortStableFunc(all, func(x, y index.Bucket) int { return invalid[y.Values[0]] - invalid[x.Values[0]] })
	invalidColumn := Column{Name: "invalid", Title: "invalid handoffs", Right: true}
	t := &Table{Columns: []Column{textColumn("rule"), invalidColumn, figureColumn("handoffs")}}
	for _, r := range cut(all, b.o.Most, omitted) {
		rule := r.Values[0]
		is := query.Key{Field: "problem", Op: query.KeyExact, Value: rule}
		t.Rows = append(t.Rows, []Cell{
			{Text: b.line(rule)},
			figure(b.counted("invalid", invalid[rule], b.time, now, isInvalid, is)),
			figure(b.counted("handoffs", r.Count, b.time, now, is)),
		})
	}
	return t
}

// buckets counts the handoffs that meet the conditions by their values of a field, the most
// frequent value first. Handoffs without a value are left out.
func (b *builder) buckets(field string, conditions ...query.Expr) []index.Bucket {
	q := b.query(conditions...)
	q.CountBy = []string{field}
	list, err := b.v.Buckets(b.ctx, q)
	b.fail(err)
	return slices.DeleteFunc(list, func(bucket index.Bucket) bool { return bucket.Values[0] == "" })
}

// figure returns a table cell with a number.
func figure(n Number) Cell { return Cell{Number: &n} }

// unread adds the section with the files that could not be read, and why.
func (b *builder) unread() {
	if len(b.o.Skips) == 0 {
		return
	}
	s := Section{Name: Unread, Title: "Files not read", Numbers: []Number{{Label: "files", Value: len(b.o.Skips)}}}
	s.Table = &Table{Columns: []Column{textColumn("path"), textColumn("reason")}}
	for _, skip := range cut(b.o.Skips, b.o.Most, &s.Omitted) {
		s.Table.Rows = append(s.Table.Rows, []Cell{{Text: b.line(skip.Path)}, {Text: b.line(skip.Reason)}})
	}
	b.add(s)
}

// formats adds the section with the number of handoffs of each format.
func (b *builder) formats() {
	list := b.buckets("format", b.time)
	if len(list) == 0 {
		return
	}
	s := Section{Name: Formats, Title: "Formats"}
	s.Table = &Table{Columns: []Column{textColumn("format"), figureColumn("handoffs")}}
	for _, f := range list {
		n := b.counted("handoffs", f.Count, b.time, query.Key{Field: "format", Value: f.Values[0]})
		s.Table.Rows = append(s.Table.Rows, []Cell{{Text: b.line(f.Values[0])}, figure(n)})
	}
	b.add(s)
}
