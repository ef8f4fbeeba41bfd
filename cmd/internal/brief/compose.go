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
	c := &composer{facts: f, shape: s, options: o, cleaner: cleaner{keepSecrets: o.KeepSecrets, done: map[string]Line{}}}
	if len(f.Handoffs) > 0 {
		c.last = passages(f.Handoffs[0])
	}
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
	last    []passage // of the last handoff
	blocks  []Block   // without lines
	entries []entry
	headed  map[int]bool // blocks that have their heading
	wanted  int          // how many of the entries must find room
	size    int          // of all entries
	like    digest.Likeness
	kinds   int // of texts in like
}

func (c *composer) block(name, head string) int {
	c.blocks = append(c.blocks, Block{Name: name, Head: head})
	return len(c.blocks) - 1
}

// add adds an entry. More than twice of what the budget holds is not looked at.
func (c *composer) add(block int, of *index.Handoff, lines ...Line) {
	if c.size > 2*c.options.Budget.N {
		return
	}
	for _, l := range lines {
		c.size += c.options.Budget.measure(l.Quote)
	}
	c.entries = append(c.entries, entry{block, of, lines})
}

// list lists what could be told. most is how many characters a next step may have;
// 0 tells the last handoff as it is, from its beginning to its end.
func (c *composer) list(most int) {
	c.blocks, c.entries, c.size, c.like, c.kinds = nil, nil, 0, digest.Likeness{}, 0
	c.headed = map[int]bool{}
	c.calls("addressed", "Addressed to "+c.quote(c.facts.Agent).Quote+":", c.facts.Addressed, title)
	c.calls("escalations", "Human review asked for, open:", c.facts.Escalations, digest.Signal)
	c.calls("overtaken", "Human review asked for, overtaken and never acknowledged:", c.facts.Overtaken, digest.Signal)
	if len(c.facts.Handoffs) > 0 {
		block := c.block("last", "")
		c.identify(block, c.facts.Handoffs[0])
		if most == 0 {
			c.describe(block, c.facts.Handoffs[0])
			c.whole()
		} else {
			c.needed(block, most)
		}
	}
	c.foreign()
	if len(c.facts.Handoffs) > 0 {
		c.earlier()
	}
}

// maxCalls is how many lines of a kind stand above the last handoff.
const maxCalls = 3

func (c *composer) calls(name, head string, list []*index.Handoff, text func(*index.Handoff) string) {
	if len(list) == 0 {
		return
	}
	block := c.block(name, head)
	for _, h := range list[:min(len(list), maxCalls)] {
		said := text(h)
		if name == "addressed" && h.From != "" {
			said = "from " + h.From + ": " + said
		}
		l := c.quote(said)
		l.Note, l.Quote = c.source(h), clip(l.Quote, longestCall)
		c.add(block, h, l)
	}
}

// title returns what a handoff is about, in a line.
func title(h *index.Handoff) string {
	for _, text := range []string{h.Title, h.Goal} {
		if text != "" {
			return digest.Plain(text)
		}
	}
	return relative(h.Root, strings.TrimSuffix(h.Path, "\n"))
}

// source returns which handoff something is of, and how old that is.
func (c *composer) source(h *index.Handoff) string { return shortID(h) + ", " + c.age(h) }

// shortID returns as much of the id as tells a handoff apart.
func shortID(h *index.Handoff) string { return h.ID[:min(len(h.ID), 8)] }

// identify tells which handoff is the last, and whether its file is broken.
func (c *composer) identify(block int, h *index.Handoff) {
	note := c.source(h)
	if is(h, "escalated") && is(h, "open") && !is(h, "acked") {
		note += ", escalated"
	}
	c.add(block, h, Line{Note: note})
	for _, p := range h.Problems {
		if p.Severity == parse.Error {
			l := c.quote(p.Message)
			l.Note, l.Quote = fmt.Sprintf("broken file, line %d", p.Line), clip(l.Quote, longestTitle)
			c.add(block, h, l)
			return
		}
	}
}

// describe tells what the last handoff is about, and how far things have moved since.
func (c *composer) describe(block int, h *index.Handoff) {
	l := c.quote(title(h))
	l.Quote = clip(l.Quote, min(longestTitle, c.options.Budget.N/10))
	if h.Branch != "" && c.facts.Branch != "" && h.Branch != c.facts.Branch {
		l.Quote = "(branch " + clip(c.quote(h.Branch).Quote, longestName) + ") " + l.Quote
	}
	l.Note = c.facts.moved()
	c.add(block, h, l)
}

// moved returns how far the work tree has moved since the last handoff.
func (f *Facts) moved() string {
	var facts []string
	if f.Elsewhere != "" {
		facts = append(facts, "of another work tree")
	}
	if f.Drift.Known && f.Drift.Commits > 0 {
		facts = append(facts, render.Several(f.Drift.Commits, "commit")+" since")
	}
	if f.Drift.Changed > 0 {
		facts = append(facts, render.Several(f.Drift.Changed, "named file")+" changed since")
	}
	if f.Drift.Gone > 0 {
		facts = append(facts, render.Several(f.Drift.Gone, "named file")+" gone")
	}
	return strings.Join(facts, ", ")
}

