// Package latest decides which handoff of a project and format is the latest, of each
// member that shares it, and which others are still open.
package latest

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/parse"
)

// A Group is the handoffs of one project and format.
type Group struct {
	list   []contender
	order  func(a, b contender) int
	latest int64
	// byMember are the latest handoffs of the members that share the project, and of this machine,
	// whose name is "".
	byMember map[string]contender
}

// NewGroup returns the group of rows, the handoffs of one project and format. There must be at
// least one. rule is how the format decides which is the latest.
func NewGroup(rule parse.LatestRule, rows []sqlitedb.GroupRowsRow) *Group {
	g := &Group{list: contenders(rows), order: orderOf(rule), byMember: map[string]contender{}}
	g.latest = slices.MaxFunc(g.list, g.order).ID
	for _, c := range g.list {
		if last, ok := g.byMember[c.Member]; !ok || g.order(c, last) > 0 {
			g.byMember[c.Member] = c
		}
	}
	return g
}

// IsLatest reports whether a handoff is the latest of the member that shares it, or of this
// machine.
func (g *Group) IsLatest(r sqlitedb.GroupRowsRow) bool { return g.byMember[r.Member].ID == r.ID }

// Latest returns the row id of the latest handoff of the group.
func (g *Group) Latest() int64 { return g.latest }

// A contender is a handoff that may be the latest of its project and format.
type contender struct {
	sqlitedb.GroupRowsRow
	// copied says that a copy made the times of the file: they do not show when it was written, and
	// are replaced by the time of its last commit if that is known.
	copied bool
}

// orderOf returns the function that compares the handoffs of one project and format by the rule of
// the format; the last in this order is the latest.
func orderOf(rule parse.LatestRule) func(a, b contender) int {
	switch rule {
	case parse.ByMTime:
		return byMTime
	case parse.Current:
		return byCurrent
	case parse.ByDate:
	}
	return byDate
}

// contenders returns the rows as contenders, and sets copied for those whose file times were made
// by a copy: a checkout of git, which makes a file younger than its last commit, or a copy of many
// files at once.
func contenders(rows []sqlitedb.GroupRowsRow) []contender {
	list := make([]contender, len(rows))
	together := madeTogether(rows)
	for i, r := range rows {
		at := deps.CommittedAt(r.Deps)
		c := contender{r, together[r.Path] || at > 0 && at < r.MtimeNs}
		if c.copied {
			if stated(r) && r.Sort == r.MtimeNs/int64(time.Millisecond) {
				c.Sort = r.Date // the file's time has refined it
			}
			c.MtimeNs = at
		}
		list[i] = c
	}
	return list
}

// stated reports whether the handoff itself states its date.
func stated(r sqlitedb.GroupRowsRow) bool { return !IsOfFile(r.DateSource) }

const (
	// together is how far apart the times of files are that a program makes one
	// after the other, daysApart how far those that a person does not write so.
	together  = 2 * time.Second
	daysApart = 24 * time.Hour
)

// madeTogether returns the paths of files that were written within seconds of each other, though
// the dates they state are days apart: they were copied, unpacked or rewritten.
func madeTogether(rows []sqlitedb.GroupRowsRow) map[string]bool {
	byPath := map[string]sqlitedb.GroupRowsRow{}
	for _, r := range rows {
		if old, ok := byPath[r.Path]; !ok || stated(r) && (!stated(old) || r.Date > old.Date) {
			byPath[r.Path] = r // of a log its newest entry
		}
	}
	files := slices.Collect(maps.Values(byPath))
	slices.SortFunc(files, func(a, b sqlitedb.GroupRowsRow) int { return cmp.Compare(a.MtimeNs, b.MtimeNs) })
	found := map[string]bool{}
	for len(files) > 0 {
		n := 1
		for n < len(files) && files[n].MtimeNs-files[n-1].MtimeNs <= int64(together) {
			n++
		}
		if spansDays(files[:n]) {
			for _, f := range files[:n] {
				found[f.Path] = true
			}
		}
		files = files[n:]
	}
	return found
}

// spansDays reports whether files state dates that are days apart.
func spansDays(files []sqlitedb.GroupRowsRow) bool {
	var first, last int64
	n := 0
	for _, f := range files {
		if !stated(f) {
			continue
		}
		if n++; n == 1 {
			first, last = f.Date, f.Date
		}
		first, last = min(first, f.Date), max(last, f.Date)
	}
	return last-first >= daysApart.Milliseconds()
}

