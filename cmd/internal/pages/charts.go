package pages

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
)

// The charts are SVG made by templates, with classes instead of colours, since a
// page's policy forbids styles in the text and its colours follow the reader's. The
// chart libraries there are write both into what they draw.

// A HeatMap shows how many handoffs each day has: a strip of up to a month, and for more
// days a column for each week.
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

// HeatMap returns a heat map of the handoffs of each day, or nil if there are no days.
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

// strip sets the place of day i of n in a single row, and adds the day's name below.
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

// grid sets the place of day i of n in the column of its week, Monday first, and adds
// labels.
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

// level returns the strength of a day's colour, 0 to 4, from its count and the largest
// count.
func level(n, most int) int {
	if n == 0 {
		return 0
	}
	return (4*n + most - 1) / most
}

// describeDays returns a sentence that says what a chart of days shows, for readers who
// cannot see it.
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

// A FlowChart shows who handed over to whom: senders on the left, receivers on the right,
// and between them bands whose width shows how often.
type FlowChart struct {
	Width, Height int
	Nodes         []flowNode
	Bands         []flowBand
	Rows          []flowRow // the same as a table
	Title, Told   string
	Left          int // edges that are not drawn
}

type flowNode struct {
	X, Y, H, TextX, TextY int
	Anchor, Name          string
}

type flowBand struct {
	Path  string
	Width int
	N     int
	Text  string
	Link  string
}

type flowRow struct {
	From, To string
	Figure
}

const (
	flowWidth = 760
	flowInset = 190
	nodeWidth = 10
	nodeGap   = 12
	maxEdges  = 24
	flowRoom  = 300 // height of all bands together, at most
)

// FlowChart returns a chart of who handed over to whom, or nil if there are no edges.
func (o Options) FlowChart(edges []report.Edge) *FlowChart {
	if len(edges) == 0 {
		return nil
	}
	edges = slices.Clone(edges)
	slices.SortStableFunc(edges, func(a, b report.Edge) int { return cmp.Compare(b.Value, a.Value) })
	c := &FlowChart{Width: flowWidth, Title: "Handovers between agents", Left: max(len(edges)-maxEdges, 0)}
	c.Rows = render.Each(edges, func(e report.Edge) flowRow {
		return flowRow{o.Line(e.From), o.Line(e.To), o.Figure(e.Number)}
	})
	drawn := c.Rows[:min(len(c.Rows), maxEdges)]
	sum := 0
	for _, r := range drawn {
		sum += r.Value
	}
	room := min(flowRoom, 60*len(drawn))
	scale := func(n int) int { return max(3, n*room/max(sum, 1)) }
	if sum < 15 {
		scale = func(n int) int { return 14 * n }
	}
	left := newSide(drawn, scale, func(r flowRow) string { return r.From })
	right := newSide(drawn, scale, func(r flowRow) string { return r.To })
	c.Height = max(left.height, right.height)
	c.Nodes = append(left.nodes(flowInset-nodeWidth, flowInset-nodeWidth-8, "end"), right.nodes(flowWidth-flowInset,
		flowWidth-flowInset+nodeWidth+8, "start")...)
	for i, r := range drawn {
		c.Bands = append(c.Bands, flowBand{
			band(left.take(r.From, scale(r.Value)), right.take(r.To, scale(r.Value))),
			scale(r.Value), i%8 + 1, r.From + " to " + r.To + ": " + counted(r.Value, "handover"), r.Link,
		})
	}
	c.Told = counted(len(left.names), "sender") + ", " + counted(len(right.names), "receiver") + "; most often " +
		drawn[0].From + " to " + drawn[0].To + ": " + counted(drawn[0].Value, "time")
	return c
}

// band returns the SVG path of a curve from a height on the left side to one on the right.
func band(from, to int) string {
	const a, b = flowInset, flowWidth - flowInset
	return fmt.Sprintf("M%d %d C%d %d %d %d %d %d", a, from, (a+b)/2, from, (a+b)/2, to, b, to)
}

// A side is the nodes of one side of a flow chart, from the top down.
type side struct {
	names []string
	sizes map[string]int
	free  map[string]int // where the next band begins

	height int // of all nodes
}

// newSide returns the side with a node for each name in the rows, the largest first. scale
// returns the height of a count.
func newSide(rows []flowRow, scale func(int) int, name func(flowRow) string) *side {
	s := &side{sizes: map[string]int{}, free: map[string]int{}}
	for _, r := range rows {
		n := name(r)
		if s.sizes[n] == 0 {
			s.names = append(s.names, n)
		}
		s.sizes[n] += scale(r.Value)
	}
	slices.SortStableFunc(s.names, func(a, b string) int { return cmp.Compare(s.sizes[b], s.sizes[a]) })
	s.height = 4
	for _, n := range s.names {
		s.free[n] = s.height
		s.height += s.room(n) + nodeGap
	}
	return s
}

// room returns the height of a node, which is at least that of its name.
func (s *side) room(name string) int { return max(s.sizes[name], 16) }

// take returns the middle of the next band of a node, and moves on by the width of the
// band.
func (s *side) take(name string, width int) int {
	at := s.free[name]
	s.free[name] += width
	return at + width/2
}

// nodes returns the nodes of a side, placed at x, with names at textX.
func (s *side) nodes(x, textX int, anchor string) []flowNode {
	return render.Each(s.names, func(n string) flowNode {
		return flowNode{x, s.free[n], s.room(n), textX, s.free[n] + s.room(n)/2 + 5, anchor, cmp.Or(n, "—")}
	})
}
