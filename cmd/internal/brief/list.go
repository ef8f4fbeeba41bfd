package brief

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"handex/cmd/internal/digest"
	"handex/cmd/internal/render"
	"handex/index"
	"handex/parse"
)

// list lists what could be told first: calls, and the last handoff. most is how many
// characters a next step may have; 0 tells it as it is, from its beginning to its end.
func (c *composer) list(most int) {
	c.blocks, c.entries, c.size, c.headed, c.listed = nil, nil, 0, map[int]bool{}, map[string]bool{}
	c.calls("addressed", "Addressed to "+c.quote(c.facts.Agent).Quote+":", c.facts.Addressed, title)
	c.calls("escalations", "Human review asked for, open:", c.facts.Escalations, digest.Signal)
	c.calls("overtaken", "Human review asked for, overtaken and never acknowledged:", c.facts.Overtaken, digest.Signal)
	if len(c.facts.Handoffs) > 0 {
		block := c.block("last", "")
		c.identify(block, c.facts.Handoffs[0])
		if most == 0 {
			c.describe(block, c.facts.Handoffs[0])
			c.place(block, c.facts.Handoffs[0])
			c.whole()
		} else {
			c.needed(block, most)
		}
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
		if text = digest.Plain(text); text != "" {
			return text
		}
	}
	return relative(h.Root, strings.TrimSuffix(h.Path, "\n"))
}

// source returns the id and the age of a handoff.
func (c *composer) source(h *index.Handoff) string {
	o := render.Options{Dates: render.DatesRelative, Now: c.options.Now, Zone: h.Date.Location()}
	return shortID(h) + ", " + cmp.Or(o.Date(h.Date, h.DatePrecision), "undated")
}

// shortID returns as much of the id as tells a handoff apart.
func shortID(h *index.Handoff) string { return h.ID[:min(len(h.ID), 8)] }

// unreadable are the rules that a file breaks whose text can only be guessed at.
var unreadable = []string{"yaml.syntax", "json.syntax", "xml.not-well-formed", "xml.unclosed"}

// identify lists which handoff is the last, and whether its file is broken.
func (c *composer) identify(block int, h *index.Handoff) {
	note := c.source(h)
	if is(h, "escalated") && is(h, "open") && !is(h, "acked") {
		note += ", escalated"
	}
	c.add(block, h, Line{Note: note})
	for _, p := range h.Problems {
		if slices.Contains(unreadable, p.Rule) {
			l := c.quote(p.Message)
			l.Note, l.Quote = fmt.Sprintf("broken file, line %d", p.Line), clip(l.Quote, longestTitle)
			c.add(block, h, l)
			return
		}
	}
}

// describe lists what the last handoff is about, if it says so.
func (c *composer) describe(block int, h *index.Handoff) {
	if h.Title == "" && h.Goal == "" {
		return
	}
	l := c.quote(title(h))
	all := l.Quote
	l.Quote = clip(all, min(longestTitle, c.options.Budget.N/10))
	c.listed[all] = l.Quote == all
	c.add(block, h, l)
}

// place lists of which branch the last handoff is, and how far things have moved since.
func (c *composer) place(block int, h *index.Handoff) {
	l := Line{Note: c.facts.changes()}
	if h.Branch != "" && c.facts.Branch != "" && h.Branch != c.facts.Branch {
		l.Quote = clip(c.quote("branch "+h.Branch).Quote, longestName)
	}
	c.add(block, h, l)
}

// changes describes what changed in the work tree since the last handoff.
func (f *Facts) changes() string {
	var list []string
	if f.Elsewhere {
		list = append(list, "of another work tree")
	}
	if f.Commits > 0 {
		list = append(list, render.Several(f.Commits, "commit")+" since")
	}
	if f.Changed > 0 {
		list = append(list, render.Several(f.Changed, "named file")+" changed since")
	}
	if f.Gone > 0 {
		list = append(list, render.Several(f.Gone, "named file")+" missing")
	}
	return strings.Join(list, ", ")
}

// whole lists all of the last handoff as it is.
func (c *composer) whole() {
	h := c.facts.Handoffs[0]
	heading := ""
	for _, p := range c.passages(h) {
		block := c.block(string(p.kind), "")
		if p.heading != "" && p.heading != heading {
			c.add(block, h, c.quote(p.heading))
		}
		heading, c.headed[block] = p.heading, true
		for _, piece := range p.pieces() {
			c.piece(block, h, p, piece, 0)
		}
	}
	c.wanted = len(c.entries)
}

// needed lists the last handoff in the order of need: what is next and the first of what
// blocks, each with at most so many characters, then the first pieces of each section,
// then more.
func (c *composer) needed(top, most int) {
	h, list := c.facts.Handoffs[0], byNeed(c.passages(c.facts.Handoffs[0]))
	told := make([]int, len(list))
	tell := func(i, upTo, most int) {
		p := list[i]
		for ; told[i] < min(upTo, len(p.pieces())); told[i]++ {
			said := p.pieces()[told[i]]
			key := said.text
			if p.kind == head {
				key = unlabelled(key)
			}
			if !c.listed[key] && !said.leads && (!said.minor || most == 0 && p.kind != head) {
				c.listed[key] = true
				c.piece(p.block, h, p, p.led(told[i]), most)
			}
		}
	}
	for i := range list {
		list[i].block = c.block(string(list[i].kind), "")
	}
	each := func(is func(passage) bool, upTo, most int) {
		for i, p := range list {
			if is(p) {
				tell(i, upTo, most)
			}
		}
	}
	isNext := func(p passage) bool { return p.kind == parse.Next }
	stops := func(p passage) bool { return p.kind == parse.Human || p.kind == parse.Blockers }
	if i := slices.IndexFunc(list, isNext); i >= 0 {
		tell(i, 2*firstPieces, most)
	}
	for _, kind := range []parse.Kind{parse.Human, parse.Blockers} {
		listed := len(c.entries)
		for i, p := range list {
			for p.kind == kind && len(c.entries) == listed && told[i] < len(p.pieces()) {
				tell(i, told[i]+1, most)
			}
		}
	}
	each(isNext, math.MaxInt, most)
	c.wanted = len(c.entries)
	each(stops, firstPieces, 0)
	c.describe(top, h)
	each(func(p passage) bool { return !isMinor(p.kind) }, firstPieces, 0)
	c.place(top, h)
	each(func(passage) bool { return true }, firstPieces, 0)
	each(func(passage) bool { return true }, math.MaxInt, 0)
}

