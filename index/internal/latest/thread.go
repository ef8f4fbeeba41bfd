package latest

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// A thread is the line of work that a handoff belongs to. A handoff that says
// itself that it is not done is standing until a newer one of its thread follows.

// unfinished are the statuses by which a handoff says so.
var unfinished = []string{"pending", "in-progress", "blocked", "failed"}

// traits show which thread a handoff belongs to; each may be empty.
type traits struct {
	branch, session string
	items           []string
	topic           string
}

// threads are the traits of the handoffs newer than the one that is looked at.
type threads struct {
	branches, sessions, items, topics map[string]bool
	// plain records which other traits the handoffs without a topic have.
	plain map[plainTraits]bool
}

type plainTraits struct{ branch, items bool }

func (s *threads) add(t traits) {
	s.branches[t.branch], s.sessions[t.session], s.topics[t.topic] = true, true, true
	for _, item := range t.items {
		s.items[item] = true
	}
	if t.topic == "" {
		s.plain[plainTraits{t.branch != "", len(t.items) > 0}] = true
	}
}

// has reports whether one of the newer handoffs is of the thread of t: they share
// a branch, a work item, a session or a topic. Names without a topic are the same
// too, unless their branches or work items differ. Sessions
// do not count, since each handoff has its own.
func (s *threads) has(t traits) bool {
	if t.branch != "" && s.branches[t.branch] || t.session != "" && s.sessions[t.session] ||
		t.topic != "" && s.topics[t.topic] {
		return true
	}
	if slices.ContainsFunc(t.items, func(item string) bool { return s.items[item] }) {
		return true
	}
	if t.topic != "" {
		return false
	}
	for p := range s.plain {
		if (!p.branch || t.branch == "") && (!p.items || len(t.items) == 0) {
			return true
		}
	}
	return false
}

// plainNames are words that the names of handoffs have whatever they are about.
var plainNames = map[string]bool{
	"handoff": true, "handoffs": true, "handover": true, "session": true, "summary": true, "note": true, "notes": true,
	"log": true, "latest": true, "current": true, "context": true,
}

// TopicOf returns what the name of a file says of its topic: its words without dates,
// numbers and plain names.
func TopicOf(path string) string {
	name := strings.ToLower(filepath.Base(path))
	name = strings.TrimSuffix(name, filepath.Ext(name))
	isSign := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }
	var words []string
	for word := range strings.FieldsFuncSeq(name, isSign) {
		if word = withoutNumber(word); word != "" && !plainNames[word] {
			words = append(words, word)
		}
	}
	return strings.Join(words, "-")
}

// withoutNumber drops a word that begins with a digit, is a letter with a number
// (v2, t1030) or part of a hash, and the number at the end of another.
func withoutNumber(word string) string {
	const digits, shortHash = "0123456789", 6
	bare := strings.TrimRight(word, digits)
	switch {
	case bare == "" || strings.ContainsRune(digits, rune(bare[0])):
		return ""
	case len(bare) == 1 && bare != word:
		return ""
	case len(word) >= shortHash && strings.ContainsAny(word, digits) && strings.Trim(word, digits+"abcdef") == "":
		return ""
	}
	return bare
}

// HasOpen reports whether a handoff other than the latest may be open: else Standing
// needs no work items.
func (g *Group) HasOpen() bool {
	return slices.ContainsFunc(g.list, func(c contender) bool { return c.ID != g.latest && g.mayStand(c) })
}

// mayStand reports whether a handoff stands until a newer one of its thread follows: it
// says that it is not done, or is the latest of a member.
func (g *Group) mayStand(c contender) bool { return saysUnfinished(c) || g.IsLatest(c.GroupRowsRow) }

// Standing returns the ids of the handoffs that no newer one closes: the latest, and
// those that say that they are not done, or are the latest of a member, and of whose
// thread none is newer. items are the work items they cite, in lower case.
func (g *Group) Standing(items map[int64][]string) map[int64]bool {
	standing := map[int64]bool{g.latest: true}
	if !g.HasOpen() {
		return standing
	}
	slices.SortFunc(g.list, func(a, b contender) int { return g.order(b, a) })
	newer := &threads{
		branches: map[string]bool{}, sessions: map[string]bool{}, items: map[string]bool{}, topics: map[string]bool{},
		plain: map[plainTraits]bool{},
	}
	for _, c := range g.list {
		t := traits{c.Branch, c.Session, items[c.ID], TopicOf(c.Path)}
		if g.mayStand(c) && !newer.has(t) {
			standing[c.ID] = true
		}
		newer.add(t)
	}
	return standing
}

// saysUnfinished reports whether the status of a handoff says that its work is
// unfinished.
func saysUnfinished(c contender) bool { return slices.Contains(unfinished, c.Status) }
