package archive

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/index/internal/fsx"
)

const (
	// retentionPause is the time between two checks of the bounds, and retentionJump how far the
	// clock may have advanced since the last: a clock that went further, or back, may be wrong, and
	// is only relied on from the next check on.
	retentionPause = time.Hour
	retentionJump  = 24 * time.Hour
	// trashFolder is the folder of the archive where removed contents go, trashAge how
	// long they stay there.
	trashFolder = "trash"
	trashAge    = 30 * 24 * time.Hour
	// leftoverAge is how old what a write left behind must be to be removed.
	leftoverAge = 24 * time.Hour
)

// KeepBounds enforces the bounds of the archive, unless that was done within the last hour with the
// same bounds, or the clock has jumped. was is the time of the last check in milliseconds, and
// limits are the bounds then; KeepBounds returns the values for the next call.
func (a *Archive) KeepBounds(was int64, limits string) (int64, string) {
	if a.Clock == nil {
		return was, limits
	}
	now, bounds := a.Clock(), fmt.Sprint(a.KeepDays, a.MaxBytes)
	since := now.Sub(time.UnixMilli(was))
	if since >= 0 && since < retentionPause && limits == bounds {
		return was, limits
	}
	if since >= 0 && since <= retentionJump {
		a.Fail(a.enforce())
	}
	return now.UnixMilli(), bounds
}

// enforce moves contents that exceed the bounds to the trash, oldest first, and empties the old
// part of the trash. The newest content of each path stays.
func (a *Archive) enforce() error {
	names, contents, err := a.List()
	if err != nil {
		return err
	}
	a.sweep(names, contents)
	total, list := a.replaced(contents)
	limit := a.Clock().AddDate(0, 0, -a.KeepDays).UnixNano()
	for _, r := range list {
		large := a.MaxBytes > 0 && total > a.MaxBytes
		old := a.KeepDays > 0 && r.at < limit
		if !large && !old || !a.removable(r.Content, large) {
			continue
		}
		if err := a.discard(r.Content); err != nil {
			return err
		}
		total -= r.size
	}
	return a.emptyTrash()
}

// A replaced is a content that was followed by another one at the time at, in nanoseconds.
type replaced struct {
	*Content
	at int64
}

// replaced returns the contents that were followed by another one of the same path, in the order in
// which that happened, and the size of all contents.
func (a *Archive) replaced(contents map[string][]*Content) (total int64, list []replaced) {
	for _, group := range contents {
		group = slices.DeleteFunc(group, func(c *Content) bool { return !a.Stat(c) })
		slices.SortFunc(group, func(x, y *Content) int {
			return cmp.Or(cmp.Compare(x.Mtime, y.Mtime), strings.Compare(x.Name, y.Name))
		})
		for i, c := range group {
			total += c.size
			if i > 0 {
				list = append(list, replaced{group[i-1], c.Mtime})
			}
		}
	}
	slices.SortFunc(list, func(x, y replaced) int {
		return cmp.Or(cmp.Compare(x.at, y.at), strings.Compare(x.Name, y.Name))
	})
	return total, list
}

// removable reports whether a content may be removed: it is not the current content of its file,
// and that is certain. A content from git is only removable if large says that the archive is too
// large, because its age means nothing.
func (a *Archive) removable(c *Content, large bool) bool {
	if err := a.Describe(c); err != nil || c.About.Commit != "" && !large {
		return false
	}
	raw, _, err := fsx.ReadSettled(c.About.Origin, fsx.MaxFile)
	return err == nil && fsx.ContentSum(raw) != c.Sum || err != nil && fsx.Vanished(err)
}

// discard moves a content to the trash, its sidecar first: without a sidecar it is no longer in the
// archive.
func (a *Archive) discard(c *Content) error {
	a.note(c.Name, nil)
	for _, name := range []string{c.sidecar(), c.Name} {
		if err := a.trash(name); err != nil {
			return err
		}
	}
	return os.Chtimes(a.Path(filepath.Join(trashFolder, c.sidecar())), a.Clock(), a.Clock())
}

// trash moves a file of the archive to the trash.
func (a *Archive) trash(name string) error {
	if err := os.MkdirAll(a.Path(trashFolder), 0o700); err != nil {
		return err
	}
	return os.Rename(a.Path(name), a.Path(filepath.Join(trashFolder, name)))
}

// emptyTrash removes contents that have been in the trash for longer than trashAge. The time of a
// sidecar shows since when; that of a content shows when it was written.
func (a *Archive) emptyTrash() error {
	dir := a.Path(trashFolder)
	names, err := fsx.ReadNames(dir)
	for _, name := range names {
		path := filepath.Join(dir, name)
		c, _, ok := ParseName(name)
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

// sweep removes what interrupted writes and removals left behind: unfinished files, and contents
// without a sidecar. What fails is tried again the next time.
func (a *Archive) sweep(names []string, contents map[string][]*Content) {
	for _, name := range names {
		c, rest, ok := ParseName(name)
		switch {
		case strings.HasPrefix(name, temporary):
			if a.isOld(a.Path(name), leftoverAge) {
				_ = os.Remove(a.Path(name))
			}
		case ok && rest != sidecarEnd && !slices.ContainsFunc(contents[c.key],
			func(other *Content) bool { return other.Name == name }):
			if a.isOld(a.Path(name), leftoverAge) {
				_ = a.trash(name)
			}
		}
	}
}

// isOld reports whether the file at path has not changed in any way for longer than age.
func (a *Archive) isOld(path string, age time.Duration) bool {
	st, err := fsx.Lstat(path)
	return err == nil && max(st.MtimeNS, st.CtimeNS) < a.Clock().Add(-age).UnixNano()
}
