package brief

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"handex/index"
)

// maxNamed is how many of the files a handoff names are looked at, tick how far
// the clock of a disk may be off.
const (
	maxNamed = 40
	tick     = 2 * time.Second
)

// driftSince looks how far a work tree has moved since a handoff.
func driftSince(ctx context.Context, h *index.Handoff, here *index.WorkTree, getenv func(string) string) (d Drift) {
	at := writtenBefore(h)
	d.Commits, d.Known = here.CommitsSince(ctx, at, getenv)
	own := relative(here.Top, h.Path)
	for _, f := range h.Files[:min(len(h.Files), maxNamed)] {
		path, ok := inTree(here.Top, f.Path)
		if !ok || f.Action == "deleted" || path == own {
			continue
		}
		info, err := os.Lstat(filepath.Join(here.Top, filepath.FromSlash(path)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			d.Gone++
		case err == nil && info.Mode().IsRegular() && info.ModTime().After(at.Add(tick)):
			d.Changed++
		}
	}
	return d
}

// relative returns a path as one in a folder, if it is in it.
func relative(top, path string) string {
	if rel, err := filepath.Rel(top, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// inTree returns a path that a handoff names as one in the work tree, if it can be
// one: with a folder, so that a bare name that stands elsewhere does not count as gone.
func inTree(top, path string) (rel string, ok bool) {
	path = strings.TrimPrefix(strings.TrimPrefix(path, top+string(filepath.Separator)), "./")
	if strings.ContainsAny(path, "*?{}<>|:\"\n\x00 ~") || !strings.Contains(path, "/") || strings.HasSuffix(path, "/") {
		return "", false
	}
	return path, filepath.IsLocal(filepath.FromSlash(path))
}

// writtenBefore returns a time at which a handoff was surely written: the end of its
// day where only that is known, unless the file's time lies in it.
func writtenBefore(h *index.Handoff) time.Time {
	switch {
	case h.DatePrecision == "instant":
		return h.Date
	case !h.Updated.Before(h.Date) && h.Updated.Before(h.DateEnd):
		return h.Updated
	}
	return h.DateEnd
}
