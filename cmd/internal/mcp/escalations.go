package mcp

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/cmd/internal/acks"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

var escalationsTool = tool{
	name: "escalations", title: "Escalations to a human",
	call: (*server).escalations, result: escalated{},
	doc: "Open handoffs that ask for human review, oldest first. An acknowledgement or a newer handoff closes one, but " +
		"if it says that it is not done, only a newer handoff of the same work or an acknowledgement does.",
	params: []param{
		anyProjectParam,
		{name: "all", kind: "boolean", doc: "also those that were replaced or acknowledged", example: true},
		limitParam, cursorParam,
	},
}

// escalated is the result of escalations.
type escalated struct {
	About string       `json:"about"`
	Total int          `json:"total"`
	List  []escalation `json:"escalations"`
	page
}

// An escalation is a handoff with the line that asks for a human. State is open,
// replaced or acknowledged.
type escalation struct {
	ID      string `json:"id"`
	State   string `json:"state"`
	Date    string `json:"date,omitempty"`
	Age     string `json:"age,omitempty"`
	Cloned  bool   `json:"came_with_a_clone,omitempty"`
	Acked   string `json:"acknowledged,omitempty"` // when, and of which text if not this
	Project string `json:"quote_project,omitempty"`
	By      string `json:"quote_by,omitempty"`
	Line    string `json:"quote"`
	Note    string `json:"quote_note,omitempty"` // of the acknowledgement
}

func (s *server) escalations(ctx context.Context, svc *service.Service, a args) (answer, error) {
	at, err := readCursor(a.text("cursor"), "escalations", a.text("project"), strconv.FormatBool(a.flag("all")))
	if err != nil {
		return nil, err
	}
	text := "is:escalated sort:date-asc"
	if !a.flag("all") {
		text = "is:open " + text
	}
	project := a.text("project")
	found, err := ask(ctx, svc, question{text, true, project, a.number("limit", fewHits), at.at},
		service.SearchOptions{NoSnippets: true})
	if err != nil {
		return nil, err
	}
	notes := slices.Concat(found.Notes, svc.Warnings(found.Result.Stale))
	if project != "" && found.Result.Total == 0 {
		unknown, err := s.knows(ctx, svc, project)
		if err != nil {
			return nil, err
		}
		notes = append(unknown, notes...)
	}
	notes = s.notes(svc, notes...)
	handoffs := make([]acknowledged, len(found.Rows))
	for i, row := range found.Rows {
		if handoffs[i].Handoff, err = svc.Load(ctx, row.ID); err != nil {
			return nil, err
		}
		if handoffs[i].ack, err = svc.AckOf(row.Summary); err != nil {
			return nil, err
		}
		if handoffs[i].foreign, err = svc.IsForeign(ctx, row.Summary); err != nil {
			return nil, err
		}
	}
	total := found.Result.Total
	return fit(room(a), handoffs, func(list []acknowledged) answer {
		q := s.quoter()
		out := escalated{About: about, Total: total, List: []escalation{}}
		for _, h := range list {
			out.List = append(out.List, s.escalation(q, h))
		}
		out.page = q.page(at, len(list), total, notes)
		return out
	}), nil
}

// acknowledged is a handoff, whether it came with a clone, and what was acknowledged of
// it last, nil for nothing.
type acknowledged struct {
	*index.Handoff
	foreign bool
	ack     *acks.Event
}

func (s *server) escalation(q *quoter, h acknowledged) escalation {
	out := escalation{
		ID: h.ID, State: "replaced", Date: s.date(h.Date, h.DatePrecision), Age: s.age(h.Date, h.DatePrecision),
		Cloned: h.foreign, Project: q.line(h.Project, longestName), By: q.line(strings.Join(compact(h.From, h.Session), ", "),
			longestName),
	}
	if len(h.Escalations) > 0 {
		const longest = 300
		out.Line = q.line(h.Escalations[0].Text, longest)
	}
	switch {
	case slices.Contains(h.States, "acked"):
		out.State = "acknowledged"
	case slices.Contains(h.States, "open"):
		out.State = "open"
	}
	if ack := h.ack; ack != nil {
		out.Acked, out.Note = s.date(ack.At, "minute"), q.line(ack.Note, longestLine)
		if ack.Digest != h.Digest {
			out.Acked += ", for another text"
		}
	}
	return out
}

func (o escalated) write(b *strings.Builder) {
	b.WriteString(o.About + "\n" + render.Several(o.Total, "escalation") + "\n")
	for _, e := range o.List {
		acked, cloned := "", ""
		if e.Acked != "" {
			acked = "acknowledged " + e.Acked
		}
		if e.Cloned {
			cloned = "came with a clone"
		}
		known := strings.Join(compact(e.ID, e.State, e.Date, e.Age, cloned, acked), ", ")
		b.WriteString(known + " " + bar + strings.Join(compact(e.Project, e.By, e.Line, e.Note), ": ") + "\n")
	}
}
