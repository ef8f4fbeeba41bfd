package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"handex/index/internal/sqlitedb"
)

// A scan is one root of a refresh and what was found in it.
type scan struct {
	root    Root
	id      int64
	known   bool   // the index has a row for it
	had     int64  // files the index holds of it
	was     string // its trouble at the last refresh
	trouble string // why it cannot be believed, as a whole or in part
	blind   bool   // as a whole: none of its files counts as gone
	found   int
	earlier bool // versions of files that stood in it belong to it
	walk    WalkReport
}

// A change is a file to read: one that is new, or not as the index saw it.
type change struct {
	File
	scan   *scan
	old    *indexed // nil if the index does not hold it
	sha    string   // of old
	origin string   // path its public ids are made from; empty if not known yet
	force  bool     // parse it even if its text is as it was

	version  *version // what it is an earlier version of; nil for a file in a root
	archived bool     // the archive has versions of it
}

// A plan is what a refresh has to do.
type plan struct {
	scans    []*scan
	files    int // found, each counted once
	changes  []change
	gone     []*indexed
	stale    []int64           // earlier versions that are none any more
	kept     []int64           // files of the index that were not looked for or not to be seen
	skipped  []change          // files that were not indexed, and are as they were
	claims   map[int64][]int64 // root -> files that are as they were but belong to it now
	troubles []Trouble
}

// news counts the changes but for files that are read again only because the
// last look at them was too early to be sure.
func (p *plan) news() int {
	n := 0
	for _, c := range p.changes {
		if c.old == nil || c.force || !c.old.same(c.Stat) {
			n++
		}
	}
	return n
}

// A planner makes the plan: it compares the disk with what the index holds and
// changes neither.
type planner struct {
	opt     RefreshOptions
	ignore  []FileID
	held    map[string]*indexed // by path
	details func(ids string) ([]sqlitedb.FileDetailsRow, error)
	reread  func(*indexed) bool // parse it though it has not changed
	watch   watch
	plan    plan
}

// walk looks at one root.
func (p *planner) walk(ctx context.Context, s *scan) error {
	p.plan.scans = append(p.plan.scans, s)
	for _, r := range p.within(s.root) {
		w, err := Walk(ctx, r, WalkOptions{Ignore: p.ignore, Known: p.sniffed}, func(f File) error {
			s.found++
			p.file(s, f)
			return nil
		})
		if err != nil {
			return fault("search", r.Path, err)
		}
		s.walk.Skipped = append(s.walk.Skipped, w.Skipped...)
		s.walk.Troubles = append(s.walk.Troubles, w.Troubles...)
	}
	p.judge(s)
	return nil
}

// judge decides whether what a walk did not find is gone. A folder that
// vanished or became empty may be a disk that is not mounted.
func (p *planner) judge(s *scan) {
	_, err := os.Stat(s.root.Path)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case missing && (s.had == 0 || p.opt.Prune):
		s.walk.Troubles = nil
	case missing:
		s.blind, s.walk.Troubles = true, []Trouble{{s.root.Path, fmt.Sprintf("not there any more; its files (%d) are kept", s.had)}}
	case s.found == 0 && s.had > 0 && len(s.walk.Troubles) == 0 && !p.opt.Prune && p.opt.Only == "":
		s.blind, s.walk.Troubles = true, []Trouble{{s.root.Path, fmt.Sprintf("no handoff is left in it; its files (%d) are kept", s.had)}}
	}
	if len(s.walk.Troubles) > 0 {
		s.trouble = describe(s.root.Path, s.walk.Troubles)
	}
	p.plan.troubles = append(p.plan.troubles, s.walk.Troubles...)
}

// describe puts troubles in one line.
func describe(root string, list []Trouble) string {
	text := list[0].Reason
	if list[0].Path != root {
		text = list[0].Path + ": " + text
	}
	if len(list) > 1 {
		text += fmt.Sprintf(" (and %d more)", len(list)-1)
	}
	return text
}

