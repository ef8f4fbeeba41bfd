package brief

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"handex/cmd/internal/digest"
	"handex/cmd/internal/render"
	"handex/index"
	"handex/parse"
)

// The longest some lines may be, in characters: a call for a human, a title, a line
// of what came with a clone, the name of a project.
const (
	longestCall    = 320
	longestTitle   = 120
	longestForeign = 80
	longestName    = 80
)

// Where the next steps have no room as they are, each is told in so many characters at
// least and at most.
const (
	shortestLead = 75
	longestLead  = 500
)

// firstPieces is how many pieces of a section are told before more of any other.
const firstPieces = 3

// Compose picks what is told, as much as the budget holds: the last handoff whole, or
// what is needed most of it, then what the earlier ones add. It is nil where there is
// nothing to tell. The same facts, shape and options give the same briefing.
func Compose(f *Facts, s Shape, o ComposeOptions) *Briefing {
	if f.Empty() {
		return nil
	}
	c := &composer{
		facts: f, shape: s, options: o, cleaner: cleaner{keepSecrets: o.KeepSecrets, done: map[string]Line{}},
		taken: map[*index.Handoff][]passage{},
	}
	c.carried, c.said = map[string]int{}, map[said]bool{}
	c.study()
	c.list(0)
	n := c.fitting()
	if n < c.wanted {
		c.list(longestLead)
		n = c.fitting()
	}
	if n < c.wanted {
		c.list(shortestLead + sort.Search(longestLead-shortestLead, func(i int) bool {
			c.list(shortestLead + i + 1)
			return c.fitting() < c.wanted
		}))
	}
	if n = c.fitting(); n == len(c.entries) {
		c.foreign()
		c.earlier()
		n = c.fitting()
	}
	return c.briefing(c.topUp(n))
}

// An entry is what is told or left out as a whole. The entries are in the order of
// need, their blocks in that of reading.
type entry struct {
	block int
	of    *index.Handoff
	lines []Line
}

type composer struct {
	cleaner
	facts   *Facts
	shape   Shape
	options ComposeOptions
	taken   map[*index.Handoff][]passage
	carried map[string]int // in how many handoffs in a row a step of the last is
	length  int            // of the last handoff, in characters
	blocks  []Block        // without lines
	entries []entry
	headed  map[int]bool    // blocks that have their heading
	listed  map[string]bool // texts of the last handoff, as unlabelled returns them
	wanted  int             // how many of the entries must find room
	size    int             // of all entries
	like    digest.Likeness
	said    map[said]bool
}

// A said is a text as like knows it, and the numbers in it.
type said struct {
	kind    int
	numbers string
}

// study measures the last handoff, and counts in how many handoffs in a row, from it
// on, each of its steps is still to do. Those without a step do not count.
func (c *composer) study() {
	var before [][]step
	for _, h := range c.facts.Handoffs[min(1, len(c.facts.Handoffs)):] {
		if steps := stepsOf(c.passages(h)); len(steps) > 0 {
			before = append(before, steps)
		}
	}
	for _, h := range c.facts.Handoffs[:min(1, len(c.facts.Handoffs))] {
		for _, p := range c.passages(h) {
			for _, said := range p.pieces() {
				c.length += utf8.RuneCountInString(said.text)
				if p.kind == parse.Next {
					c.carried[said.text] = carried(stepOf(said.text), before)
				}
			}
		}
	}
}

// carried counts the handoffs in a row that leave a step to do, with the last.
func carried(this step, before [][]step) int {
	for i, steps := range before {
		if !slices.ContainsFunc(steps, this.same) {
			return i + 1
		}
	}
	return len(before) + 1
}

// passages returns those of a handoff.
func (c *composer) passages(h *index.Handoff) []passage {
	if _, ok := c.taken[h]; !ok {
		c.taken[h] = passages(h)
	}
	return c.taken[h]
}

func (c *composer) block(name, head string) int {
	c.blocks = append(c.blocks, Block{Name: name, Head: head})
	return len(c.blocks) - 1
}

// full reports whether twice of what the budget holds is listed, which is enough.
func (c *composer) full() bool { return c.size > 2*c.options.Budget.N }

// add adds an entry, if its lines say something.
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

// fitting returns how many of the entries the budget holds.
func (c *composer) fitting() int {
	return sort.Search(len(c.entries), func(i int) bool { return !c.fits(i + 1) })
}

func (c *composer) fits(n int) bool {
	return c.options.Budget.measure(c.shape(c.briefing(n), noMark)) <= c.options.Budget.N
}

// topUp cuts the first entry that the budget does not hold so that it does, if that
// leaves something of it. It returns how many are told.
func (c *composer) topUp(n int) int {
	for n > 0 && !c.fits(n) {
		n-- // the closing can become longer
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
	cut := func(size int) bool {
		e.lines = clipLines(all, size)
		return c.fits(n + 1)
	}
	most := leastClip + sort.Search(max(0, size-leastClip), func(i int) bool { return !cut(leastClip + i) }) - 1
	if most >= leastClip && cut(most) && !e.lines[len(e.lines)-1].heading {
		return n + 1
	}
	e.lines = all
	return n
}

// briefing makes a briefing of the first n entries.
func (c *composer) briefing(n int) *Briefing {
	b := &Briefing{Total: c.facts.Total, Project: clip(c.quote(c.facts.Project).Quote, longestName)}
	if calls := len(c.facts.Escalations); calls > 0 {
		b.Message = fmt.Sprintf("handex: open requests for human review in this project: %d", calls)
	}
	told := slices.Clone(c.entries[:n])
	slices.SortStableFunc(told, func(a, b entry) int { return a.block - b.block })
	for i, e := range told {
		if i == 0 || e.block != told[i-1].block {
			b.Blocks = append(b.Blocks, c.blocks[e.block])
		}
		last := &b.Blocks[len(b.Blocks)-1]
		last.Lines = append(last.Lines, e.lines...)
	}
	b.Closing = c.closing(told)
	return b
}

// closing returns facts about the briefing itself: what is left out, and how to see it.
func (c *composer) closing(told []entry) (list []string) {
	masked, quoted, seen := 0, 0, map[string]bool{}
	for _, e := range told {
		seen[e.of.ID] = true
		for _, l := range e.lines {
			masked += l.masked
			if len(c.facts.Handoffs) > 0 && e.of == c.facts.Handoffs[0] {
				quoted += utf8.RuneCountInString(l.Quote)
			}
		}
	}
	if len(c.facts.Handoffs) > 0 {
		last := c.facts.Handoffs[0]
		if c.length > quoted {
			list = append(list, fmt.Sprintf("+%d chars: handex show %s", c.length-quoted, shortID(last)))
		}
		if n := c.facts.Total - len(seen); n > 0 {
			list = append(list, fmt.Sprintf("+%d older", n))
		}
	}
	if masked > 0 {
		list = append(list, render.Several(masked, "credential")+" masked.")
	}
	if len(c.facts.Foreign) > 0 {
		list = append(list, "Handoffs that came with a clone are named only; handex trust "+folderName(c.facts.WorkTree)+" has them told in full.")
	}
	return list
}

// folderName returns a path that can stand in a line of ours, DIR for any other.
func folderName(path string) string {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-", r)
	}
	if path == "" || len(path) > 200 || strings.IndexFunc(path, odd) >= 0 {
		return "DIR"
	}
	return path
}
