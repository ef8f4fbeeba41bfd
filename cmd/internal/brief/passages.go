package brief

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// A passage is a section of a handoff, or the part of a section that is of one kind.
type passage struct {
	kind    parse.Kind
	heading string         // its line, "" if it has none
	pieces  func() []piece // splits the text when it is first called
	block   int            // where it is listed
}

// A piece is a unit of a passage: an item of a list with its sub-items, a paragraph, a row
// of a table or a run of code. Its lines are unchanged lines of the handoff.
type piece struct {
	lines []string
	text  string // all of it in one line
	minor bool   // it is done, "none", or the introduction of a list
	leads bool   // it is only the introduction of a list ("Before the release:")
	title bool   // it is a field whose value is the title ("goal: ...")
	led   int    // how many of its first lines are such an introduction
}

// led returns the piece at index i of a passage, with the introduction of its list if it is
// the first item.
func (p passage) led(i int) piece {
	this := p.pieces()[i]
	if i > 0 && p.pieces()[i-1].leads {
		lead := p.pieces()[i-1].lines
		this.lines, this.led = slices.Concat(lead, this.lines), len(lead)
	}
	return this
}

// newPiece returns a piece with the given lines.
func newPiece(lines ...string) piece {
	text := digest.OneLine(strings.Join(lines, " "))
	leads := strings.HasSuffix(text, ":") && !isItem(text)
	return piece{lines: lines, text: text, leads: leads, minor: leads || isMinorText(text)}
}

// sameStep returns a function that reports whether a wording means the same step as the
// given one. A few words and a long text that contains them are two steps.
func sameStep(step digest.Wording) func(digest.Wording) bool {
	return func(other digest.Wording) bool {
		return max(step.Len(), other.Len()) <= 3*min(step.Len(), other.Len()) && step.Alike(other)
	}
}

// stepsOf returns the wordings of the next steps in the passages that are not done.
func stepsOf(list []passage) (steps []digest.Wording) {
	for _, p := range list {
		if p.kind != parse.Next {
			continue
		}
		for _, piece := range p.pieces() {
			if !piece.minor {
				steps = append(steps, digest.WordingOf(withoutMark(piece.text)))
			}
		}
	}
	return steps
}

// head is the kind of the text before the first section.
const head parse.Kind = "head"

// passages returns the passages of a handoff in the order of the file. The first is the
// text before the first section.
func passages(h *index.Handoff) []passage {
	list := []passage{{kind: head, pieces: sync.OnceValue(func() []piece { return headOf(h) })}}
	under := 0 // the level of the heading "Next" that the section is below, 0 if none
	for _, s := range h.Sections {
		if s.Level <= under {
			under = 0
		}
		if s.Kind == parse.Next && under == 0 {
			under = s.Level
		}
		heading := s.Heading
		if heading != "" && s.Level > 0 {
			heading = strings.Repeat("#", s.Level) + " " + heading
		} else if heading != "" {
			heading += ":"
		}
		parts := s.Parts
		if len(parts) == 0 {
			parts = []parse.Part{{Kind: s.Kind, Text: s.Body}}
		}
		for _, p := range parts {
			if under > 0 && s.Level > under && p.Kind == parse.Goal {
				p.Kind = parse.Next
			}
			list = append(list, passage{
				kind: p.Kind, heading: heading,
				pieces: sync.OnceValue(func() []piece { return split(textOf(h, p.Text)) }),
			})
		}
	}
	return list
}

// fewWords is the number of words from which a value is more than a name or a number.
const fewWords = 3

