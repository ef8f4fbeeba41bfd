package digest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// A Piece is an item of a list or a paragraph, in one line.
type Piece struct {
	Text string
	Done bool // it is ticked off
}

// maxBody is how many bytes of a section are read.
const maxBody = 64 << 10

// Pieces returns the pieces of a handoff that are of the given kinds, in the order of the
// file. A section below a deeper heading becomes one piece that begins with that heading.
func Pieces(h *index.Handoff, kinds ...parse.Kind) []Piece {
	var list []Piece
	for _, f := range h.Lines {
		if slices.Contains(kinds, parse.Kind(f.Key)) && !parse.SaysNone(f.Value) {
			list = append(list, Piece{Text: Plain(f.Value)})
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
		list = append(list, under(heading, Split(body))...)
	}
	return list
}

// bodyOf returns the part of a section's text that is of one of the kinds. above is the
// level of the heading that began a run of such sections, 0 outside of one; level is its
// value for the next section. YAML and JSON have no levels.
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

// under joins a heading and the pieces below it into one piece, without the finished ones.
// An empty heading leaves list unchanged.
func under(heading string, list []Piece) []Piece {
	if heading = Plain(heading); heading == "" {
		return list
	}
	head := Piece{Text: heading, Done: ticked(heading)}
	var rest []string
	for _, p := range list {
		if !p.Done {
			rest = append(rest, p.Text)
		}
	}
	head.Done = head.Done || len(list) > 0 && len(rest) == 0
	if len(rest) > 0 {
		head.Text += ": " + strings.Join(rest, "; ")
	}
	return []Piece{head}
}

// Split splits the text of a section into pieces: its list items, table rows and
// paragraphs. Code, comments and the rules of tables are left out; a list in a list belongs
// to the item above it.
func Split(body string) []Piece {
	s := splitter{depth: -1}
	for line := range strings.SplitSeq(WithoutComments(body[:min(len(body), maxBody)]), "\n") {
		s.line(line)
	}
	s.flush()
	return s.list
}

// A splitter reads the lines of a section and collects its pieces.
type splitter struct {
	list  []Piece
	open  Piece
	has   bool // open is begun
	blank bool // the line before is
	depth int  // of the list item that is open, -1 for a paragraph
	row   int  // of the list, counted from 1, is where the table row above belongs; 0 if there is none
	fence string
}

// line reads the next line.
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
		s.blank, s.row = true, 0
		return
	case strings.HasPrefix(trimmed, "|"):
		s.flush()
		s.tableRow(trimmed)
		s.blank = false
		return
	case strings.Trim(trimmed, "-=*_ ") == "":
		s.flush()
	default:
		s.text(line, trimmed)
	}
	s.blank, s.row = false, 0
}

// inFence reports whether a line is part of a block of code, including its fences.
func (s *splitter) inFence(line string) bool {
	mark := line[:min(len(line), 3)]
	if mark != "```" && mark != "~~~" {
		return s.fence != ""
	}
	switch s.fence {
	case "":
		s.fence = mark
	case mark:
		s.fence = ""
	}
	return true
}

// text reads a line that belongs to a list or a paragraph: it begins a piece or extends the
// open one.
func (s *splitter) text(line, trimmed string) {
	depth := len(line) - len(strings.TrimLeft(line, " \t"))
	// A line at a time, so no kind whose paragraphs the reader takes for items.
	items := parse.ItemsOf(parse.Other, "", trimmed, 1)
	if len(items) == 0 {
		if s.blank && depth == 0 {
			s.flush()
		}
		trimmed = strings.TrimLeft(trimmed, "> ")
		if !s.has {
			s.open, s.has, s.depth = Piece{Text: trimmed}, true, -1
		} else if len(s.open.Text) < maxPiece { // what is behind is cut off
			s.open.Text += " " + trimmed
		}
		return
	}
	it := Piece{Text: items[0].Text, Done: isDone(items[0])}
	if s.has && s.depth >= 0 && depth > s.depth+1 {
		if !it.Done && len(s.open.Text) < maxPiece {
			s.open.Text = strings.TrimRight(s.open.Text, ":; ") + "; " + it.Text
		}
		return
	}
	s.flush()
	s.open, s.has, s.depth = it, true, depth
}

// maxPiece is the length in bytes from which more lines are not added to a piece.
const maxPiece = 1 << 10

// tableRow adds a row of a table as a piece with the texts of its cells. If the line is the
// rule below a header, it removes the header.
func (s *splitter) tableRow(line string) {
	var cells []string
	for cell := range strings.SplitSeq(strings.Trim(line, "| "), "|") {
		cell = strings.TrimSpace(cell)
		if cell != "" && strings.Trim(cell, ":-– ") != "" {
			cells = append(cells, cell)
		}
	}
	if strings.Trim(line, "|:- ") == "" {
		// The row above a rule is the heading of the table.
		if s.row > 0 {
			s.list = s.list[:s.row-1]
		}
		return
	}
	s.row = len(s.list) + 1
	p := Piece{Text: Plain(strings.Join(cells, " · "))}
	p.Done = ticked(p.Text) || strings.Contains(line, "✅") || slices.ContainsFunc(cells, saysDone)
	if len(cells) > 0 && !parse.SaysNone(cells[0]) {
		s.list = append(s.list, p)
	}
}

