package hooks

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/OWNER/handex/cmd/internal/save"
)

// A Change is the old and new text of a settings file. Backup is the path of the copy of
// Old that was made, "" if none was needed.
type Change struct {
	save.Change
	Backup string
}

// String returns the change in one word: created, removed, unchanged or changed.
func (c Change) String() string {
	switch {
	case c.Old == nil:
		return "created"
	case c.New == nil:
		return "removed"
	case bytes.Equal(c.Old, c.New):
		return "unchanged"
	}
	return "changed"
}

// Install replaces the entries of handex in the file by want, and records the change for
// Uninstall. A dry run only returns the change.
func (f File) Install(ctx context.Context, want []Entry, dryRun bool) (Change, error) {
	r, err := f.record()
	if err != nil {
		return Change{}, err
	}
	_, missing := f.existing()
	if err := f.prepare(dryRun); err != nil {
		return Change{}, err
	}
	c, err := f.change(ctx, r, dryRun, func(old []byte) ([]byte, error) { return f.format.Install(old, want) })
	if err != nil || dryRun || c.String() == "unchanged" {
		return c, err
	}
	if c.Backup != "" {
		r.Backup = c.Backup
	}
	if c.Old == nil {
		known := slices.DeleteFunc(r.Folders, func(dir string) bool { return slices.Contains(missing, dir) })
		r = record{File: true, Folders: append(known, missing...)}
	}
	r.Digest = digest(c.New)
	return c, f.setRecord(ctx, r)
}

// Uninstall removes the entries of handex from the file. If nobody has changed the file
// since the installation, its former text is restored. A dry run only returns the change.
func (f File) Uninstall(ctx context.Context, dryRun bool) (Change, error) {
	r, err := f.record()
	if err != nil {
		return Change{}, err
	}
	if err := f.prepare(dryRun); err != nil {
		return Change{}, err
	}
	original := f.original(r)
	c, err := f.change(ctx, r, dryRun, func(old []byte) ([]byte, error) {
		asInstalled := digest(old) == r.Digest
		switch {
		case asInstalled && original != nil:
			return original, nil
		case asInstalled && r.File && r.Backup == "":
			return nil, nil
		}
		rest, err := f.format.Uninstall(old)
		if r.File && len(bytes.Trim(rest, white+"{}")) == 0 {
			rest = nil
		}
		return rest, err
	})
	if err != nil || dryRun {
		return c, err
	}
	if original != nil && bytes.Equal(original, c.New) {
		if err := os.Remove(r.Backup); err != nil {
			return c, err
		}
	}
	if c.New == nil {
		for _, dir := range slices.Backward(r.Folders) {
			_ = os.Remove(dir) // one that is not empty stays
		}
	}
	return c, f.setRecord(ctx, record{})
}

// prepare returns an error, before anything is changed, if the record of the change could
// not be written.
func (f File) prepare(dryRun bool) error {
	if dryRun {
		return nil
	}
	return save.MakePrivate(f.Settings.Places.StateDir())
}

// original returns the text that the file had before it contained entries of handex, nil if
// that is not known.
func (f File) original(r record) []byte {
	text, err := os.ReadFile(r.Backup)
	if err != nil {
		return nil
	}
	if c, err := f.format.Read(text); err != nil || len(c.Entries) > 0 {
		return nil
	}
	return text
}

// digest returns the SHA-256 of a text in hexadecimal.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// change replaces the text of the file by the result of edit, under its lock. A text that
// handex did not write is copied first. A dry run only returns the change.
func (f File) change(
	ctx context.Context, r record, dryRun bool, edit func(old []byte) ([]byte, error),
) (c Change, err error) {
	c.Path = f.Path
	apply := func(old []byte) ([]byte, error) {
		text, err := edit(old)
		c.Old, c.New = old, text
		return text, f.damaged(err)
	}
	if dryRun {
		old, err := f.read()
		if err == nil {
			_, err = apply(old)
		}
		return c, err
	}
	folder, rel, err := f.open()
	if err != nil {
		return c, err
	}
	defer func() { _ = folder.Close() }()
	err = folder.Edit(ctx, rel, func(old []byte) ([]byte, error) {
		text, err := apply(old)
		if err == nil && old != nil && !bytes.Equal(old, text) && digest(old) != r.Digest {
			c.Backup, err = f.copyOf(ctx, folder, rel, old)
		}
		return text, err
	})
	if errors.Is(err, fs.ErrPermission) {
		err = refusedError{err, f.Settings}
	}
	return c, err
}

// copyOf writes text, that of the file at rel, to a new file beside it that only its owner
// can read, and returns its path.
func (f File) copyOf(ctx context.Context, folder *save.Folder, rel string, text []byte) (path string, err error) {
	folder.Private = true
	name, err := folder.Create(ctx, rel+"."+f.Settings.Now().UTC().Format("20060102T150405Z")+".bak", text)
	return folder.Path(name), err
}

// existing returns the nearest existing folder above the file, and the folders between that
// and the file that would have to be made, outermost first.
func (f File) existing() (dir string, missing []string) {
	dir = filepath.Dir(f.real)
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		missing = append([]string{dir}, missing...)
		dir = filepath.Dir(dir)
	}
	return dir, missing
}

// open opens the nearest existing folder above the file; rel is the file's path relative to
// it. It refuses a read-only file: another program generates that, as with Nix, and would
// undo the change.
func (f File) open() (folder *save.Folder, rel string, err error) {
	dir, _ := f.existing()
	if info, err := os.Stat(f.real); err == nil && info.Mode().Perm()&0o222 == 0 {
		return nil, "", f.Settings.refuse("%s is read-only", f.real)
	}
	if !save.Writable(dir) {
		return nil, "", f.Settings.refuse("%s cannot be written to", dir)
	}
	if rel, err = filepath.Rel(dir, f.real); err != nil {
		return nil, "", err
	}
	if folder, err = f.Settings.Places.Open(dir); err == nil {
		folder.Private = f.Settings.Project == ""
	}
	return folder, rel, err
}

// A record is what installations have done to one file. No text shows whether the file and
// its folders existed before, so records are kept in hooks.json of the state folder, by the
// path of the file without symbolic links.
type record struct {
	Folders []string `json:"folders,omitempty"` // outermost first
	File    bool     `json:"file,omitempty"`
	Backup  string   `json:"backup,omitempty"` // what the file said before
	Digest  string   `json:"digest,omitempty"` // SHA-256 of what was written to it
}

// recordFile returns the path of hooks.json, which contains the records of all files.
func (f File) recordFile() string { return filepath.Join(f.Settings.Places.StateDir(), "hooks.json") }

// record returns the file's record, an empty one if there is none.
func (f File) record() (record, error) {
	if f.Settings.Places.StateHome == "" {
		return record{}, nil
	}
	text, err := os.ReadFile(f.recordFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return record{}, err
	}
	all, err := f.readRecords(text)
	return all[f.real], err
}

// readRecords parses the text of hooks.json.
func (f File) readRecords(text []byte) (map[string]record, error) {
	all := map[string]record{}
	if len(text) == 0 {
		return all, nil
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", f.recordFile(), err)
	}
	return all, nil
}

// setRecord stores the file's record, or removes it if r is empty.
func (f File) setRecord(ctx context.Context, r record) error {
	return f.Settings.Places.EditPrivate(ctx, f.recordFile(), func(old []byte) ([]byte, error) {
		all, err := f.readRecords(old)
		if err != nil {
			return nil, err
		}
		all[f.real] = r
		if r.Digest == "" {
			delete(all, f.real)
		}
		return json.Marshal(all)
	})
}
