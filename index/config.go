package index

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/gofrs/flock"
	"github.com/pelletier/go-toml/v2"
)

// The roots stand in the config file as
//
//	[[roots]]
//	path = "~/notes"
//	include = ["**/*.md"]
//	exclude = ["archive/**"]
//
// The file is the user's: it is edited as text, and an edit whose result does
// not read back as wanted is not made.

// configRoot is one [[roots]] table.
type configRoot struct {
	Path    string   `toml:"path"`
	Include []string `toml:"include,omitempty"`
	Exclude []string `toml:"exclude,omitempty"`
}

// LoadRoots reads the roots of a config file, in its order; a file that does not
// exist has none. A leading ~ is the home folder, and relative paths are
// relative to the config file's folder. An error names the file and, where it is
// known, the line and column.
func LoadRoots(config string, env RootEnv) ([]Root, error) {
	text, err := readConfig(config)
	if err != nil {
		return nil, err
	}
	tables, err := parseRoots(config, text)
	if err != nil {
		return nil, err
	}
	env.WorkDir = filepath.Dir(config)
	var roots []Root
	for i, t := range tables {
		if t.Path == "" {
			return nil, fmt.Errorf("%s: roots %d: no path", config, i+1)
		}
		root := Root{Path: env.absolute(t.Path), Include: t.Include, Exclude: t.Exclude}
		if _, err := newRules(root); err != nil {
			return nil, fmt.Errorf("%s: roots %d: %w", config, i+1, err)
		}
		roots = append(roots, root)
	}
	return roots, nil
}

// AddRoot writes one more [[roots]] table at the end of the config file and
// leaves the rest as it is, byte for byte. added is false if a table has the
// path already. The file and its folder are made if they do not exist.
func AddRoot(config string, root Root, env RootEnv) (added bool, err error) {
	if _, err := newRules(root); err != nil {
		return false, err
	}
	return EditConfig(config, func(text []byte) ([]byte, bool, error) {
		tables, err := parseRoots(config, text)
		if err != nil || findRoot(tables, root.Path, config, env) >= 0 {
			return nil, false, err
		}
		table := configRoot(root)
		block, err := toml.Marshal(map[string][]configRoot{"roots": {table}})
		if err != nil {
			return nil, false, fmt.Errorf("write root %s: %w", root.Path, err)
		}
		after := appendBlock(text, block)
		return after, true, verifyEdit(config, text, after, append(tables, table))
	})
}

// RemoveRoot removes the [[roots]] table of path from the config file and
// leaves the rest as it is, byte for byte. removed is false if no table has the
// path.
func RemoveRoot(config, path string, env RootEnv) (removed bool, err error) {
	return EditConfig(config, func(text []byte) ([]byte, bool, error) {
		tables, err := parseRoots(config, text)
		if err != nil {
			return nil, false, err
		}
		i := findRoot(tables, path, config, env)
		if i < 0 {
			return nil, false, nil
		}
		after, err := cutRoot(config, text, slices.Delete(slices.Clone(tables), i, i+1))
		return after, true, err
	})
}

// findRoot returns the number of the table of path, or -1.
func findRoot(tables []configRoot, path, config string, env RootEnv) int {
	path = env.absolute(path)
	env.WorkDir = filepath.Dir(config)
	return slices.IndexFunc(tables, func(t configRoot) bool { return t.Path != "" && env.absolute(t.Path) == path })
}

func readConfig(config string) ([]byte, error) {
	text, err := os.ReadFile(config)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read config: %w", err)
	}
	return text, nil
}

// parseRoots reads the tables and refuses keys that are none of theirs: a
// misspelt exclude must not go unnoticed.
func parseRoots(config string, text []byte) ([]configRoot, error) {
	var file struct {
		Roots []configRoot `toml:"roots"`
	}
	if err := toml.Unmarshal(text, &file); err != nil {
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, column := at.Position()
			return nil, fmt.Errorf("%s:%d:%d: %s", config, line, column, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return nil, fmt.Errorf("%s: %w", config, err)
	}
	var keys struct {
		Roots []map[string]any `toml:"roots"`
	}
	if err := toml.Unmarshal(text, &keys); err != nil {
		return nil, fmt.Errorf("%s: %w", config, err)
	}
	for i, table := range keys.Roots {
		for key := range table {
			if key != "path" && key != "include" && key != "exclude" {
				return nil, fmt.Errorf("%s: roots %d: unknown key %q; there are path, include and exclude", config, i+1, key)
			}
		}
	}
	return file.Roots, nil
}

func appendBlock(text, block []byte) []byte {
	var b bytes.Buffer
	b.Write(text)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		b.WriteByte('\n')
	}
	if len(bytes.TrimSpace(text)) > 0 {
		b.WriteByte('\n')
	}
	b.Write(block)
	return b.Bytes()
}

