package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is a file that is a handoff by its path. Path is absolute, as found
// below the root's path; Rel is relative to the root, with slashes.
type File struct {
	Path, Rel string
	Stat      Stat
}

// WalkOptions bounds a walk. The zero value means the defaults.
type WalkOptions struct {
	// Ignore are files and folders that are never opened: the index's own.
	Ignore []FileID
	// MaxDepth is how many folders deep the walk goes, MaxDirEntries how many
	// entries of one folder and MaxEntries how many of all it looks at: 64,
	// 100,000 and 1,000,000 if 0.
	MaxDepth, MaxDirEntries, MaxEntries int
	// Known, if set, reports that a file in this state was found before: its
	// first bytes are not read again.
	Known func(path string, state Stat) bool
}

// WalkReport tells what a walk saw and what it could not take. What lies below
// the path of a trouble may not have been seen: it must not count as deleted.
type WalkReport struct {
	Entries  int // files and folders looked at
	Skipped  []Skip
	Troubles []Trouble
}

// Walk calls found for every file below root that is a handoff by its path
// and, where its name leaves it open, by its first bytes. The order is fixed: a
// folder's files by name, then its folders by name, then the targets of
// symbolic links. A file is found once, whatever links lead to it; links lead
// nowhere outside the root, and none to a folder is followed. The .gitignore of
// a project is not asked: handoffs are often in it.
//
// What cannot be read is in the report. The error is that of found, of ctx or
// of a glob that is none, and ends the walk.
func Walk(ctx context.Context, root Root, opt WalkOptions, found func(File) error) (WalkReport, error) {
	root.Path = filepath.Clean(root.Path)
	r, err := newRules(root)
	if err != nil {
		return WalkReport{}, err
	}
	w := &walker{
		rules: r, ctx: ctx, found: found, known: opt.Known, ignore: opt.Ignore, seen: map[FileID]bool{},
		maxDepth:      cmp.Or(opt.MaxDepth, 64),
		maxDirEntries: cmp.Or(opt.MaxDirEntries, 100_000),
		maxEntries:    cmp.Or(opt.MaxEntries, 1_000_000),
	}
	if err := w.dir(r.start(), nil); err != nil && !errors.Is(err, errFull) {
		return w.report, err
	}
	if err := w.followLinks(); err != nil {
		return w.report, err
	}
	return w.report, nil
}

// errFull ends a walk that saw as much as it may.
var errFull = errors.New("too many entries")

type walker struct {
	rules
	ctx    context.Context //nolint:containedctx // lives as long as the call
	found  func(File) error
	known  func(string, Stat) bool
	ignore []FileID
	report WalkReport
	seen   map[FileID]bool // files found, to fold links onto
	links  []link

	maxDepth, maxDirEntries, maxEntries int
}

// link is a symbolic link with the name of a handoff.
type link struct {
	rel  string
	need need
}

func (w *walker) path(rel string) string {
	return filepath.Join(w.root.Path, filepath.FromSlash(rel))
}

// dir walks one folder. above are the ids of the folders it is in: a bind mount
// can lead back to one of them.
func (w *walker) dir(f place, above []FileID) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	path := w.path(f.rel)
	if len(above) > w.maxDepth {
		w.trouble(path, fmt.Sprintf("more than %d folders deep", w.maxDepth))
		return nil
	}
	dir, id, err := openDir(path, f.rel == "")
	if err != nil {
		w.unopened(f, path, err)
		return nil
	}
	folders, err := w.list(f, dir, id, above)
	_ = dir.Close()
	if err != nil {
		return err
	}
	above = append(above, id)
	for _, child := range folders {
		if err := w.dir(child, above); err != nil {
			return err
		}
	}
	return nil
}

// unopened notes a folder that could not be opened. One that vanished since
// its parent was listed is no trouble; a root that is not there is.
func (w *walker) unopened(f place, path string, err error) {
	if f.rel != "" && vanished(err) {
		return
	}
	w.trouble(path, reason(err))
}

