package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"handex/cmd/internal/author"
	"handex/cmd/internal/save"
)

// What an installation has made is kept in $XDG_STATE_HOME/handex/hooks.json: no
// text tells whether its file and folder were there before.

// madeFile is where it is kept, "" if there is no folder for it.
func (e Env) madeFile() string {
	if e.StateHome == "" {
		return ""
	}
	return filepath.Join(e.StateHome, "handex", "hooks.json")
}

// made is what installations have made for one file: folders, outermost first, the
// file itself, copies of what it said before.
type made struct {
	Folders []string `json:"folders,omitempty"`
	File    bool     `json:"file,omitempty"`
	Backups []string `json:"backups,omitempty"`
}

// noteMade remembers what an installation has made: folders and the file, or a
// copy.
func (f settings) noteMade(paths []string, backup string) error {
	return f.editMade(func(m *made) {
		if len(paths) > 0 {
			m.Folders = append(m.Folders, paths[:len(paths)-1]...)
			m.File = true
		}
		if backup != "" {
			m.Backups = append(m.Backups, backup)
		}
	})
}

// wasMade is what installations have made.
func (f settings) wasMade() (m made, err error) {
	text, err := os.ReadFile(f.env.madeFile())
	if errors.Is(err, fs.ErrNotExist) {
		return made{}, nil
	}
	if err != nil {
		return made{}, err
	}
	all, err := readMade(f.env.madeFile(), text)
	return all[f.real], err
}

func readMade(file string, text []byte) (map[string]made, error) {
	all := map[string]made{}
	if len(text) == 0 {
		return all, nil
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return all, nil
}

func (f settings) editMade(change func(*made)) error {
	file := f.env.madeFile()
	if file == "" {
		return errors.New("there is no folder for that: neither HOME nor XDG_STATE_HOME is set")
	}
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	folder, err := save.Open(dir, filepath.Join(dir, "locks"))
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	folder.Private = true
	return folder.Edit(f.ctx, filepath.Base(file), func(old []byte, _ bool) ([]byte, error) {
		all, err := readMade(file, old)
		if err != nil {
			return nil, err
		}
		m := all[f.real]
		change(&m)
		all[f.real] = m
		if m.Folders == nil && !m.File && m.Backups == nil {
			delete(all, f.real)
		}
		return json.Marshal(all)
	})
}

// clearMade removes what installations have made and nobody has use for: the file
// if it is to go, copies of what the file says again or of what was all ours, and
// folders that are empty then.
func (f settings) clearMade(m made, gone bool, text []byte) error {
	if gone {
		if err := f.remove(); err != nil {
			return err
		}
	}
	for _, copied := range m.Backups {
		old, err := os.ReadFile(copied)
		if err == nil && (!gone && bytes.Equal(old, text) || gone && f.asMade(old)) {
			if err := os.Remove(copied); err != nil {
				return err
			}
		}
	}
	for _, dir := range slices.Backward(m.Folders) {
		if gone {
			_ = os.Remove(dir) // one that holds something stays
		}
	}
	return f.editMade(func(m *made) { *m = made{} })
}

func (f settings) remove() error {
	root, rel, err := f.split()
	if err != nil {
		return err
	}
	folder, err := author.OpenFolder(root, f.env.StateHome)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	return folder.Remove(f.ctx, rel)
}
