package paper

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
)

// items writes the items of a section, below the headings of their groups if it has groups.
func (p *page) items(s *report.Section) {
	p.who = slices.Contains([]string{
		report.Escalations, report.Overtaken, report.Acked, report.Blockers, report.Timeline,
		"list",
	}, s.Name)
	p.clock = s.Name == report.Timeline
	if len(s.Groups) == 0 {
		w := p.widths(s.Items)
		for i := range s.Items {
			p.item(&s.Items[i], w)
		}
		return
	}
	for _, g := range s.Groups {
		counted := ""
		if s.Name != report.Next { // whose items are of the newest
			counted = countText(handoffs(g))
		}
		p.line(render.Cyan.Of("  "+g.Name), render.Dim.Of("  "+counted))
		if p.queries {
			p.query("  " + g.Handoffs.Query)
		}
		items := s.Of(g.Name)
		w := p.widths(items)
		w.project, w.indent = 0, 2
		for i := range items {
			p.item(&items[i], w)
		}
		if g.Omitted > 0 {
			p.line(render.Dim.Of("    and " + render.Thousands(g.Omitted) + " more"))
		}
	}
}

// handoffs returns the number of handoffs of a group, labelled "handoffs".
func handoffs(g report.Group) report.Number {
	n := g.Handoffs
	n.Label = "handoffs"
	return n
}

// itemWidths are the widths of the columns of items, in cells.
type itemWidths struct{ indent, age, project, id int }

const maxProject = 24

// widths returns the widths that the columns need for these items.
func (p *page) widths(items []report.Item) itemWidths {
	var w itemWidths
	for i := range items {
		it := &items[i]
		w.age = max(w.age, render.Cells(p.when(it)))
		w.project = max(w.project, min(render.Cells(it.Project), maxProject))
		w.id = max(w.id, render.Cells(it.ID))
	}
	return w
}

// item writes an item: its date, project, text, and the id of its handoff. The text takes
// as many lines as it needs, up to maxLines.
func (p *page) item(it *report.Item, w itemWidths) {
	left := []render.Span{{Text: strings.Repeat(" ", 2+w.indent) + padded(p.when(it), w.age) + "  ", Look: render.Dim}}
	if w.project > 0 {
		left = append(left, render.Cyan.Of(padded(render.Cut(it.Project, w.project), w.project)+"  "))
	}
	text := it.Text
	if text == "" {
		text = "(no title)"
	}
	indent := 0
	for _, s := range left {
		indent += render.Cells(s.Text)
	}
	lines, right := p.itemLines(text, p.extra(it), indent, "  "+it.ID)
	for i, line := range lines {
		if i > 0 {
			left, right = []render.Span{{Text: strings.Repeat(" ", indent)}}, ""
		}
		p.line(slices.Concat(left, line, []render.Span{{Text: right, Look: render.Dim}})...)
	}
	if p.queries && it.Count != nil {
		p.query("  " + it.Count.Query)
	}
	if p.whole {
		p.alike(it.Alike, indent)
	}
}

// alike writes the other wordings of an item in full, below it.
func (p *page) alike(list []report.Wording, indent int) {
	room := max(p.o.Width-indent, minText)
	for _, a := range list {
		text := "alike: " + render.Line(a.Text) + "  " + a.ID
		lines := []string{text}
		if p.o.Width > 0 {
			lines = wrapped(text, room, len(text))
		}
		for _, line := range lines {
			p.line(render.Dim.Of(strings.Repeat(" ", indent) + line))
		}
	}
}

// when returns the date of an item as text. In a timeline, where items are grouped by day,
// it returns the time of day, or "" if that is unknown.
func (p *page) when(it *report.Item) string {
	if !p.clock {
		return p.o.Date(it.When, it.Precision)
	}
	if it.Precision == "instant" || it.Precision == "minute" {
		return it.When.Format("15:04")
	}
	return ""
}

