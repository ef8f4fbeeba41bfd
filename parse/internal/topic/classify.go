// Package topic decides what sections are about, by their headings and the shape of
// their text, and reads their list items.
//
// A usual heading decides alone. Of any other the terms count points for kinds, and
// so does the text below it; a kind is taken if it has enough (terms.txt).
package topic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/OWNER/handex/parse/internal/scan"
)

// headingRead is what a heading says by itself.
type headingRead struct {
	exact    Kind // by an alias; "" where none matches
	points   scores
	finished bool // it says that what it names is done: "Task 3 (DONE)"
	summary  bool // what is below it can be about anything
}

// summaries are headings of done work below which a whole handoff can follow.
var summaries = map[string]bool{"summary": true, "session summary": true}

// asksInBrackets reports whether a part of a heading behind the main one asks a person for
// something, whatever else the heading is about.
func asksInBrackets(parts []string) bool {
	return slices.ContainsFunc(parts[min(1, len(parts)):], func(part string) bool {
		return zonePoints(part, shareMain)[kindIndex(Human)] >= clearPoints
	})
}

// Of returns the kind that a heading, key or label means by itself, Other if none.
func Of(head string) Kind {
	h := headings.read(head)
	return cmp.Or(h.exact, h.points.decide())
}

// Exact returns the kind of a heading that is a usual one, Other for any other heading.
func Exact(head string) Kind { return cmp.Or(headings.read(head).exact, Other) }

// Why returns in words what in a heading and body decided that their section is of a kind.
func Why(head, body string, kind Kind) string {
	h := headings.read(head)
	switch {
	case h.exact == Next && h.finished && kind == Done:
		return "marked as done"
	case h.exact != "":
		return "a usual heading"
	case kind == Other:
		return "no term scores enough"
	}
	var found []string
	index := kindIndex(kind)
	_, parts := headingParts(head)
	var points scores
	for i, z := range parts {
		share := zoneShare(i, points)
		points.add(zonePoints(z, share))
		eachTerm(z, share, func(term string, clues []clue, share int) {
			for _, c := range clues {
				if c.kind == index {
					found = append(found, fmt.Sprintf("%q %d", term, c.points*share/100))
				}
			}
		})
	}
	if h.finished && kind == Done {
		found = append(found, "marked as done")
	}
	if n := bodyPoints(body)[index]; n > 0 {
		found = append(found, fmt.Sprintf("its text %d", n))
	}
	return strings.Join(found, ", ")
}

// IsFinished reports whether a heading says that what it names is done.
func IsFinished(head string) bool { return headings.read(head).finished }

// With returns the kind of a section by its heading and its body.
func With(head, body string) Kind {
	h := headings.read(head)
	k := h.exact
	if k == "" {
		t := h.points
		t.add(bodyPoints(body))
		k = t.decide()
	}
	if k == Next && h.finished {
		return Done
	}
	return k
}

// maxHeadingText is how much of a heading is read.
const maxHeadingText = 300

// readHeading returns what a heading says by itself: the kind of a usual heading, otherwise
// the points of its terms for each kind.
func readHeading(head string) headingRead {
	if len(head) > maxHeadingText {
		head = head[:scan.RuneBoundary([]byte(head), maxHeadingText)]
	}
	whole, parts := headingParts(head)
	h := headingRead{finished: saysFinished(head, parts)}
	if k, ok := usualHeadings()[whole]; ok && !asksInBrackets(parts) {
		h.exact, h.summary = k, summaries[whole]
		return h
	}
	for i, z := range parts {
		h.points.add(zonePoints(z, zoneShare(i, h.points)))
	}
	if h.finished && h.points.decide() == Other {
		h.points[kindIndex(Done)] += 3
	}
	return h
}

// withoutPaths returns a heading without its words that are paths, because the names in them
// do not say what the heading is about.
func withoutPaths(head string) string {
	if strings.Count(head, "/") < 2 {
		return head
	}
	words := strings.Fields(head)
	for i, w := range words {
		if strings.Count(w, "/") > 1 || strings.Contains(w, "/") && strings.Contains(w, ".") {
			words[i] = ""
		}
	}
	return strings.Join(words, " ")
}

// finishedWords begin what follows a dash or is in parentheses in headings of
// finished work.
var finishedWords = scan.FoldedSet(`done closed complete completed resolved shipped landed merged finished fixed
	terminé fait erledigt hecho feito klart fatto 完成 已完成 完了 完료 완료`)

// nextWords begin headings that a tick only adorns.
var nextWords = scan.Set("next todo remaining upcoming")

// saysFinished reports whether a heading says that what it names is done: by the
// first word behind a dash or in parentheses, or by a tick.
func saysFinished(head string, parts []string) bool {
	s := strings.TrimSpace(head)
	if i := strings.IndexAny(s, "✅✔"); i > 0 || i == 0 && !nextWords[scan.FirstWord(strings.TrimLeft(s, "✅✔ "))] {
		return true
	}
	return slices.ContainsFunc(parts[min(1, len(parts)):], func(part string) bool {
		word, _, _ := strings.Cut(part, " ")
		return finishedWords[word]
	})
}

// Below returns the kind of a section that is below a section of kind above, and that is of
// kind own by its heading and text. The kind above counts if own is Other, weak or not clear
// from the heading, unless above is weak itself.
func Below(above, own Kind, heading string) Kind {
	exact := Exact(heading)
	switch {
	case own == Other:
		return above
	case Weak[above], above == Done && exact == Files, exact == Decisions:
		return own
	case Weak[own], own == Decisions, !IsClear(heading, own):
		return above
	}
	return own
}

// clearPoints is how many points make a heading clear by itself.
const clearPoints = 8

// IsClear reports whether a heading says by itself, beyond doubt, that it is of
// a kind.
func IsClear(head string, k Kind) bool {
	h := headings.read(head)
	return h.exact == k || h.points[kindIndex(k)] >= clearPoints
}

// PassesOn reports whether a heading gives its kind to the sections below it: a usual
// heading does, unless anything can be below it, as with "Summary".
func PassesOn(head string) bool {
	h := headings.read(head)
	return h.exact != "" && !h.summary
}

// A headingCache remembers what headings are about: the handoffs of a disk have
// a few hundred headings among them, over and over. It keeps the first that
// come, so that a hostile file costs others no more than the benefit.
type headingCache struct {
	mu    sync.RWMutex
	reads map[string]headingRead
}

// Bounds of the cache: some megabytes, most of the time.
const (
	maxCached     = 20_000
	maxCachedText = 96
)

var headings = headingCache{reads: map[string]headingRead{}}

// read returns what a heading says, from the cache if it is there.
func (c *headingCache) read(head string) headingRead {
	if len(head) > maxCachedText {
		return readHeading(head)
	}
	c.mu.RLock()
	h, ok := c.reads[head]
	full := len(c.reads) >= maxCached
	c.mu.RUnlock()
	if ok {
		return h
	}
	h = readHeading(head)
	if !full {
		c.mu.Lock()
		c.reads[strings.Clone(head)] = h // not to keep the file it is in
		c.mu.Unlock()
	}
	return h
}
