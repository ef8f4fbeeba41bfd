package report

import (
	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

// maxTold bounds the handoffs whose gotchas or failures are read.
const maxTold = 1000

// gotchas lists what several files warn of, what most warn of first.
func (b *builder) gotchas() error {
	s := Section{Name: Gotchas, Title: "Recurring gotchas"}
	return b.repeated(s, 2, "with gotchas", query.Has{Field: "gotchas"}, func(h *index.Handoff) []digest.Piece {
		return digest.Unfinished(digest.Pieces(h, parse.Gotchas))
	})
}

// failed lists what was tried and did not work, what failed most often first.
func (b *builder) failed() error {
	tried := query.Or{List: []query.Expr{query.Key{Field: "approach", Value: "failed"}, query.Has{Field: "failed"}}}
	s := Section{Name: Failed, Title: "Tried and failed"}
	return b.repeated(s, 1, "with failed approaches", tried, func(h *index.Handoff) []digest.Piece {
		list := digest.Pieces(h, parse.Failed)
		for _, a := range h.Approaches {
			if a.Outcome == "failed" {
				list = append(list, digest.Piece{Text: digest.Plain(a.Text)})
			}
		}
		return list
	})
}

// repeated adds a section of what at least so many files say, among the handoffs of the
// report's time that meet a condition.
func (b *builder) repeated(
	s Section, least int, label string, condition query.Expr, pieces func(*index.Handoff) []digest.Piece,
) error {
	list, n, err := b.first(maxTold, label, b.query(b.time, condition))
	if err != nil {
		return err
	}
	if n.Value > len(list) {
		b.note(label + ": only the newest " + render.Several(len(list), "handoff") + " were read")
	}
	whole, err := b.load(distinct(list))
	if err != nil {
		return err
	}
	var f folder
	for _, h := range whole {
		b.fold(&f, h, pieces(h), "")
	}
	s.Numbers = []Number{n}
	if s.Items = cut(b.countedItems(&f, least), b.most(), &s.Omitted); len(s.Items) > 0 {
		b.add(s)
	}
	return nil
}
