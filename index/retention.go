package index

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"handex/index/internal/fsx"
)

const (
	// retentionPause is how long the bounds go unchecked, and retentionJump how far the
	// clock may have gone on meanwhile: one that went further, or back, may be wrong, and
	// is only believed when it goes on from there.
	retentionPause = time.Hour
	retentionJump  = 24 * time.Hour
	// trashFolder is the folder of the archive where removed contents go, trashAge how
	// long they stay there.
	trashFolder = "trash"
	trashAge    = 30 * 24 * time.Hour
	// leftoverAge is how old what a write left behind must be to be removed.
	leftoverAge = 24 * time.Hour
)

// limits tells bounds apart.
func (o ArchiveOptions) limits() string { return fmt.Sprint(o.KeepDays, o.MaxBytes) }

// checkBounds reports whether the bounds of the archive are to be checked, and
// whether the clock can be believed for that. was is the last time it was looked at,
// in milliseconds, and limits the bounds then.
func (o ArchiveOptions) checkBounds(was int64, limits string) (due, sure bool) {
	if o.Clock == nil {
		return false, false
	}
	since := o.Clock().Sub(time.UnixMilli(was))
	due = since < 0 || since >= retentionPause || limits != o.limits()
	return due, since >= 0 && since <= retentionJump
}

// enforce moves to the trash what the bounds do not allow, and removes what has been
// in it for long. The newest content of each path stays.
func (a *archive) enforce() error {
	names, contents, err := a.list()
	if err != nil {
		return err
	}
	a.sweep(names, contents)
	total, list := a.replaced(contents)
	limit := a.Clock().AddDate(0, 0, -a.KeepDays).UnixNano()
	for _, r := range list {
		large := a.MaxBytes > 0 && total > a.MaxBytes
		old := a.KeepDays > 0 && r.at < limit
		if !large && !old || !a.removable(r.archived, large) {
			continue
		}
		if err := a.discard(r.archived); err != nil {
			return err
		}
		total -= r.size
	}
	return a.emptyTrash()
}

// A replaced is a content that another one came after, and when, in nanoseconds.
type replaced struct {
	*archived
	at int64
}

// replaced lists those contents, the one first that was replaced first, and returns
// the size of all that there are.
func (a *archive) replaced(contents map[string][]*archived) (total int64, list []replaced) {
	for _, group := range contents {
		group = slices.DeleteFunc(group, func(c *archived) bool { return !a.stat(c) })
		slices.SortFunc(group, func(x, y *archived) int {
			return cmp.Or(cmp.Compare(x.mtime, y.mtime), strings.Compare(x.name, y.name))
		})
		for i, c := range group {
			total += c.size
			if i > 0 {
				list = append(list, replaced{group[i-1], c.mtime})
			}
		}
	}
	slices.SortFunc(list, func(x, y replaced) int { return cmp.Or(cmp.Compare(x.at, y.at), strings.Compare(x.name, y.name)) })
	return total, list
}

// removable reports whether a content is not what its file holds now, or may hold,
// and not of git, where age means nothing.
func (a *archive) removable(c *archived, large bool) bool {
	if err := a.describe(c); err != nil || c.about.Commit != "" && !large {
		return false
	}
	raw, _, err := fsx.ReadSettled(c.about.Origin, fsx.MaxFile)
	return err == nil && fsx.ContentSum(raw) != c.sum || err != nil && fsx.Vanished(err)
}

// discard moves a content to the trash, the sidecar first: without one it is not in
// the archive any more.
func (a *archive) discard(c *archived) error {
	a.note(c.name, nil)
	for _, name := range []string{c.sidecar(), c.name} {
		if err := a.trash(name); err != nil {
			return err
		}
	}
	return os.Chtimes(a.path(filepath.Join(trashFolder, c.sidecar())), a.Clock(), a.Clock())
}

// trash moves a file of the archive to the trash.
func (a *archive) trash(name string) error {
	if err := os.MkdirAll(a.path(trashFolder), 0o700); err != nil {
		return err
	}
	return os.Rename(a.path(name), a.path(filepath.Join(trashFolder, name)))
}

// emptyTrash removes what has been in the trash for long: the time of a sidecar says
// since when, as that of a content says when it was written.
func (a *archive) emptyTrash() error {
	dir := a.path(trashFolder)
	names, err := fsx.ReadNames(dir)
	for _, name := range names {
		path := filepath.Join(dir, name)
		c, _, ok := parseName(name)
		if !ok {
			continue
		}
		beside := filepath.Join(dir, c.sidecar())
		if _, gone := fsx.Lstat(beside); a.isOld(beside, trashAge) || gone != nil && a.isOld(path, trashAge) {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// sweep clears away what writes and removals that died left behind: unfinished files,
// and contents without a sidecar. The next time tries again what fails.
func (a *archive) sweep(names []string, contents map[string][]*archived) {
	for _, name := range names {
		c, rest, ok := parseName(name)
		switch {
		case strings.HasPrefix(name, temporary):
			if a.isOld(a.path(name), leftoverAge) {
				_ = os.Remove(a.path(name))
			}
		case ok && rest != sidecarEnd && !slices.ContainsFunc(contents[c.key], func(other *archived) bool { return other.name == name }):
			if a.isOld(a.path(name), leftoverAge) {
				_ = a.trash(name)
			}
		}
	}
}

// isOld reports whether a file was not changed in any way for so long.
func (a *archive) isOld(path string, age time.Duration) bool {
	st, err := fsx.Lstat(path)
	return err == nil && max(st.MtimeNS, st.CtimeNS) < a.Clock().Add(-age).UnixNano()
}
