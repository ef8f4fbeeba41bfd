package brief

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
)

// Trust is a file of the folders that the user trusts, so that handoffs that came with a
// clone are quoted in full. Lines are only appended; the last line for a folder applies,
// as long as it is the same folder with the same remotes.
type Trust struct {
	// File is its absolute path. The file and its folder need not exist.
	File string
	// Getenv is os.Getenv or a substitute.
	Getenv func(string) string
}

// A trustLine is a line of the file: a folder is trusted, or no longer.
type trustLine struct {
	At      time.Time `json:"at"`
	Trust   string    `json:"trust,omitempty"`
	Of      string    `json:"of,omitempty"` // the identity of the folder to trust
	Untrust string    `json:"untrust,omitempty"`
}

// read returns the trusted folders with their identities. Malformed lines are ignored.
func (t Trust) read() (map[string]string, error) {
	text, err := os.ReadFile(t.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	held := map[string]string{}
	for line := range bytes.Lines(text) {
		var l trustLine
		if json.Unmarshal(line, &l) != nil {
			continue
		}
		if filepath.IsAbs(l.Trust) {
			held[l.Trust] = l.Of
		}
		delete(held, l.Untrust)
	}
	return held, err
}

// List returns the trusted folders in order. A folder that was replaced since is left
// out.
func (t Trust) List(ctx context.Context) ([]string, error) {
	held, err := t.read()
	maps.DeleteFunc(held, func(dir, of string) bool { return !t.isSame(ctx, dir, of) })
	return slices.Sorted(maps.Keys(held)), err
}

// isSame reports whether a folder still has the identity that was trusted.
func (t Trust) isSame(ctx context.Context, dir, of string) bool {
	return of != "" && of == index.FolderIdentity(ctx, dir, t.Getenv)
}

// Holds reports whether dir or a folder it is in is trusted.
func (t Trust) Holds(ctx context.Context, dir string) (bool, error) {
	held, err := t.read()
	return slices.ContainsFunc(slices.Sorted(maps.Keys(held)), func(trusted string) bool {
		return save.Within(dir, trusted) && t.isSame(ctx, trusted, held[trusted])
	}), err
}

// Set records that a folder is trusted, or no longer. It reports whether that is new.
func (t Trust) Set(ctx context.Context, dir string, trusted bool, at time.Time) (bool, error) {
	held, err := t.read()
	of, isHeld := held[dir]
	if err != nil || isHeld == trusted && (!trusted || t.isSame(ctx, dir, of)) {
		return false, err
	}
	l := trustLine{At: at.UTC().Truncate(time.Second), Untrust: dir}
	if trusted {
		l.Trust, l.Of, l.Untrust = dir, index.FolderIdentity(ctx, dir, t.Getenv), ""
		if l.Of == "" {
			return false, fmt.Errorf("%s cannot be trusted: it does not exist, or git cannot read its remotes", dir)
		}
	}
	line, err := json.Marshal(l)
	if err != nil {
		return false, err
	}
	err = save.AppendFile(ctx, t.File, append(line, '\n'))
	return err == nil, err
}
