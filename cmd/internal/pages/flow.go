package pages

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/OWNER/handex/cmd/internal/report"
)

// A FlowChart draws who handed over to whom: senders on the left, receivers on the
// right, a band between them as wide as it happened often.
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

// FlowChart draws who handed over to whom; nil is nobody.
func (o Options) FlowChart(edges []report.Edge) *FlowChart {
	if len(edges) == 0 {
		return nil
	}
	edges = slices.Clone(edges)
	slices.SortStableFunc(edges, func(a, b report.Edge) int { return cmp.Compare(b.Value, a.Value) })
	c := &FlowChart{Width: flowWidth, Title: "Handovers between agents", Left: max(len(edges)-maxEdges, 0)}
	for _, e := range edges {
		c.Rows = append(c.Rows, flowRow{o.Line(e.From), o.Line(e.To), o.Figure(e.Number)})
	}
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
	c.Height = max(left.height(), right.height())
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

// band returns a line from the left side to the right.
func band(from, to int) string {
	const a, b = flowInset, flowWidth - flowInset
	return fmt.Sprintf("M%d %d C%d %d %d %d %d %d", a, from, (a+b)/2, from, (a+b)/2, to, b, to)
}

// A side is the nodes of one side from the top down.
type side struct {
	names []string
	sizes map[string]int
	free  map[string]int // where the next band begins
}

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
	y := 4
	for _, n := range s.names {
		s.free[n] = y
		y += s.room(n) + nodeGap
	}
	return s
}

// room returns a node's height, at least that of its name.
func (s *side) room(name string) int { return max(s.sizes[name], 16) }

func (s *side) height() int {
	y := 4
	for _, n := range s.names {
		y += s.room(n) + nodeGap
	}
	return y
}

// take returns the middle of the next band of a node.
func (s *side) take(name string, width int) int {
	at := s.free[name]
	s.free[name] += width
	return at + width/2
}

func (s *side) nodes(x, textX int, anchor string) []flowNode {
	var list []flowNode
	for _, n := range s.names {
		list = append(list, flowNode{x, s.free[n], s.room(n), textX, s.free[n] + s.room(n)/2 + 5, anchor, cmp.Or(n, "—")})
	}
	return list
}
