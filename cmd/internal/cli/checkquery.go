package cli

import (
	"errors"
	"slices"

	"handex/cmd/internal/render"
	"handex/index"
	"handex/parse"
	"handex/query"
)

// query checks the handoffs that a query finds; without a limit: that is all.
func (k *checker) query(text string) error {
	q, err := k.service.ParseQuery(text, k.flags.Limit, query.Parse)
	if err != nil {
		return err
	}
	if q.CountBy != nil || q.Facets != nil {
		return hinted{errors.New("check lists what is wrong with handoffs and counts nothing"), "handex search " + text + " counts"}
	}
	if !q.HasLimit() {
		q.Limit = 0
	}
	if err := k.open(); err != nil {
		return err
	}
	result, err := k.service.Hits(k.ctx, q, nil, false)
	if err != nil {
		return err
	}
	for _, note := range q.Notes {
		k.note(note)
	}
	k.tellNotes(k.service.Warnings(result.Stale)...)
	return k.hits(result.Hits)
}

// hits adds what the index says is wrong with handoffs.
func (k *checker) hits(hits []index.Hit) error {
	files := map[string]bool{}
	for _, hit := range hits {
		if !files[hit.Path] {
			files[hit.Path] = true
			k.checked.Files++
		}
		if !slices.Contains(hit.States, "invalid") && !slices.Contains(hit.States, "warned") {
			continue
		}
		h, err := k.service.Load(k.ctx, hit.ID)
		if err != nil {
			return err
		}
		read, err := k.in.Inspect(hit.Path)
		if err != nil {
			k.unread(hit.Path, err)
			continue
		}
		k.checked.Findings = append(k.checked.Findings, k.indexed(h, read)...)
	}
	return nil
}

// indexed are the problems the index has of a handoff, at their places in the
// file if that still has them: of places the index keeps the lines alone.
func (k *checker) indexed(h *index.Handoff, read index.Inspection) []render.Finding {
	var list []render.Finding
	for _, p := range h.Problems {
		f := render.Finding{Path: h.Path, Shown: k.shown(h.Path), ID: h.ID, Entry: h.Entry, Format: h.Format, Problem: p}
		if p.Line > 0 {
			f.Place = parse.Excerpt{Line: p.Line, Column: 1, EndLine: p.Line, EndColumn: 1}
		}
		for _, d := range read.Documents {
			for _, at := range d.Problems {
				if at.Rule == p.Rule && at.Line == p.Line && at.Message == p.Message && p.Line > 0 {
					f.Place = parse.ExcerptOf(read.Bytes, at.Span)
				}
			}
		}
		list = append(list, f)
	}
	sortFindings(list)
	return list
}
