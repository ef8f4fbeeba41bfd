package brief

import (
	"slices"
	"strings"

	"handex/index"
	"handex/parse"
)

// A piece is an item of a list or a paragraph, in one line.
type piece struct {
	text string
	done bool
}

// maxBody is how much of a section is looked at.
const maxBody = 64 << 10

// piecesOf lists what a handoff says under headings of the given kinds, in file
// order. What stands under a deeper heading begins with that.
func piecesOf(h *index.Handoff, kinds ...parse.Kind) []piece {
	var list []piece
	for _, f := range h.Lines {
		if slices.Contains(kinds, parse.Kind(f.Key)) && !parse.SaysNone(f.Value) {
			list = append(list, piece{text: plain(f.Value)})
		}
	}
	above := 0 // level of the heading that began a run of sections of these kinds
	for i := range h.Sections {
		s := &h.Sections[i]
		var body string
		body, above = bodyOf(s, kinds, above)
		if body == "" && (above == 0 || s.Level <= above) {
			continue
		}
		heading := ""
		if _, isAlias := parse.KindOf(s.Heading); above > 0 && s.Level > above && !isAlias {
			heading = s.Heading
		}
		list = append(list, under(heading, split(s.Kind, body))...)
	}
	return list
}

// othersOf lists what a handoff says elsewhere, the first of each section behind
// its heading.
func othersOf(h *index.Handoff) []piece {
	var list []piece
	for i := range h.Sections {
		s := &h.Sections[i]
		body, level := bodyOf(s, []parse.Kind{parse.Other, parse.Context, parse.Checks, parse.Advice}, 0)
		if level == 0 || strings.Contains(s.Slug, "metadata") {
			continue
		}
		pieces := unfinished(split(s.Kind, body))
		if heading := plain(s.Heading); heading != "" && len(pieces) > 0 {
			pieces[0].text = heading + ": " + pieces[0].text
		}
		list = append(list, pieces...)
	}
	return list
}

// bodyOf is the text of a section that is of one of the kinds, and the level of
// the heading that the sections below it stand under; 0 is none.
func bodyOf(s *parse.Section, kinds []parse.Kind, above int) (body string, level int) {
	if len(s.Parts) == 0 {
		if !slices.Contains(kinds, s.Kind) {
			return "", 0
		}
		if above == 0 || s.Level <= above {
			above = s.Level
		}
		return s.Body, above
	}
	var b strings.Builder
	for _, p := range s.Parts {
		if slices.Contains(kinds, p.Kind) {
			b.WriteString(p.Text)
		}
	}
	if b.Len() > 0 && (above == 0 || s.Level <= above) {
		above = s.Level
	}
	return b.String(), above
}

// under puts what stands under a heading behind it.
func under(heading string, list []piece) []piece {
	if heading = plain(heading); heading == "" {
		return list
	}
	head := piece{text: heading}
	_, head = ticked(head)
	var rest []string
	for _, p := range list {
		if !p.done {
			rest = append(rest, p.text)
		}
	}
	head.done = head.done || len(list) > 0 && len(rest) == 0
	if len(rest) > 0 {
		head.text += ": " + strings.Join(rest, "; ")
	}
	return []piece{head}
}

// split takes a section's body apart. Code, comments and the rules of tables are
// left out; a list in a list belongs to the item above it.
func split(kind parse.Kind, body string) []piece {
	body, _ = withoutComments(body[:min(len(body), maxBody)])
	s := splitter{kind: kind, depth: -1}
	for line := range strings.SplitSeq(body, "\n") {
		s.line(line)
	}
	s.flush()
	return s.list
}

type splitter struct {
	kind  parse.Kind
	list  []piece
	open  piece
	has   bool // open is begun
	blank bool // the line before is
	depth int  // of the list item that is open, -1 for a paragraph
	fence string
}

func (s *splitter) line(line string) {
	trimmed := strings.TrimSpace(line)
	if s.inFence(trimmed) {
		return
	}
	switch {
	case trimmed == "":
		if s.depth < 0 {
			s.flush()
		}
		s.blank = true
		return
	case strings.HasPrefix(trimmed, "|"):
		s.flush()
		s.row(trimmed)
	case strings.Trim(trimmed, "-=*_ ") == "":
		s.flush()
	default:
		s.text(line, trimmed)
	}
	s.blank = false
}

