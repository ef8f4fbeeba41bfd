package paper

import (
	"slices"
	"strconv"
	"strings"

	"handex/cmd/internal/render"
	"handex/cmd/internal/report"
)

// items writes the items of a section, under the headings of their groups.
func (p *page) items(s *report.Section) {
	p.who = slices.Contains([]string{report.Escalations, report.Overtaken, report.Acked, report.Blockers, report.Timeline, "list"}, s.Name)
	if len(s.Groups) == 0 {
		w := widths(s.Items, p.o)
		for i := range s.Items {
			p.item(&s.Items[i], w)
		}
		return
	}
	at := 0
	for _, g := range s.Groups {
		p.line(render.Span{Text: "  " + g.Name, Look: render.Fresh}, render.Span{Text: "  " + counted(g, s.Name), Look: render.Dim})
		if p.queries {
			p.query("  " + g.Handoffs.Query)
		}
		from := at
		for at < len(s.Items) && s.Items[at].Group == g.Name {
			at++
		}
		w := widths(s.Items[from:at], p.o)
		w.project, w.indent = 0, 2
		for i := from; i < at; i++ {
			p.item(&s.Items[i], w)
		}
		if g.Omitted > 0 {
			p.line(render.Span{Text: "    and " + thousands(g.Omitted) + " more", Look: render.Dim})
		}
	}
}

// counted is how many handoffs a group has, where its items are of all of them.
func counted(g report.Group, section string) string {
	if section == report.Next {
		return ""
	}
	n := g.Handoffs
	n.Label = "handoffs"
	return said(n)
}

// itemWidths are the cells that the columns of items take.
type itemWidths struct{ indent, age, project, id int }

const maxProject = 24

func widths(items []report.Item, o render.Options) itemWidths {
	var w itemWidths
	for i := range items {
		it := &items[i]
		w.age = max(w.age, render.Cells(o.Date(it.When, it.Precision)))
		w.project = max(w.project, min(render.Cells(it.Project), maxProject))
		w.id = max(w.id, render.Cells(it.ID))
	}
	return w
}

// item writes an item on a line: when, where, what, and which handoff to look at.
// Of what is said it cuts as much as the terminal is too narrow for.
func (p *page) item(it *report.Item, w itemWidths) {
	left := []render.Span{{Text: strings.Repeat(" ", 2+w.indent) + padded(p.o.Date(it.When, it.Precision), w.age) + "  ", Look: render.Dim}}
	if w.project > 0 {
		left = append(left, render.Span{Text: padded(render.Cut(it.Project, w.project), w.project) + "  ", Look: render.Fresh})
	}
	text, extra := it.Text, p.extra(it)
	if text == "" {
		text = "(no title)"
	}
	right := "  " + it.ID
	if p.o.Width > 0 {
		room := p.o.Width - w.id - 2
		for _, s := range left {
			room -= render.Cells(s.Text)
		}
		if room < minText {
			right, room = "", room+w.id+2
		}
		room = max(room, minText)
		text = render.Cut(text, max(room-render.Cells(extra), minText))
		extra = render.Cut(extra, max(room-render.Cells(text), 1))
		if right != "" {
			extra = padded(extra, room-render.Cells(text))
		}
	}
	p.line(append(left, render.Span{Text: text}, render.Span{Text: extra, Look: render.Dim}, render.Span{Text: right, Look: render.Dim})...)
	if p.queries && it.Count != nil {
		p.query("  " + it.Count.Query)
	}
}

// minText is how narrow what is said gets before other columns give way.
const minText = 30

// extra is what stands behind what is said: how often, since when, who.
func (p *page) extra(it *report.Item) string {
	var words []string
	if !it.Since.IsZero() && it.Count != nil {
		words = append(words, "in "+strconv.Itoa(it.Count.Value)+" handoffs since "+p.o.Date(it.Since, it.Precision))
	} else if it.Count != nil {
		words = append(words, strconv.Itoa(it.Count.Value)+"×"+elsewhere(it))
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

// elsewhere names the projects that say it, if it is not one alone.
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
	return ", also in " + strings.Join(names, " ")
}

// padded fills a text with blanks to a width.
func padded(text string, cells int) string {
	return text + strings.Repeat(" ", max(cells-render.Cells(text), 0))
}
