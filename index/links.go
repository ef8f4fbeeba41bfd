package index

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// followLinks finds what the symbolic links point to, if that is in the root
// and was not found by its own name.
func (w *walker) followLinks() error {
	if len(w.links) == 0 {
		return nil
	}
	root, err := realPath(w.root.Path)
	if err != nil {
		w.trouble(w.root.Path, reason(err))
		return nil
	}
	for _, l := range w.links {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		w.covers.addFile(w.path(l.rel))
		if err := w.follow(l, root); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) follow(l link, root string) error {
	target, err := realPath(w.path(l.rel))
	if err != nil {
		if _, gone := lstat(w.path(l.rel)); gone == nil || !vanished(gone) {
			w.skip(l.rel, "a symbolic link that leads nowhere: "+reason(err))
		}
		return nil
	}
	st, err := lstat(target)
	rel, inside := relativeTo(target, root)
	switch {
	case err != nil:
		w.skip(l.rel, "a symbolic link that leads nowhere: "+reason(err))
	case st.Mode.IsDir(): // walked by its own name, if it is searched at all
	case !inside:
		w.skip(l.rel, "a symbolic link to "+target+", outside the root")
	case w.guarded(target, root):
		w.skip(l.rel, "a symbolic link to "+target+", which is not searched")
	case st.id() == (FileID{}) && w.foundByName(rel):
	case w.takes(rel, st, true):
		if fits, err := w.fits(w.path(rel), st, &entry{need: l.need}); fits || err != nil {
			w.seen.add(st.id())
			return w.found(File{w.path(rel), rel, st, err})
		}
	}
	return nil
}

// foundByName stands in for file numbers where there are none.
func (w *walker) foundByName(rel string) bool {
	ok, _ := Why(w.path(rel), w.root)
	return ok
}

// guarded reports whether a path below root is in .git or in a folder that is
// the index's own.
func (w *walker) guarded(target, root string) bool {
	for dir := filepath.Dir(target); len(dir) > len(root); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == ".git" {
			return true
		}
		if st, err := lstat(dir); err == nil && st.id() != (FileID{}) && slices.Contains(w.ignore, st.id()) {
			return true
		}
	}
	return false
}

// linkedFolder notes a symbolic link in a folder of handoffs that leads back to
// a folder it lies in, and one to a folder outside the root if it has the name of
// a folder of handoffs: its user expects to find them.
func (w *walker) linkedFolder(f place, name string) {
	if f.trust == trustFull {
		if to, err := os.Readlink(w.path(joinRel(f.rel, name))); err == nil && upward(to) {
			w.skip(joinRel(f.rel, name), "a symbolic link to a folder it lies in")
			return
		}
	}
	if len(w.root.Include) > 0 || folderTrust(strings.ToLower(name), f.agent) == trustNone {
		return
	}
	rel := joinRel(f.rel, name)
	target, err := realPath(w.path(rel))
	if err != nil {
		return
	}
	root, err := realPath(w.root.Path)
	if err != nil {
		return
	}
	if _, inside := relativeTo(target, root); inside {
		return
	}
	if st, err := lstat(target); err == nil && st.Mode.IsDir() {
		w.skip(rel, "a symbolic link to the folder "+target+", outside the root: add it as a root")
	}
}

// upward reports whether a link's text leads to a folder the link lies in.
func upward(to string) bool {
	to = filepath.Clean(to)
	return to == "." || strings.Trim(strings.ReplaceAll(to, "..", ""), string(filepath.Separator)) == "" && !filepath.IsAbs(to)
}

// relativeTo returns path relative to dir, with slashes, if it is in it.
func relativeTo(path, dir string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// realPath is the absolute path without symbolic links.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}