// list finds the files of an open folder and returns the folders in it.
func (w *walker) list(f place, dir *os.File, id FileID, above []FileID) ([]place, error) {
	if id != (FileID{}) && (slices.Contains(w.ignore, id) || slices.Contains(above, id)) {
		return nil, nil
	}
	entries, full, err := w.entries(dir)
	if err != nil {
		return nil, err
	}
	f, skip := w.listed(f, func(name string) bool { return hasEntry(entries, name) })
	if skip != "" {
		return nil, nil
	}
	var folders []place
	for _, entry := range entries {
		if entry.IsDir() {
			if child, skip := w.enter(f, entry.Name()); skip == "" {
				folders = append(folders, child)
			}
			continue
		}
		if err := w.entry(f, dir, entry); err != nil {
			return nil, err
		}
	}
	if full {
		return nil, errFull
	}
	return folders, nil
}

// entries lists a folder by name, up to the limits; full says that the limit of
// the whole walk is reached.
func (w *walker) entries(dir *os.File) (entries []fs.DirEntry, full bool, _ error) {
	room := min(w.maxDirEntries, w.maxEntries-w.report.Entries)
	entries, err := dir.ReadDir(room + 1)
	for err == nil && len(entries) <= room {
		var more []fs.DirEntry
		more, err = dir.ReadDir(room + 1 - len(entries))
		entries = append(entries, more...)
	}
	if err != nil && !errors.Is(err, io.EOF) && !vanished(err) {
		w.trouble(dir.Name(), reason(err))
	}
	if len(entries) > room {
		entries = entries[:room]
		if full = room < w.maxDirEntries; full {
			w.trouble(w.root.Path, fmt.Sprintf("more than %d files and folders: the rest was not searched", w.maxEntries))
		} else {
			w.trouble(dir.Name(), fmt.Sprintf("more than %d entries: the rest was not searched", w.maxDirEntries))
		}
	}
	w.report.Entries += len(entries)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, full, w.ctx.Err()
}

func hasEntry(entries []fs.DirEntry, name string) bool {
	_, ok := slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
	return ok
}

// entry takes one entry that is no folder.
func (w *walker) entry(f place, dir *os.File, entry fs.DirEntry) error {
	v := w.file(f, entry.Name())
	kind := entry.Type()
	if !v.ok {
		if kind&fs.ModeSymlink != 0 {
			w.linkedFolder(f, entry.Name())
		}
		return nil
	}
	rel := joinRel(f.rel, entry.Name())
	switch {
	case kind&fs.ModeSymlink != 0:
		w.links = append(w.links, link{rel, v.need})
		return nil
	case kind != 0 && kind != fs.ModeIrregular:
		w.skip(rel, "it is "+kindOf(kind))
		return nil
	}
	st, links, err := statIn(dir, entry.Name())
	switch {
	case err != nil && vanished(err):
		return nil
	case err != nil:
		w.trouble(dir.Name(), reason(err))
		return nil
	}
	return w.take(rel, st, links > 1, v.need)
}

// take hands out a file, unless it was found by another name or its text is
// not a handoff's.
func (w *walker) take(rel string, st Stat, linked bool, need need) error {
	id := st.id()
	switch {
	case !st.Mode.IsRegular():
		w.skip(rel, "it is "+kindOf(st.Mode))
		return nil
	case id != (FileID{}) && (slices.Contains(w.ignore, id) || linked && w.seen[id]):
		return nil
	}
	path := w.path(rel)
	if !w.fits(path, st, need) {
		return nil
	}
	w.seen[id] = true
	return w.found(File{Path: path, Rel: rel, Stat: st})
}

// fits reports whether a file's first bytes show what its name leaves open. One
// that cannot be read fits: who reads it says why it is skipped.
func (w *walker) fits(path string, st Stat, need need) bool {
	if need == needNothing || w.known != nil && w.known(path, st) {
		return true
	}
	head, err := readHead(path, headSize)
	return err != nil || need.fits(head)
}

// trouble notes a path once, however many of its files share the reason.
func (w *walker) trouble(path, reason string) {
	trouble := Trouble{Path: path, Reason: reason}
	if n := len(w.report.Troubles); n > 0 && w.report.Troubles[n-1] == trouble {
		return
	}
	w.report.Troubles = append(w.report.Troubles, trouble)
}

func (w *walker) skip(rel, reason string) {
	w.report.Skipped = append(w.report.Skipped, Skip{Path: w.path(rel), Reason: reason})
}

// vanished reports whether a path ceased to be what its folder said it is.
func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || isNotDir(err)
}

// reason is an error's text without the path, which stands beside it.
func reason(err error) string {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err.Error()
	}
	return err.Error()
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "not a regular file"
}
