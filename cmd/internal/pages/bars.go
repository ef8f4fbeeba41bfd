package pages

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
)

// StackedBars is a chart with a bar for each day, week or month, which is divided into
// segments for projects or other series.
type StackedBars struct {
	ID            string
	Width, Height int
	Bars          []bar
	Lines         []gridLine
	Labels        []label
	Series        []series
	Title, Told   string
}

// A bar is the column of a period, with a segment for each series.
type bar struct{ Segments []segment }

type segment struct {
	X, Y, W, H, Series int
	Text               string
}

type gridLine struct {
	Y    int
	Text string
}

type series struct {
	Figure
	N int
}

const (
	maxSeries  = 7 // the rest is the eighth
	barsWidth  = 760
	barsHeight = 190
	barsLeft   = 36
	barsTop    = 8
	barsFoot   = 22
	labelRoom  = 46
	maxStep    = 64  // a bar with the gap beside it
	weekDays   = 120 // from how many days on a bar is a week
	monthDays  = 400
)

// StackedBars returns a chart of the handoffs of each project over time, or nil if there
// are fewer than two days or no projects.
func (o Options) StackedBars(d *report.Days) *StackedBars {
	return o.stackedBars(d, "Handoffs of each project by ", "project", "handoff")
}

// stackedBars returns a chart of the rows of d over time, or nil if there are fewer than
// two days or no rows. rowName is the noun for a row, thing for what the rows count; the
// title is title and the unit of time.
func (o Options) stackedBars(d *report.Days, title, rowName, thing string) *StackedBars {
	if len(d.Days) < 2 || len(d.Rows) == 0 {
		return nil
	}
	b := &StackedBars{ID: "bars-" + rowName + "-" + d.Days[0].Label, Height: barsHeight}
	counts := b.series(o, d)
	periods, unit := periodsOf(d.Days)
	b.Title = title + unit
	sums, most := sumUp(counts, periods)
	tick := tickOf(most)
	top := (most + tick - 1) / tick * tick
	const room = barsHeight - barsTop - barsFoot
	for y := 0; y <= top; y += tick {
		b.Lines = append(b.Lines, gridLine{barsTop + room - y*room/top, render.Thousands(y)})
	}
	step := max(min((barsWidth-barsLeft)/len(periods), maxStep), 1)
	b.Width = barsLeft + step*len(periods)
	every := (labelRoom + step - 1) / step
	for i, p := range periods {
		x, y := barsLeft+i*step, barsTop+room
		var one bar
		for s, n := range sums[i] {
			if n == 0 {
				continue
			}
			height := max(n*room/top, 1)
			y -= height
			text := b.Series[s].Label + ", " + p.name + ": " + render.Thousands(n)
			one.Segments = append(one.Segments, segment{x + 1, y, max(step-3, 1), height, b.Series[s].N, text})
		}
		b.Bars = append(b.Bars, one)
		if at := x + step/2; i%every == 0 && (i == 0 || at+labelRoom/2 <= b.Width) {
			b.Labels = append(b.Labels, label{at, barsHeight - 6, p.short})
		}
	}
	b.Told = counted(len(d.Rows), rowName) + " over " + counted(len(periods), unit) + "; at most " +
		counted(most, thing) + " in one"
	return b
}

// series adds a series for each of the largest projects and one for all others. It returns
// the counts of each series by day.
func (b *StackedBars) series(o Options, d *report.Days) [][]int {
	var counts [][]int
	for n, row := range d.Rows[:min(len(d.Rows), maxSeries)] {
		b.Series = append(b.Series, series{o.Figure(row.Number), n + 1})
		counts = append(counts, row.Counts)
	}
	rest, left := make([]int, len(d.Days)), 0
	for i, day := range d.Days {
		rest[i] = day.Value
		for _, list := range counts {
			rest[i] = max(rest[i]-list[i], 0)
		}
		left += rest[i]
	}
	if left > 0 {
		b.Series = append(b.Series, series{Figure{Label: "others", Value: left}, maxSeries + 1})
		counts = append(counts, rest)
	}
	return counts
}

// A period is a run of days that share a bar; from and to are indexes of days.
type period struct {
	name, short string
	from, to    int
}

// periodsOf splits days into periods: days, weeks or months, so that the bars can be
// distinguished. unit is "day", "week" or "month".
func periodsOf(days []report.Day) (list []period, unit string) {
	key, short := time.DateOnly, "2 Jan"
	unit = "day"
	switch {
	case len(days) > monthDays:
		key, short, unit = "2006-01", "Jan 06", "month"
	case len(days) > weekDays:
		unit = "week"
	}
	last := ""
	for i, day := range days {
		at := day.When
		if unit == "week" {
			at = at.AddDate(0, 0, -(int(at.Weekday())+6)%7)
		}
		name := at.Format(key)
		if name != last {
			list = append(list, period{name: name, short: at.Format(short), from: i})
			last = name
		}
		list[len(list)-1].to = i + 1
	}
	return list, unit
}

