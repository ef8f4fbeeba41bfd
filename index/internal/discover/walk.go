// Package discover finds the files that are handoffs: by rules of names, by the first bytes
// of a file where its name leaves it open, and by a walk that lists a folder again only
// when it has changed.
package discover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"handex/index/internal/fsx"
)

// File is a file that is a handoff by its path. Path is absolute, as found
// below the root's path; Rel is relative to the root, with slashes.
type File struct {
	Path, Rel string
	Stat      fsx.Stat
	// Fault is why its first bytes could not be read, where they decide.
	Fault error
}

// Options bounds a walk. The zero value means the defaults.
type Options struct {
	// Ignore are files and folders that are never opened: the index's own.
	Ignore []fsx.FileID
	// MaxDepth is how many folders deep the walk goes, MaxDirEntries how many
	// entries of one folder and MaxEntries how many of all it looks at: 64,
	// 100,000 and 1,000,000 if 0.
	MaxDepth, MaxDirEntries, MaxEntries int
	// Starts are the folders to walk, relative to the root, all of it if nil.
	Starts []string
	// Cache, if set, has what earlier walks found.
	Cache Cache
	// Coverage, if set, gets what the walk looked at.
	Coverage *Coverage
}

// A Coverage is what walks looked at.
type Coverage struct {
	Folders []fsx.Folder
	Files   []string // links and files with several names, which change elsewhere
	Listed  int      // folders that were read
	Peeked  int      // files whose first bytes were read
}

// Report says what a walk saw and what it could not take. What lies below
// the path of a trouble may not have been seen: it must not count as deleted.
type Report struct {
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
func Walk(ctx context.Context, root Root, opt Options, found func(File) error) (Report, error) {
	root.Path = filepath.Clean(root.Path)
	r, err := newRules(root)
	if err != nil {
		return Report{}, err
	}
	w := &walker{
		rules: r, ctx: ctx, found: found, ignore: opt.Ignore, cache: opt.Cache, covers: opt.Coverage,
		maxDepth:      cmp.Or(opt.MaxDepth, maxDepth),
		maxDirEntries: cmp.Or(opt.MaxDirEntries, 100_000),
		maxEntries:    cmp.Or(opt.MaxEntries, 1_000_000),
	}
	if w.cache == nil {
		w.cache = noCache{}
	}
	if w.keepsFolders = w.covers != nil; !w.keepsFolders {
		w.covers = &Coverage{}
	}
	if opt.Starts == nil {
		return w.walk([]string{""})
	}
	return w.walk(opt.Starts)
}

// errFull ends a walk that saw as much as it may.
var errFull = errors.New("too many entries")

type walker struct {
	rules
	ctx    context.Context //nolint:containedctx // lives as long as the call
	found  func(File) error
	ignore []fsx.FileID
	cache  Cache
	covers *Coverage
	// keepsFolders says that somebody asks for the folders of covers.
	keepsFolders bool
	report       Report
	seen         fileSet // files found, to fold links onto
	links        []link
	survey       survey // of the folder the walk is in
	full         bool   // maxEntries is reached

	maxDepth, maxDirEntries, maxEntries int
}

// link is a symbolic link with the name of a handoff.
type link struct {
	rel  string
	need need
}

// A folder is one on the way of a walk.
type folder struct {
	above *folder
	name  string
	rel   string // to the root, with slashes
	path  string
	repo  bool // it holds .git
	place place
	ready bool // place is worked out
}

func (w *walker) path(rel string) string {
	return filepath.Join(w.root.Path, filepath.FromSlash(rel))
}

// top returns the root's folder.
func (w *walker) top() *folder {
	return &folder{path: w.root.Path, place: w.start(), ready: true}
}

// child returns a folder in s.
func (s *folder) child(name string) *folder {
	return &folder{above: s, name: name, rel: joinRel(s.rel, name), path: fsx.Join(s.path, name)}
}

// placeOf returns what the rules know of a folder. In a folder that need not be listed
// nobody asks.
func (w *walker) placeOf(s *folder) place {
	if !s.ready {
		s.place, _ = w.enter(w.placeOf(s.above), s.name)
		if s.repo {
			s.place, _ = w.listed(s.place, func(name string) bool { return name == ".git" })
		}
		s.ready = true
	}
	return s.place
}

// walk walks the folders that starts names, relative to the root.
func (w *walker) walk(starts []string) (Report, error) {
	for _, rel := range starts {
		s, above := w.descend(rel)
		if s == nil {
			continue
		}
		if err := w.dir(s, above); errors.Is(err, errFull) {
			break
		} else if err != nil {
			return w.report, err
		}
	}
	err := w.followLinks()
	return w.report, err
}

// descend goes from the root to a folder as a walk would, and returns it with the ids
// of the folders on the way; nil if no walk comes there.
func (w *walker) descend(rel string) (s *folder, above []fsx.FileID) {
	s = w.top()
	if rel == "" {
		return s, nil
	}
	for name := range strings.SplitSeq(rel, "/") {
		st, err := fsx.Lstat(s.path)
		if err != nil || !st.Mode.IsDir() && s.rel != "" {
			return nil, nil
		}
		f, skip := w.listed(w.placeOf(s), func(name string) bool {
			_, err := fsx.Lstat(fsx.Join(s.path, name))
			return err == nil
		})
		if skip != "" {
			return nil, nil
		}
		above, s.place = append(above, st.ID()), f
		if _, skip = w.enter(f, name); skip != "" {
			return nil, nil
		}
		s = s.child(name)
	}
	return s, above
}

// dir walks one folder. above are the ids of the folders it is in: a bind mount
// can lead back to one of them.
func (w *walker) dir(s *folder, above []fsx.FileID) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if len(above) > w.maxDepth {
		w.skipFolder(s, tooDeep(w.maxDepth))
		return nil
	}
	l, err := w.listing(s, above)
	if err != nil {
		w.noteUnopened(s, err)
		return nil
	}
	if w.keepsFolders && l.State != (fsx.Stat{}) {
		w.covers.Folders = append(w.covers.Folders, fsx.Folder{Path: s.path, Dev: l.State.Dev, Ino: l.State.Ino})
	}
	folders, err := w.visit(s, l)
	if err != nil {
		return err
	}
	if w.full {
		return errFull
	}
	above = append(above, l.State.ID())
	for _, child := range folders {
		if err := w.dir(child, above); err != nil {
			return err
		}
	}
	return nil
}