// inFence reports whether a line is of a block of code, or bounds one.
func (s *splitter) inFence(line string) bool {
	mark := ""
	for _, m := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, m) {
			mark = m
		}
	}
	switch {
	case s.fence != "":
		if mark == s.fence {
			s.fence = ""
		}
		return true
	case mark != "":
		s.fence = mark
		return true
	}
	return false
}

// text takes a line of a list or a paragraph.
func (s *splitter) text(line, trimmed string) {
	depth := len(line) - len(strings.TrimLeft(line, " \t"))
	items := parse.ItemsOf(s.kind, trimmed, 1)
	if len(items) == 0 {
		if s.blank && depth == 0 {
			s.flush()
		}
		if trimmed = strings.TrimLeft(trimmed, "> "); s.has {
			s.open.text += " " + trimmed
		} else {
			s.open, s.has, s.depth = piece{text: trimmed}, true, -1
		}
		return
	}
	it := pieceOf(items[0])
	if s.has && s.depth >= 0 && depth > s.depth+1 {
		if !it.done && len(s.open.text) < maxPiece {
			s.open.text = strings.TrimRight(s.open.text, ":; ") + "; " + it.text
		}
		return
	}
	s.flush()
	s.open, s.has, s.depth = it, true, depth
}

// maxPiece is where the lists in an item stop being part of it.
const maxPiece = 1 << 10

// row takes a row of a table: its cells in order.
func (s *splitter) row(line string) {
	var cells []string
	for cell := range strings.SplitSeq(strings.Trim(line, "| "), "|") {
		cell = strings.TrimSpace(cell)
		if cell != "" && strings.Trim(cell, ":-– ") != "" {
			cells = append(cells, cell)
		}
	}
	if strings.Trim(line, "|:- ") == "" {
		// The row above a rule is the heading of the table.
		if n := len(s.list); n > 0 {
			s.list = s.list[:n-1]
		}
		return
	}
	done, p := ticked(piece{text: plain(strings.Join(cells, " · "))})
	p.done = done || strings.Contains(line, "✅")
	s.list = append(s.list, p)
}

func (s *splitter) flush() {
	text := plain(s.open.text)
	leadIn := s.depth < 0 && strings.HasSuffix(text, ":")
	if s.has && text != "" && !leadIn && !parse.SaysNone(text) {
		s.open.text = text
		s.list = append(s.list, s.open)
	}
	s.open, s.has, s.depth = piece{}, false, -1
}

// doneMarks are the signs of items that are finished.
const doneMarks = "✅✓✔☑"

func pieceOf(it parse.Item) piece {
	p := piece{text: it.Text, done: it.Checked != nil && *it.Checked || it.Mark != "" && strings.Contains(doneMarks, it.Mark)}
	if done, rest := ticked(p); done {
		return rest
	}
	return p
}

// ticked reports whether a text says by how it begins that it is finished.
func ticked(p piece) (bool, piece) {
	begin := strings.ToLower(strings.TrimLeft(p.text[:min(len(p.text), 40)], "*[(_ "))
	for _, word := range []string{"~~", "done:", "done**", "done]", "done —", "done -", "✅", "✓", "✔", "[x]", "completed:", "fait :"} {
		if strings.HasPrefix(begin, word) {
			p.done = true
		}
	}
	return p.done, p
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// plain is a line without the mark-up that stresses: it costs room and says
// nothing.
func plain(text string) string {
	text = strings.ReplaceAll(oneLine(strings.ToValidUTF8(text[:min(len(text), maxPiece)], "")), "**", "")
	for {
		before, rest, ok := strings.Cut(text, "](")
		open := strings.LastIndexByte(before, '[')
		end := strings.IndexByte(rest, ')')
		if !ok || open < 0 || end < 0 {
			return text
		}
		text = before[:open] + before[open+1:] + rest[end+1:]
	}
}

// withoutComments drops HTML comments, which a reader of the page does not see, and
// counts them. What has no end is none.
func withoutComments(text string) (string, int) {
	if !strings.Contains(text, "<!--") {
		return text, 0
	}
	var b strings.Builder
	for n := 0; ; n++ {
		before, rest, begun := strings.Cut(text, "<!--")
		_, after, ended := strings.Cut(rest, "-->")
		if !begun || !ended {
			b.WriteString(text)
			return b.String(), n
		}
		b.WriteString(before)
		text = after
	}
}
