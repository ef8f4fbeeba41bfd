package pages

import (
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
)

// StackedBars show how much each project had in each day, week or month.
type StackedBars struct {
	ID            string
	Width, Height int
	Bars          []bar
	Lines         []gridLine
	Labels        []label
	Series        []series
	Title, Told   string
}

// A bar is a period; its segments are stacked.
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

// StackedBars draws the handoffs of each project; nil is none.
func (o Options) StackedBars(d *report.Days) *StackedBars {
	return o.stackedBars(d, "Handoffs of each project by ", "project", "handoff")
}

// stackedBars draws the rows of days: row is the name of one, thing of what they count.
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

// series picks the projects that are shown separately, and returns the counts of each by
// day, those of all others last.
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

// A period is a run of days that share a bar.
type period struct {
	name, short string
	from, to    int
}

// periodsOf splits days into as many bars as can be distinguished.
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

// sumUp adds up the counts of each series in each period, and the most of any.
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

// tickOf returns a round number of which a few make most.
func tickOf(most int) int {
	for unit := 1; ; unit *= 10 {
		for _, n := range []int{1, 2, 5} {
			if n*unit*4 >= most {
				return n * unit
			}
		}
	}
}
