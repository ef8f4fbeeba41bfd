package store

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index/internal/snippet"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/parse"
)

// ReadLayout reverses layOut: the pieces of a handoff, each with its heading and text.
// An index that contradicts itself is ErrCorrupt.
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

// Body is the text of a handoff as Bodies hands it over.
type Body struct {
	Title, Head string
	Name        string // its project and its file, a line each
	Pieces      []Piece
}

// UnpackBody unpacks a row of Bodies, or fails if the row is not as it was written.
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

// readPieces reads handoff.sections; headings and texts are left empty. A page
// of hits reads hundreds, so it knows the one form that sections writes.
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

// cut cuts n bytes and the newline behind them off s.
func cut(s string, n int) (head, rest string, err error) {
	if n < 0 || n >= len(s) || s[n] != '\n' {
		return "", "", fmt.Errorf("%w: sections do not fit the text", ErrCorrupt)
	}
	return s[:n], s[n+1:], nil
}

// SectionsOf joins pieces to sections. Offsets in the file are not kept, so spans have
// lines only.
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