// sumUp returns, for each period, the sum of the counts of each series. most is the largest
// total of a period, at least 1.
func sumUp(counts [][]int, periods []period) (sums [][]int, most int) {
	for _, p := range periods {
		row := make([]int, len(counts))
		all := 0
		for s, list := range counts {
			for i := p.from; i < min(p.to, len(list)); i++ {
				row[s] += list[i]
			}
			all += row[s]
		}
		sums = append(sums, row)
		most = max(most, all)
	}
	return sums, max(most, 1)
}

// tickOf returns a round number for the distance of grid lines, of which at most four reach
// most.
func tickOf(most int) int {
	for unit := 1; ; unit *= 10 {
		for _, n := range []int{1, 2, 5} {
			if n*unit*4 >= most {
				return n * unit
			}
		}
	}
}

// openDays is how many days the chart of open items goes back.
const openDays = weekDays

// OpenItems returns a chart of how many of the items that are open now were already open on
// each day, or nil if there are none or all are of one day.
func (v reportView) OpenItems() *StackedBars {
	d := &report.Days{}
	end := v.Report.Now
	first := end
	var rows [][]time.Time
	for _, name := range []string{report.Escalations, report.Blockers, report.Next} {
		s := v.Report.Section(name)
		if begins := openSince(s, end); begins != nil {
			rows = append(rows, begins)
			d.Rows = append(d.Rows, report.DayRow{Number: report.Number{Label: s.Title, Value: len(begins)}})
			if begins[0].Before(first) {
				first = begins[0]
			}
		}
	}
	d.Days = v.days(first, end, end.AddDate(0, 0, 1-openDays))
	for n, day := range d.Days {
		next := day.When.AddDate(0, 0, 1)
		for i, begins := range rows {
			count, _ := slices.BinarySearchFunc(begins, next, time.Time.Compare)
			d.Rows[i].Counts = append(d.Rows[i].Counts, count)
			d.Days[n].Value += count
		}
	}
	return v.stackedBars(d, "Items that are open now, by ", "list", "item")
}

// openSince returns the times since when the open items of a section are open, oldest
// first. Times after now are replaced by now, as clocks can be ahead.
func openSince(s *report.Section, now time.Time) (list []time.Time) {
	if s == nil {
		return nil
	}
	for _, item := range s.Items {
		begin := cmp.Or(item.Since, item.When)
		if begin.After(now) {
			begin = now
		}
		if !begin.IsZero() && slices.Contains([]string{"", "open", "blocked"}, item.State) {
			list = append(list, begin)
		}
	}
	slices.SortFunc(list, time.Time.Compare)
	return list
}

// courseYears is how many years the chart of a timeline goes back.
const courseYears = 10

// Course returns a chart of the handoffs of a timeline by their status, or nil if there are
// fewer than three or all are of one day.
func (v reportView) Course(s report.Section) *StackedBars {
	if s.Name != report.Timeline || len(s.Items) < 3 {
		return nil
	}
	items := s.Items
	last := items[len(items)-1].When
	d := &report.Days{Days: v.days(items[0].When, last, last.AddDate(-courseYears, 0, 0))}
	if len(d.Days) < 2 {
		return nil
	}
	for _, item := range items {
		state, _, _ := strings.Cut(cmp.Or(item.State, "no status"), ",")
		at := slices.IndexFunc(d.Rows, func(r report.DayRow) bool { return r.Label == state })
		if at < 0 {
			at = len(d.Rows)
			d.Rows = append(d.Rows, report.DayRow{
				Number: report.Number{Label: state}, Counts: make([]int, len(d.Days)),
			})
		}
		const noon = 12 * time.Hour // days are an hour longer or shorter where clocks change
		if day := int((v.day(item.When).Sub(d.Days[0].When) + noon) / (24 * time.Hour)); day >= 0 && day < len(d.Days) {
			d.Days[day].Value++
			d.Rows[at].Counts[day]++
			d.Rows[at].Value++
		}
	}
	slices.SortStableFunc(d.Rows, func(x, y report.DayRow) int { return cmp.Compare(y.Value, x.Value) })
	return v.stackedBars(d, "Handoffs by status, by ", "status", "handoff")
}

// day returns the start of the day of t in the reader's zone.
func (o Options) day(t time.Time) time.Time {
	zone := cmp.Or(o.Zone, time.UTC)
	year, month, day := t.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, zone)
}

// days returns the days from one time to another, without those before earliest.
func (o Options) days(from, to, earliest time.Time) (list []report.Day) {
	if from.Before(earliest) {
		from = earliest
	}
	for day := o.day(from); !day.After(to); day = day.AddDate(0, 0, 1) {
		list = append(list, report.Day{When: day, Number: report.Number{Label: day.Format(time.DateOnly)}})
	}
	return list
}
