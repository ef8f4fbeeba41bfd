package index

import (
	"encoding/json"
	"handex/index/internal/fsx"
	"handex/index/internal/gitinfo"
	"handex/index/internal/store"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A dependency is a neighbour that was read with a file, by its path relative to
// the file's folder, and the state it was in. Size absent: there was none. Size
// unsettled: it could not be read, or was so young that a change could leave the
// same times; then sum is that of its content, "" where that is not known.
// Size successor: it is the content that came after an earlier version.
// Size checkedOut: rel is the top of a work tree of git, sum its headMark, and
// mtime the time of the last commit of the file itself, 0 if it has none.
type dependency struct {
	rel                     string
	size, mtime, ctime, ino int64 // times in nanoseconds
	sum                     string
}

const (
	absent     = -1
	unsettled  = -2
	successor  = -3
	checkedOut = -4
)

// maxNeighbour is the largest file that is read with another.
const maxNeighbour = 256 << 10

func (d dependency) MarshalJSON() ([]byte, error) {
	buf := store.AppendQuoted([]byte{'['}, d.rel)
	for _, n := range []int64{d.size, d.mtime, d.ctime, d.ino} {
		buf = strconv.AppendInt(append(buf, ','), n, 10)
	}
	return append(store.AppendQuoted(append(buf, ','), d.sum), ']'), nil
}

func (d *dependency) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&d.rel, &d.size, &d.mtime, &d.ctime, &d.ino, &d.sum})
}

// onlySuccessor reports whether file.deps has nothing but what came after a version,
// without taking it apart: there may be many.
func onlySuccessor(deps string) bool {
	rest, ok := strings.CutPrefix(deps, `[["",-3,`)
	return ok && !strings.Contains(rest, "[")
}

// look answers the dependency as the disk has it now.
func look(dir, rel string) dependency {
	path := filepath.Join(dir, filepath.FromSlash(rel))
	st, err := fsx.Follow(path)
	switch {
	case err == nil:
		return dependency{rel: rel, size: st.Size, mtime: st.MtimeNS, ctime: st.CtimeNS, ino: int64(st.Ino)}
	case fsx.Vanished(err):
		return dependency{rel: rel, size: absent}
	}
	return dependency{rel: rel, size: unsettled}
}

// asOf is the dependency, of that content, as it may be relied on later.
func (d dependency) asOf(now int64, content []byte) dependency {
	if d.size >= 0 && max(d.mtime, d.ctime) >= now-int64(fsx.Racy) {
		return dependency{rel: d.rel, size: unsettled, sum: fsx.HalfSum(content)}
	}
	return d
}

// holds reports whether the neighbour is still as it was.
func (d dependency) holds(dir string) bool {
	switch {
	case d.size == successor, d.size == checkedOut: // which others compare
		return true
	case d.size != unsettled:
		return look(dir, d.rel) == d
	case d.sum == "":
		return false
	}
	path, err := fsx.RealPath(filepath.Join(dir, filepath.FromSlash(d.rel)))
	if err != nil {
		return false
	}
	content, _, err := fsx.ReadSettled(path, maxNeighbour)
	return err == nil && fsx.HalfSum(content) == d.sum
}

// A watch tells whether neighbours are as they were. Many files of a folder
// share theirs, so it remembers.
type watch map[string]bool

// changed reports whether a neighbour of the file at path is not as deps says.
func (w watch) changed(path, deps string) bool {
	if deps == "" || onlySuccessor(deps) {
		return false
	}
	dir := filepath.Dir(path)
	key := dir + "\x00" + deps
	changed, ok := w[key]
	if !ok {
		var list []dependency
		changed = json.Unmarshal([]byte(deps), &list) != nil ||
			slices.ContainsFunc(list, func(d dependency) bool { return !d.holds(dir) })
		w[key] = changed
	}
	return changed
}

// moved reports whether another commit is checked out than the file at path was
// last dated by.
func (w watch) moved(path, deps string) bool {
	if !onCommit(deps) {
		return false
	}
	var list []dependency
	if json.Unmarshal([]byte(deps), &list) != nil {
		return false // which changed reports
	}
	return slices.ContainsFunc(list, func(d dependency) bool { return d.size == checkedOut && w.leads(filepath.Dir(path), d) })
}

// leads reports whether a work tree is at another commit than d says.
func (w watch) leads(dir string, d dependency) bool {
	top := filepath.Join(dir, filepath.FromSlash(d.rel))
	key := top + "\x00" + d.sum
	moved, ok := w[key]
	if !ok {
		tree := gitinfo.FindWorkTree(top)
		moved = tree == nil || tree.Top != top || tree.HeadMark() != d.sum
		w[key] = moved
	}
	return moved
}

// onCommit reports whether file.deps has a commit, without taking them apart.
func onCommit(deps string) bool { return strings.Contains(deps, `",-4,`) }

// any reports whether a neighbour of the files of a folder is not as they say. all
// are the different file.deps of those, each ended by char(30).
func (w watch) any(dir, all string) bool {
	if all == "" {
		return false
	}
	file := fsx.Join(dir, "x")
	for deps := range strings.SplitSeq(all, "\x1e") {
		if w.changed(file, deps) || w.moved(file, deps) {
			return true
		}
	}
	return false
}

// committedAt is when the content of a file was committed, as its file.deps say; 0
// if they do not.
func committedAt(deps string) int64 {
	var list []dependency
	if !onCommit(deps) || json.Unmarshal([]byte(deps), &list) != nil {
		return 0
	}
	for _, d := range list {
		if d.size == checkedOut {
			return d.mtime
		}
	}
	return 0
}
