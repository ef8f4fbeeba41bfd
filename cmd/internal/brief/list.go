package brief

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// list makes the entries for the requests to a reader and the last handoff. If longest is
// 0, the handoff is listed in full, else by need, with next steps of at most longest
// characters.
func (c *composer) list(longest int) {
	c.blocks, c.entries, c.size, c.headed, c.listed = nil, nil, 0, map[int]bool{}, map[string]bool{}
	c.few("addressed", "Addressed to "+c.quote(c.facts.Agent).Quote+":", c.facts.Addressed, longestCall, fromTitle)
	c.few("escalations", "Human review requested, open:", c.facts.Escalations, longestCall, digest.Signal)
	c.few("overtaken", "Human review requested, replaced and never acknowledged:", c.facts.Overtaken, longestCall,
		digest.Signal)
	head := "Newer, shared from another machine:"
	if c.last == nil {
		head = "Shared from other machines:"
	}
	c.few("shared", head, c.facts.Shared, longestForeign, func(h *index.Handoff) string {
		return h.Member + ": " + title(h)
	})
	if c.last == nil {
		return
	}
	block := c.block("last", "")
	c.identify(block)
	if longest > 0 {
		c.listByNeed(block, longest)
		return
	}
	c.describe(block)
	c.changed(block)
	c.listWhole()
}

// maxFew is the maximum number of handoffs that few lists.
const maxFew = 3

// few adds a block for the first handoffs of a list, with one line for each: what text
// returns for it, cut to longest characters.
func (c *composer) few(name, head string, list []*index.Handoff, longest int, text func(*index.Handoff) string) {
	block := c.block(name, head)
	for _, h := range list[:min(len(list), maxFew)] {
		c.add(block, h, c.cited(h, text(h), longest))
	}
}

// fromTitle returns the title of a handoff after the name of its sender.
func fromTitle(h *index.Handoff) string {
	if h.From == "" {
		return title(h)
	}
	return "from " + h.From + ": " + title(h)
}

// cited returns a line with a text of a handoff, cut to longest characters, and its id and
// age.
func (c *composer) cited(h *index.Handoff, text string, longest int) Line {
	l := c.quote(text)
	l.Note, l.Quote = c.source(h), clip(l.Quote, longest)
	return l
}

// title returns the title of a handoff, else its goal, else its path.
func title(h *index.Handoff) string {
	return cmp.Or(digest.Plain(h.Title), digest.Plain(h.Goal), relative(h.Root, strings.TrimSuffix(h.Path, "\n")))
}

// source returns the id and the age of a handoff, for notes.
func (c *composer) source(h *index.Handoff) string {
	o := render.Options{Dates: render.DatesRelative, Now: c.options.Now, Zone: h.Date.Location()}
	return shortID(h) + ", " + cmp.Or(o.Date(h.Date, h.DatePrecision), "undated")
}

func shortID(h *index.Handoff) string { return render.ShortID(h.ID) }

// unreadable are the rules that a file breaks if its text can only be guessed.
var unreadable = []string{"yaml.syntax", "json.syntax", "xml.not-well-formed", "xml.unclosed"}

// identify adds a line with the id and age of the last handoff, and one that says if its
// file is broken.
func (c *composer) identify(block int) {
	note := c.source(c.last)
	if is(c.last, "escalated") && is(c.last, "open") && !is(c.last, "acked") {
		note += ", escalated"
	}
	c.add(block, c.last, Line{Note: note})
	i := slices.IndexFunc(c.last.Problems, func(p parse.Problem) bool { return slices.Contains(unreadable, p.Rule) })
	if i >= 0 {
		l := c.cited(c.last, c.last.Problems[i].Message, longestTitle)
		l.Note = fmt.Sprintf("broken file, line %d", c.last.Problems[i].Line)
		c.add(block, c.last, l)
	}
}

// describe adds the title or the goal of the last handoff.
func (c *composer) describe(block int) {
	if c.last.Title == "" && c.last.Goal == "" {
		return
	}
	l := c.quote(title(c.last))
	all := l.Quote
	l.Quote = clip(all, c.titleLength())
	c.listed[all] = l.Quote == all
	c.add(block, c.last, l)
}

// titleLength returns the maximum length of the last handoff's title in characters.
func (c *composer) titleLength() int { return min(longestTitle, c.options.Budget.N/10) }

// repeatsTitle reports whether a piece of the last handoff only repeats the title that is
// listed in full.
func (c *composer) repeatsTitle(p piece) bool {
	return p.title && utf8.RuneCountInString(c.quote(title(c.last)).Quote) <= c.titleLength()
}

// changed adds the branch of the last handoff, if it is not the current one, and what
// changed in the work tree since that handoff.
func (c *composer) changed(block int) {
	l := Line{Note: c.facts.changes()}
	if c.last.Branch != "" && c.facts.Branch != "" && c.last.Branch != c.facts.Branch {
		l.Quote = clip(c.quote("branch "+c.last.Branch).Quote, longestName)
	}
	c.add(block, c.last, l)
}

