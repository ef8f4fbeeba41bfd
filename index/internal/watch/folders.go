// Package watch takes the system's events about folders, and lets other processes ask
// the one that does.
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

// A Folder is one whose events are to be taken.
type Folder = fsx.Folder

// Folders are those whose events are taken, and a private one, where only watchers
// write.
type Folders struct {
	source  *fsnotify.Watcher // nil if the system gives no events
	fault   error             // why it gives none
	byPath  map[string]Folder
	kinds   fsx.Cache
	private string
	most    int
}

// New watches a private folder. At most so many others may join.
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

// Len returns how many folders are watched.
func (f *Folders) Len() int { return len(f.byPath) }

// Has reports whether a folder is watched.
func (f *Folders) Has(path string) bool {
	_, ok := f.byPath[path]
	return ok
}

// Add watches the folders of a list that are not watched yet. It reports whether there
// were such, in which a change may have made no event, and of which folders of the list
// events do not show everything.
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

// add watches a folder that was listed by a path first. The error is why its events do
// not show everything.
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

// An Event is one of the system's, before Read has said what it means.
type Event = fsnotify.Event

// Events come in the order of the changes. A nil channel, from which nothing ever
// comes, is that of a system that gives none.
func (f *Folders) Events() <-chan Event {
	if f.source == nil {
		return nil
	}
	return f.source.Events
}

// Errors returns a channel of errors, each of which means that events were lost, before
// any event that comes after those.
func (f *Folders) Errors() <-chan error {
	if f.source == nil {
		return nil
	}
	return f.source.Errors
}

// A Change is what an event says of its path.
type Change int

// What an event can say.
const (
	None    Change = iota
	Marked         // Mark returned this path
	Written        // a file was written, or has other rights
	Listed         // an entry came or went
	Moved          // a watched folder went, or has another path or other rights: watch all again
)

// Read returns what an event means.
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

// Mark causes an event after those of all changes made so far: Read returns Marked for
// it, with the path that Mark returns.
func (f *Folders) Mark() (path string, err error) {
	path = filepath.Join(f.private, markPrefix+rand.Text())
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return "", err
	}
	return path, os.Remove(path)
}
