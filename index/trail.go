package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A trail tells where a file was before it was moved to where it is: its earlier
// versions stay under the paths they were at, and its public ids are made of the
// first. It lies in the archive, so that it outlives the index.
type trail struct {
	Path   string `json:"path"`
	Origin string `json:"origin"` // what its public ids are made of
	Was    []stop `json:"was"`    // the first place first
}

// A stop is a path, and when it was seen that the file had left it.
type stop struct {
	Path string    `json:"path"`
	Left time.Time `json:"left"`
}

const (
	trailFolder = "moved"
	trailEnd    = ".json"
	// maxStops and maxTrail bound the trail of a file that is moved for ever.
	maxStops = 64
	maxTrail = 1 << 20
)

// formers are the paths the file was at before.
func (t *trail) formers() []string {
	if t == nil {
		return nil
	}
	var list []string
	for _, s := range t.Was {
		if s.Path != t.Path {
			list = append(list, s.Path)
		}
	}
	return list
}

// trailName is where the trail of the file at a path is.
func trailName(path string) string { return filepath.Join(trailFolder, originKey(path)+trailEnd) }

// putTrail keeps a trail in the place of an earlier one of the path.
func (a *archive) putTrail(t *trail) error {
	if err := a.makeDir(); err != nil {
		return err
	}
	dir := a.path(trailFolder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	text, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return fmt.Errorf("describe %s: %w", t.Path, err)
	}
	if err := a.put(trailName(t.Path), append(text, '\n'), true); err != nil {
		return err
	}
	return folder(dir).sync()
}

// dropTrail forgets the trail of a file that is gone.
func (a *archive) dropTrail(path string) error {
	if err := os.Remove(a.path(trailName(path))); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// readTrail reads a trail by its name in the archive.
func (a *archive) readTrail(name string) (*trail, error) {
	text, err := readHead(a.path(name), maxTrail)
	if err != nil {
		return nil, err
	}
	t := &trail{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("%s: %w", a.path(name), err)
	}
	if trailName(t.Path) != name || t.Origin == "" || len(t.Was) == 0 {
		return nil, fmt.Errorf("%s: %w", a.path(name), errNotKept)
	}
	return t, nil
}

// trailNames lists the trails there are.
func (a *archive) trailNames() ([]string, error) {
	if !a.on() {
		return nil, nil
	}
	dir, _, err := openDir(a.path(trailFolder), true)
	switch {
	case err != nil && vanished(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	var list []string
	for _, name := range names {
		if strings.HasSuffix(name, trailEnd) {
			list = append(list, filepath.Join(trailFolder, name))
		}
	}
	return list, err
}

// trails are those of a refresh, each read when it is first asked for.
type trails struct {
	kept   *archive
	now    time.Time
	there  map[string]bool            // by name
	read   map[string]*trail          // by path; nil if there is none
	copies map[string][]*copyOf       // what the archive holds, by key; nil if nobody looked
	fault  func(path string, _ error) // is told of what cannot be read
}

func newTrails(a *archive, now time.Time, fault func(string, error)) *trails {
	t := &trails{kept: a, now: now, there: map[string]bool{}, read: map[string]*trail{}, fault: fault}
	names, err := a.trailNames()
	if err != nil {
		fault(a.path(trailFolder), err)
	}
	for _, name := range names {
		t.there[name] = true
	}
	return t
}

// of is the trail of the file at a path, nil if it has none.
func (t *trails) of(path string) *trail {
	if len(t.there) == 0 {
		return nil
	}
	found, ok := t.read[path]
	if name := trailName(path); !ok && t.there[name] {
		var err error
		if found, err = t.kept.readTrail(name); err != nil {
			t.fault(t.kept.path(name), err)
		}
		t.read[path] = found
	}
	return found
}

// follow keeps the trail of a file that was moved, if the archive has anything of
// where it was. The copy of what it holds moves along, so that it is found once.
func (t *trails) follow(from, origin string, to *outcome) {
	before, copies := t.of(from), t.copies[originKey(from)]
	if before == nil && copies == nil {
		return
	}
	next := &trail{Path: to.Path, Origin: origin}
	if before != nil {
		next.Was = before.Was[max(0, len(before.Was)-maxStops+1):]
	}
	next.Was = append(slices.Clip(next.Was), stop{from, t.now.UTC()})
	err := t.kept.putTrail(next)
	for _, v := range copies {
		if err == nil && to.sum != "" && strings.HasPrefix(v.sum, to.sum) {
			err = t.kept.rehome(v, to)
		}
	}
	if err != nil {
		t.kept.fail(err)
		return
	}
	t.there[trailName(to.Path)], t.read[to.Path] = true, next
}

// rehome keeps a content under the path that its file was moved to. What happens
// in between leaves it under both.
func (a *archive) rehome(v *copyOf, to *outcome) error {
	side := a.sidecar(v.key, v.sum)
	k, err := readSidecar(side)
	if err != nil {
		return err
	}
	raw, _, err := readSettled(a.path(v.name), maxFile)
	if err != nil {
		return err
	}
	if contentSum(raw) != v.sum {
		return fmt.Errorf("%s: %w", a.path(v.name), errNotKept)
	}
	k.Origin, k.Root, k.Project, k.Name = to.Path, to.scan.root.Path, to.project.Root, to.project.Name
	if _, err := a.store(k, raw, true); err != nil {
		return err
	}
	return errors.Join(a.discard(filepath.Base(side)), a.discard(v.name))
}

// discard removes a file of the archive.
func (a *archive) discard(name string) error {
	err := os.Remove(a.path(name))
	if err == nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.names.remove(name)
	}
	return err
}

// drop forgets the trails of files that are gone.
func (t *trails) drop(gone []*indexed) {
	for _, f := range gone {
		if name := trailName(f.path); t.there[name] {
			if err := t.kept.dropTrail(f.path); err != nil {
				t.kept.fail(err)
			}
		}
	}
}
