package discover

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
)

// Match reports whether the file rel of root would be indexed by its path alone, and the rule that
// decided. rel is relative to the root, with slashes. If the rule depends on the file's first
// bytes, ok is true.
func Match(rel string, root Root) (ok bool, rule string) {
	v := verdictOn(rel, root, nil)
	return v.ok, v.rule
}

// Why is Match for the existing file at the absolute path: it also reads from the disk what a walk
// would read.
func Why(path string, root Root) (ok bool, rule string) {
	rel, err := filepath.Rel(root.Path, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return false, "not below " + root.Path
	}
	v := verdictOn(filepath.ToSlash(rel), root, entriesOf(root))
	if !v.ok {
		return false, v.rule
	}
	return whyFile(path, v)
}

// whyFile is Why for a file whose path has the verdict v: it checks what the file is and its first
// bytes.
func whyFile(path string, v verdict) (bool, string) {
	st, err := fsx.Lstat(path)
	if err != nil {
		return false, err.Error()
	}
	if st.Mode&fs.ModeSymlink != 0 {
		return false, v.rule + ", but it is a symbolic link: only its target is indexed"
	}
	if !st.Mode.IsRegular() {
		return false, v.rule + ", but it is " + fsx.DescribeMode(st.Mode)
	}
	if v.need == needNothing {
		return true, v.rule
	}
	head, err := fsx.ReadHead(path, headSize)
	switch {
	case err != nil && !errors.Is(err, fs.ErrPermission):
		return false, err.Error()
	case err == nil && !v.need.fits(head):
		return false, v.rule + ", but its text does not look like a handoff"
	}
	return true, v.rule
}

// MatchOnDisk reports whether the file rel of root would be indexed by its path and by entries of
// the folders around it, such as .git, which it reads from the disk.
func MatchOnDisk(rel string, root Root) bool { return verdictOn(rel, root, entriesOf(root)).ok }

// entriesOf returns a function that, for a folder of the root, returns whether a name exists in it.
func entriesOf(root Root) func(dir string) func(string) bool {
	return func(dir string) func(string) bool {
		return func(name string) bool {
			_, err := fsx.Lstat(filepath.Join(root.Path, filepath.FromSlash(dir), name))
			return err == nil
		}
	}
}

// verdictOn returns what the rules decide about rel, a path relative to the root. has returns
// whether a name exists in a folder; if it is nil, no folder's entries are considered.
func verdictOn(rel string, root Root, has func(dir string) func(string) bool) verdict {
	r, err := newRules(root)
	if err != nil {
		return verdict{rule: err.Error()}
	}
	f := r.start()
	names := strings.Split(rel, "/")
	for i, name := range names {
		var skip string
		if has != nil {
			if f, skip = r.listed(f, has(f.rel)); skip != "" {
				return verdict{rule: skip}
			}
		}
		if i == len(names)-1 {
			break
		}
		if f, skip = r.enter(f, name); skip != "" {
			return verdict{rule: skip}
		}
		if i == maxDepth {
			return verdict{rule: tooDeep(maxDepth)}
		}
	}
	return r.file(f, names[len(names)-1])
}

// MatchIn is Match for a path that need not exist; isWorkTree reports which folders are work trees
// of git. The returned function fits reports whether the first bytes of a text are those of a
// handoff.
func MatchIn(rel string, root Root, isWorkTree func(dir string) bool) (ok bool, fits func(text []byte) bool) {
	v := verdictOn(rel, root, func(dir string) func(string) bool {
		return func(name string) bool {
			return name == ".git" && isWorkTree(filepath.Join(root.Path, filepath.FromSlash(dir)))
		}
	})
	return v.ok, func(text []byte) bool { return v.need.fits(text[:min(len(text), headSize)]) }
}

// Reaches reports whether a walk of r gets to the folder path, by the names of the folders on the
// way.
func (r Root) Reaches(path string) bool {
	rel, ok := fsx.Relative(path, r.Path)
	if !ok {
		return path == r.Path
	}
	rules, err := newRules(r)
	if err != nil {
		return false
	}
	f := rules.start()
	for name := range strings.SplitSeq(rel, "/") {
		var skip string
		if f, skip = rules.enter(f, name); skip != "" {
			return false
		}
	}
	return true
}
