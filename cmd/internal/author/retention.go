package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/parse"
)

// A series is a folder of handoffs that are named by their time, with a link to the newest
// one. The project's configuration limits how many are kept.
type series struct {
	Env
	at     Location
	folder *save.Folder
	hooked bool // the new one is of a hook
}

// A dated is the name of a handoff of a series, taken apart.
type dated struct {
	name   string
	stamp  string // its time, to the minute
	number int    // of those of one minute
}

var datedName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{4})(?:-([0-9]{4}))?(\.[a-z]+)$`)
})

// saveNumbered saves the handoff in a file named by its time, removes the oldest ones that
// are too many, and returns its path. A dry run only returns the path and writes which
// handoffs would be removed.
func (h *Handoff) saveNumbered(ctx context.Context, dryRun bool) (path string, err error) {
	open := h.env.open
	if dryRun {
		open = Location.reader
	}
	f, err := open(h.At)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	if !dryRun {
		// One at a time: the link leads to the last that was written, and none that a
		// link leads to is removed.
		unlock, err := f.Lock(ctx, h.At.Folder)
		if err != nil {
			return "", err
		}
		defer unlock()
	}
	s := series{h.env, h.At, f, h.hooked}
	list, links, err := s.list()
	if err != nil {
		return "", err
	}
	rel := filepath.Join(h.At.Folder, s.next(list))
	if dryRun {
		delete(links, s.at.Latest) // it will lead to the new one
		for _, name := range s.surplus(list, links, 1) {
			h.Removed = append(h.Removed, s.path(name))
		}
		h.SayRemoved("would be removed")
		return filepath.Join(s.at.Root, rel), nil
	}
	if rel, err = f.Create(ctx, rel, h.Text); err != nil {
		return "", err
	}
	if h.Removed, err = s.tidy(ctx, filepath.Base(rel)); err != nil {
		err = fmt.Errorf("%s is saved, but: %w", f.Path(rel), err)
	}
	return f.Path(rel), err
}

// SayRemoved writes a line for each handoff that was removed to make room for this one.
// what begins each line, such as "removed".
func (h *Handoff) SayRemoved(what string) {
	for _, path := range h.Removed {
		h.env.Say(fmt.Sprintf("%s, because %d are kept: %s", what, h.At.Keep.MaxFiles, path))
	}
}

// path returns the absolute path of the handoff with a file name.
func (s series) path(name string) string { return s.folder.Path(filepath.Join(s.at.Folder, name)) }

// tidy makes the link lead to the file that was written, removes the oldest handoffs that
// are too many, and returns their paths. One that cannot be archived is not removed.
func (s series) tidy(ctx context.Context, written string) (removed []string, err error) {
	if err := s.link(ctx, written); err != nil {
		return nil, err
	}
	list, links, err := s.list()
	if err != nil {
		return nil, err
	}
	links[""] = written
	for _, name := range s.surplus(list, links, 0) {
		if !s.archive(s.at, s.path(name)) {
			continue
		}
		rel := filepath.Join(s.at.Folder, name)
		if err := s.folder.Edit(ctx, rel, func([]byte) ([]byte, error) { return nil, nil }); err != nil {
			return removed, err
		}
		removed = append(removed, s.path(name))
	}
	return removed, nil
}

// maxAhead is how far the clock may go back before nothing is removed any more.
const maxAhead = 24 * time.Hour

// surplus returns the names of the oldest handoffs of a list that exceed the number to
// keep, except those that links lead to. coming is how many handoffs are still to be
// written. If a hook writes, only handoffs of hooks are counted and removed; if a person
// writes, only those of people. If one of them is dated more than maxAhead in the future, it
// returns none, as the clock may be wrong.
func (s series) surplus(list []dated, links map[string]string, coming int) []string {
	list = slices.DeleteFunc(slices.Clone(list), func(d dated) bool { return s.isHooked(d.name) != s.hooked })
	number := len(list) + coming - s.at.Keep.MaxFiles
	if number <= 0 {
		return nil
	}
	if last := list[len(list)-1]; last.stamp > s.stampAt(s.Now().Add(maxAhead)) {
		s.note("nothing is removed: " + s.path(last.name) + " is dated in the future")
		return nil
	}
	held := slices.Collect(maps.Values(links))
	var names []string
	for _, d := range list {
		if len(names) < number && !slices.Contains(held, d.name) {
			names = append(names, d.name)
		}
	}
	return names
}

// isHooked reports whether the handoff in a file was saved by a hook.
func (s series) isHooked(name string) bool {
	text, err := s.folder.Read(filepath.Join(s.at.Folder, name))
	return err == nil && strings.Contains(string(text), byHook)
}

// stampAt returns the beginning of the names of handoffs that are written at a time. Names
// sort in the order of their times.
func (s series) stampAt(t time.Time) string { return t.In(s.Zone).Format(s.at.Stamp) }

// next returns the name for a new handoff. It sorts after all others of the same minute,
// even if the first of these was removed.
func (s series) next(list []dated) string {
	stamp := s.stampAt(s.Now())
	number := -1
	for _, d := range list {
		if d.stamp == stamp {
			number = max(number, d.number)
		}
	}
	if number < 0 {
		return stamp + s.at.Ext
	}
	return fmt.Sprintf("%s-%04d%s", stamp, number+1, s.at.Ext)
}

// link makes the fixed name of the newest handoff lead to the file that was written. If a
// regular file has that name and is not a copy of another handoff, it first gets a name by
// its time, as its handoff may be nowhere else.
func (s series) link(ctx context.Context, written string) error {
	latest := filepath.Join(s.at.Folder, s.at.Latest)
	info, err := os.Lstat(s.folder.Path(latest))
	if err != nil || !info.Mode().IsRegular() {
		return s.folder.Link(ctx, latest, written)
	}
	text, err := s.folder.Read(latest)
	if err != nil {
		return err
	}
	list, _, err := s.list()
	isCopy := err == nil && slices.ContainsFunc(list, func(d dated) bool {
		other, err := s.folder.Read(filepath.Join(s.at.Folder, d.name))
		return err == nil && string(other) == string(text)
	})
	if !isCopy {
		name := s.stampAt(info.ModTime()) + s.at.Ext
		if _, err := s.folder.Create(ctx, filepath.Join(s.at.Folder, name), text); err != nil {
			return err
		}
	}
	return s.folder.Link(ctx, latest, written)
}

// list returns the handoffs of the folder, the oldest first, in all formats of the family,
// and for each symbolic link in it the name of the file that it leads to.
func (s series) list() (list []dated, links map[string]string, err error) {
	entries, err := os.ReadDir(s.folder.Path(s.at.Folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	links = map[string]string{}
	for _, e := range entries {
		if e.Type() == fs.ModeSymlink {
			if to, err := os.Readlink(s.path(e.Name())); err == nil {
				links[e.Name()] = filepath.Base(to)
			}
			continue
		}
		if d, ok := s.date(e.Name()); ok && e.Type().IsRegular() {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(x, y dated) int {
		return cmp.Or(cmp.Compare(x.stamp, y.stamp), cmp.Compare(x.number, y.number), cmp.Compare(x.name, y.name))
	})
	return list, links, nil
}

// date takes the name of a file apart. ok is false if handoffs of this series have no such
// names.
func (s series) date(name string) (d dated, ok bool) {
	m := datedName().FindStringSubmatch(name)
	if m == nil || !slices.ContainsFunc(family(s.at.Family), func(format string) bool {
		place, _ := parse.PlaceOf(format)
		return place.Ext == m[3]
	}) {
		return dated{}, false
	}
	_, err := time.Parse(s.at.Stamp, m[1])
	number, _ := strconv.Atoi(m[2])
	return dated{name, m[1], number}, err == nil
}
