package brief

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/cmd/internal/redact"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// The maximum lengths of some lines in characters: a request for human review, a title, a
// line of a handoff that came with a clone, the name of a project.
const (
	longestCall    = 320
	longestTitle   = 120
	longestForeign = 80
	longestName    = 80
)

// If not all next steps fit in full, all are cut to one length between these.
const (
	shortestStep = 75
	longestStep  = 500
)

// firstPieces is how many pieces each section gets before any section gets more.
const firstPieces = 3

// Compose returns a briefing that fits the budget: the last handoff in full, or else what
// is most needed of it; then what earlier handoffs add. It returns nil if there is nothing
// to say. The result depends on nothing but the arguments.
func Compose(f *Facts, s Shape, o ComposeOptions) *Briefing {
	if f.Empty() {
		return nil
	}
	c := &composer{
		facts: f, shape: s, options: o, quotes: map[string]Line{},
		split: map[*index.Handoff][]passage{}, carried: map[string]int{},
	}
	if len(f.Handoffs) > 0 {
		c.last, c.before = f.Handoffs[0], f.Handoffs[1:]
		c.countCarried()
	}
	c.list(0)
	if c.fitting() < c.required {
		c.list(longestStep)
	}
	if c.fitting() < c.required {
		c.list(shortestStep + sort.Search(longestStep-shortestStep, func(i int) bool {
			c.list(shortestStep + i + 1)
			return c.fitting() < c.required
		}))
	}
	n := c.fitting()
	if n == len(c.entries) {
		// Anybody can have written what came with a clone, so these lines are short.
		c.few("foreign", "Came with a clone and not trusted, so only named:", f.Foreign, longestForeign,
			func(h *index.Handoff) string {
				return relative(f.WorkTree, h.Path) + ": " + title(h)
			})
		c.earlier()
		n = c.fitting()
	}
	return c.briefing(c.cutNext(n))
}

// An entry is lines of a handoff that are included or left out together. Entries are in the
// order of importance, their blocks in the order of reading.
type entry struct {
	block int
	of    *index.Handoff
	lines []Line
}

// A composer selects the lines of one briefing.
type composer struct {
	facts    *Facts
	shape    Shape
	options  ComposeOptions
	last     *index.Handoff   // nil if there is none
	before   []*index.Handoff // the earlier ones, newest first
	split    map[*index.Handoff][]passage
	carried  map[string]int  // by step of the last handoff: in how many handoffs in a row it is
	length   int             // of the last handoff, in characters
	quotes   map[string]Line // the results of quote by text
	blocks   []Block         // without lines
	entries  []entry
	headed   map[int]bool    // blocks that have their heading
	listed   map[string]bool // texts of the last handoff
	required int             // how many of the entries must fit
	size     int             // of all entries
	like     digest.Likeness
	said     int // how many texts that like distinguishes were listed
}

// countCarried counts, for each step of the last handoff, how many handoffs in a row have
// it, from the last one back. Handoffs without steps are skipped.
func (c *composer) countCarried() {
	var before [][]digest.Wording
	for _, h := range c.before {
		if steps := stepsOf(c.passages(h)); len(steps) > 0 {
			before = append(before, steps)
		}
	}
	for _, p := range c.passages(c.last) {
		for _, piece := range p.pieces() {
			if c.repeatsTitle(piece) {
				continue
			}
			c.length += utf8.RuneCountInString(piece.text)
			if p.kind == parse.Next {
				isSame := sameStep(digest.WordingOf(withoutMark(piece.text)))
				end := slices.IndexFunc(before, func(steps []digest.Wording) bool { return !slices.ContainsFunc(steps, isSame) })
				if end < 0 {
					end = len(before)
				}
				c.carried[piece.text] = end + 1
			}
		}
	}
}

// passages returns the passages of a handoff, which it splits only once.
func (c *composer) passages(h *index.Handoff) []passage {
	if _, ok := c.split[h]; !ok {
		c.split[h] = passages(h)
	}
	return c.split[h]
}

// block adds an empty block with a name and a heading, and returns its number.
func (c *composer) block(name, head string) int {
	c.blocks = append(c.blocks, Block{Name: name, Head: head})
	return len(c.blocks) - 1
}

// full reports whether the entries are more than twice as long as the budget, so that no
// more are needed.
func (c *composer) full() bool { return c.size > 2*c.options.Budget.N }

// add adds an entry with the lines that are not empty to a block. It adds nothing if there
// are none or the composer is full. of is the handoff that the lines are from.
func (c *composer) add(block int, of *index.Handoff, lines ...Line) {
	lines = slices.DeleteFunc(lines, func(l Line) bool { return l.Note == "" && l.Quote == "" })
	if c.full() || len(lines) == 0 {
		return
	}
	for _, l := range lines {
		c.size += c.options.Budget.measure(l.Quote)
	}
	c.entries = append(c.entries, entry{block, of, lines})
}

// fitting returns how many of the entries, from the first on, fit in the budget.
func (c *composer) fitting() int {
	return sort.Search(len(c.entries), func(i int) bool { return !c.fits(i + 1) })
}

