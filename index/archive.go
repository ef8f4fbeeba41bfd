package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// ArchiveOptions says where earlier versions of handoffs are kept, and how many.
type ArchiveOptions struct {
	// Dir is the absolute folder of the archive, made when there is something to
	// keep. Empty means that nothing is kept and nothing kept is indexed.
	Dir string
	// KeepDays is after how many days a version that was replaced is removed, and
	// MaxBytes how large the archive may be; 0 is no bound. The newest version of
	// each file stays whatever they say. A refresh of all looks after them once a day, and
	// when a sixteenth of MaxBytes was added.
	KeepDays int
	MaxBytes int64
}

// An archive keeps contents of files that are overwritten in place. It is a flat
// folder of plain files: each content under a name made of the path it was at and
// of what it is, and beside it a sidecar that says so.
type archive struct {
	ArchiveOptions
	now    func() time.Time
	frozen bool // nothing may be removed

	mu     sync.Mutex
	fault  error // the first of this refresh: after it nothing more is kept
	stored bool  // something was, and its name may not be durable
	grown  int64 // bytes that were
	names  inventory
}

// A kept is the sidecar of a content.
type kept struct {
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

func (a *archive) on() bool { return a.Dir != "" }

func (a *archive) path(name string) string { return filepath.Join(a.Dir, name) }

// sidecar is where the sidecar of a content is.
func (a *archive) sidecar(key, sum string) string { return a.path(key + "-" + sum + sidecarEnd) }

// keep stores a content unless it is there. It is called by several goroutines;
// what goes wrong is kept in fault and ends the keeping, not the refresh. fresh is
// true if the archive did not have it.
func (a *archive) keep(k kept, raw []byte, durable bool) (fresh bool) {
	if a.failed() {
		return false
	}
	stored, err := a.store(k, raw, durable)
	a.fail(err)
	return stored
}

func (a *archive) store(k kept, raw []byte, durable bool) (stored bool, err error) {
	k.SHA256, k.Size, k.Kept = contentSum(raw), int64(len(raw)), a.now().UTC()
	key := originKey(k.Origin)
	name := copyName(key, k.SHA256, extension(filepath.Base(k.Origin)))
	old, held, err := a.held(key, k.SHA256, name, k.Size)
	switch {
	case err != nil:
		return false, err
	case held && (k.Commit != "" || old.Written.Equal(k.Written) && old.Root == k.Root && old.Project == k.Project):
		return false, nil
	case held:
		k.Repository, k.Commit = old.Repository, old.Commit
	}
	if err := a.makeDir(); err != nil {
		return false, err
	}
	text, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return false, fmt.Errorf("describe %s: %w", k.Origin, err)
	}
	if !held {
		if err := a.write(name, raw, durable); err != nil {
			return false, err
		}
	}
	// By this time copies are told old or new.
	if err := os.Chtimes(a.path(name), k.Written, k.Written); err != nil {
		return false, err
	}
	a.noted(name)
	// The sidecar comes last: without one a content is not in the archive.
	return true, a.write(key+"-"+k.SHA256+sidecarEnd, append(text, '\n'), durable)
}

// noted takes a file of the archive into the inventory as it is now.
func (a *archive) noted(name string) {
	_, _, rest, _ := cutName(name)
	mtime, there := a.mtime(name, rest)
	a.mu.Lock()
	defer a.mu.Unlock()
	if there {
		a.names.add(name, mtime)
	}
}

// held reports whether the archive has a content, and answers its sidecar. The
// error is one of the system: then nobody knows.
func (a *archive) held(key, sum, name string, size int64) (old kept, held bool, err error) {
	st, err := lstat(a.path(name))
	switch {
	case err != nil && vanished(err), err == nil && (!st.Mode.IsRegular() || st.Size != size):
		return kept{}, false, nil
	case err != nil:
		return kept{}, false, err
	}
	old, err = readSidecar(a.sidecar(key, sum))
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok && !vanished(pathErr) {
		return kept{}, false, err
	}
	return old, err == nil, nil
}

// makeDir makes the folder with narrow rights, and refuses one that others can
// write to: they could put words into the index.
func (a *archive) makeDir() error {
	if err := os.MkdirAll(a.Dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(a.Dir)
	if err == nil && info.Mode().Perm()&0o022 != 0 && checkRights {
		return &fs.PathError{Op: "write", Path: a.Dir, Err: errors.New("others can write to the folder")}
	}
	return err
}

// write puts a content or a sidecar in its place at once.
func (a *archive) write(name string, data []byte, durable bool) error {
	if err := a.put(name, data, durable); err != nil {
		return err
	}
	a.noted(name)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stored, a.grown = true, a.grown+int64(len(data))
	return nil
}

func (a *archive) put(name string, data []byte, durable bool) (err error) {
	f, err := os.CreateTemp(a.Dir, temporary+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if durable {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), a.path(name))
}

// fail notes what went wrong.
func (a *archive) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fault == nil {
		a.fault = err
	}
}

// failed reports whether something could not be kept.
func (a *archive) failed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.fault != nil
}

// settle makes the names durable of what was stored and answers what went wrong.
func (a *archive) settle() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stored {
		a.stored = false
		a.fault = errors.Join(a.fault, folder(a.Dir).sync())
	}
	err := a.fault
	a.fault = nil
	return err
}
