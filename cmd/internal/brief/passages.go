package brief

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"handex/cmd/internal/digest"
	"handex/index"
	"handex/parse"
)

// A passage is a run of a handoff's text that is of one kind: a section, or a part
// of one.
type passage struct {
	kind    parse.Kind
	heading string         // its line, "" if it has none
	pieces  func() []piece // split when they are first asked for
	block   int            // where it is told
}

// A piece is an item of a list with what belongs to it, a paragraph, a row of a table
// or a run of code: its lines, as the handoff has them.
type piece struct {
	lines []string
	text  string // all of it in one line
	minor bool   // it is done, says "none", or is the heading of a table or a list
	leads bool   // to what follows, and says nothing else
	led   int    // how many of the lines, the first ones, lead to what follows
}

// led returns the piece at i of a passage, with the line that leads to it before it.
func (p passage) led(i int) piece {
	said := p.pieces()[i]
	if i == 0 || said.minor {
		return said
	}
	if lead := p.pieces()[i-1]; lead.leads {
		said.led = len(lead.lines)
		said.lines = slices.Concat(lead.lines, said.lines)
	}
	return said
}

func newPiece(lines ...string) piece {
	text := digest.OneLine(strings.Join(lines, " "))
	leads := strings.HasSuffix(text, ":") && !isItem(text)
	return piece{lines: lines, text: text, leads: leads, minor: leads || isMinorText(text)}
}

// A step is something to do, as a handoff words it.
type step struct {
	words   digest.Wording
	numbers string
}

func stepOf(text string) step {
	if isItem(text) {
		_, text, _ = strings.Cut(text, " ")
	}
	return step{digest.WordingOf(text), numbers(text)}
}

// numbers returns the numbers in a text.
func numbers(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) }), " ")
}

// same reports whether two wordings are of one step. "Port chapter 3" and "Port
// chapter 4" are not, however alike, nor are a few words and a long text that holds
// them all.
func (s step) same(other step) bool {
	shorter, longer := min(len(s.words), len(other.words)), max(len(s.words), len(other.words))
	return (s.numbers == other.numbers || s.numbers == "" || other.numbers == "") && longer <= 3*shorter &&
		s.words.Alike(other.words)
}

// stepsOf returns what a handoff leaves to do.
func stepsOf(list []passage) (steps []step) {
	for _, p := range list {
		if p.kind != parse.Next {
			continue
		}
		for _, said := range p.pieces() {
			if !said.minor {
				steps = append(steps, stepOf(said.text))
			}
		}
	}
	return steps
}

// head is the kind of what stands before the first section.
const head parse.Kind = "head"

// passages takes a handoff apart, in the order of the file.
func passages(h *index.Handoff) []passage {
	list := []passage{{kind: head, pieces: sync.OnceValue(func() []piece { return headOf(h) })}}
	under := 0 // the level of a heading of what is next
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

// textOf drops the keys without a value where a format has keys.
func textOf(h *index.Handoff, text string) string {
	switch filepath.Ext(h.Path) {
	case ".yaml", ".yml", ".json":
		return withoutNulls(text)
	}
	return text
}

// hasLine reports whether a line of a text, without its mark and its key, is a value.
func hasLine(text, value string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if line = digest.OneLine(line); line == value || unlabelled(line) == value {
			return true
		}
	}
	return false
}

// fewWords is how many words a value has at least that says more than a name or a
// number.
const fewWords = 3

// headOf returns the lines before the first section but for the title. Of formats of
// keys and values, where there is no such text, these are the single values.
func headOf(h *index.Handoff) (list []piece) {
	switch filepath.Ext(h.Path) {
	case ".yaml", ".yml", ".json", ".xml":
		for _, f := range slices.Concat(h.Lines, h.Meta) {
			if slices.ContainsFunc(h.Sections, func(s parse.Section) bool { return hasLine(s.Body, f.Value) }) {
				continue
			}
			said := newPiece(cmp.Or(f.Label, f.Key) + ": " + f.Value)
			said.minor = said.minor || len(strings.Fields(f.Value)) < fewWords || f.Value == h.Title
			list = append(list, said)
		}
		return list
	}
	for line := range strings.SplitSeq(withoutComments(h.Head), "\n") {
		isTitle := h.Title != "" && strings.Contains(line, h.Title) || strings.HasPrefix(line, "# ")
		if strings.Trim(line, "-=*_ \t\r") != "" && !isTitle {
			said := newPiece(unstressed(line))
			_, value, isPair := strings.Cut(said.text, ": ")
			said.minor = said.minor || isPair && len(strings.Fields(value)) < fewWords
			list = append(list, said)
		}
	}
	return list
}

