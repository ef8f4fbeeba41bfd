package discover

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
)

// Links yields the files that symbolic links in the walked folders point to, if they are in the
// root and were not found by their own names, until ctx ends.
func (w *Walk) Links() iter.Seq[File] {
	return func(yield func(File) bool) {
		if len(w.links) == 0 {
			return
		}
		root, err := fsx.RealPath(w.root.Path)
		if err != nil {
			w.trouble(w.root.Path, err)
			return
		}
		for _, l := range w.links {
			if w.ctx.Err() != nil {
				return
			}
			w.opt.Coverage.Files = append(w.opt.Coverage.Files, w.path(l.rel))
			if file, ok := w.follow(l, root); ok && !yield(file) {
				return
			}
		}
	}
}

// follow returns the file that a link points to. ok is false if it is no handoff or is found
// otherwise; the report says why a link is not followed.
func (w *Walk) follow(l link, root string) (_ File, ok bool) {
	var st fsx.Stat
	target, err := fsx.RealPath(w.path(l.rel))
	if err == nil {
		st, err = fsx.Lstat(target)
	}
	rel, inside := fsx.Relative(target, root)
	switch {
	case err != nil:
		if _, gone := fsx.Lstat(w.path(l.rel)); gone == nil || !fsx.Vanished(gone) {
			w.skip(l.rel, "a broken symbolic link: "+fsx.Reason(err))
		}
	case st.Mode.IsDir(): // walked by its own name, if it is searched at all
	case !inside:
		w.skip(l.rel, "a symbolic link to "+target+", outside the root")
	case w.isPrivate(target, root):
		w.skip(l.rel, "a symbolic link to "+target+", which is not searched")
	case w.foundByName(rel):
	case w.takes(rel, st, true):
		if fits, err := w.fits(w.path(rel), st, &entry{need: l.need}); fits || err != nil {
			w.seen[st.ID()] = true
			return File{Path: w.path(rel), Rel: rel, Stat: st, Fault: err}, true
		}
	}
	return File{}, false
}

// foundByName reports whether a walk finds the file rel by its own name.
func (w *Walk) foundByName(rel string) bool {
	ok, _ := Why(w.path(rel), w.root)
	return ok
}

// isPrivate reports whether target, a path below root, is in .git or in a folder that the walk
// ignores.
func (w *Walk) isPrivate(target, root string) bool {
	for dir := filepath.Dir(target); len(dir) > len(root); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == ".git" {
			return true
		}
		if st, err := fsx.Lstat(dir); err == nil && st.ID() != (fsx.FileID{}) && slices.Contains(w.opt.Ignore, st.ID()) {
			return true
		}
	}
	return false
}

// linkedFolder reports two kinds of symbolic links in the folder f as skipped: one in a folder of
// handoffs that leads back to a folder around it, and one that has the name of a folder of handoffs
// and leads to a folder outside the root, whose handoffs the user expects to be found.
func (w *Walk) linkedFolder(f ruleState, name string) {
	if f.trust == trustFull {
		if to, err := os.Readlink(w.path(joinRel(f.rel, name))); err == nil && upward(to) {
			w.skip(joinRel(f.rel, name), "a symbolic link to a folder that contains it")
			return
		}
	}
	if len(w.root.Include) > 0 || folderTrust(strings.ToLower(name), f.agent) == trustNone {
		return
	}
	rel := joinRel(f.rel, name)
	target, targetErr := fsx.RealPath(w.path(rel))
	root, rootErr := fsx.RealPath(w.root.Path)
	if _, inside := fsx.Relative(target, root); targetErr != nil || rootErr != nil || inside {
		return
	}
	if st, err := fsx.Lstat(target); err == nil && st.Mode.IsDir() {
		w.skip(rel, "a symbolic link to the folder "+target+", outside the root: add it as a root")
	}
}

// upward reports whether a link with the text to leads to a folder around the link.
func upward(to string) bool {
	to = filepath.Clean(to)
	return to == "." || strings.Trim(strings.ReplaceAll(to, "..", ""), string(filepath.Separator)) == "" &&
		!filepath.IsAbs(to)
}