// byDate compares handoffs by date, then by the time, path and entry of their files.
func byDate(a, b contender) int {
	return cmp.Or(cmp.Compare(a.Sort, b.Sort), cmp.Compare(a.MtimeNs, b.MtimeNs), strings.Compare(a.Path, b.Path),
		cmp.Compare(a.Entry, b.Entry))
}

// byMTime compares handoffs by the times of their files: the later one is the greater. Of equal times
// the first name is the greater, as "ls -t" lists it first. Files whose times a copy made are compared
// by the dates they state.
func byMTime(a, b contender) int {
	order := cmp.Compare(a.written(), b.written())
	switch {
	case order != 0:
		return order
	case a.copied && b.copied:
		return byDate(a, b)
	case a.copied:
		return -1
	case b.copied:
		return 1
	}
	return cmp.Or(strings.Compare(b.Path, a.Path), byDate(a, b))
}

// written returns when the handoff was written, as far as its file shows, in
// nanoseconds.
func (c contender) written() int64 {
	if c.copied {
		return c.Sort * int64(time.Millisecond)
	}
	return c.MtimeNs
}

// byCurrent sorts the file that is overwritten in place after the log of its earlier contents.
func byCurrent(a, b contender) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), byDate(a, b))
}

// rank returns 0 for a handoff of a log, by its file's name, and 1 for others.
func rank(c contender) int {
	name := filepath.Base(c.Path)
	if strings.HasSuffix(strings.TrimSuffix(name, filepath.Ext(name)), "-log") {
		return 0
	}
	return 1
}

// IsOfFile reports whether a date comes from the file's times or commit, because the handoff states
// none.
func IsOfFile(source string) bool { return source == "mtime" || source == "git" }

// A thread is the line of work that a handoff belongs to. A handoff whose status says
// that it is not done is standing until a newer one of its thread follows.

// unfinished are the statuses of handoffs that are not done.
var unfinished = []string{"pending", "in-progress", "blocked", "failed"}

// traits are the facts that show which thread a handoff belongs to; each may be empty.
type traits struct {
	branch, session string
	items           []string
	topic           string
}

// threads are the traits of the handoffs that are newer than the one being judged.
type threads struct {
	branches, sessions, items, topics map[string]bool
	// plain records which other traits the handoffs without a topic have.
	plain map[plainTraits]bool
}

type plainTraits struct{ branch, items bool }

// add adds the traits of a handoff.
func (s *threads) add(t traits) {
	s.branches[t.branch], s.sessions[t.session], s.topics[t.topic] = true, true, true
	for _, item := range t.items {
		s.items[item] = true
	}
	if t.topic == "" {
		s.plain[plainTraits{t.branch != "", len(t.items) > 0}] = true
	}
}

// has reports whether one of the newer handoffs belongs to the thread of t: they share a branch, a
// work item, a session or a topic. Two handoffs without a topic also belong together, unless their
// branches or work items differ. Different sessions do not count, since each handoff has its own.
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

// TopicOf returns the topic in the name of a file: its words without dates, numbers and plain
// names, joined by "-".
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

// withoutNumber returns word without a number at its end. It returns "" for a word that begins with
// a digit, is a letter with a number (v2, t1030) or part of a hash.
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

// HasOpen reports whether a handoff other than the latest may be open. If not, Standing needs no
// work items.
func (g *Group) HasOpen() bool {
	return slices.ContainsFunc(g.list, func(c contender) bool { return c.ID != g.latest && g.mayStand(c) })
}

// mayStand reports whether a handoff stays open until a newer one of its thread follows: its status
// says that it is not done, or it is the latest of a member.
func (g *Group) mayStand(c contender) bool { return saysUnfinished(c) || g.IsLatest(c.GroupRowsRow) }

// Standing returns the row ids of the standing handoffs, those that no newer one closes: the
// latest, and those that are unfinished by their status, or the latest of a member, and whose
// thread has no newer one. items are the work items that each handoff cites, in lower case.
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

// saysUnfinished reports whether the status of a handoff is one of unfinished work.
func saysUnfinished(c contender) bool { return slices.Contains(unfinished, c.Status) }