// within lists the folders to walk of a root. For one project they are what of
// the root lies in its folder, and the folders named after it.
func (p *planner) within(r Root) []Root {
	only := p.opt.Only
	if only == "" || below(r.Path, only) || len(r.Include)+len(r.Exclude) > 0 {
		return []Root{r}
	}
	var list []Root
	if below(only, r.Path) {
		list = append(list, Root{Path: only})
	}
	names := []string{EncodeV2(only), EncodeV1(only), encodeBytes(only), encodeUTF16(only)}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		for _, in := range []string{"", "handoffs", filepath.Join(".claude", "handoffs")} {
			dir := filepath.Join(r.Path, in, name)
			if st, err := lstat(dir); err == nil && st.Mode.IsDir() && !below(dir, only) {
				list = append(list, Root{Path: dir})
			}
		}
	}
	return list
}

// sniffed spares the walk a look into files that were found before.
func (p *planner) sniffed(path string, st Stat) bool {
	f := p.held[path]
	return f != nil && f.unchanged(st)
}

// file compares a file that was found. A file that lies in several roots counts
// to the first of them.
func (p *planner) file(s *scan, f File) {
	old := p.held[f.Path]
	switch {
	case old == nil:
		p.held[f.Path] = &indexed{id: -1, seen: true}
	case old.seen:
		return
	default:
		old.seen, old.scan = true, s
	}
	p.plan.files++
	if p.opt.Progress != nil && p.plan.files%256 == 0 {
		p.opt.Progress(Progress{Done: p.plan.files})
	}
	if reason, ok := p.opt.unread[f.Path]; ok && old != nil {
		p.plan.kept = append(p.plan.kept, old.id)
		p.plan.troubles = append(p.plan.troubles, Trouble{f.Path, reason})
		return
	}
	c := change{File: f, scan: s, old: old}
	c.force = old != nil && (p.watch.changed(f.Path, old.deps) || p.reread(old))
	if old == nil || c.force || !old.unchanged(f.Stat) {
		p.plan.changes = append(p.plan.changes, c)
		return
	}
	if old.skipped {
		p.plan.skipped = append(p.plan.skipped, c)
	}
	if old.root != s.id {
		p.plan.claims[s.id] = append(p.plan.claims[s.id], old.id)
	}
}

// finish works out what no walk alone can tell: what is gone.
func (p *planner) finish() (plan, error) {
	for path, f := range p.held {
		switch {
		case f.seen:
		case p.isGone(path, f):
			p.plan.gone = append(p.plan.gone, f)
		default:
			p.plan.kept = append(p.plan.kept, f.id)
		}
	}
	slices.SortFunc(p.plan.gone, func(a, b *indexed) int { return strings.Compare(a.path, b.path) })
	slices.Sort(p.plan.kept)
	return p.plan, p.recall()
}

// isGone reports whether a file that was not found is a handoff no more: its
// folder was listed and it was not in it, or no rule takes it now.
func (p *planner) isGone(path string, f *indexed) bool {
	s := p.searched(path, f)
	if s == nil || slices.ContainsFunc(s.walk.Troubles, func(t Trouble) bool { return below(path, t.Path) }) {
		return false
	}
	_, err := lstat(path)
	switch {
	case vanished(err):
		return true
	case err == nil:
		// What its name does not make a handoff was found by a link, which may
		// lie in a folder that could not be read.
		named, _ := Why(path, s.root)
		return named || len(s.walk.Troubles) == 0
	}
	p.plan.troubles = append(p.plan.troubles, Trouble{path, reason(err)})
	return false
}

// searched is the scan that would have found the file if it were still there.
func (p *planner) searched(path string, f *indexed) *scan {
	for _, s := range p.plan.scans {
		if s.id != f.root || s.blind {
			continue
		}
		for _, r := range p.within(s.root) {
			if below(path, r.Path) {
				return s
			}
		}
	}
	return nil
}

// below reports whether path is folder or lies in it.
func below(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator)))
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// recall fetches what is needed of the files that changed.
func (p *planner) recall() error {
	byID := map[int64]*change{}
	var list []int64
	for i := range p.plan.changes {
		if c := &p.plan.changes[i]; c.old != nil {
			byID[c.old.id] = c
			list = append(list, c.old.id)
		}
	}
	if len(list) == 0 {
		return nil
	}
	rows, err := p.details(numberList(list))
	for _, row := range rows {
		c := byID[row.ID]
		c.sha, c.origin = row.Sha256, cmp.Or(row.Origin, row.Path)
	}
	return err
}

// tight reports an error that says nothing about the file it happened on: the
// process has run out of something.
func tight(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}
