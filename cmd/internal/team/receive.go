package team

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/OWNER/handex/index"
)

// A received is the content of a member's commit.
type received struct {
	manifest *manifest
	blobs    map[string]string // the contents by the path in the manifest
	acks     []ackLine
	problems problems
}

// receive updates the mirror of a member to a fetched commit. Faults of the commit are
// stored in m.Problems; an error means that something failed on this machine.
func (t *Team) receive(ctx context.Context, p tip, m *Member) error {
	at := t.Now()
	if m.Tip == p.commit {
		at = m.Written // what was dated in the future keeps the time that it has here
	}
	r, err := t.read(ctx, p, at)
	if errors.Is(err, errRefused) {
		m.Seen, m.Settled, m.Problems = p.commit, true, []string{err.Error()}
		return nil
	}
	if err != nil {
		return err
	}
	changed, err := t.writeMirror(ctx, p, r)
	m.Problems = r.problems.all()
	if err != nil {
		m.Settled = false
		return fmt.Errorf("the mirror: %w", err)
	}
	if changed {
		m.Written = at
	}
	// Writes that a power loss undoes are done anew: nothing here waits for the disk.
	m.Settled = !changed && m.Tip == p.commit && t.Now().Sub(m.Written) > settling
	m.Tip, m.Seen, m.URL, m.Files = p.commit, p.commit, p.url, len(r.manifest.Files)
	return nil
}

// settling is after how long a system has surely written what it was given.
const settling = time.Minute

// errRefused says that a commit cannot be accepted, however often it is looked at.
var errRefused = errors.New("refused")

// refused returns err as an error that wraps errRefused.
func refused(err error) error { return fmt.Errorf("%w: %w", errRefused, err) }

// read reads and checks the commit of a tip. The error wraps errRefused if the commit
// cannot be accepted.
func (t *Team) read(ctx context.Context, p tip, now time.Time) (*received, error) {
	tree, err := t.repo().Files(ctx, p.commit, maxEntries)
	if errors.Is(err, index.ErrTooMuch) {
		return nil, refused(err)
	}
	if err != nil {
		return nil, err
	}
	r := &received{blobs: map[string]string{}}
	wanted := []string{tree[manifestFile].ID}
	if wanted[0] == "" || tree[manifestFile].Size > maxManifest {
		return nil, refused(errors.New("it has no manifest, or one that is too large"))
	}
	if a := tree[acksFile]; a.Size > maxAcks {
		r.problems.add("its acknowledgements are too large")
	} else if a.ID != "" {
		wanted = append(wanted, a.ID)
	}
	texts, err := t.contents(ctx, wanted...)
	if err != nil {
		return nil, err
	}
	if r.manifest, err = readManifest(texts[0], p.member, p.key, now, &r.problems); err != nil {
		return nil, refused(err)
	}
	if len(texts) > 1 {
		r.acks = readAcks(texts[1], t.Now(), &r.problems)
	}
	return r, r.locate(tree)
}

// locate finds the object of each file of the manifest in the tree of the commit. Files
// that are missing or too large are removed from the manifest and reported.
func (r *received) locate(tree map[string]index.Blob) error {
	total := int64(0)
	kept := r.manifest.Files[:0]
	for _, e := range r.manifest.Files {
		o, ok := tree["files/"+e.Path]
		switch {
		case !ok:
			r.problems.add("%q is in the manifest, but is not a regular file of the commit", e.Path)
			continue
		case o.Size > maxFile:
			r.problems.add("%q is larger than %d bytes", e.Path, maxFile)
			continue
		}
		total += o.Size
		r.blobs[e.Path] = o.ID
		kept = append(kept, e)
	}
	r.manifest.Files = kept
	if total > maxText {
		return refused(fmt.Errorf("it has %d bytes; the limit is %d", total, maxText))
	}
	return nil
}

