// Package deps records the files that a handoff was read with, and finds out whether they have
// changed.
package deps

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/gitinfo"
	"github.com/OWNER/handex/index/internal/store"
)

// A Dependency is a neighbour that was read with a file, by its path relative to the file's folder,
// and its state then. Size absent: it did not exist. Size Unsettled: it could not be read, or was
// so young that a change could leave the same times; then Sum is that of its content, "" if that is
// not known. Size Successor: it is the content that came after an earlier version. Size CheckedOut:
// Rel is the top of a work tree of git, Sum its HeadMark, and Mtime the time of the last commit of
// the file itself, 0 if it has none. Size Copied: the file is a copy of a handoff elsewhere.
type Dependency struct {
	Rel                     string
	Size, Mtime, Ctime, ino int64 // times in nanoseconds
	Sum                     string
}

// Sizes of a Dependency that are none.
const (
	absent     = -1
	Unsettled  = -2
	Successor  = -3
	CheckedOut = -4
	Copied     = -5
)

// MaxNeighbour is the largest file that is read with another.
const MaxNeighbour = 256 << 10

// MarshalJSON returns the dependency as a JSON array.
func (d Dependency) MarshalJSON() ([]byte, error) {
	buf := store.AppendQuoted([]byte{'['}, d.Rel)
	for _, n := range []int64{d.Size, d.Mtime, d.Ctime, d.ino} {
		buf = strconv.AppendInt(append(buf, ','), n, 10)
	}
	return append(store.AppendQuoted(append(buf, ','), d.Sum), ']'), nil
}

// UnmarshalJSON sets d from the JSON that MarshalJSON returned.
func (d *Dependency) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&d.Rel, &d.Size, &d.Mtime, &d.Ctime, &d.ino, &d.Sum})
}

// Parse returns the dependencies in deps, the text of file.deps; ok is false if it is invalid.
func Parse(deps string) (list []Dependency, ok bool) {
	if deps != "" && json.Unmarshal([]byte(deps), &list) != nil {
		return nil, false
	}
	return list, true
}

// OnlySuccessor reports whether file.deps has only the content that came after a version. It does
// not parse the text, because there may be many.
func OnlySuccessor(deps string) bool {
	rest, ok := strings.CutPrefix(deps, `[["",-3,`)
	return ok && !strings.Contains(rest, "[")
}

// IsCopy reports whether file.deps says that the file is a copy. It does not parse the text.
func IsCopy(deps string) bool { return strings.Contains(deps, `["",-5,`) }

// Read returns a dependency on the file rel, relative to dir, with its current state.
func Read(dir, rel string) Dependency {
	path := filepath.Join(dir, filepath.FromSlash(rel))
	st, err := fsx.Follow(path)
	switch {
	case err == nil:
		return Dependency{Rel: rel, Size: st.Size, Mtime: st.MtimeNS, Ctime: st.CtimeNS, ino: int64(st.Ino)}
	case fsx.Vanished(err):
		return Dependency{Rel: rel, Size: absent}
	}
	return Dependency{Rel: rel, Size: Unsettled}
}

// AsOf returns d as it is to be recorded at the time now. If its state is too young to be reliable,
// it is replaced by the checksum of content, which the file has.
func (d Dependency) AsOf(now int64, content []byte) Dependency {
	if d.Size >= 0 && (fsx.Stat{MtimeNS: d.Mtime, CtimeNS: d.Ctime}).IsYoung(now) {
		return Dependency{Rel: d.Rel, Size: Unsettled, Sum: fsx.HalfSum(content)}
	}
	return d
}

// Holds reports whether the neighbour, relative to dir, has not changed since d was recorded.
func (d Dependency) Holds(dir string) bool {
	switch {
	case d.Size == Successor, d.Size == CheckedOut, d.Size == Copied: // which others compare
		return true
	case d.Size != Unsettled:
		return Read(dir, d.Rel) == d
	case d.Sum == "":
		return false
	}
	path, err := fsx.RealPath(filepath.Join(dir, filepath.FromSlash(d.Rel)))
	if err != nil {
		return false
	}
	content, _, err := fsx.ReadSettled(path, fsx.MaxFile) // a copy's original may be larger than others
	return err == nil && fsx.HalfSum(content) == d.Sum
}

// A Cache remembers for folders and dependencies whether a neighbour has changed, because many
// files of a folder have the same ones.
type Cache map[string]bool

// Changed reports whether a neighbour of the file at path has changed since deps was
// recorded.
func (w Cache) Changed(path, deps string) bool {
	if deps == "" || OnlySuccessor(deps) {
		return false
	}
	dir := filepath.Dir(path)
	key := dir + "\x00" + deps
	changed, ok := w[key]
	if !ok {
		changed = anyChanged(dir, deps)
		w[key] = changed
	}
	return changed
}

// anyChanged reports whether a dependency of a file in dir has changed or deps is invalid.
func anyChanged(dir, deps string) bool {
	list, ok := Parse(deps)
	return !ok || slices.ContainsFunc(list, func(d Dependency) bool { return !d.Holds(dir) })
}

// Moved reports whether another commit is checked out than when the file at path was last dated.
// deps is its file.deps.
func (w Cache) Moved(path, deps string) bool {
	if !onCommit(deps) {
		return false
	}
	list, _ := Parse(deps) // Changed reports that they are none
	return slices.ContainsFunc(list, func(d Dependency) bool {
		return d.Size == CheckedOut && w.leads(filepath.Dir(path), d)
	})
}

// leads reports whether the work tree of d now has another commit checked out.
func (w Cache) leads(dir string, d Dependency) bool {
	top := filepath.Join(dir, filepath.FromSlash(d.Rel))
	key := top + "\x00" + d.Sum
	moved, ok := w[key]
	if !ok {
		tree := gitinfo.FindWorkTree(top)
		moved = tree == nil || tree.Top != top || tree.HeadMark() != d.Sum
		w[key] = moved
	}
	return moved
}

// onCommit reports whether file.deps has a commit. It does not parse the text.
func onCommit(deps string) bool { return strings.Contains(deps, `",-4,`) }

// AnyChanged reports whether a neighbour of any file in dir has changed. all has the different
// file.deps of those files, each ended by char(30). As they differ, no result is remembered.
func (w Cache) AnyChanged(dir, all string) bool {
	if all == "" {
		return false
	}
	file := fsx.Join(dir, "x")
	for deps := range strings.SplitSeq(all, "\x1e") {
		if deps != "" && !OnlySuccessor(deps) && anyChanged(dir, deps) || w.Moved(file, deps) {
			return true
		}
	}
	return false
}

// CommittedAt returns when the content of a file was committed, in nanoseconds, by its file.deps; 0
// if these have no commit.
func CommittedAt(deps string) int64 {
	if !onCommit(deps) {
		return 0
	}
	list, _ := Parse(deps)
	i := slices.IndexFunc(list, func(d Dependency) bool { return d.Size == CheckedOut })
	if i < 0 {
		return 0
	}
	return list[i].Mtime
}
