package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A record is what installations have made for one file. No text shows whether its
// file and folder were there before, so it is kept in hooks.json of the state folder,
// by the path where symbolic links lead.
type record struct {
	Folders []string `json:"folders,omitempty"` // outermost first
	File    bool     `json:"file,omitempty"`
	Backup  string   `json:"backup,omitempty"` // what the file said before
	Digest  string   `json:"digest,omitempty"` // SHA-256 of what was written to it
}

// recordFile is where records are kept, below the state folder.
const recordFile = "hooks.json"

// stateFolder is handex's folder of the user's states.
func (f File) stateFolder() string { return filepath.Join(f.Settings.Places.StateHome, "handex") }

func (f File) record() (record, error) {
	if f.Settings.Places.StateHome == "" {
		return record{}, nil
	}
	text, err := os.ReadFile(filepath.Join(f.stateFolder(), recordFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return record{}, err
	}
	all, err := f.readRecords(text)
	return all[f.real], err
}

func (f File) readRecords(text []byte) (map[string]record, error) {
	all := map[string]record{}
	if len(text) == 0 {
		return all, nil
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(f.stateFolder(), recordFile), err)
	}
	return all, nil
}

// setRecord replaces the file's record. An empty one is not kept.
func (f File) setRecord(ctx context.Context, r record) error {
	if err := os.MkdirAll(f.stateFolder(), 0o700); err != nil {
		return err
	}
	folder, err := f.Settings.Places.Open(f.stateFolder())
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	folder.Private = true
	return folder.Edit(ctx, recordFile, func(old []byte) ([]byte, error) {
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
