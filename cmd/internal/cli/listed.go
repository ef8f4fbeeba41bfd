package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

// number numbers rows that are shown on a terminal and saves their ids, so that the next
// command accepts a number for an id. If saving fails, the file is removed, as a number
// must not refer to an older list.
func (a *app) number(rows []render.Row) {
	if !a.env.Stdout.IsTerminal() {
		return
	}
	var ids strings.Builder
	for i := range rows {
		rows[i].Number = i + 1
		ids.WriteString(rows[i].ID + "\n")
	}
	if a.env.StateDir() != "" && a.keepList([]byte(ids.String())) != nil {
		_ = os.Remove(a.listFile())
	}
}

// listFile returns the path of the file with the ids of the last list that was shown on a
// terminal.
func (a *app) listFile() string { return filepath.Join(a.env.StateDir(), "list") }

// keepList saves the ids of the list that was shown last. It replaces the file at once, as
// two terminals may write at the same time.
func (a *app) keepList(ids []byte) error {
	if err := os.MkdirAll(a.env.StateDir(), 0o700); err != nil {
		return err
	}
	return a.env.EditPrivate(a.ctx, a.listFile(), func([]byte) ([]byte, error) { return ids, nil })
}

// idOf returns the id of hit number ref of the last list if ref is a number of up to three
// digits; other references are returned as they are. Beginnings of ids have four digits or
// more.
func (a *app) idOf(ref string) (string, error) {
	n, err := strconv.ParseUint(ref, 10, 16)
	if err != nil || len(ref) > 3 {
		return ref, nil //nolint:nilerr // it is no number
	}
	text, err := os.ReadFile(a.listFile())
	if a.env.StateDir() == "" || err != nil {
		return "", render.WithHint(fmt.Errorf("no hit %s: no list was shown yet", ref),
			"handex search on a terminal numbers its hits")
	}
	ids := strings.Fields(string(text))
	if n < 1 || int(n) > len(ids) {
		return "", fmt.Errorf("no hit %s: the last list has %s", ref, render.Several(len(ids), "handoff"))
	}
	return ids[n-1], nil
}

// find returns the handoffs that ref names: by the number of a hit in the last list, by a
// folder or project, which means its latest handoff, or by an id, session or path.
func (a *app) find(ref string) ([]index.Summary, error) {
	id, err := a.idOf(ref)
	if err != nil {
		return nil, err
	}
	if id == ref && !strings.HasPrefix(ref, "h_") {
		if found, err := a.latestOf(ref); err != nil || len(found) > 0 {
			return found[:min(len(found), 1)], err
		}
	}
	if err := a.open(); err != nil {
		return nil, err
	}
	found, err := a.service.Find(a.ctx, id)
	if missing, ok := errors.AsType[*index.NotFoundError](err); ok {
		near, nearErr := a.service.ProjectsLike(a.ctx, ref)
		missing.Near = append(missing.Near, near...)
		err = errors.Join(err, nearErr)
	}
	return found, err
}

// findOne is like find but returns one handoff, the newest of those in a file.
func (a *app) findOne(ref string) (index.Summary, error) {
	found, err := a.find(ref)
	if err != nil {
		return index.Summary{}, err
	}
	return service.Newest(found), nil
}

// latestOf returns the latest handoffs, one for each format, of the project that has the
// name or that the folder is in.
func (a *app) latestOf(name string) ([]index.Summary, error) {
	if dir, err := a.env.Folder(name); err == nil {
		if found, err := a.service.Latest(a.ctx, dir); err != nil || len(found) > 0 || name == "" {
			return found, err
		}
	}
	if err := a.open(); err != nil {
		return nil, err
	}
	found, err := a.service.LatestOf(a.ctx, name)
	if slices.ContainsFunc(found, func(h index.Summary) bool { return h.Root != found[0].Root }) {
		a.note("several projects are named " + name + "; showing the newest handoff, in " + found[0].Root)
	}
	return found, err
}
