package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"handex/cmd/internal/render"
)

// number numbers the rows of a list on a terminal and keeps their ids, so that a number
// can stand for an id in the next command. Failing to keep them fails nothing else: the
// file is removed then, as a number must not refer to an older list.
func (a *app) number(rows []render.Row) {
	if !a.env.Stdout.IsTerminal() {
		return
	}
	var ids strings.Builder
	for i := range rows {
		rows[i].Number = i + 1
		ids.WriteString(rows[i].ID + "\n")
	}
	if a.env.StateDir() != "" && writeList(a.listFile(), ids.String()) != nil {
		_ = os.Remove(a.listFile())
	}
}

// listFile returns the file with the ids of the last list that was shown on a terminal.
func (a *app) listFile() string { return filepath.Join(a.env.StateDir(), "list") }

// writeList replaces the file as a whole, as two terminals may write at once.
func writeList(file, text string) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, "list-*.tmp")
	if err != nil {
		return err
	}
	_, err = temp.WriteString(text)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

// idOf returns the id of a hit of the last list if ref is a number; other references
// are returned as they are. Beginnings of ids have four digits or more.
func (a *app) idOf(ref string) (string, error) {
	n, err := strconv.ParseUint(ref, 10, 16)
	if err != nil || len(ref) > 3 {
		return ref, nil //nolint:nilerr // it is no number
	}
	text, err := os.ReadFile(a.listFile())
	if a.env.StateDir() == "" || err != nil {
		return "", render.WithHint(fmt.Errorf("there is no hit %s: no list was shown yet", ref),
			"handex search on a terminal numbers its hits")
	}
	ids := strings.Fields(string(text))
	if n < 1 || int(n) > len(ids) {
		return "", fmt.Errorf("there is no hit %s: the last list has %s", ref, render.Several(len(ids), "handoff"))
	}
	return ids[n-1], nil
}
