package index

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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
	// each file stays whatever they say.
	KeepDays int
	MaxBytes int64
}

// An archive keeps contents of files that are overwritten in place. It is a flat
// folder of plain files: each content under a name made of the path it was at and
// of what it is, and beside it a sidecar that says so.
type archive struct {
	ArchiveOptions
	now func() time.Time

	mu     sync.Mutex
	fault  error // the first of this refresh: after it nothing more is kept
	stored bool  // something was
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

const (
	sidecarEnd = ".origin.json"
	maxSidecar = 64 << 10
	temporary  = ".new-"
)

// contentName is the name of a content: what originKey makes of the path it was
// at, its SHA-256, and the extension it had.
var contentName = regexp.MustCompile(`^([0-9a-f]{16})-([0-9a-f]{64})(\.[a-z0-9]{1,12})?$`)

// originKey is how names in the archive begin of what was at a path.
func originKey(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}

func (a *archive) on() bool { return a.Dir != "" }

func (a *archive) path(name string) string { return filepath.Join(a.Dir, name) }

// sidecar is where the sidecar of a content is.
func (a *archive) sidecar(key, sum string) string { return a.path(key + "-" + sum + sidecarEnd) }

// keep stores a content unless it is there. It is called by several goroutines;
// what goes wrong is kept in fault and ends the keeping, not the refresh. fresh is
// true if the archive did not have it.
func (a *archive) keep(k kept, raw []byte, durable bool) (fresh bool) {
	a.mu.Lock()
	dead := a.fault != nil
	a.mu.Unlock()
	if dead {
		return false
	}
	stored, err := a.store(k, raw, durable)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stored = a.stored || stored
	if a.fault == nil {
		a.fault = err
	}
	return stored
}

func (a *archive) store(k kept, raw []byte, durable bool) (stored bool, err error) {
	k.SHA256, k.Size, k.Kept = contentSum(raw), int64(len(raw)), a.now().UTC()
	key := originKey(k.Origin)
	name := key + "-" + k.SHA256 + extension(filepath.Base(k.Origin))
	if !contentName.MatchString(name) {
		name = key + "-" + k.SHA256
	}
	held := false
	if st, err := lstat(a.path(name)); err == nil && st.Mode.IsRegular() && st.Size == k.Size {
		old, err := readSidecar(a.sidecar(key, k.SHA256))
		if err == nil && (k.Commit != "" || old.Written.Equal(k.Written) && old.Root == k.Root && old.Project == k.Project) {
			return false, nil
		}
		if err == nil {
			k.Repository, k.Commit = old.Repository, old.Commit
		}
		held = true
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
	// The sidecar comes last: without one a content is not in the archive.
	return true, a.write(key+"-"+k.SHA256+sidecarEnd, append(text, '\n'), durable)
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

// write puts a file in its place at once.
func (a *archive) write(name string, data []byte, durable bool) (err error) {
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

// readSidecar reads what is known of a content.
func readSidecar(path string) (kept, error) {
	text, err := readHead(path, maxSidecar)
	if err != nil {
		return kept{}, err
	}
	var k kept
	if err := json.Unmarshal(text, &k); err != nil {
		return kept{}, fmt.Errorf("%s: %w", path, err)
	}
	if !filepath.IsAbs(k.Origin) || k.Origin != filepath.Clean(k.Origin) {
		return kept{}, fmt.Errorf("%s: origin %q is no absolute path", path, k.Origin)
	}
	return k, nil
}

// A copyOf is a content of the archive, by its name.
type copyOf struct {
	key, sum, name string
	kept           // once it was read
}

// list lists what the archive holds by the key of the paths it was at: contents
// that have a sidecar. only are the keys that are asked for; nil is all.
func (a *archive) list(only map[string]bool) (map[string][]*copyOf, error) {
	names, err := a.names()
	if err != nil {
		return nil, err
	}
	described := make(map[string]bool, len(names)/2)
	for _, name := range names {
		described[name] = true
	}
	held := map[string][]*copyOf{}
	for _, name := range names {
		if key, _, _ := strings.Cut(name, "-"); only != nil && !only[key] {
			continue
		}
		m := contentName.FindStringSubmatch(name)
		if m != nil && described[m[1]+"-"+m[2]+sidecarEnd] {
			held[m[1]] = append(held[m[1]], &copyOf{key: m[1], sum: m[2], name: name})
		}
	}
	return held, nil
}

// names lists the folder; one that is not there is empty.
func (a *archive) names() ([]string, error) {
	dir, _, err := openDir(a.Dir, true)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	return dir.Readdirnames(-1)
}