// unlabelled returns a text without the mark of an item and without a key of one word.
func unlabelled(text string) string {
	if isItem(text) {
		_, text, _ = strings.Cut(text, " ")
	}
	if key, value, ok := strings.Cut(text, ": "); ok && !strings.Contains(key, " ") {
		return value
	}
	return text
}

// piece lists a piece of a passage, of at most so many characters if most is not 0.
// The first one of a block takes the heading along.
func (c *composer) piece(block int, h *index.Handoff, p passage, said piece, most int) {
	var lines []Line
	led := 0
	for i, line := range said.lines {
		l := c.quote(line)
		if l.Quote == "" {
			continue
		}
		if i < said.led {
			led++
			l.Quote = clip(l.Quote, longestTitle)
		}
		if is(h, "acked") && strings.Contains(line, parse.EscalationSignal) {
			l.Note = "acknowledged"
		}
		lines = append(lines, l)
	}
	if len(lines) == led {
		return
	}
	if most > 0 {
		lines[led].Quote = strings.TrimPrefix(lines[led].Quote, "- ")
		lines = append(lines[:led:led], clipLines(lines[led:], most)...)
	}
	if n := c.carried[said.text]; n > 1 && h == c.facts.Handoffs[0] {
		lines[led].Note = fmt.Sprintf("carried %d×", n)
	}
	if !c.headed[block] && p.heading != "" {
		heading := c.quote(p.heading)
		heading.heading = true
		lines = slices.Insert(lines, 0, heading)
	}
	c.headed[block] = true
	c.add(block, h, lines...)
}

// isNew reports whether nothing like a text was listed before, and remembers it. Other
// numbers make another text.
func (c *composer) isNew(text string) bool {
	key := said{c.like.Of(text), numbers(text)}
	known := c.said[key]
	c.said[key] = true
	return !known
}

// earlier lists what the handoffs before the last add: the latest of other formats and
// what the newest are about, a line each, what several warn of, then what they say, in
// the order of need.
func (c *composer) earlier() {
	if len(c.facts.Handoffs) == 0 {
		return
	}
	for _, p := range c.passages(c.facts.Handoffs[0]) {
		for _, said := range p.pieces() {
			c.isNew(said.text)
		}
	}
	list := c.facts.Handoffs[1:]
	blocks, several := make([]int, len(list)), c.block("gotchas", "Same warning in several handoffs:")
	for i := range list {
		blocks[i] = c.block("earlier", "")
	}
	titled := map[int]bool{}
	tell := func(i int) {
		if !titled[i] {
			titled[i] = true
			c.add(blocks[i], list[i], c.about(list[i]))
		}
	}
	for i, h := range list {
		if is(h, "latest") || i < firstPieces {
			tell(i)
		}
	}
	c.recurring(several, list)
	for i, h := range list {
		if tell(i); c.full() {
			return
		}
		for _, p := range byNeed(c.passages(h)) {
			c.headed[blocks[i]] = false
			for _, said := range p.pieces() {
				if !c.full() && p.kind != head && !said.minor && c.isNew(said.text) {
					c.piece(blocks[i], h, p, said, 0)
				}
			}
		}
	}
}

// about returns a line on what an earlier handoff is about.
func (c *composer) about(h *index.Handoff) Line {
	l := c.quote(title(h))
	l.Note, l.Quote = c.source(h), clip(l.Quote, longestTitle)
	if h.Format != c.facts.Handoffs[0].Format {
		l.Note += ", " + h.Format
	}
	return l
}

// recurring lists what more than one of the handoffs warns of.
func (c *composer) recurring(block int, list []*index.Handoff) {
	type warning struct {
		h     *index.Handoff // the newest and the last seen
		last  *index.Handoff
		p     passage
		said  piece
		count int
	}
	var like digest.Likeness
	var found []*warning
	for _, h := range list {
		for _, p := range c.passages(h) {
			if p.kind != parse.Gotchas && p.kind != parse.Risks {
				continue
			}
			for _, said := range p.pieces() {
				i := like.Of(said.text)
				if i == len(found) {
					found = append(found, &warning{h: h, p: p, said: said})
				}
				if found[i].last != h {
					found[i].last = h
					found[i].count++
				}
			}
		}
	}
	for _, w := range found {
		if w.count > 1 && !w.said.minor && c.isNew(w.said.text) {
			c.headed[block] = true
			c.piece(block, w.h, w.p, w.said, 0)
			if last := len(c.entries) - 1; c.entries[last].block == block {
				c.entries[last].lines[0].Note = fmt.Sprintf("%d×, %s", w.count, shortID(w.h))
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
