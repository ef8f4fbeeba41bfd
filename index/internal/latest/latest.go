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

	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/parse"
)

// A Group is the handoffs of one project and format.
type Group struct {
	list   []contender
	order  func(a, b contender) int
	latest int64
	// byMember are the latest ones of the members that share the project, and of this
	// machine, whose name is empty.
	byMember map[string]contender
}

// NewGroup returns the group of some rows, of which there is at least one.
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

// IsLatest reports whether a handoff is the latest of who wrote it.
func (g *Group) IsLatest(r sqlitedb.GroupRowsRow) bool { return g.byMember[r.Member].ID == r.ID }

// Latest returns the id of the latest handoff.
func (g *Group) Latest() int64 { return g.latest }

// A contender is a handoff that may be the latest of its project and format.
type contender struct {
	sqlitedb.GroupRowsRow
	// copied says that a copy made its file's times: they do not show when it
	// was written, and are replaced by its last commit's where that is known.
	copied bool
}

// orderOf returns the order of the handoffs of one project and format by the rule of
// the format; the last is the latest.
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

// contenders finds whose times were made by a copy: a checkout of git, which makes
// a file younger than its last commit, or one of many files at once.
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

func stated(r sqlitedb.GroupRowsRow) bool { return !IsOfFile(r.DateSource) }

const (
	// together is how far apart the times of files are that a program makes one
	// after the other, daysApart how far those that a person does not write so.
	together  = 2 * time.Second
	daysApart = 24 * time.Hour
)

// madeTogether returns the files whose times follow each other at once, though
// what they state is days apart: they were copied, unpacked or rewritten.
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

func byDate(a, b contender) int {
	return cmp.Or(cmp.Compare(a.Sort, b.Sort), cmp.Compare(a.MtimeNs, b.MtimeNs), strings.Compare(a.Path, b.Path),
		cmp.Compare(a.Entry, b.Entry))
}

// byMTime returns the order of "ls -t", which puts equal times in order of name, so
// that the first name is the latest. Files whose times a copy made are placed in it at
// the dates they state.
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

// byCurrent sorts the file that is overwritten in place above the log of what it was
// before.
func byCurrent(a, b contender) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), byDate(a, b))
}

func rank(c contender) int {
	name := filepath.Base(c.Path)
	if strings.HasSuffix(strings.TrimSuffix(name, filepath.Ext(name)), "-log") {
		return 0
	}
	return 1
}

// IsOfFile reports whether a date is the file's, which states none.
func IsOfFile(source string) bool { return source == "mtime" || source == "git" }
