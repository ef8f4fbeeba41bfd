package report

import (
	"handex/cmd/internal/digest"
	"handex/index"
	"handex/parse"
	"handex/query"
)

// maxTold bounds the handoffs whose gotchas or failures are read.
const maxTold = 1000

// gotchas tells what several files warn of, what most warn of first.
func (b *builder) gotchas() error {
	n, f, err := b.said("with gotchas", query.Has{Field: "gotchas"}, func(h *index.Handoff) []digest.Piece {
		return digest.Unfinished(digest.Pieces(h, parse.Gotchas))
	})
	if err != nil {
		return err
	}
	s := Section{Name: Gotchas, Title: "Gotchas met again", Numbers: []Number{n}}
	if s.Items = cut(b.countedItems(f, 2), b.most(), &s.Omitted); len(s.Items) > 0 {
		b.add(s)
	}
	return nil
}

// failed tells what was tried and did not work, what failed most often first.
func (b *builder) failed() error {
	tried := query.Or{List: []query.Expr{query.Key{Field: "approach", Value: "failed"}, query.Has{Field: "failed"}}}
	n, f, err := b.said("with failed approaches", tried, func(h *index.Handoff) []digest.Piece {
		list := digest.Pieces(h, parse.Failed)
		for _, a := range h.Approaches {
			if a.Outcome == "failed" {
				list = append(list, digest.Piece{Text: digest.Plain(a.Text)})
			}
		}
		return list
	})
	if err != nil {
		return err
	}
	s := Section{Name: Failed, Title: "Tried and failed", Numbers: []Number{n}}
	if s.Items = cut(b.countedItems(f, 1), b.most(), &s.Omitted); len(s.Items) > 0 {
		b.add(s)
	}
	return nil
}

// said folds what handoffs of the report's time say that meet a condition.
func (b *builder) said(label string, condition query.Expr, of func(*index.Handoff) []digest.Piece) (Number, *folder, error) {
	f := &folder{}
	list, n, err := b.first(maxTold, label, b.query(b.time, condition))
	if err != nil {
		return n, f, err
	}
	if n.Value > len(list) {
		b.note(label + ": only the newest were read, " + plural(len(list), "handoffs"))
	}
	whole, err := b.load(distinct(list))
	for _, h := range whole {
		for _, p := range of(h) {
			b.fold(f, h, p.Text, "")
		}
	}
	return n, f, err
}
