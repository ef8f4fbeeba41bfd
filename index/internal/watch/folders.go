// Package watch receives the system's events about folders, and lets other processes send questions
// to the process that receives them.
package watch

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/fsnotify/fsnotify"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
)

// A Folder is a folder to watch.
type Folder = fsx.Folder

// Folders is the set of watched folders, and a private one, in which only watchers write.
type Folders struct {
	source  *fsnotify.Watcher // nil if the system gives no events
	fault   error             // why it gives none
	byPath  map[string]Folder
	kinds   fsx.Cache
	private string
	most    int
}

// New returns a set that watches the private folder. The limit on other folders that can be added
// is most. If the system gives no events, Add returns that as a doubt.
func New(private string, most int) *Folders {
	f := &Folders{byPath: map[string]Folder{}, kinds: fsx.Cache{}, private: private, most: most}
	if f.source, f.fault = fsnotify.NewWatcher(); f.fault == nil {
		f.fault = f.source.Add(private)
	}
	return f
}

// Close stops watching and closes the channel of events.
func (f *Folders) Close() {
	if f != nil && f.source != nil {
		_ = f.source.Close() // its only error is that it is closed
	}
}

// Len returns how many folders are watched, without the private one.
func (f *Folders) Len() int { return len(f.byPath) }

// Has reports whether a folder is watched.
func (f *Folders) Has(path string) bool {
	_, ok := f.byPath[path]
	return ok
}

// Add watches the folders of a list that are not watched yet. joined reports whether there were
// any: changes in them before this may have made no event. doubts lists the folders whose events do
// not show every change, each with the reason.
func (f *Folders) Add(list []Folder) (joined bool, doubts []discover.Trouble) {
	paths := map[Folder]string{} // by a Folder without a path
	for _, folder := range list {
		id := Folder{Dev: folder.Dev, Ino: folder.Ino}
		if paths[id] == "" || id.Ino == 0 {
			paths[id] = folder.Path
		}
		isNew, err := f.add(folder, paths[id])
		joined = joined || isNew
		if err != nil {
			doubts = append(doubts, discover.Trouble{Path: folder.Path, Reason: err.Error()})
		}
	}
	return joined, doubts
}

// add watches a folder, and reports whether it was not watched before. first is the first path that
// was listed for it. The error is why its events do not show every change.
func (f *Folders) add(folder Folder, first string) (joined bool, err error) {
	if folder.Path != first {
		return false, errors.New("is the same folder as " + first) // the system has one watch of both
	}
	kind := f.kinds.Of(folder.Path, folder.Dev)
	// Some file systems in user space number a folder again each time.
	if had, ok := f.byPath[folder.Path]; !ok || had != folder && kind.Events {
		if err := f.register(folder); err != nil {
			return false, err
		}
		f.byPath[folder.Path], joined = folder, true
	}
	if !kind.Events {
		err = errors.New(strings.TrimSpace("its file system "+kind.Name) + " may not report every change")
	}
	return joined, err
}

// register makes the system send the events of a folder.
func (f *Folders) register(folder Folder) error {
	if len(f.byPath) >= f.most {
		return fmt.Errorf("more than %d folders", f.most)
	}
	err := f.fault
	if err == nil {
		err = f.source.Add(folder.Path)
	}
	if errors.Is(err, syscall.ENOSPC) {
		return errors.New("the system's limit of watched folders is reached (fs.inotify.max_user_watches)")
	}
	if err != nil {
		return fmt.Errorf("no events: %w", err)
	}
	return nil
}

// An Event is an event of the system. Read returns its meaning.
type Event = fsnotify.Event

// Events returns the channel of events, in the order of the changes. It is nil, so that nothing
// ever comes from it, if the system gives no events.
func (f *Folders) Events() <-chan Event {
	if f.source == nil {
		return nil
	}
	return f.source.Events
}

// Errors returns a channel of errors. Each means that events were lost; it comes before any event
// that follows those.
func (f *Folders) Errors() <-chan error {
	if f.source == nil {
		return nil
	}
	return f.source.Errors
}

// A Change is the meaning of an event for its path.
type Change int

// The meanings of an event.
const (
	None    Change = iota
	Marked         // Mark returned this path
	Written        // a file was written, or has other rights
	Listed         // an entry came or went
	Moved          // a watched folder went, or has another path or other rights: watch all again
)

// Read returns the meaning of an event, and its path.
func (f *Folders) Read(e Event) (change Change, path string) {
	path = filepath.Clean(e.Name)
	gone := e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	switch {
	case filepath.Dir(path) == f.private:
		if e.Has(fsnotify.Create) && strings.HasPrefix(filepath.Base(path), markPrefix) {
			return Marked, path
		}
		return None, path
	case (f.Has(path) || path == f.private) && (gone || e.Has(fsnotify.Chmod)):
		return Moved, path
	case gone, e.Has(fsnotify.Create):
		return Listed, path
	}
	return Written, path
}

const markPrefix = "mark-"

// Mark makes and removes a file in the private folder, which causes an event after those of all
// earlier changes: Read returns Marked for it, with the path that Mark returns.
func (f *Folders) Mark() (path string, err error) {
	path = filepath.Join(f.private, markPrefix+rand.Text())
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return "", err
	}
	return path, os.Remove(path)
}