// cutRoot removes the table without which the roots are as wanted. A line that
// looks like a header may be part of a longer text, so each is tried.
func cutRoot(config string, text []byte, want []configRoot) ([]byte, error) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, line := range lines {
		if !isRootsHeader(line) {
			continue
		}
		after := cutBlock(lines, i)
		if verifyEdit(config, text, after, want) == nil {
			return after, nil
		}
	}
	return nil, byHand(config)
}

// cutBlock removes the table whose header is line start, up to its last key.
// Blank lines and comments after that belong to what follows.
func cutBlock(lines [][]byte, start int) []byte {
	end := start + 1
	for i := end; i < len(lines) && !bytes.HasPrefix(bytes.TrimSpace(lines[i]), []byte("[")); i++ {
		if line := bytes.TrimSpace(lines[i]); len(line) > 0 && line[0] != '#' {
			end = i + 1
		}
	}
	if start > 0 && len(bytes.TrimSpace(lines[start-1])) == 0 {
		start--
	}
	return bytes.Join(slices.Concat(lines[:start], lines[end:]), nil)
}

func isRootsHeader(line []byte) bool {
	header, _, _ := bytes.Cut(line, []byte("#"))
	return string(bytes.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '\r' || r == '\n' {
			return -1
		}
		return r
	}, header)) == "[[roots]]"
}

// verifyEdit makes sure that an edit changed the roots as wanted and nothing
// else. TOML has more ways to write a table than cutBlock knows.
func verifyEdit(config string, before, after []byte, want []configRoot) error {
	got, err := parseRoots(config, after)
	if err == nil && len(got) == len(want) && (len(want) == 0 || reflect.DeepEqual(got, want)) && sameRest(before, after) {
		return nil
	}
	return byHand(config)
}

func byHand(config string) error {
	return fmt.Errorf("%s: its roots are not written as [[roots]] tables: edit it by hand", config)
}

func sameRest(before, after []byte) bool {
	var a, b map[string]any
	if toml.Unmarshal(before, &a) != nil || toml.Unmarshal(after, &b) != nil {
		return false
	}
	delete(a, "roots")
	delete(b, "roots")
	return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b)
}

// EditConfig replaces the config file by what edit makes of it, one writer at a
// time. changed is what edit says.
func EditConfig(config string, edit func([]byte) (after []byte, change bool, err error)) (changed bool, err error) {
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		return false, fmt.Errorf("write config: %w", err)
	}
	lock := flock.New(config + ".lock")
	if err := lock.Lock(); err != nil {
		return false, fmt.Errorf("lock config: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	text, err := readConfig(config)
	if err != nil {
		return false, err
	}
	after, changed, err := edit(text)
	if err != nil || !changed {
		return false, err
	}
	if err := writeConfig(config, after); err != nil {
		return false, fmt.Errorf("write config: %w", err)
	}
	return true, nil
}

// writeConfig replaces the file at once: a reader sees the old or the new text.
// A link to the file, as users of dotfiles have it, stays one.
func writeConfig(config string, text []byte) (err error) {
	mode := fs.FileMode(0o600)
	if target, err := filepath.EvalSymlinks(config); err == nil {
		config = target
	}
	if info, err := os.Stat(config); err == nil {
		mode = info.Mode().Perm()
	}
	temp, err := os.CreateTemp(filepath.Dir(config), ".config-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = temp.Close()
			_ = os.Remove(temp.Name())
		}
	}()
	if _, err = temp.Write(text); err != nil {
		return err
	}
	if err = temp.Chmod(mode); err != nil {
		return err
	}
	if err = temp.Sync(); err != nil {
		return err
	}
	if err = temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), config)
}
