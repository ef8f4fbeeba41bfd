package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/parse"
)

// LoadAll reads handoffs whole, in the order of the ids, which come from the
// index in the same transaction.
func (s *DB) LoadAll(ctx context.Context, q *sqlitedb.Queries, ids []int64) ([]*Handoff, error) {
	cards, err := s.SummariesOf(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	return LoadRest(ctx, q, cards, ids)
}

// LoadRest reads the rest of handoffs of which the summaries are known.
func LoadRest(ctx context.Context, q *sqlitedb.Queries, cards []Summary, ids []int64) ([]*Handoff, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list := make([]*Handoff, len(ids))
	byID := make(map[int64]*Handoff, len(ids))
	for i, id := range ids {
		list[i] = &Handoff{Summary: cards[i]}
		byID[id] = list[i]
	}
	if err := readBodies(ctx, q, byID, NumberList(ids)); err != nil {
		return nil, err
	}
	attrs, problems, err := ReadFacts(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	addAttrs(byID, attrs)
	for _, p := range problems {
		h := byID[p.HandoffID]
		h.Problems = append(h.Problems, parse.Problem{
			Severity: parse.Severity(p.Severity), Rule: p.Rule, Line: int(p.Line),
			Message: p.Message,
		})
	}
	return list, nil
}

// readBodies fills in the texts of handoffs, and the items in them.
func readBodies(ctx context.Context, q *sqlitedb.Queries, byID map[int64]*Handoff, ids string) error {
	bodies, err := q.Bodies(ctx, ids)
	if err != nil {
		return err
	}
	if len(bodies) != len(byID) {
		return fmt.Errorf("%w: a handoff has no text", ErrCorrupt)
	}
	var scratch Rows
	for i := range bodies {
		b, err := UnpackBody(&scratch, &bodies[i])
		if err != nil {
			return err
		}
		h := byID[bodies[i].ID]
		h.Head, h.Sections = b.Head, SectionsOf(b.Pieces)
		for _, p := range b.Pieces {
			if p.Level == LevelField {
				h.Lines = append(h.Lines, parse.Field{
					Key: string(p.Kind), Value: p.Text,
					Span: parse.Span{Line: p.Line, EndLine: p.end},
				})
				continue
			}
			h.Items = append(h.Items, p.items()...)
		}
	}
	return nil
}

// addAttrs fills in the facts of handoffs. An approach without a text is the list
// item on its line.
func addAttrs(byID map[int64]*Handoff, attrs []sqlitedb.Attr) {
	var of *Handoff
	var items map[int]string
	for _, a := range attrs {
		h := byID[a.HandoffID]
		if h != of {
			of, items = h, nil
		}
		if a.Name == "approach" && a.Value == "" {
			if items == nil {
				items = itemLines(h.Items)
			}
			a.Value = items[int(a.Line)]
		}
		h.addAttr(a)
	}
}

// kindAt returns the kind of the section that a line of the file belongs to.
func (h *Handoff) kindAt(line int) parse.Kind {
	for _, s := range slices.Backward(h.Sections) {
		if s.Span.Line <= line && line <= s.Span.EndLine {
			return s.Kind
		}
	}
	return ""
}

func (h *Handoff) addAttr(a sqlitedb.Attr) {
	line := int(a.Line)
	switch a.Name {
	case "file":
		h.Files = append(h.Files, parse.File{Path: a.Value, Action: a.Note, Section: h.kindAt(line), Line: line})
	case "item":
		h.WorkItems = append(h.WorkItems, a.Value)
	case "approach":
		h.Approaches = append(h.Approaches, parse.Approach{Text: a.Value, Outcome: a.Note, Line: line})
	case "link":
		h.Links = append(h.Links, parse.Link{Relation: a.Note, Target: a.Value, Line: line})
	case "escalation":
		h.Escalations = append(h.Escalations, parse.Line{Number: line, Text: a.Value})
	default:
		key := strings.TrimPrefix(a.Name, "meta.")
		h.Meta = append(h.Meta, parse.Field{
			Key: key, Label: a.Note, Value: a.Value,
			Span: parse.Span{Line: line, EndLine: line},
		})
	}
}
