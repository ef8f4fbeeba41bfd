// Package archive stores the contents that handoffs had before they were overwritten: plain files,
// each beside a sidecar that describes it, within bounds of age and size.
package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/project"
)

// Options says where earlier versions of handoffs are kept, and how many.
type Options struct {
	// Dir is the absolute folder of the archive, made when there is something to store. If it is
	// empty, nothing is stored and nothing stored is indexed.
	Dir string
	// KeepDays is how many days a version stays after it was replaced, and MaxBytes how large the
	// archive may be; 0 is no bound. The newest version of each file stays in any case. A refresh
	// of all roots enforces these bounds.
	KeepDays int
	MaxBytes int64
	// Clock returns the machine's time, by which versions age: Options.Now may return another time.
	// Without it nothing is removed.
	Clock func() time.Time
}

// An Archive stores contents of files that are overwritten in place. It is a flat folder of plain
// files: each content has a name made of the path it was at and of its digest, and beside it is a
// sidecar that describes it.
type Archive struct {
	Options
	now     func() time.Time
	ByOwner func() map[string][]*Content // by the key of the path, as it was when first asked for

	mu       sync.Mutex
	err      error               // the first of this refresh: after it nothing more is kept
	unsynced bool                // something was stored, and its name may not be durable
	Changed  map[string]*Content // what was stored, and nil for what was removed, by name
}

// New returns the archive in the folder o.Dir, which need not exist. now returns the time for new
// sidecars.
func New(o Options, now func() time.Time) *Archive {
	a := &Archive{Options: o, now: now, Changed: map[string]*Content{}}
	a.ByOwner = sync.OnceValue(func() map[string][]*Content {
		_, contents, _ := a.List() // an error is reported by the listing for the versions
		return contents
	})
	return a
}

// A Sidecar describes a content of the archive.
type Sidecar struct {
	Origin     string    `json:"origin"`       // absolute path it was at
	Root       string    `json:"root"`         // folder that was searched for it
	Project    string    `json:"project"`      // root of its project
	Name       string    `json:"project_name"` // of its project
	Size       int64     `json:"size"`         // bytes
	Written    time.Time `json:"written"`      // the file's mtime, or the author's date of the commit
	Kept       time.Time `json:"kept"`
	SHA256     string    `json:"sha256"`
	Repository string    `json:"repository,omitempty"`
	Commit     string    `json:"commit,omitempty"`
}

// SidecarOf returns the sidecar for the current content of the file at path. written is its time in
// nanoseconds.
func SidecarOf(path string, root discover.Root, p project.Project, written int64) Sidecar {
	return Sidecar{Origin: path, Root: root.Path, Project: p.Root, Name: p.Name, Written: time.Unix(0, written).UTC()}
}

// On reports whether there is an archive, so that earlier versions are kept.
func (a *Archive) On() bool { return a.Dir != "" }

// Path returns the path of the archive's file with a name.
func (a *Archive) Path(name string) string { return filepath.Join(a.Dir, name) }

// Add stores the content raw with the sidecar s unless the archive has it, and reports whether it
// did. durable waits until it is on the disk. Add may be called by several goroutines. After an
// error, which Sync returns, nothing more is stored.
func (a *Archive) Add(s Sidecar, raw []byte, durable bool) (stored bool) {
	if a.Failed() {
		return false
	}
	stored, err := a.store(s, raw, durable)
	a.Fail(err)
	return stored
}