// A splitter takes a section's body apart, line by line.
type splitter struct {
	list  []piece
	open  []string
	more  []string // continues the last line of open
	depth int      // of the list item that is open, -1 for a paragraph
	blank bool     // the line before is
	row   bool     // the line before is a row of a table
	code  bool     // the last line of open is code
	fence string   // that ends the block of code
}

// split takes a section's body apart. Rules, fences and comments are left out.
func split(body string) []piece {
	s := splitter{depth: -1}
	for line := range strings.SplitSeq(withoutComments(body), "\n") {
		s.line(line)
	}
	s.flush()
	return s.list
}

// add opens a line; those that continue the one before it are joined to that.
func (s *splitter) add(line string) {
	s.join()
	s.open = append(s.open, line)
}

func (s *splitter) join() {
	if len(s.more) > 0 {
		s.open[len(s.open)-1] += " " + strings.Join(s.more, " ")
		s.more = nil
	}
}

func (s *splitter) flush() {
	s.join()
	if len(s.open) > 0 {
		s.list = append(s.list, newPiece(s.open...))
	}
	s.open, s.depth, s.code = nil, -1, false
}

func (s *splitter) line(line string) {
	line = strings.TrimRight(line, " \t\r")
	trimmed := strings.TrimLeft(line, " \t")
	fence := strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")
	row := s.row
	s.row = false
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
		if row {
			s.list[len(s.list)-1].minor = true
		}
	case strings.HasPrefix(trimmed, "|"):
		s.flush()
		s.list = append(s.list, newPiece(unstressed(cells(trimmed))))
		s.row = true
	default:
		s.text(unstressed(line), len(line)-len(trimmed))
	}
	s.blank = trimmed == ""
}

// text takes a line of a list or a paragraph; depth is how far it is indented.
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

// cells returns what is in a row of a table.
func cells(row string) string {
	var list []string
	for cell := range strings.SplitSeq(strings.Trim(row, "|"), "|") {
		if cell = strings.TrimSpace(cell); cell != "" {
			list = append(list, cell)
		}
	}
	return strings.Join(list, " | ")
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

// unstressed returns a line without the mark-up that stresses, which costs room and
// says nothing. Code and globs stay as they are.
func unstressed(line string) string {
	parts := strings.Split(line, "`")
	for i := 0; i < len(parts); i += 2 {
		if !strings.Contains(parts[i], "/**") && !strings.Contains(parts[i], "**/") {
			parts[i] = strings.ReplaceAll(parts[i], "**", "")
		}
	}
	return strings.Join(parts, "`")
}

// withoutComments drops HTML comments, which a reader of the page does not see.
func withoutComments(text string) string {
	if !strings.Contains(text, "<!--") {
		return text
	}
	return regexp.MustCompile(`(?s)<!--.*?-->`).ReplaceAllString(text, "")
}

// A key of YAML or JSON that has no value, before others in a line and at its end.
var (
	nullBefore = regexp.MustCompile(`\b[\w-]+: (?:null|~)(?:;| —) `)
	nullAtEnd  = regexp.MustCompile(`(?m)(?:;| —) [\w-]+: (?:null|~)$`)
)

// withoutNulls drops the keys that have no value from the lines of a list of objects.
func withoutNulls(text string) string {
	return nullAtEnd.ReplaceAllString(nullBefore.ReplaceAllString(text, ""), "")
}

// isMinorText reports whether a text says by how it begins that it is done, or that
// there is none.
func isMinorText(text string) bool {
	begin := text
	if isItem(begin) {
		_, begin, _ = strings.Cut(begin, " ")
	}
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

// need are the kinds of passages in the order in which a session needs them. What is
// behind Other, the kind of what is under any other heading, is needed least.
var need = []parse.Kind{
	parse.Next, parse.Human, parse.Blockers, parse.Checks, parse.State, parse.Partial, parse.Hypothesis, parse.Gotchas, parse.Risks,
	parse.Failed, parse.Decisions, parse.Approaches, parse.Context, parse.Advice, parse.Questions, parse.Other,
	head, parse.Goal, parse.Files, parse.Done, parse.Outcome, parse.Worked, parse.Reflection,
}

// byNeed sorts the passages of a handoff that say something. A handoff that does not
// say what is next mostly ends with it, under headings of its own.
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

// isMinor reports whether passages of a kind are needed less than what is under
// headings of no known kind.
func isMinor(kind parse.Kind) bool { return slices.Index(need, kind) > slices.Index(need, parse.Other) }
