// Package discover finds the files that are handoffs: by rules of names, by the first bytes
// of a file where its name leaves it open, and by a walk that lists a folder again only
// when it has changed.
package discover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/OWNER/handex/index/internal/fsx"
)

// File is a file that is a handoff by its path. Path is absolute and begins with the root's path;
// Rel is relative to the root, with slashes.
type File struct {
	Path, Rel string
	Stat      fsx.Stat
	// Fault is why its first bytes could not be read, if they decide.
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
	// Now is the machine's clock in nanoseconds: files that were young then are checked again the
	// next time. If it is 0, all are.
	Now int64
	// Coverage, if set, is filled with what the walk looked at.
	Coverage *Coverage
}

// A Coverage lists what walks looked at.
type Coverage struct {
	Folders []fsx.Folder
	Files   []string // links and files with several names, which change elsewhere
	Listed  int      // folders that were read
	Peeked  int      // files whose first bytes were read
}

// Report lists what a walk could not take or read. Files below the path of a trouble may not have
// been seen: they must not count as deleted.
type Report struct {
	Entries  int // files and folders looked at
	Skipped  []Skip
	Troubles []Trouble
}

// Find returns the files below root that are handoffs by their paths and, if their names leave it
// open, by their first bytes. The order is fixed: a folder's files by name, then its folders by
// name, then the targets of symbolic links. A file is found once, whatever links lead to it. A link
// to a file outside the root or to a folder is not followed. The .gitignore of a project is
// ignored: handoffs are often in it.
//
// What cannot be read is in the report. The error is that of ctx or of an invalid glob.
func Find(ctx context.Context, root Root, opt Options) (found []File, _ Report, _ error) {
	w, err := NewWalk(ctx, root, opt)
	if err != nil {
		return nil, Report{}, err
	}
	for f := range w.Folders() {
		ok, err := f.List(nil)
		if err != nil {
			return found, w.Report, err
		}
		if !ok {
			continue
		}
		for c := range f.Candidates() {
			if file, ok := c.Look(false); ok {
				found = append(found, file)
			}
		}
	}
	return slices.AppendSeq(found, w.Links()), w.Report, ctx.Err()
}

// A Walk goes through the folders of a root. Its caller may already know the contents of some.
type Walk struct {
	rules
	ctx    context.Context //nolint:containedctx // lives as long as the walk
	Report Report

	opt    Options
	seen   map[fsx.FileID]bool // files found that have several names, or that links led to
	links  []link
	survey survey // of the folder the walk is in
	full   bool   // MaxEntries is reached
}

// NewWalk returns a walk of a root. It is an error if one of the root's globs is invalid.
func NewWalk(ctx context.Context, root Root, opt Options) (*Walk, error) {
	root.Path = filepath.Clean(root.Path)
	r, err := newRules(root)
	opt.MaxDepth = cmp.Or(opt.MaxDepth, maxDepth)
	opt.MaxDirEntries, opt.MaxEntries = cmp.Or(opt.MaxDirEntries, 100_000), cmp.Or(opt.MaxEntries, 1_000_000)
	opt.Coverage = cmp.Or(opt.Coverage, &Coverage{})
	if opt.Starts == nil {
		opt.Starts = []string{""}
	}
	return &Walk{rules: r, ctx: ctx, opt: opt, seen: map[fsx.FileID]bool{}}, err
}

// A link is a symbolic link with the name of a handoff.
type link struct {
	rel  string
	need need
}

// A Folder is a folder that a walk comes to. The caller must list it, or nothing in it is walked.
type Folder struct {
	Path string
	// Listing is the entries of the folder, and States a fingerprint of the states of its files,
	// empty if they must be checked again the next time.
	Listing
	States string

	walk   *Walk
	listed bool
	in     []fsx.FileID // the folders it is in: a bind mount can lead back to one of them
	above  *Folder
	name   string
	rel    string // to the root, with slashes
	repo   bool   // it contains .git
	place  ruleState
	ready  bool // place is worked out
}

// path returns the absolute path of rel, which is relative to the root.
func (w *Walk) path(rel string) string {
	return filepath.Join(w.root.Path, filepath.FromSlash(rel))
}

// top returns the root's folder.
func (w *Walk) top() *Folder {
	return &Folder{walk: w, Path: w.root.Path, place: w.start(), ready: true}
}

// child returns the folder name in s.
func (s *Folder) child(name string) *Folder {
	return &Folder{walk: s.walk, above: s, name: name, rel: joinRel(s.rel, name), Path: fsx.Join(s.Path, name)}
}

// placeOf returns the state of a folder for the rules of names. It is computed when first needed,
// as an unchanged folder does not need it.
func (w *Walk) placeOf(s *Folder) ruleState {
	if !s.ready {
		s.place, _ = w.enter(w.placeOf(s.above), s.name)
		if s.repo {
			s.place, _ = w.listed(s.place, func(name string) bool { return name == ".git" })
		}
		s.ready = true
	}
	return s.place
}