// writeMirror makes the files in the mirror of a member equal to those of a commit, and
// reports whether any had to be changed. It compares all files, so that it also completes
// what an interrupted run began.
func (t *Team) writeMirror(ctx context.Context, p tip, r *received) (changed bool, err error) {
	dir := t.mirror(filepath.FromSlash(p.key), p.member)
	if err := os.MkdirAll(filepath.Join(dir, "files"), 0o700); err != nil {
		return false, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false, err
	}
	defer func() { _ = root.Close() }()
	m := &mirrored{root: root}
	text, err := r.manifest.encode()
	if err != nil {
		return false, err
	}
	// Whoever reads a file finds what the manifest says of it.
	if err := m.put(manifestFile, text, time.Time{}); err != nil {
		return m.changed, err
	}
	m.changed = false // of the files, as what is refused is taken out of the manifest again
	if err := m.sweep(r.blobs); err != nil {
		return m.changed, err
	}
	var missing []entry
	var blobs []string
	for _, e := range r.manifest.Files {
		if !m.has("files/"+e.Path, e) {
			missing, blobs = append(missing, e), append(blobs, r.blobs[e.Path])
		}
	}
	read, lies := 0, map[string]bool{}
	err = t.repo().Contents(ctx, blobs, maxFile, func(i int, raw []byte) error {
		e := missing[i]
		read++
		if sumOf(raw) != e.SHA256 {
			lies[e.Path] = true
			r.problems.add("%q does not match its checksum in the manifest", e.Path)
			return m.drop("files/" + e.Path)
		}
		if err := m.put("files/"+e.Path, raw, e.Mtime); isOfName(err) {
			lies[e.Path] = true
			r.problems.add("%q could not be written: %v", e.Path, err)
		} else if err != nil {
			return err
		}
		return nil
	})
	if err == nil && read < len(blobs) {
		err = errors.New("not all of its files could be read")
	}
	if err == nil && len(lies) > 0 {
		r.manifest.Files = slices.DeleteFunc(r.manifest.Files, func(e entry) bool { return lies[e.Path] })
		changed := m.changed
		if text, err = r.manifest.encode(); err == nil {
			err = m.put(manifestFile, text, time.Time{})
		}
		m.changed = changed
	}
	switch {
	case err != nil:
	case len(r.acks) > 0:
		err = m.put(acksFile, encodeAcks(r.acks), time.Time{})
	default:
		err = m.drop(acksFile)
	}
	return m.changed, err
}

// isOfName reports whether an error means that the disk of this machine cannot have a file
// of this name, or has something else there.
func isOfName(err error) bool {
	for _, cause := range []error{fs.ErrExist, syscall.ENAMETOOLONG, syscall.ENOTDIR, syscall.EISDIR, syscall.EINVAL} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}

// mirrored is the mirror of one member while it is written.
type mirrored struct {
	root    *os.Root
	changed bool
}

// has reports whether the file with a name has the checksum and the time of an entry. The
// zero time matches any.
func (m *mirrored) has(name string, e entry) bool {
	info, err := m.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || !e.Mtime.IsZero() && !info.ModTime().Equal(e.Mtime) {
		return false
	}
	text, err := m.root.ReadFile(name)
	return err == nil && sumOf(text) == e.SHA256
}

// put writes a file with a text and a time, unless it already has them.
func (m *mirrored) put(name string, text []byte, at time.Time) error {
	if m.has(name, entry{SHA256: sumOf(text), Mtime: at}) {
		return nil
	}
	m.changed = true
	const temporary = ".new"
	_ = m.root.Remove(temporary)
	err := m.root.MkdirAll(path.Dir(name), 0o700)
	if err == nil {
		err = m.root.WriteFile(temporary, text, 0o600)
	}
	if err == nil && !at.IsZero() {
		err = m.root.Chtimes(temporary, at, at)
	}
	if err == nil {
		err = m.root.Rename(temporary, name)
	}
	return err
}

// drop removes a file. A missing file is no error.
func (m *mirrored) drop(name string) error {
	err := m.root.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	m.changed = true
	return err
}

// sweep removes all files and folders except the files whose paths are keys of keep.
func (m *mirrored) sweep(keep map[string]string) error {
	folders := map[string]bool{"files": true}
	for name := range keep {
		for dir := path.Dir("files/" + name); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	return fs.WalkDir(m.root.FS(), "files", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if folders[name] {
				return nil
			}
			m.changed = true
			if err := m.root.RemoveAll(name); err != nil {
				return err
			}
			return fs.SkipDir
		}
		if _, ok := keep[strings.TrimPrefix(name, "files/")]; ok && d.Type().IsRegular() {
			return nil
		}
		m.changed = true
		return m.root.Remove(name)
	})
}
