package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/index/internal/fsx"
)

// A PathHistory lists the paths that a file was at before it was moved to its current path: its
// earlier versions stay under the paths they were at, and its public ids are made of the first. It
// is in the archive, so that it outlives the index.
type PathHistory struct {
	Path   string      `json:"path"`
	Origin string      `json:"origin"` // what its public ids are made of
	Was    []pathEntry `json:"was"`    // the first place first
}

// A pathEntry is a former path of a file, and when the file was found to have left it.
type pathEntry struct {
	Path string    `json:"path"`
	Left time.Time `json:"left"`
}

const (
	historyFolder = "moved"
	historyEnd    = ".json"
	// maxPathEntries and maxHistoryFile bound the history of a file that is moved for ever.
	maxPathEntries = 64
	maxHistoryFile = 1 << 20
)

// Former returns the former paths of the file. It may be called on nil.
func (h *PathHistory) Former() (paths []string) {
	if h == nil {
		return nil
	}
	for _, was := range h.Was {
		if was.Path != h.Path {
			paths = append(paths, was.Path)
		}
	}
	return paths
}

// historyName returns the name, in the archive, of the history of the file whose current path is
// path.
func historyName(path string) string { return filepath.Join(historyFolder, Key(path)+historyEnd) }

// PathHistories reads the histories of all files that were moved, and returns them by the files'
// current paths. It calls fault for each that cannot be read.
func (a *Archive) PathHistories(fault func(path string, err error)) map[string]*PathHistory {
	list := map[string]*PathHistory{}
	if !a.On() {
		return list
	}
	names, err := fsx.ReadNames(a.Path(historyFolder))
	if err != nil && !fsx.Vanished(err) {
		fault(a.Path(historyFolder), err)
	}
	for _, name := range names {
		if !strings.HasSuffix(name, historyEnd) {
			continue
		}
		h, err := a.readHistory(filepath.Join(historyFolder, name))
		if err != nil {
			fault(a.Path(filepath.Join(historyFolder, name)), err)
			continue
		}
		list[h.Path] = h
	}
	return list
}

// readHistory reads the history in the archive's file with a name, and checks that it is complete.
func (a *Archive) readHistory(name string) (*PathHistory, error) {
	h := &PathHistory{}
	if err := readJSON(a.Path(name), maxHistoryFile, h); err != nil {
		return nil, err
	}
	if historyName(h.Path) != name || h.Origin == "" || len(h.Was) == 0 {
		return nil, fmt.Errorf("%s: %w", a.Path(name), ErrChecksum)
	}
	return h, nil
}

// RecordMove adds to the histories that a file was moved from the path from to to.Origin, if the
// archive has anything of the old path. The archived copy of its content, whose digest begins with
// sum, is renamed too, so that it is found only once. origin is the path from which the file's
// public ids are made.
func (a *Archive) RecordMove(histories map[string]*PathHistory, from, origin string, to Sidecar, sum string) {
	before := histories[from]
	var contents []*Content
	if a.On() {
		contents = a.ByOwner()[Key(from)]
	}
	if before == nil && contents == nil {
		return
	}
	next := &PathHistory{Path: to.Origin, Origin: origin}
	if before != nil {
		next.Was = before.Was[max(0, len(before.Was)-maxPathEntries+1):]
	}
	next.Was = append(slices.Clip(next.Was), pathEntry{from, a.now().UTC()})
	dir := a.Path(historyFolder)
	err := errors.Join(fsx.MakePrivate(a.Dir), os.MkdirAll(dir, 0o700))
	if err == nil {
		err = errors.Join(a.putJSON(historyName(next.Path), next, true), fsx.SyncDir(dir))
	}
	for _, c := range contents {
		if err == nil && c.Has(sum) {
			err = a.rename(c, to)
		}
	}
	if err != nil {
		a.Fail(err)
		return
	}
	histories[to.Origin] = next
}

// DropHistory removes the history of the file at path, which is gone.
func (a *Archive) DropHistory(path string) {
	if err := os.Remove(a.Path(historyName(path))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		a.Fail(err)
	}
}
