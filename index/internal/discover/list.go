package discover

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
)

// listing returns what a folder holds: what is known if the folder is unchanged, else
// from the disk. It is empty for a folder that the walk must not enter.
func (w *Walk) listing(s *Folder, old *Listing) (Listing, error) {
	// The root may be a link, which has a state of its own.
	if old != nil && s.rel != "" {
		st, err := fsx.Lstat(s.Path)
		if err != nil {
			return Listing{}, err
		}
		if old.holds(st) && !w.barred(st.ID(), s.in) && old.Count <= min(w.opt.MaxDirEntries,
			w.opt.MaxEntries-w.Report.Entries) {
			w.Report.Entries += old.Count
			return *old, nil
		}
	}
	w.covers.Listed++
	dir, st, err := fsx.OpenDir(s.Path, s.rel == "")
	if err != nil {
		return Listing{}, err
	}
	defer func() { _ = dir.Close() }()
	if w.barred(st.ID(), s.in) {
		return Listing{}, nil
	}
	return w.list(s, dir, st, old)
}

// list lists an open folder. What texts showed by the old listing still counts.
func (w *Walk) list(s *Folder, dir *os.File, st fsx.Stat, old *Listing) (Listing, error) {
	entries, whole := w.entries(dir)
	if err := w.ctx.Err(); err != nil {
		return Listing{}, err
	}
	l := Listing{State: folderState(st), Count: len(entries)}
	if !whole {
		l.State = fsx.Stat{}
	}
	f, skip := w.listed(w.placeOf(s), func(name string) bool { return hasEntry(entries, name) })
	if skip != "" {
		return l, nil
	}
	s.place = f
	before, err := oldFiles(old)
	if err != nil {
		return l, err
	}
	var buf []byte
	for _, d := range entries {
		e, matters := w.entry(f, d)
		if was, ok := before[e.name]; ok && e.kind == entryNew && was.need == e.need {
			e = was
		}
		if matters {
			buf = e.append(buf)
		}
	}
	l.Entries = string(buf)
	return l, nil
}

// entry judges a name by what kind of thing it is.
func (w *Walk) entry(f ruleState, d fs.DirEntry) (e entry, matters bool) {
	e.name = d.Name()
	switch {
	case e.name == ".git" && len(w.root.Include) == 0:
		e.kind = entryGit
		return e, true
	case d.IsDir():
		_, skip := w.enter(f, e.name)
		e.kind = entryFolder
		return e, skip == ""
	case d.Type()&fs.ModeSymlink != 0:
		v := w.file(f, e.name)
		if e.kind, e.need = entryLink, v.need; !v.ok {
			e.kind, e.need = entryAlias, needNothing
		}
		return e, v.ok || f.trust == trustFull || folderTrust(strings.ToLower(e.name), f.agent) != trustNone
	}
	v := w.file(f, e.name)
	e.kind, e.need = entryNew, v.need
	return e, v.ok
}

// oldFiles returns the files of a listing by name.
func oldFiles(l *Listing) (map[string]entry, error) {
	if l == nil || l.Entries == "" {
		return nil, nil
	}
	entries, err := unpackEntries(nil, l.Entries)
	files := map[string]entry{}
	for _, e := range entries {
		if e.isFile() {
			files[e.name] = e
		}
	}
	return files, err
}

// entries lists a folder by name, up to the limits; whole says that these are
// all.
func (w *Walk) entries(dir *os.File) (entries []fs.DirEntry, whole bool) {
	room := min(w.opt.MaxDirEntries, w.opt.MaxEntries-w.Report.Entries)
	entries, err := dir.ReadDir(room + 1)
	for err == nil && len(entries) <= room {
		var more []fs.DirEntry
		more, err = dir.ReadDir(room + 1 - len(entries))
		entries = append(entries, more...)
	}
	whole = errors.Is(err, io.EOF)
	if !whole && err != nil && !fsx.Vanished(err) {
		w.trouble(dir.Name(), err)
	}
	if len(entries) > room {
		entries, whole = entries[:room], false
		if w.full = room < w.opt.MaxDirEntries; w.full {
			w.trouble(w.root.Path, fmt.Errorf("more than %d files and folders: the rest was not searched", w.opt.MaxEntries))
		} else {
			w.trouble(dir.Name(), fmt.Errorf("more than %d entries: the rest was not searched", w.opt.MaxDirEntries))
		}
	}
	w.Report.Entries += len(entries)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, whole
}

func hasEntry(entries []fs.DirEntry, name string) bool {
	_, ok := slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int {
		return strings.Compare(e.Name(), name)
	})
	return ok
}