// whole lists all of the last handoff as it is.
func (c *composer) whole() {
	h := c.facts.Handoffs[0]
	heading := ""
	for _, p := range c.last {
		block := c.block(string(p.kind), "")
		if p.heading != "" && p.heading != heading {
			c.add(block, h, c.quote(p.heading))
		}
		heading, c.headed[block] = p.heading, true
		for _, piece := range p.pieces {
			c.piece(block, h, p, piece, 0)
		}
	}
	c.wanted = len(c.entries)
}

// needed lists the last handoff in the order of need: what is next, each step with at
// most so many characters, then the first pieces of each section, then more.
func (c *composer) needed(top, most int) {
	h, list := c.facts.Handoffs[0], byNeed(c.last)
	told := make([]int, len(list))
	tell := func(i, upTo, most int) {
		p := list[i]
		for ; told[i] < min(upTo, len(p.pieces)); told[i]++ {
			if most == 0 || !p.pieces[told[i]].minor {
				c.piece(p.block, h, p, p.pieces[told[i]], most)
			}
		}
	}
	for i := range list {
		list[i].block = c.block(string(list[i].kind), "")
		if list[i].kind == parse.Next {
			tell(i, len(list[i].pieces), most)
			c.wanted = len(c.entries)
		}
	}
	for _, kind := range []parse.Kind{parse.Human, parse.Blockers} {
		for i, p := range list {
			if p.kind == kind {
				tell(i, firstPieces, 0)
			}
		}
	}
	c.describe(top, h)
	for _, minor := range []bool{false, true} {
		for i, p := range list {
			if isMinor(p.kind) == minor {
				tell(i, firstPieces, 0)
			}
		}
	}
	for i, p := range list {
		tell(i, len(p.pieces), 0)
	}
}

// piece lists a piece of a passage, of at most so many characters if most is not 0.
// The first one of a block takes the heading along.
func (c *composer) piece(block int, h *index.Handoff, p passage, said piece, most int) {
	var lines []Line
	for _, line := range said.lines {
		if l := c.quote(line); l.Quote != "" {
			if is(h, "acked") && strings.Contains(line, parse.EscalationSignal) {
				l.Note = "acknowledged"
			}
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return
	}
	if most > 0 {
		lines[0].Quote = strings.TrimPrefix(lines[0].Quote, "- ")
		lines = clipLines(lines, most)
	}
	if n := c.carried(p.kind, said); n > 1 {
		lines[0].Note = fmt.Sprintf("carried %d×", n)
	}
	if !c.headed[block] && p.heading != "" {
		heading := c.quote(p.heading)
		heading.heading = true
		lines = slices.Insert(lines, 0, heading)
	}
	c.headed[block] = true
	c.isNew(said.text())
	c.add(block, h, lines...)
}

// isNew reports whether nothing like a text was listed before, and remembers it.
func (c *composer) isNew(text string) bool {
	if c.like.Of(text) < c.kinds {
		return false
	}
	c.kinds++
	return true
}

// carried counts the handoffs in a row, from the last on, that have a step still to do.
func (c *composer) carried(parse.Kind, piece) int { return 1 }

// earlier lists what the handoffs before the last add: the latest of other formats and
// what the newest are about, a line each, then what they say, in the order of need.
func (c *composer) earlier() {
	list := c.facts.Handoffs[1:]
	blocks := make([]int, len(list))
	for i := range list {
		blocks[i] = c.block("earlier", "")
	}
	titled := make([]bool, len(list))
	tell := func(i int) {
		if titled[i] {
			return
		}
		h, l := list[i], c.quote(title(list[i]))
		l.Note, l.Quote = c.source(h), clip(l.Quote, longestTitle)
		if h.Format != c.facts.Handoffs[0].Format {
			l.Note += ", " + h.Format
		}
		c.add(blocks[i], h, l)
		titled[i] = true
	}
	for i, h := range list {
		if is(h, "latest") {
			tell(i)
		}
	}
	for i := range list[:min(len(list), firstPieces)] {
		tell(i)
	}
	for i, h := range list {
		tell(i)
		for _, p := range byNeed(passages(h)) {
			block := blocks[i]
			c.headed[block] = false
			for _, said := range p.pieces {
				if !said.minor && c.isNew(said.text()) {
					c.piece(block, h, p, said, 0)
				}
			}
		}
	}
}

// foreign lists what came with a clone: a few titles, short, as they can be anybody's.
func (c *composer) foreign() {
	list := c.facts.Foreign
	if len(list) == 0 {
		return
	}
	block := c.block("foreign", "Came with a clone, not trusted, so only named:")
	for _, h := range list[:min(len(list), maxCalls)] {
		l := c.quote(relative(c.facts.WorkTree, h.Path) + ": " + title(h))
		l.Note, l.Quote = c.source(h), clip(l.Quote, longestForeign)
		c.add(block, h, l)
	}
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
	var left []string
	if len(c.facts.Handoffs) > 0 {
		size := 0
		for _, p := range c.last {
			for _, said := range p.pieces {
				size += utf8.RuneCountInString(said.text())
			}
		}
		if size > quoted {
			left = append(left, fmt.Sprintf("+%d chars", size-quoted))
		}
	}
	if n := c.facts.Total - len(seen); n > 0 {
		left = append(left, fmt.Sprintf("+%d older", n))
	}
	if len(left) > 0 {
		list = append(list, strings.Join(left, ", ")+": handex show "+shortID(c.facts.Handoffs[0]))
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
