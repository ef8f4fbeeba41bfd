package config

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
)

// The config file is the user's: it is edited as text, so that all else in it stays
// as it is, byte for byte. TOML has more ways to write a table than are edited
// here: an edit whose result does not read back as wanted is not made.

// errUnchanged ends an edit that changes nothing.
var errUnchanged = errors.New("nothing changes")

const (
	rootsByHand   = "its roots are not written as [[roots]] tables: edit it by hand"
	queriesByHand = "its queries are not written as lines of a [queries] table: edit it by hand"
)

// AddRoot adds a [[roots]] table at the end of the user's config file. added is
// false if a table has the path already.
func (p Places) AddRoot(ctx context.Context, root index.Root) (added bool, err error) {
	if err := root.Check(); err != nil {
		return false, err
	}
	return p.edit(ctx, rootsByHand, func(text []byte, s *settings) ([]byte, error) {
		if p.findRoot(s.Roots, root.Path) >= 0 {
			return nil, errUnchanged
		}
		table := rootTable{Path: root.Path, Include: root.Include, Exclude: root.Exclude}
		s.Roots = append(s.Roots, table)
		block, err := toml.Marshal(map[string][]rootTable{"roots": {table}})
		return appendTable(text, block), err
	})
}

// RemoveRoot removes the [[roots]] table with a path from the user's config file. removed
// is false if no table has the path.
func (p Places) RemoveRoot(ctx context.Context, path string) (removed bool, err error) {
	return p.edit(ctx, rootsByHand, func(text []byte, s *settings) ([]byte, error) {
		i := p.findRoot(s.Roots, path)
		if i < 0 {
			return nil, errUnchanged
		}
		s.Roots = slices.Delete(s.Roots, i, i+1)
		return cutLines(text, func(e entry) bool { return e.nth == i && slices.Equal(e.table, []string{"roots"}) }), nil
	})
}

// findRoot returns the position of the table whose root has a path, -1 if there is none.
func (p Places) findRoot(tables []rootTable, path string) int {
	return slices.IndexFunc(tables, func(t rootTable) bool { return t.Path != "" && p.rootPath(t) == path })
}

// SaveQuery saves a query in the user's config file. before is the text that the query had,
// "" if the name is new.
func (p Places) SaveQuery(ctx context.Context, name, text string) (before string, err error) {
	_, err = p.edit(ctx, queriesByHand, func(file []byte, s *settings) ([]byte, error) {
		before = s.Queries[name]
		s.Queries[name] = text
		line, err := toml.Marshal(map[string]string{name: text})
		return insertQuery(file, name, line), err
	})
	return before, err
}

// RemoveQuery removes a saved query from the user's config file. before is its text;
// removed is false if there is none with the name.
func (p Places) RemoveQuery(ctx context.Context, name string) (before string, removed bool, err error) {
	removed, err = p.edit(ctx, queriesByHand, func(file []byte, s *settings) ([]byte, error) {
		var ok bool
		if before, ok = s.Queries[name]; !ok {
			return nil, errUnchanged
		}
		delete(s.Queries, name)
		return cutLines(file, func(e entry) bool { return e.isQuery(name) }), nil
	})
	return before, removed, err
}

// edit replaces the text of the user's config file by the result of change, which must also
// change the settings s in the same way. If the new text does not read as those settings,
// nothing is written, and the error ends in byHand. If change returns errUnchanged, the
// file stays as it is. A symbolic link to the file, as users of dotfiles have it, stays
// one.
func (p Places) edit(
	ctx context.Context, byHand string, change func(text []byte, s *settings) ([]byte, error),
) (changed bool, err error) {
	path := p.File()
	if path == "" {
		return false, ErrNoFile
	}
	file := path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		file = target
	}
	p.StateHome = cmp.Or(p.StateHome, p.ConfigHome)
	err = errors.Join(save.MakePrivate(filepath.Dir(path)), os.MkdirAll(filepath.Dir(file), 0o700))
	if err != nil {
		return false, fmt.Errorf("write config: %w", err)
	}
	err = p.EditPrivate(ctx, file, func(old []byte) ([]byte, error) {
		want, others, err := source{path, old}.editable()
		if err != nil {
			return nil, err
		}
		text, err := change(old, &want)
		if err != nil {
			return nil, err
		}
		got, now, err := source{path, text}.editable()
		if err != nil || !reflect.DeepEqual(want, got) || !reflect.DeepEqual(others, now) {
			return nil, fmt.Errorf("%s: %s", path, byHand)
		}
		return append([]byte{}, text...), nil // an empty file stays
	})
	if errors.Is(err, errUnchanged) {
		return false, nil
	}
	return err == nil, err
}

// editable returns the settings in a file, and all keys except roots and queries, which an
// edit must not change.
func (s source) editable() (found settings, others map[string]any, err error) {
	found = settings{Roots: []rootTable{}}
	found.Queries = map[string]string{}
	if err := s.decode(&found); err != nil {
		return found, nil, err
	}
	err = s.decode(&others)
	delete(others, "roots")
	delete(others, "queries")
	return found, others, err
}

// appendTable returns a text with a table added at the end, behind a blank line.
func appendTable(text, table []byte) []byte {
	if len(bytes.TrimSpace(text)) > 0 {
		table = append([]byte("\n"), table...)
	}
	return append(withNewline(text), table...)
}

// withNewline returns a copy of a text that ends in a newline, unless it is empty.
func withNewline(text []byte) []byte {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return slices.Clone(text)
	}
	return append(slices.Clip(text), '\n')
}

// cutLines returns a text without the lines from the first to the last entry for which is
// returns true, and without one blank line above a table. Blank lines and comments below
// stay.
func cutLines(text []byte, is func(entry) bool) []byte {
	from, to := -1, -1
	for _, e := range parseEntries(text) {
		if !is(e) {
			continue
		}
		if from < 0 {
			from = lineStart(text, e.from)
			above := lineStart(text, max(from-1, 0))
			if e.key == nil && len(bytes.TrimSpace(text[above:from])) == 0 {
				from = above
			}
		}
		to = lineEnd(text, e.to)
	}
	if from < 0 {
		return text
	}
	return slices.Concat(text[:from], text[to:])
}

// insertQuery returns a text with the line of a saved query: in place of the line with the
// same name, or else at the end of the [queries] table, or in a new one.
func insertQuery(text []byte, name string, line []byte) []byte {
	end := 0
	for _, e := range parseEntries(text) {
		if len(e.table) != 1 || e.table[0] != "queries" || e.nth >= 0 {
			continue
		}
		if e.isQuery(name) {
			return slices.Concat(text[:e.from], bytes.TrimRight(line, "\n"), text[e.to:])
		}
		end = lineEnd(text, e.to)
	}
	if end == 0 {
		return appendTable(text, slices.Concat([]byte("[queries]\n"), line))
	}
	return slices.Concat(withNewline(text[:end]), line, text[end:])
}