// headOf returns the lines before the first section without the title. In YAML, JSON and
// XML it returns the keys with single values instead.
func headOf(h *index.Handoff) (list []piece) {
	var lines []string
	hasKeys := slices.Contains([]string{".yaml", ".yml", ".json", ".xml"}, filepath.Ext(h.Path))
	if hasKeys {
		for _, f := range slices.Concat(h.Lines, h.Meta) {
			lines = append(lines, cmp.Or(f.Label, f.Key)+": "+f.Value)
		}
	} else {
		lines = strings.Split(digest.WithoutComments(h.Head), "\n")
	}
	for _, line := range lines {
		isTitle := !hasKeys && (strings.HasPrefix(line, "# ") || h.Title != "" && strings.Contains(line, h.Title))
		if isTitle || strings.Trim(line, "-=*_ \t\r") == "" {
			continue
		}
		piece := newPiece(unstressed(line))
		_, value, isPair := strings.Cut(piece.text, ": ")
		piece.title = isPair && value == title(h)
		piece.minor = piece.minor || piece.title || isPair && len(strings.Fields(value)) < fewWords
		list = append(list, piece)
	}
	return list
}

// The patterns of a key of YAML or JSON without a value, before other keys and at the end
// of a line.
var (
	nullBefore = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[\w-]+: (?:null|~)(?:;| —) `) })
	nullAtEnd  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(?:;| —) [\w-]+: (?:null|~)$`) })
)

// textOf returns a text of a handoff. If the handoff is YAML or JSON, keys without a value
// are removed.
func textOf(h *index.Handoff, text string) string {
	switch filepath.Ext(h.Path) {
	case ".yaml", ".yml", ".json":
		return nullAtEnd().ReplaceAllString(nullBefore().ReplaceAllString(text, ""), "")
	}
	return text
}

// A splitter splits the body of a section into pieces, line by line.
type splitter struct {
	list  []piece
	open  []string
	more  []string // continues the last line of open
	depth int      // of the list item that is open, -1 for a paragraph
	blank bool     // the line before is
	code  bool     // the last line of open is code
	fence string   // the fence that ends the block of code, "" outside of one
}

// split returns the pieces of a section's body, without rules, fences and comments.
func split(body string) []piece {
	s := splitter{depth: -1}
	for line := range strings.SplitSeq(digest.WithoutComments(body), "\n") {
		s.line(line)
	}
	s.flush()
	return s.list
}

// add adds a line to the open piece, after joining the lines that continue the one before.
func (s *splitter) add(line string) {
	s.join()
	s.open = append(s.open, line)
}

// join appends the continuation lines to the last line of the open piece.
func (s *splitter) join() {
	if len(s.more) > 0 {
		s.open[len(s.open)-1] += " " + strings.Join(s.more, " ")
		s.more = nil
	}
}

// flush adds the open piece to the list.
func (s *splitter) flush() {
	s.join()
	if len(s.open) > 0 {
		s.list = append(s.list, newPiece(s.open...))
	}
	s.open, s.depth, s.code = nil, -1, false
}

// line adds the next line of the body to the open piece, or ends that piece and begins another.
// Fences and rules only end pieces; a row of a table is a piece of its own.
func (s *splitter) line(line string) {
	line = strings.TrimRight(line, " \t\r")
	trimmed := strings.TrimLeft(line, " \t")
	fence := strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")
	switch {
	case s.fence != "" && fence && trimmed[:3] == s.fence:
		s.fence = ""
	case s.fence != "" && trimmed != "":
		if isItem(line) && trimmed == line {
			s.flush() // a list for the next session to paste
		}
		s.add(line)
		s.code = true
	case fence:
		s.fence = trimmed[:3]
	case trimmed == "":
		if s.depth < 0 {
			s.flush()
		}
	case strings.Trim(trimmed, "-=*_| :") == "":
		s.flush()
	case strings.HasPrefix(trimmed, "|"):
		s.flush()
		s.list = append(s.list, newPiece(unstressed(cells(trimmed))))
	default:
		s.text(unstressed(line), len(line)-len(trimmed))
	}
	s.blank = trimmed == ""
}