// minText is the width of the text below which the id is left out, maxLines the maximum
// number of lines of a text.
const (
	minText  = 30
	maxLines = 3
)

// itemLines wraps the text of an item and the remarks in extra into lines. right is the id,
// padded to the right edge of the first line; it is blank if there is no room for the id.
func (p *page) itemLines(text, extra string, indent int, id string) (lines [][]render.Span, right string) {
	room := p.o.Width - indent - render.Cells(id)
	switch {
	case p.o.Width <= 0:
		return [][]render.Span{{{Text: text}, {Text: extra, Look: render.Dim}}}, id
	case room < minText:
		room, id = max(p.o.Width-indent, minText), ""
	}
	texts := wrapped(text, room, maxLines)
	lines = render.Each(texts, func(t string) []render.Span { return []render.Span{{Text: t}} })
	last := len(lines) - 1
	if used := render.Cells(texts[last]); used+render.Cells(extra) <= room {
		lines[last] = append(lines[last], render.Dim.Of(extra))
	} else {
		lines = append(lines, []render.Span{{Text: render.Cut(strings.TrimLeft(extra, " "), room), Look: render.Dim}})
	}
	used := 0
	for _, s := range lines[0] {
		used += render.Cells(s.Text)
	}
	return lines, strings.Repeat(" ", max(room-used, 0)) + id
}

// wrapped breaks a text between words into lines of room cells. If there would be more than
// most lines, the last one is cut.
func wrapped(text string, room, most int) []string {
	var lines []string
	for render.Cells(text) > room && len(lines) < most-1 {
		at := breakAt(text, room)
		lines = append(lines, strings.TrimRight(text[:at], " "))
		text = strings.TrimLeft(text[at:], " ")
	}
	return append(lines, render.Cut(text, room))
}

// breakAt returns the offset at which to break a text that is wider than room cells: after
// the last blank, if that is in the second half, else where the room ends.
func breakAt(text string, room int) int {
	end, blank, cells := 0, 0, 0
	for i, r := range text {
		if cells += render.Cells(string(r)); cells > room {
			break
		}
		if end = i + utf8.RuneLen(r); r == ' ' {
			blank = end
		}
	}
	if blank > end/2 {
		return blank
	}
	return max(end, 1)
}

// extra returns the remarks after an item's text: how often it occurs, since when, its
// state and who wrote it.
func (p *page) extra(it *report.Item) string {
	var words []string
	if !it.Since.IsZero() && it.Count != nil {
		words = append(words, "in "+strconv.Itoa(it.Count.Value)+" handoffs since "+p.o.Date(it.Since, it.Precision))
	} else if it.Count != nil {
		words = append(words, strconv.Itoa(it.Count.Value)+"×"+elsewhere(it))
	}
	if n := len(it.Alike); n > 0 {
		words = append(words, "+"+strconv.Itoa(n)+" alike")
	}
	if it.State != "" {
		words = append(words, it.State)
	}
	if it.Who != "" && p.who {
		words = append(words, it.Who)
	}
	if len(words) == 0 {
		return ""
	}
	return "  (" + strings.Join(words, ", ") + ")"
}

// elsewhere returns a remark that names the other projects in which an item occurs, "" if
// there are none.
func elsewhere(it *report.Item) string {
	var names []string
	for _, ref := range it.Where {
		if ref.Project != it.Project && !strings.Contains(" "+strings.Join(names, " ")+" ", " "+ref.Project+" ") {
			names = append(names, ref.Project)
		}
	}
	if len(names) == 0 {
		return ""
	}
	const few = 2
	if len(names) > few {
		return ", also in " + strings.Join(names[:few], " ") + " and others"
	}
	return ", also in " + strings.Join(names, " ")
}

// padded returns a text with blanks behind it, to a width in cells.
func padded(text string, cells int) string {
	return text + strings.Repeat(" ", max(cells-render.Cells(text), 0))
}
