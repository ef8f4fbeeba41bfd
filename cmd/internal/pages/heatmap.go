package pages

import (
	"strconv"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
)

// The charts are SVG made by templates, with classes instead of colours, since a
// page's policy forbids styles in the text and its colours follow the reader's. The
// chart libraries there are write both into what they draw.

// A HeatMap shows how much there was on each day: a strip for up to a month, and for
// more a column for each week.
type HeatMap struct {
	ID            string
	Width, Height int
	Cell          int // width of a day
	Days          []heatDay
	Labels        []label
	Strip, Linked bool // Linked says that days lead to their handoffs
	Title, Told   string
}

type heatDay struct {
	Figure
	X, Y, Middle, Level int
	Text                string
}

// A label is a text in a chart.
type label struct {
	X, Y int
	Text string
}

const (
	stripDays = 31
	yearDays  = 53 * 7
	gridCell  = 13
	gridGap   = 3
	gridLeft  = 34
	gridTop   = 20
	stripRoom = 760
)

// HeatMap draws the handoffs of each day; nil is none.
func (o Options) HeatMap(d *report.Days) *HeatMap {
	days := d.Days[max(len(d.Days)-yearDays, 0):]
	if len(days) == 0 {
		return nil
	}
	h := &HeatMap{
		ID: "heat-" + days[0].Label, Title: "Handoffs by day", Told: describeDays(days),
		Strip: len(days) <= stripDays,
	}
	most := 0
	for _, day := range days {
		most = max(most, day.Value)
	}
	place := h.grid
	if h.Strip {
		place = h.strip
	}
	for i, day := range days {
		number := day.Number
		if o.Links.NoDays {
			number.Query = ""
		}
		text := day.Label + ": " + counted(day.Value, "handoff")
		cell := heatDay{Figure: o.Figure(number), Level: level(day.Value, most), Text: text}
		place(i, len(days), day.When, &cell)
		h.Days = append(h.Days, cell)
		h.Linked = h.Linked || cell.Link != ""
	}
	return h
}

// strip places a day in a row, with its name below.
func (h *HeatMap) strip(i, n int, day time.Time, cell *heatDay) {
	h.Cell = min(64, stripRoom/n-gridGap)
	step := h.Cell + gridGap
	h.Width, h.Height = n*step, 72
	cell.X, cell.Y, cell.Middle = i*step, 0, i*step+h.Cell/2
	text := day.Format("2")
	if n <= 14 {
		text = day.Format("Mon 2")
	}
	h.Labels = append(h.Labels, label{cell.Middle, 62, text})
}

// grid places a day in the column of its week, Monday first.
func (h *HeatMap) grid(i, n int, day time.Time, cell *heatDay) {
	const step = gridCell + gridGap
	row := (int(day.Weekday()) + 6) % 7
	first := (row - i%7 + 7) % 7 // the row of the first day
	column := (first + i) / 7
	h.Cell = gridCell
	h.Width, h.Height = gridLeft+((first+n-1)/7+1)*step, gridTop+7*step
	cell.X, cell.Y = gridLeft+column*step, gridTop+row*step
	if day.Day() == 1 || i == 0 && day.Day() < 20 {
		h.Labels = append(h.Labels, label{cell.X, 12, day.Format("Jan")})
	}
	if i < 7 && row%2 == 0 && row < 6 {
		h.Labels = append(h.Labels, label{0, cell.Y + 10, day.Format("Mon")})
	}
}

// level returns how strong a day is coloured, 0 to 4.
func level(n, most int) int {
	if n == 0 {
		return 0
	}
	return (4*n + most - 1) / most
}

// describeDays describes in words what a chart of days shows.
func describeDays(days []report.Day) string {
	sum, active := 0, 0
	best := days[0]
	for _, d := range days {
		sum += d.Value
		if d.Value > 0 {
			active++
		}
		if d.Value > best.Value {
			best = d
		}
	}
	text := counted(len(days), "day") + " from " + days[0].Label + " to " + days[len(days)-1].Label + ", " +
		render.Thousands(active) + " of them with handoffs"
	if sum > 0 {
		text += "; most on " + best.Label + ": " + strconv.Itoa(best.Value)
	}
	return text
}