// fits reports whether the first n entries fit in the budget.
func (c *composer) fits(n int) bool {
	return c.options.Budget.measure(c.shape(c.briefing(n), noMark)) <= c.options.Budget.N
}

// cutNext cuts the entry after the first n to the room that is left, if enough of it
// remains. It returns how many entries fit then.
func (c *composer) cutNext(n int) int {
	for n > 0 && !c.fits(n) {
		n-- // a shorter briefing can have a longer closing
	}
	if n == len(c.entries) {
		return n
	}
	e := &c.entries[n]
	all := e.lines
	size := 0
	for _, l := range all {
		size += utf8.RuneCountInString(l.Quote)
	}
	tooLong := func(size int) bool {
		e.lines = clipLines(all, size)
		return !c.fits(n + 1)
	}
	most := leastClip + sort.Search(max(0, size-leastClip), func(i int) bool { return tooLong(leastClip + i) }) - 1
	if most >= leastClip && !tooLong(most) && !e.lines[len(e.lines)-1].heading {
		return n + 1
	}
	return n
}

// briefing returns the briefing of the first n entries, ordered by their blocks.
func (c *composer) briefing(n int) *Briefing {
	b := &Briefing{Total: c.facts.Total, Project: clip(c.quote(c.facts.Project).Quote, longestName)}
	if calls := len(c.facts.Escalations) + c.facts.SharedCalls; calls > 0 {
		b.Message = fmt.Sprintf("handex: open requests for human review in this project: %d", calls)
	}
	included := slices.Clone(c.entries[:n])
	slices.SortStableFunc(included, func(a, b entry) int { return a.block - b.block })
	for i, e := range included {
		if i == 0 || e.block != included[i-1].block {
			b.Blocks = append(b.Blocks, c.blocks[e.block])
		}
		last := &b.Blocks[len(b.Blocks)-1]
		last.Lines = append(last.Lines, e.lines...)
	}
	b.Closing = c.closing(included)
	return b
}

// closing returns the lines at the end of a briefing with the included entries: what was
// left out and masked.
func (c *composer) closing(included []entry) (list []string) {
	masked, quoted, handoffs := 0, 0, map[string]bool{}
	for _, e := range included {
		handoffs[e.of.ID] = true
		for _, l := range e.lines {
			masked += l.masked
			if e.of == c.last {
				quoted += utf8.RuneCountInString(l.Quote)
			}
		}
	}
	if c.length > quoted {
		list = append(list, fmt.Sprintf("+%d chars: handex show %s", c.length-quoted, shortID(c.last)))
	}
	if n := c.facts.Total - len(handoffs); c.last != nil && n > 0 {
		list = append(list, fmt.Sprintf("+%d older", n))
	}
	if masked > 0 {
		list = append(list, render.Several(masked, "credential")+" masked.")
	}
	from := "that came with a clone"
	if len(c.facts.Foreign) == 0 {
		from = "of other machines"
	}
	if len(c.facts.Foreign) > 0 || c.facts.SharedUntrusted {
		list = append(list, "Handoffs "+from+" are only named; handex trust "+folderName(c.facts.WorkTree)+
			" includes them in full.")
	}
	return list
}

// folderName returns a path that consists of plain characters unchanged, and "DIR" for any
// other.
func folderName(path string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-"
	if path == "" || len(path) > 200 || strings.Trim(path, plain) != "" {
		return "DIR"
	}
	return path
}

// quote returns a text as one line that can do no harm: without characters that control a
// terminal, are invisible or reverse text, without tags, including those of chat templates,
// and with credentials masked. It keeps the indentation.
func (c *composer) quote(text string) Line {
	if l, ok := c.quotes[text]; ok {
		return l
	}
	depth := min(len(text)-len(strings.TrimLeft(text, " \t")), maxIndent)
	l := Line{Quote: digest.OneLine(strings.ToValidUTF8(text, ""))}
	if !c.options.KeepSecrets {
		l.Quote, l.masked = redact.Text(l.Quote)
	}
	if l.Quote = render.Line(render.Untagged(l.Quote)); l.Quote != "" {
		l.Quote = strings.Repeat(" ", depth) + l.Quote
	}
	c.quotes[text] = l
	return l
}

// maxIndent is the maximum indentation of a quoted line.
const maxIndent = 8

// clip cuts a line to at most n characters, after a word if one ends near, and adds "…" if
// it was cut.
func clip(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	end, count := 0, 0
	for i := range text {
		if count++; count == n-1 {
			end = i
			break
		}
	}
	text = text[:end]
	if blank := strings.LastIndexByte(text, ' '); blank > end*2/3 {
		text = text[:blank]
	}
	return strings.TrimRight(text, " ,;:.–—-(") + "…"
}

// clipLines cuts lines to at most n characters together. Lines that do not fit are left
// out.
func clipLines(lines []Line, n int) []Line {
	for i, l := range lines {
		size := utf8.RuneCountInString(l.Quote)
		if size <= n {
			n -= size
			continue
		}
		cut := append([]Line{}, lines[:i]...)
		if i == 0 || n >= leastClip {
			l.Quote = clip(l.Quote, n)
			cut = append(cut, l)
		}
		return cut
	}
	return lines
}

// leastClip is the least number of characters for which a line is cut and not left out.
const leastClip = 40
