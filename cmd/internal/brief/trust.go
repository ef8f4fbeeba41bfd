package brief

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"handex/cmd/internal/save"
)

// Trust is a file of folders whose handoffs are told in full though they came with
// a clone. Lines are only added to it; the last word on a folder holds.
type Trust struct {
	// File is its absolute path; it and its folder need not exist.
	File string
}

// A trustLine is what is said of a folder at one time.
type trustLine struct {
	At      time.Time `json:"at"`
	Trust   string    `json:"trust,omitempty"`
	Untrust string    `json:"untrust,omitempty"`
}

// List returns the trusted folders, in order. Lines that cannot be read trust
// nothing.
func (t Trust) List() ([]string, error) {
	text, err := os.ReadFile(t.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	held := map[string]bool{}
	for line := range bytes.Lines(text) {
		var l trustLine
		if json.Unmarshal(line, &l) != nil {
			continue
		}
		if filepath.IsAbs(l.Trust) {
			held[l.Trust] = true
		}
		delete(held, l.Untrust)
	}
	return slices.Sorted(maps.Keys(held)), err
}

// Holds reports whether dir or a folder it is in is trusted.
func (t Trust) Holds(dir string) (bool, error) {
	list, err := t.List()
	return slices.ContainsFunc(list, func(trusted string) bool {
		rel, relErr := filepath.Rel(trusted, dir)
		return relErr == nil && filepath.IsLocal(rel)
	}), err
}

// Set says that a folder is trusted, or no longer. It reports whether that is new.
func (t Trust) Set(ctx context.Context, dir string, trusted bool, at time.Time) (bool, error) {
	list, err := t.List()
	if err != nil || slices.Contains(list, dir) == trusted {
		return false, err
	}
	l := trustLine{At: at.UTC().Truncate(time.Second)}
	if l.Trust = dir; !trusted {
		l.Trust, l.Untrust = "", dir
	}
	line, err := json.Marshal(l)
	if err != nil {
		return false, err
	}
	err = save.AppendFile(ctx, t.File, append(line, '\n'))
	return err == nil, err
}