// flush adds the open piece to the list, unless it is empty, says "none" or only introduces
// a list.
func (s *splitter) flush() {
	text := Plain(s.open.Text)
	leadIn := s.depth < 0 && strings.HasSuffix(text, ":")
	if s.has && text != "" && !leadIn && !parse.SaysNone(text) {
		rest, done := record(text)
		s.open.Text, s.open.Done = rest, s.open.Done || done
		s.list = append(s.list, s.open)
	}
	s.open, s.has, s.depth = Piece{}, false, -1
}

// saysDone reports whether a table cell or the value of a status is a word for finished,
// such as "done" or "merged".
func saysDone(text string) bool {
	switch strings.ToLower(strings.Trim(Plain(text), "*_`. ")) {
	case "done", "complete", "completed", "closed", "resolved", "fixed", "implemented", "merged", "pass", "passed":
		return true
	}
	return false
}

// record returns the text of a YAML or JSON item without ids, names and null values, which
// only programs need. done reports whether the item says that it is finished.
func record(text string) (rest string, done bool) {
	title, fields, ok := strings.Cut(text, " — ")
	if !ok {
		return text, false
	}
	var kept []string
	for field := range strings.SplitSeq(fields, "; ") {
		key, value, hasValue := strings.Cut(strings.TrimSuffix(field, ":"), ": ")
		switch {
		case key == "status" && saysDone(value), (key == "resolved" || key == "done" || key == "completed") &&
			value == "true":
			done = true
		case hasValue && (value == "null" || key == "id" || key == "name"), strings.HasSuffix(key, "uuid"):
			continue
		}
		kept = append(kept, field)
	}
	if len(kept) == 0 {
		return title, done
	}
	return title + " — " + strings.Join(kept, "; "), done
}

// doneMarks are the signs of items that are finished.
const doneMarks = "✅✓✔☑"

// Unfinished returns the pieces that are not done.
func Unfinished(list []Piece) []Piece {
	return slices.DeleteFunc(list, func(p Piece) bool { return p.Done })
}

// isDone reports whether an item is finished: its checkbox is checked, or its mark or text
// says so.
func isDone(it parse.Item) bool {
	return it.Checked != nil && *it.Checked || it.Mark != "" && strings.Contains(doneMarks, it.Mark) || ticked(it.Text)
}

// beginnings are the beginnings of texts that are finished, in lower case.
var beginnings = []string{
	"~~", "done:", "done**", "done]", "done —", "done -", "✅", "✓", "✔", "[x]", "completed:",
	"fait :",
}

// ticked reports whether the beginning of a text says that it is finished, such as "[x]" or
// "Done:".
func ticked(text string) bool {
	begin := strings.ToLower(strings.TrimLeft(text[:min(len(text), 40)], "*[(_ "))
	if number, rest, ok := strings.Cut(begin, ". "); ok && strings.Trim(number, "0123456789") == "" {
		begin = rest
	}
	return slices.ContainsFunc(beginnings, func(word string) bool { return strings.HasPrefix(begin, word) })
}

// OneLine returns a text with each run of white space replaced by one blank.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Plain returns a text as one line, cut to maxPiece bytes, without bold mark-up and with
// links replaced by their text: mark-up costs room and says nothing.
func Plain(text string) string {
	text = strings.ReplaceAll(OneLine(strings.ToValidUTF8(text[:min(len(text), maxPiece)], "")), "**", "")
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

// WithoutComments returns a text without its HTML comments. A comment that has no end
// stays.
func WithoutComments(text string) string {
	var b strings.Builder
	for {
		before, rest, begun := strings.Cut(text, "<!--")
		_, after, ended := strings.Cut(rest, "-->")
		if !begun || !ended {
			return b.String() + text
		}
		b.WriteString(before)
		text = after
	}
}

// Signal returns the line with which a handoff calls for a human. If the line is only the
// signal, the first piece after it is added. It returns "" if there is no signal.
func Signal(h *index.Handoff) string {
	text := ""
	if len(h.Escalations) > 0 {
		text = Plain(SignalLine(h.Escalations[0].Text))
	}
	if WordingOf(strings.Replace(text, parse.EscalationSignal, "", 1)).Len() > 2 {
		return text
	}
	for i := range h.Sections {
		s := &h.Sections[i]
		after, found := s.Body, strings.Contains(s.Heading, parse.EscalationSignal)
		if !found {
			_, after, found = strings.Cut(s.Body, parse.EscalationSignal)
		}
		if !found {
			continue
		}
		if list := Split(strings.TrimLeft(after, "*_:.!# \n")); len(list) > 0 {
			return strings.TrimRight(text, " :") + ": " + list[0].Text
		}
	}
	return text
}

// SignalLine returns the text of a line that contains the signal, without the marks of a
// list, a heading or a quote before it, and without the quotation marks that YAML needs.
func SignalLine(line string) string {
	text := strings.TrimLeft(line, "#>-*+ ")
	if quoted, err := strconv.Unquote(text); err == nil {
		return quoted
	}
	return text
}
