package index

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha1" //nolint:gosec // git's names of contents
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"handex/index/internal/fsx"
	"handex/index/internal/store"
)

// ownMoves is how many of the newest commits made here are looked at, and
// ownPatience how long git may take for it.
const (
	ownMoves    = 500
	ownPatience = 500 * time.Millisecond
)

// Foreign answers, by their ids, which handoffs came to this machine with a
// repository: git tracks their files, nobody has changed them here, and no commit
// that was made here holds what they say. Who made a commit is not asked of the
// commit, which anybody can write, but of the log of the work tree, which is never
// cloned. What cannot be found out counts as foreign.
func Foreign(ctx context.Context, handoffs []store.Summary, getenv func(string) string) map[string]bool {
	foreign := map[string]bool{}
	for top, list := range byWorkTree(handoffs) {
		FindWorkTree(top).foreign(ctx, list, getenv, foreign)
	}
	return foreign
}

// An inTree is a handoff with its file's path in a work tree.
type inTree struct {
	*store.Summary
	rel string
}

// byWorkTree groups handoffs by the top of the work tree their files lie in, or
// lay in; others are left out.
func byWorkTree(handoffs []store.Summary) map[string][]inTree {
	tops := map[string]string{}
	files := map[string][]inTree{}
	for i := range handoffs {
		path := cmp.Or(handoffs[i].VersionOf, handoffs[i].Path)
		dir := filepath.Dir(path)
		if _, known := tops[dir]; !known {
			tops[dir] = workTree(dir)
		}
		top := tops[dir]
		if rel, inside := fsx.Relative(path, top); top != "" && inside {
			files[top] = append(files[top], inTree{&handoffs[i], rel})
		}
	}
	return files
}

// foreign adds those of a work tree.
func (w *WorkTree) foreign(ctx context.Context, list []inTree, getenv func(string) string, foreign map[string]bool) {
	wanted := map[string]bool{}
	for _, h := range list {
		wanted[h.rel] = true
	}
	known, err := w.tracked(ctx, ownPatience, wanted, getenv)
	if err != nil {
		for _, h := range list {
			foreign[h.ID] = true
		}
		return
	}
	blobs := map[string]bool{}
	of := map[string]string{}
	for _, h := range list {
		blob, ok := known[h.rel]
		if !ok || h.VersionOf == "" && changedHere(h.Path, blob) {
			continue
		}
		if h.VersionOf != "" {
			data, _ := fsx.ReadHead(h.Path, maxFile) // what cannot be read has a hash that nothing has
			blob = blobOf(data)
		}
		foreign[h.ID], blobs[blob], of[h.ID] = true, false, blob
	}
	if len(blobs) == 0 || w.madeHere(ctx, blobs, getenv) != nil {
		return
	}
	for id, blob := range of {
		if blobs[blob] {
			delete(foreign, id)
		}
	}
}

// changedHere reports whether a file holds something else than git put there;
// other line ends can come of git itself.
func changedHere(path, blob string) bool {
	st, err := fsx.Lstat(path)
	if err != nil || !st.Mode.IsRegular() {
		return false
	}
	data, err := fsx.ReadHead(path, maxFile)
	return err == nil && !isContent(data, blob)
}

func blobOf(data []byte) string {
	h := sha1.New() //nolint:gosec // git's names of contents
	_, _ = fmt.Fprintf(h, "blob %d\x00", len(data))
	_, _ = h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// madeHere sets those of the blobs to true that a commit made on this machine
// brought.
func (w *WorkTree) madeHere(ctx context.Context, blobs map[string]bool, getenv func(string) string) error {
	var in strings.Builder
	moves, _ := w.Moves(time.Time{})
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
