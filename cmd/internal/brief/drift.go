package brief

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/OWNER/handex/index"
)

// maxNamed is how many of the files that a handoff names are examined, tick how
// inexact the clock of a disk may be.
const (
	maxNamed = 40
	tick     = 2 * time.Second
)

// countChanges counts the commits, changed files and missing files in a work tree
// since the last handoff.
func (f *Facts) countChanges(ctx context.Context, here *index.WorkTree, getenv func(string) string) {
	last := f.Handoffs[0]
	at := writtenBefore(last)
	if n, ok := here.CommitsSince(ctx, at, getenv); ok {
		f.Commits = n
	}
	own := relative(here.Top, last.Path)
	for _, file := range last.Files[:min(len(last.Files), maxNamed)] {
		path, ok := inTree(here.Top, file.Path)
		if !ok || file.Action == "deleted" || path == own {
			continue
		}
		info, err := os.Lstat(filepath.Join(here.Top, filepath.FromSlash(path)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			f.Gone++
		case err == nil && info.Mode().IsRegular() && info.ModTime().After(at.Add(tick)):
			f.Changed++
		}
	}
}

// relative returns a path relative to a folder, or the path itself if it is outside.
func relative(top, path string) string {
	if rel, err := filepath.Rel(top, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// inTree returns a path from a handoff relative to the work tree. ok is false where the
// path need not be one of the work tree, as a name without a folder.
func inTree(top, path string) (rel string, ok bool) {
	path = strings.TrimPrefix(strings.TrimPrefix(path, top+string(filepath.Separator)), "./")
	if strings.ContainsAny(path, "*?{}<>|:\"\n\x00 ~") || !strings.Contains(path, "/") || strings.HasSuffix(path, "/") {
		return "", false
	}
	return path, filepath.IsLocal(filepath.FromSlash(path))
}

// writtenBefore returns a time by which a handoff was certainly written: if only the day
// is known, the file's time on that day or else the end of the day.
func writtenBefore(h *index.Handoff) time.Time {
	switch {
	case h.DatePrecision == "instant":
		return h.Date
	case !h.Updated.Before(h.Date) && h.Updated.Before(h.DateEnd):
		return h.Updated
	}
	return h.DateEnd
}