// store is Add with an error. If the archive has the content with another time, root or project, it
// writes only the new sidecar.
func (a *Archive) store(s Sidecar, raw []byte, durable bool) (stored bool, err error) {
	s.SHA256, s.Size, s.Kept = fsx.ContentSum(raw), int64(len(raw)), a.now().UTC()
	c := newContent(s)
	old, held, err := a.held(c, s.Size)
	switch {
	case err != nil:
		return false, err
	case held && (s.Commit != "" || old.Written.Equal(s.Written) && old.Root == s.Root && old.Project == s.Project):
		return false, nil
	case held:
		s.Repository, s.Commit = old.Repository, old.Commit
	}
	if err := fsx.MakePrivate(a.Dir); err != nil {
		return false, err
	}
	if !held {
		if err := fsx.WriteFile(a.Dir, temporary+"*", c.Name, raw, durable); err != nil {
			return false, err
		}
	}
	// A content whose sidecar is new has another time.
	if err := os.Chtimes(a.Path(c.Name), s.Written, s.Written); err != nil {
		return false, err
	}
	// The sidecar comes last: without one a content is not in the archive.
	if err := a.putJSON(c.sidecar(), s, durable); err != nil {
		return false, err
	}
	c.About = s
	a.note(c.Name, c)
	return true, nil
}

// note records that a content was stored, or removed if c is nil.
func (a *Archive) note(name string, c *Content) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.Changed[name], a.unsynced = c, true
}

// held reports whether the archive has the content c with its sidecar, and returns the sidecar. The
// error is one of the system: then it is unknown.
func (a *Archive) held(c *Content, size int64) (old Sidecar, held bool, err error) {
	st, err := fsx.Lstat(a.Path(c.Name))
	switch {
	case err != nil && fsx.Vanished(err), err == nil && (!st.Mode.IsRegular() || st.Size != size):
		return Sidecar{}, false, nil
	case err != nil:
		return Sidecar{}, false, err
	}
	old, err = readSidecar(a.Path(c.sidecar()))
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok && !fsx.Vanished(pathErr) {
		return Sidecar{}, false, err
	}
	return old, err == nil, nil
}

// putJSON writes a value as a JSON file of the archive; durable flushes it to the disk.
func (a *Archive) putJSON(name string, value any, durable bool) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("describe %s: %w", a.Path(name), err)
	}
	return fsx.WriteFile(a.Dir, temporary+"*", name, append(text, '\n'), durable)
}

// rename stores a content under the path that its file was moved to, and removes it from its former
// name. If it is interrupted, the content has both names.
func (a *Archive) rename(c *Content, to Sidecar) error {
	s, err := readSidecar(a.Path(c.sidecar()))
	if err != nil {
		return err
	}
	raw, _, err := fsx.ReadSettled(a.Path(c.Name), fsx.MaxFile)
	if err != nil {
		return err
	}
	if fsx.ContentSum(raw) != c.Sum {
		return fmt.Errorf("%s: %w", a.Path(c.Name), ErrChecksum)
	}
	s.Origin, s.Root, s.Project, s.Name = to.Origin, to.Root, to.Project, to.Name
	if _, err := a.store(s, raw, true); err != nil {
		return err
	}
	a.note(c.Name, nil)
	return errors.Join(os.Remove(a.Path(c.sidecar())), os.Remove(a.Path(c.Name)))
}

// AddFile stores the content of the file at path, if one of the roots takes it as a handoff. It
// does nothing if the file does not exist or is blank.
func (a *Archive) AddFile(roots []discover.Root, projects *project.Finder, path string) error {
	if !a.On() {
		return nil
	}
	// As the walk names it.
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	i := slices.IndexFunc(roots, func(root discover.Root) bool {
		ok, _ := discover.Why(path, root)
		return ok
	})
	if i < 0 {
		return nil
	}
	raw, st, err := fsx.ReadSettled(path, fsx.MaxFile)
	if os.IsNotExist(err) || err == nil && len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	p, _ := projects.Of(path, roots[i].Path)
	a.Add(SidecarOf(path, roots[i], p, st.MtimeNS), raw, true)
	return a.Sync()
}

// Fail records an error, if there is none yet. nil is no error.
func (a *Archive) Fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = err
	}
}

// Failed reports whether an error was recorded, because a content could not be stored.
func (a *Archive) Failed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err != nil
}

// Sync makes the names of stored contents durable, and returns and clears the recorded error.
func (a *Archive) Sync() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.unsynced {
		a.unsynced = false
		a.err = errors.Join(a.err, fsx.SyncDir(a.Dir))
	}
	err := a.err
	a.err = nil
	return err
}