// Folders yields the folders of the walk, each before those in it, until ctx ends.
func (w *Walk) Folders() iter.Seq[*Folder] {
	return func(yield func(*Folder) bool) {
		for _, rel := range w.opt.Starts {
			if s, above := w.descend(rel); s != nil && !w.dir(s, above, yield) {
				return
			}
		}
	}
}

// descend goes from the root to the folder rel as a walk would, and returns it with the ids of the
// folders on the way; nil if a walk would not get there.
func (w *Walk) descend(rel string) (s *Folder, above []fsx.FileID) {
	s = w.top()
	if rel == "" {
		return s, nil
	}
	for name := range strings.SplitSeq(rel, "/") {
		st, err := fsx.Lstat(s.Path)
		if err != nil || !st.Mode.IsDir() && s.rel != "" {
			return nil, nil
		}
		f, skip := w.listed(w.placeOf(s), func(name string) bool {
			_, err := fsx.Lstat(fsx.Join(s.Path, name))
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

// dir yields the folder s and those in it. above are the ids of the folders it is in. It returns
// false if the walk is to end.
func (w *Walk) dir(s *Folder, above []fsx.FileID, yield func(*Folder) bool) bool {
	if len(above) > w.opt.MaxDepth {
		w.skipFolder(s, tooDeep(w.opt.MaxDepth))
		return true
	}
	s.in = above
	if w.ctx.Err() != nil || !yield(s) {
		return false
	}
	if !s.listed {
		return true
	}
	folders := w.takeOthers(s)
	if w.full {
		return false
	}
	above = append(above, s.State.ID())
	for _, child := range folders {
		if !w.dir(child, above, yield) {
			return false
		}
	}
	return true
}

// noteUnopened reports a folder that could not be opened because of err. A folder that vanished
// since its parent was listed is no trouble, but a missing root is. A folder whose path is too long
// for the system counts as skipped: it has never been read.
func (w *Walk) noteUnopened(s *Folder, err error) {
	switch {
	case s.rel != "" && fsx.Vanished(err):
	case errors.Is(err, syscall.ENAMETOOLONG):
		w.skipFolder(s, fsx.Reason(err))
	default:
		w.trouble(s.Path, err)
	}
}

// barred reports whether a folder is not to be walked: it is to be ignored, or is one that the walk
// is already in.
func (w *Walk) barred(id fsx.FileID, above []fsx.FileID) bool {
	return id != (fsx.FileID{}) && (slices.Contains(w.opt.Ignore, id) || slices.Contains(above, id))
}

// trouble adds a trouble to the report, unless it is the same as the last one: many files can share
// a reason.
func (w *Walk) trouble(path string, err error) {
	trouble := NewTrouble(path, err)
	if n := len(w.Report.Troubles); n > 0 && w.Report.Troubles[n-1] == trouble {
		return
	}
	w.Report.Troubles = append(w.Report.Troubles, trouble)
}

// skip adds the file rel to the report as skipped.
func (w *Walk) skip(rel, reason string) {
	w.Report.Skipped = append(w.Report.Skipped, Skip{Path: w.path(rel), Reason: reason})
}

// skipFolder adds a folder to the report as skipped.
func (w *Walk) skipFolder(s *Folder, reason string) {
	w.Report.Skipped = append(w.Report.Skipped, Skip{Path: s.Path, Reason: reason, Folder: true})
}

// maxDepth is how many folders below a root are searched.
const maxDepth = 64

func tooDeep(most int) string { return fmt.Sprintf("more than %d folders deep", most) }

// Root is a folder to search for handoffs. Include and Exclude are doublestar
// globs on the path relative to Path; Include empty means the known patterns,
// "**" means every file.
type Root struct {
	Path             string
	Include, Exclude []string
	// Mirror, if set, is the folder with the files that other machines share. Files of Path in this
	// folder are treated as theirs: see Shared.
	Mirror string
}

// IsMirror reports whether the root is the mirror.
func (r Root) IsMirror() bool { return r.Mirror != "" && filepath.Clean(r.Path) == r.Mirror }

// Skip is a file that looks like a handoff and is not indexed, and why.
type Skip struct {
	Path, Reason string
	// Folder says that it is a folder instead, and that nothing in it is searched.
	Folder bool
}

// Trouble is a folder that could not be read, and why.
type Trouble struct {
	Path, Reason string
	// Shows says that the state of the folder changes when it becomes readable.
	Shows bool
}

// NewTrouble returns a trouble for the error of reading path.
func NewTrouble(path string, err error) Trouble {
	return Trouble{Path: path, Reason: fsx.Reason(err), Shows: errors.Is(err, syscall.EACCES)}
}