// changes returns, as text, what changed in the work tree since the last handoff; "" if
// nothing did.
func (f *Facts) changes() string {
	var list []string
	if f.Elsewhere {
		list = append(list, "from another work tree")
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

// listWhole adds all pieces of the last handoff in the order of its file.
func (c *composer) listWhole() {
	heading := ""
	for _, p := range c.passages(c.last) {
		block := c.block(string(p.kind), "")
		if p.heading != "" && p.heading != heading {
			c.add(block, c.last, c.quote(p.heading))
		}
		heading, c.headed[block] = p.heading, true
		for _, piece := range p.pieces() {
			if !c.repeatsTitle(piece) {
				c.piece(block, c.last, p, piece, 0)
			}
		}
	}
	c.required = len(c.entries)
}

// listByNeed adds the pieces of the last handoff in the order of need: next steps, what waits
// for a human and the first blocker, cut to longest characters each; the title in block top;
// then the first pieces of each section, then the rest. Only six steps precede the first
// blocker, so that it is not left out.
func (c *composer) listByNeed(top, longest int) {
	list := byNeed(c.passages(c.last))
	listed := make([]int, len(list)) // how many pieces of each passage
	for i := range list {
		list[i].block = c.block(string(list[i].kind), "")
	}
	upTo := func(end, longest int, isWanted func(i int) bool) {
		for i, p := range list {
			pieces := p.pieces()
			for ; isWanted(i) && listed[i] < min(end, len(pieces)); listed[i]++ {
				if piece := pieces[listed[i]]; !piece.minor && !c.listed[piece.text] {
					c.listed[piece.text] = true
					c.piece(p.block, c.last, p, p.led(listed[i]), longest)
				}
			}
		}
	}
	isNext := func(i int) bool { return list[i].kind == parse.Next }
	upTo(2*firstPieces, longest, func(i int) bool { return i == 0 && isNext(i) })
	for _, kind := range []parse.Kind{parse.Human, parse.Blockers} {
		had := len(c.entries)
		upTo(math.MaxInt, longest, func(i int) bool { return list[i].kind == kind && len(c.entries) == had })
	}
	upTo(math.MaxInt, longest, isNext)
	c.describe(top)
	c.required = len(c.entries)
	upTo(firstPieces, 0, func(i int) bool { return !isMinor(list[i].kind) })
	c.changed(top)
	upTo(firstPieces, 0, func(int) bool { return true })
	upTo(math.MaxInt, 0, func(int) bool { return true })
}

// piece adds a piece of a passage, cut to longest characters if longest is not 0. The first
// piece of a block is preceded by the heading of the passage.
func (c *composer) piece(block int, h *index.Handoff, p passage, said piece, longest int) {
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
	if longest > 0 {
		lines[led].Quote = strings.TrimPrefix(lines[led].Quote, "- ")
		lines = append(lines[:led:led], clipLines(lines[led:], longest)...)
	}
	if n := c.carried[said.text]; n > 1 && h == c.last {
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

// isNew reports whether it is called for the first time with this text or one that says the
// same.
func (c *composer) isNew(text string) bool {
	kind := c.like.Of(withoutMark(text))
	isNew := kind == c.said
	if isNew {
		c.said++
	}
	return isNew
}

// earlier adds what the handoffs before the last one add to it: a line each for the latest
// of other formats and the newest ones, repeated warnings, then everything else by need.
func (c *composer) earlier() {
	if c.last == nil {
		return
	}
	for _, p := range c.passages(c.last) {
		for _, piece := range p.pieces() {
			c.isNew(piece.text)
		}
	}
	blocks, repeated := make([]int, len(c.before)), c.block("gotchas", "Same warning in several handoffs:")
	for i := range c.before {
		blocks[i] = c.block("earlier", "")
	}
	isFirst := func(i int, h *index.Handoff) bool { return is(h, "latest") || i < firstPieces }
	for i, h := range c.before {
		if isFirst(i, h) {
			c.add(blocks[i], h, c.about(h))
		}
	}
	c.warnings(repeated)
	for i, h := range c.before {
		if !isFirst(i, h) {
			c.add(blocks[i], h, c.about(h))
		}
		for _, p := range byNeed(c.passages(h)) {
			c.headed[blocks[i]] = false
			for _, piece := range p.pieces() {
				if !c.full() && p.kind != head && !piece.minor && c.isNew(piece.text) {
					c.piece(blocks[i], h, p, piece, 0)
				}
			}
		}
	}
}

// about returns a line with the id and the title of an earlier handoff.
func (c *composer) about(h *index.Handoff) Line {
	l := c.cited(h, title(h), longestTitle)
	if h.Member != "" {
		l.Note += ", " + h.Member
	}
	if h.Format != c.last.Format {
		l.Note += ", " + h.Format
	}
	return l
}

// warnings adds the warnings that occur in more than one of the earlier handoffs.
func (c *composer) warnings(block int) {
	type warning struct {
		newest, oldest *index.Handoff // of those that have it
		passage        passage
		piece          piece
		count          int
	}
	var like digest.Likeness
	var found []*warning
	for _, h := range c.before {
		for _, p := range c.passages(h) {
			if p.kind != parse.Gotchas && p.kind != parse.Risks {
				continue
			}
			for _, piece := range p.pieces() {
				i := like.Of(withoutMark(piece.text))
				if i == len(found) {
					found = append(found, &warning{newest: h, passage: p, piece: piece})
				}
				if found[i].oldest != h {
					found[i].oldest = h
					found[i].count++
				}
			}
		}
	}
	c.headed[block] = true
	for _, w := range found {
		listed := len(c.entries)
		if w.count > 1 && !w.piece.minor && c.isNew(w.piece.text) {
			c.piece(block, w.newest, w.passage, w.piece, 0)
		}
		if len(c.entries) > listed {
			c.entries[listed].lines[0].Note = fmt.Sprintf("%d×, %s", w.count, shortID(w.newest))
		}
	}
}