// noteUnopened notes a folder that could not be opened. One that vanished since
// its parent was listed is no trouble; a root that is not there is. One whose path is
// too long for the system has never been read.
func (w *walker) noteUnopened(s *folder, err error) {
	switch {
	case s.rel != "" && fsx.Vanished(err):
	case errors.Is(err, syscall.ENAMETOOLONG):
		w.skipFolder(s, fsx.Reason(err))
	default:
		w.trouble(s.path, err)
	}
}

// barred reports whether a folder is not to be walked: it is the index's own, or
// one the walk is in.
func (w *walker) barred(id fsx.FileID, above []fsx.FileID) bool {
	return id != (fsx.FileID{}) && (slices.Contains(w.ignore, id) || slices.Contains(above, id))
}

// trouble notes a path once, however many of its files share the reason.
func (w *walker) trouble(path string, err error) {
	trouble := NewTrouble(path, err)
	if n := len(w.report.Troubles); n > 0 && w.report.Troubles[n-1] == trouble {
		return
	}
	w.report.Troubles = append(w.report.Troubles, trouble)
}

func (w *walker) skip(rel, reason string) {
	w.report.Skipped = append(w.report.Skipped, Skip{Path: w.path(rel), Reason: reason})
}

func (w *walker) skipFolder(s *folder, reason string) {
	w.report.Skipped = append(w.report.Skipped, Skip{Path: s.path, Reason: reason, Folder: true})
}

// maxDepth is how many folders below a root are searched.
const maxDepth = 64

func tooDeep(most int) string { return fmt.Sprintf("more than %d folders deep", most) }
