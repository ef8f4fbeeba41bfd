package gitinfo

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha1" //nolint:gosec // git's names of contents
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"handex/index/internal/fsx"
)

// ownMoves is how many of the newest commits made here are looked at, and
// ownPatience how long git may take for it.
const (
	ownMoves    = 500
	ownPatience = 500 * time.Millisecond
)

// A File is a content whose origin is asked for: of the file at Path, or, if Copy is
// not empty, one that was at Path and is kept as Copy.
type File struct {
	ID, Path, Copy string
}

// Foreign returns, by their ids, which files came to this machine with a repository:
// git tracks them, nobody has changed them here, and no commit that was made here
// holds their content. Who made a commit is not asked of the commit, which anybody can
// write, but of the log of the work tree, which is never cloned. What cannot be found
// out counts as foreign.
func Foreign(ctx context.Context, files []File, getenv func(string) string) map[string]bool {
	tops := map[string]string{} // by folder
	byTop := map[string][]File{}
	for _, f := range files {
		dir := filepath.Dir(f.Path)
		top, known := tops[dir]
		if !known {
			top, _ = FindTop(dir)
			tops[dir] = top
		}
		if top != "" {
			byTop[top] = append(byTop[top], f)
		}
	}
	foreign := map[string]bool{}
	for top, list := range byTop {
		WorkTreeAt(top).foreign(ctx, list, getenv, foreign)
	}
	return foreign
}

// foreign adds the files of a work tree that are foreign.
func (w *WorkTree) foreign(ctx context.Context, list []File, getenv func(string) string, foreign map[string]bool) {
	wanted := map[string]bool{}
	for _, f := range list {
		wanted[w.rel(f)] = true
	}
	known, err := w.Tracked(ctx, ownPatience, wanted, getenv)
	if err != nil {
		for _, f := range list {
			foreign[f.ID] = true
		}
		return
	}
	blobs := map[string]bool{} // whether a commit made here brought it
	of := map[string]string{}
	for _, f := range list {
		blob, ok := known[w.rel(f)]
		if !ok {
			continue
		}
		data, err := fsx.ReadHead(cmp.Or(f.Copy, f.Path), fsx.MaxFile)
		switch {
		case f.Copy != "":
			blob = blobOf(data) // what cannot be read has a hash that nothing has
		case err == nil && !IsContent(data, blob):
			continue // changed here
		}
		foreign[f.ID], blobs[blob], of[f.ID] = true, false, blob
	}
	if len(blobs) == 0 || w.findOwn(ctx, blobs, getenv) != nil {
		return
	}
	for id, blob := range of {
		if blobs[blob] {
			delete(foreign, id)
		}
	}
}

// rel returns the path of a file relative to the top.
func (w *WorkTree) rel(f File) string {
	rel, _ := fsx.Relative(f.Path, w.Top)
	return rel
}

// IsContent reports whether git would name a text so, or name it so after making
// its line ends the ones it keeps.
func IsContent(raw []byte, blob string) bool {
	return blobOf(raw) == blob || blobOf(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))) == blob
}

func blobOf(data []byte) string {
	h := sha1.New() //nolint:gosec // git's names of contents
	_, _ = fmt.Fprintf(h, "blob %d\x00", len(data))
	_, _ = h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// findOwn sets those of the blobs to true that a commit made on this machine brought,
// in whichever work tree of the repository.
func (w *WorkTree) findOwn(ctx context.Context, blobs map[string]bool, getenv func(string) string) error {
	var moves []Move
	for _, tree := range w.all() {
		list, _ := tree.Moves(time.Time{})
		moves = append(moves, list...)
	}
	slices.SortStableFunc(moves, func(a, b Move) int { return b.At.Compare(a.At) })
	var in strings.Builder
	n := 0
	for _, m := range moves {
		if made := m.Kind == "commit" || m.Kind == "commit (initial)" || m.Kind == "commit (amend)"; made && n < ownMoves {
			n++
			in.WriteString(m.Commit + "\n")
		}
	}
	if n == 0 {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, ownPatience)
	defer stop()
	// A commit that is gone since fails all of it unless it is passed over.
	return git(ctx, w.Top, getenv, strings.NewReader(in.String()), func(out io.Reader) error {
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			// :100644 100644 <old> <new> M<tab>path
			if words := strings.Fields(lines.Text()); len(words) > 4 && strings.HasPrefix(words[0], ":") {
				if _, wanted := blobs[words[3]]; wanted {
					blobs[words[3]] = true
				}
			}
		}
		return lines.Err()
	}, "log", "--stdin", "--no-walk=unsorted", "--ignore-missing", "--raw", "--no-abbrev", "--no-renames", "--format=")
}
