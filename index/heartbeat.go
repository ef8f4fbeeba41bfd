package index

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fsnotify/fsnotify"
	"github.com/gofrs/flock"

	schema "handex/sql"
)

// A beat is what a watcher says of itself, in the file beatName of the folder
// that watching names, anew every second.
type beat struct {
	PID     int      `json:"pid"`
	Boot    string   `json:"boot"` // the run of the machine
	Zone    string   `json:"zone"`
	Program string   `json:"program"`
	Home    string   `json:"home"`
	Known   []string `json:"known"`
	// Encoded are the names of watched folders that known folders can give
	// their names to.
	Encoded []string      `json:"encoded"`
	Roots   []WatchedRoot `json:"roots"`
	Folders int           `json:"folders"`
	// Settled says that every change taken so far is in the index, which then
	// has the stamp.
	Settled bool   `json:"settled"`
	Stamp   string `json:"stamp"`
	Skipped []Skip `json:"skipped,omitempty"`
}

// WatchedRoot is a root of a watch. Doubt says why events alone do not keep it
// current, so that it is swept; it is empty where they do.
type WatchedRoot struct {
	Root
	Doubt string `json:",omitempty"`
}

const (
	beatName  = "beat.json"
	askPrefix = "ask-"
	answerEnd = '\n'
)

func (d folder) watching() string {
	return d.join("watch-v" + strconv.Itoa(schema.Version))
}

func (d folder) beat() string { return filepath.Join(d.watching(), beatName) }

func (d folder) watchLock() *flock.Flock {
	return flock.New(filepath.Join(d.watching(), "lock"), flock.SetPermissions(0o600))
}

// readBeat answers the last beat, whoever left it.
func (d folder) readBeat() (b beat, ok bool) {
	text, err := os.ReadFile(d.beat())
	return b, err == nil && json.Unmarshal(text, &b) == nil
}

// watched reports whether a watcher lives. It holds a lock as long as it does,
// which no copied folder, no number of a process used again and no step of a
// clock can imitate.
func (d folder) watched() bool {
	if _, err := os.Stat(d.watching()); err != nil {
		return false
	}
	lock := d.watchLock()
	free, err := lock.TryRLock()
	if err != nil || !free {
		return err == nil
	}
	_ = lock.Close()
	return false
}

// A heart writes beats and answers questions. Of several watchers of an index
// one has it; when that ends, another takes over.
type heart struct {
	dir      folder
	lock     *flock.Flock // nil while another watcher has it
	answered []string     // questions of this second
	done     []string     // and of the one before
}

func (h *heart) folder() string { return h.dir.watching() }

func (h *heart) prepare() error { return os.MkdirAll(h.folder(), 0o700) }

// beats reports whether this watcher is the one that others hear.
func (h *heart) beats() bool {
	if h.lock != nil {
		return true
	}
	lock := h.dir.watchLock()
	if ok, err := lock.TryLock(); err != nil || !ok {
		return false
	}
	h.lock = lock
	entries, _ := os.ReadDir(h.folder())
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), askPrefix) || strings.HasSuffix(e.Name(), ".tmp") {
			_ = os.Remove(filepath.Join(h.folder(), e.Name())) // of processes that died
		}
	}
	return true
}

func (h *heart) close() {
	if h.lock != nil {
		_ = os.Remove(h.dir.beat())
		_ = h.lock.Close()
	}
}

// write replaces the beat, so that nobody reads half of one.
func (h *heart) write(b beat) error {
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	temp := h.dir.beat() + ".tmp"
	if err := os.WriteFile(temp, text, 0o600); err != nil {
		return err
	}
	return os.Rename(temp, h.dir.beat())
}

// asked reports whether an event is a question.
func (h *heart) asked(e fsnotify.Event) (ask string, ok bool) {
	ask = filepath.Clean(e.Name)
	return ask, h.lock != nil && e.Has(fsnotify.Create) && filepath.Dir(ask) == h.folder() && strings.HasPrefix(filepath.Base(ask), askPrefix)
}

// answer writes the beat into the questions. Whoever asked may be gone.
func (h *heart) answer(asks []string, b beat) error {
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	var errs []error
	for _, ask := range asks {
		f, err := os.OpenFile(ask, os.O_WRONLY, 0)
		if err == nil {
			_, err = f.Write(append(text, answerEnd))
			err = errors.Join(err, f.Close())
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	h.answered = append(h.answered, asks...)
	return errors.Join(errs...)
}

// forget removes questions whose answer nobody came for.
func (h *heart) forget() {
	for _, ask := range h.done {
		_ = os.Remove(ask)
	}
	h.done, h.answered = h.answered, nil
}

// beat says how the watch is. Without it others refresh for themselves, so that
// it cannot be written is only told.
func (w *watcher) beat() {
	if !w.heart.beats() {
		return
	}
	if err := w.heart.write(w.state()); err != nil {
		w.tell("other processes are not told that the index is watched: " + err.Error())
	}
}

// answer answers all questions: every event before them has been worked off.
func (w *watcher) answer() {
	if len(w.asks) == 0 {
		return
	}
	if err := w.heart.answer(w.asks, w.state()); err != nil {
		w.tell("another process could not be answered: " + err.Error())
	}
	w.asks = nil
}

func (w *watcher) state() beat {
	b := beat{
		PID: os.Getpid(), Boot: namespace(), Zone: fingerprint(w.opt.Zone), Program: w.opt.Program, Home: w.scope.Home, Known: w.scope.Known,
		Encoded: w.tree.encodedNames(), Folders: len(w.tree.folders), Settled: !w.dirty, Stamp: w.stamp, Skipped: w.report.Skipped,
	}
	for _, r := range w.tree.roots {
		b.Roots = append(b.Roots, WatchedRoot{r.root, r.doubt})
	}
	return b
}

// encodedNames are the names that known folders could be looked up by.
func (t *tree) encodedNames() []string {
	var names []string
	for path := range t.folders {
		if name := filepath.Base(path); isEncoded(name) {
			names = append(names, name)
		}
	}
	for _, r := range t.roots {
		for name := range strings.SplitSeq(filepath.ToSlash(r.root.Path), "/") {
			if isEncoded(name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// namespace names what this process sees mounted, on this run of the machine.
func namespace() string {
	name, _ := os.Readlink("/proc/self/ns/mnt")
	return name
}
