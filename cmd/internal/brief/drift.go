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

// drift looks how far the work tree has moved since a handoff.
func (g *gatherer) drift(ctx context.Context, h *index.Handoff, o Options) Drift {
	var d Drift
	at := since(h)
	if g.here == nil {
		return d
	}
	d.Commits, d.Known = g.here.CommitsSince(ctx, at, o.Getenv)
	own := g.relative(h.Path)
	for _, f := range h.Files {
		path, ok := named(g.top, f.Path)
		if !ok || f.Action == "deleted" || path == own {
			continue
		}
		if d.Named++; d.Named > maxNamed {
			break
		}
		info, err := os.Lstat(filepath.Join(g.top, filepath.FromSlash(path)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			d.Gone = append(d.Gone, path)
		case err == nil && info.Mode().IsRegular() && info.ModTime().After(at.Add(tick)):
			d.Changed = append(d.Changed, path)
		}
	}
	return d
}

// named is a path of a handoff as one in the work tree, if it can be one: with
// a folder, so that a bare name that stands elsewhere is not taken for gone.
func named(top, path string) (rel string, ok bool) {
	path = strings.TrimPrefix(strings.TrimPrefix(path, top+string(filepath.Separator)), "./")
	if strings.ContainsAny(path, "*?{}<>|:\"\n\x00 ~") || !strings.Contains(path, "/") || strings.HasSuffix(path, "/") {
		return "", false
	}
	return path, filepath.IsLocal(filepath.FromSlash(path))
}