// text reads a line of a list or a paragraph; depth is its indentation.
func (s *splitter) text(line string, depth int) {
	switch {
	case isItem(line):
		if s.depth >= 0 && depth > s.depth+1 {
			s.add(line)
			s.code = false
			return
		}
		s.flush()
		s.open, s.depth = []string{line}, depth
	case len(s.open) == 0 || s.blank && depth == 0:
		s.flush()
		s.open = []string{strings.TrimSpace(line)}
	case s.code || s.blank:
		s.add(line)
		s.code = false
	default:
		s.more = append(s.more, strings.TrimSpace(line))
	}
}

// cells returns the cells of a table row as one line.
func cells(row string) string {
	var list []string
	for cell := range strings.SplitSeq(strings.Trim(row, "|"), "|") {
		if cell = strings.TrimSpace(cell); cell != "" {
			list = append(list, cell)
		}
	}
	return strings.Join(list, " | ")
}

// withoutMark returns the text of a list item without its bullet or number.
func withoutMark(text string) string {
	if isItem(text) {
		_, text, _ = strings.Cut(text, " ")
	}
	return text
}

// isItem reports whether a line begins an item of a list.
func isItem(line string) bool {
	mark, _, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	number := strings.TrimRight(mark, ".)")
	if number != mark && number != "" && strings.Trim(number, "0123456789") == "" {
		return true
	}
	runes := []rune(mark)
	return len(runes) == 1 && (strings.ContainsRune("-*+•", runes[0]) || unicode.Is(unicode.So, runes[0]))
}

// unstressed returns a line without the ** of emphasis. Code and globs keep it.
func unstressed(line string) string {
	parts := strings.Split(line, "`")
	for i := 0; i < len(parts); i += 2 {
		if !strings.Contains(parts[i], "/**") && !strings.Contains(parts[i], "**/") {
			parts[i] = strings.ReplaceAll(parts[i], "**", "")
		}
	}
	return strings.Join(parts, "`")
}

// isMinorText reports whether a text is marked as done, is "none", or is a key without a
// value.
func isMinorText(text string) bool {
	begin := withoutMark(text)
	for _, mark := range []string{"[x]", "[X]", "~~", "✅", "✓", "✔", "☑"} {
		if strings.HasPrefix(begin, mark) || strings.HasPrefix(text, mark) {
			return true
		}
	}
	if strings.HasSuffix(text, ":") {
		return len(strings.Fields(begin)) < fewWords // a key that has no value
	}
	return parse.SaysNone(text)
}

// need are the kinds of passages in the order in which a session needs them. Other is the
// kind of all unknown headings; the kinds after it are needed less.
var need = []parse.Kind{
	parse.Next, parse.Human, parse.Blockers, parse.Checks, parse.State, parse.Partial, parse.Hypothesis, parse.Gotchas,
	parse.Risks,
	parse.Failed, parse.Decisions, parse.Approaches, parse.Context, parse.Advice, parse.Questions, parse.Other,
	head, parse.Goal, parse.Files, parse.Done, parse.Outcome, parse.Worked, parse.Reflection,
}

// byNeed returns the passages that are not empty, sorted by need. If none has next steps,
// the last two passages of no clear kind count as next steps, as most handoffs end with
// these.
func byNeed(all []passage) []passage {
	list := slices.DeleteFunc(slices.Clone(all), func(p passage) bool { return len(p.pieces()) == 0 })
	isNext := func(p passage) bool { return p.kind == parse.Next }
	if !slices.ContainsFunc(list, isNext) {
		for i, n := len(list)-1, 0; i >= 0 && n < 2; i-- {
			if slices.Contains([]parse.Kind{parse.Other, parse.Context, parse.Checks}, list[i].kind) {
				list[i].kind = parse.Next
				n++
			}
		}
	}
	slices.SortStableFunc(list, func(a, b passage) int { return slices.Index(need, a.kind) - slices.Index(need, b.kind) })
	return list
}

// isMinor reports whether a session needs passages of a kind less than those with unknown
// headings.
func isMinor(kind parse.Kind) bool { return slices.Index(need, kind) > slices.Index(need, parse.Other) }
