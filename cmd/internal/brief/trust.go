package brief

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
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

// List answers the trusted folders, in order. Lines that cannot be read trust
// nothing.
func (t Trust) List() ([]string, error) {
	text, err := os.ReadFile(t.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	held := map[string]bool{}
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l trustLine
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			continue
		}
		if filepath.IsAbs(l.Trust) {
			held[l.Trust] = true
		}
		delete(held, l.Untrust)
	}
	var list []string
	for dir := range held {
		list = append(list, dir)
	}
	slices.Sort(list)
	return list, errors.Join(err, lines.Err())
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
func (t Trust) Set(dir string, trusted bool, at time.Time) (bool, error) {
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
	if err := os.MkdirAll(filepath.Dir(t.File), 0o700); err != nil {
		return false, err
	}
	f, err := os.OpenFile(t.File, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return false, err
	}
	_, err = f.Write(append(line, '\n'))
	return err == nil, errors.Join(err, f.Sync(), f.Close())
}
