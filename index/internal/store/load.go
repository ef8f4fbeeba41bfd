package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index/internal/snippet"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/parse"
)

// LoadAll reads complete handoffs by their row ids, in the order of ids. The ids must come from the
// index in the same transaction.
func (s *DB) LoadAll(ctx context.Context, q *sqlitedb.Queries, ids []int64) ([]*Handoff, error) {
	cards, err := s.SummariesOf(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	return LoadRest(ctx, q, cards, ids)
}

// LoadRest returns complete handoffs: it adds texts, facts and problems to their summaries cards,
// which are in the order of ids.
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

// readBodies reads the texts of handoffs, and the items in them, into the values of byID. ids is a
// JSON list of its keys.
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

// addAttrs adds the facts of handoffs to them. An approach without a text has the text of the list
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

// kindAt returns the kind of the section that contains a line of the file, "" if none does.
func (h *Handoff) kindAt(line int) parse.Kind {
	for _, s := range slices.Backward(h.Sections) {
		if s.Span.Line <= line && line <= s.Span.EndLine {
			return s.Kind
		}
	}
	return ""
}

// addAttr adds one attribute to the field of h that it belongs to.
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

// ReadLayout returns the pieces of a handoff from the columns of its row, each with its heading and
// text. It reverses NewLayout. Columns that contradict each other are ErrCorrupt.
func ReadLayout(sections, heading string, text [22]string) ([]Piece, error) {
	pieces, err := readPieces(sections)
	if err != nil {
		return nil, err
	}
	for i := range pieces {
		p := &pieces[i]
		if p.IsSection() {
			if p.HeadingStr, heading, err = cut(heading, p.heading); err != nil {
				return nil, err
			}
		}
		col := &text[ColumnOf()[p.Kind]]
		if p.Text, *col, err = cut(*col, p.body); err != nil {
			return nil, err
		}
	}
	return pieces, nil
}

// A Body is the text of a handoff, as the query Bodies returns it.
type Body struct {
	Title, Head string
	Name        string // its project and its file, a line each
	Pieces      []Piece
}

// UnpackBody returns the text in a row of Bodies. A row that does not match its checksum is
// ErrCorrupt.
func UnpackBody(scratch *Rows, row *sqlitedb.BodiesRow) (Body, error) {
	if scratch.TextSum(row.ID, row.Sections, row.Pack) != row.TextSum {
		return Body{}, damaged(row.ID, "the text")
	}
	var part [5]string // title, heading, head, name, meta
	var text [22]string
	rest, more := row.Pack, true
	for i := range len(part) + len(text) {
		var s string
		if !more {
			return Body{}, fmt.Errorf("%w: a text is missing", ErrCorrupt)
		}
		if s, rest, more = strings.Cut(rest, "\x00"); i < len(part) {
			part[i] = s
		} else {
			text[i-len(part)] = s
		}
	}
	if more {
		return Body{}, fmt.Errorf("%w: a text contains NUL", ErrCorrupt)
	}
	pieces, err := ReadLayout(row.Sections, part[1], text)
	return Body{part[0], part[2], part[3], pieces}, err
}

// readPieces reads handoff.sections; headings and texts of the pieces stay empty. A page of hits
// reads hundreds of them, so it only accepts the one form that Sections writes.
func readPieces(sections string) ([]Piece, error) {
	bad := fmt.Errorf("%w: sections %.100q", ErrCorrupt, sections)
	rest, ok := strings.CutPrefix(sections, "[")
	if !ok {
		return nil, bad
	}
	pieces := make([]Piece, 0, strings.Count(rest, "["))
	for rest != "]" {
		row, after, ok := strings.Cut(strings.TrimPrefix(rest, ","), "]")
		p, good := readPiece(row)
		if !ok || !good {
			return nil, bad
		}
		pieces = append(pieces, p)
		rest = after
	}
	return pieces, nil
}

// readPiece reads one element of handoff.sections, without its closing bracket.
func readPiece(row string) (p Piece, ok bool) {
	row, ok = strings.CutPrefix(row, `["`)
	if !ok {
		return p, false
	}
	kind, row, ok := strings.Cut(row, `",`)
	var n [6]int
	read, more := 0, true
	for ; read < len(n) && more; read++ {
		var word string
		var err error
		word, row, more = strings.Cut(row, ",")
		n[read], err = strconv.Atoi(word)
		ok = ok && err == nil
	}
	if read == len(n)-1 {
		n[read] = n[1] + 1
	}
	ok = ok && !more && read >= len(n)-1
	return Piece{
		Kind: kindColumn(parse.Kind(kind)), Level: n[0], Line: n[1], end: n[2], heading: n[3], body: n[4],
		FirstLine: n[5],
	}, ok
}

// cut returns the first n bytes of s, and the rest after the newline that must follow them.
// Otherwise the error is ErrCorrupt.
func cut(s string, n int) (head, rest string, err error) {
	if n < 0 || n >= len(s) || s[n] != '\n' {
		return "", "", fmt.Errorf("%w: sections do not fit the text", ErrCorrupt)
	}
	return s[:n], s[n+1:], nil
}

// SectionsOf returns the sections that pieces make up. Their spans have only lines, as offsets in
// the file are not kept.
func SectionsOf(pieces []Piece) []parse.Section {
	var out []parse.Section
	for _, p := range pieces {
		switch {
		case p.IsSection():
			out = append(out, parse.Section{
				Kind: p.Kind, Heading: p.HeadingStr, Slug: Slug(p.HeadingStr), Level: p.Level, Body: p.Text,
				BodyLine: snippet.LineOf(p.FirstLine, 0), Span: parse.Span{Line: p.Line, EndLine: p.end},
			})
		case p.Level == levelPart && len(out) > 0:
			s := &out[len(out)-1]
			if len(s.Parts) == 0 && s.Body != "" {
				s.Parts = []parse.Part{{Kind: s.Kind, Text: s.Body}}
			}
			s.Parts = append(s.Parts, parse.Part{Kind: p.Kind, Text: p.Text})
			s.Body += p.Text
		}
	}
	return out
}
