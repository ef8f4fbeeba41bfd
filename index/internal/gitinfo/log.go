package gitinfo

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/index/internal/fsx"
)

const (
	// logPatience is how long git may take to list the commits of one repository,
	// maxHistory how much of its output is read.
	logPatience = 2 * time.Second
	maxHistory  = 64 << 20
	// maxLogPaths is how many files git is given by their own paths. It compares each
	// path with the names in each commit, so of many their folders are faster.
	maxLogPaths = 50
)

// CommitTimes returns when some contents, by the paths they are at, were committed
// last. Of a history that is too long, or that git fails on, it has what was
// read so far: the others have no time.
func (w *WorkTree) CommitTimes(ctx context.Context, blobs map[string]string, getenv Getenv) map[string]time.Time {
	ctx, stop := context.WithTimeout(ctx, logPatience)
	defer stop()
	want, times := maps.Clone(blobs), map[string]time.Time{}
	args := append([]string{"--literal-pathspecs", "log", "--stdin", "-c", "--format=%H %ct"}, rawLog...)
	// Where git fails or takes too long, the files keep their own times until another
	// commit is checked out: to ask again would cost each refresh as much.
	_ = git(ctx, w.Top, getenv, strings.NewReader(logInput(want)), func(out io.Reader) error {
		return readRawLog(out, maxHistory, func(c Change, words []string) error {
			if blob, ok := want[c.Path]; ok && len(words) > 2 && words[len(words)-2] == blob {
				times[c.Path] = c.At
				delete(want, c.Path)
			}
			if len(want) == 0 {
				return errEnough
			}
			return nil
		})
	}, args...)
	return times
}

// logInput names the commit to begin with, and the paths.
func logInput(want map[string]string) string {
	paths := map[string]bool{}
	for name := range want {
		if dir := path.Dir(name); len(want) > maxLogPaths && dir != "." {
			name = dir
		}
		paths[name] = true
	}
	return "HEAD\n--\n" + strings.Join(slices.Sorted(maps.Keys(paths)), "\n") + "\n"
}

// HeadMark differs between commits that are checked out. It is made without the
// commit's id, which can be in several places. It is empty where nothing is.
func (w *WorkTree) HeadMark() string {
	head, err := fsx.ReadHead(filepath.Join(w.private, "HEAD"), 1024)
	if err != nil {
		return ""
	}
	mark := string(head)
	add := func(dir, rel string) {
		st, _ := fsx.Follow(filepath.Join(dir, filepath.FromSlash(rel)))
		mark += fmt.Sprint("\n", st.Ino, st.Size, st.MtimeNS, st.CtimeNS)
	}
	add(w.common, "shallow") // a clone that gets more of its history
	ref, named := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: ")
	if named && filepath.IsLocal(filepath.FromSlash(ref)) {
		id, err := fsx.ReadHead(filepath.Join(w.common, filepath.FromSlash(ref)), 1024)
		if mark += "\n" + string(id); err != nil {
			add(w.common, "packed-refs")
			add(w.common, "reftable/tables.list")
			add(w.private, "reftable/tables.list")
		}
	}
	return fsx.HalfSum([]byte(mark))
}

// maxPathArgs is how many paths git is given as arguments; of more it lists all
// it tracks.
const maxPathArgs = 50

// Tracked returns the ids of the contents that git's index has of some files, by
// their paths relative to Top with slashes. Paths that git does not track are
// missing. A work tree without an index has none, and git is not run. It may take
// logPatience.
func (w *WorkTree) Tracked(ctx context.Context, paths map[string]bool, getenv Getenv) (map[string]string, error) {
	switch _, err := fsx.Lstat(filepath.Join(w.private, "index")); {
	case err != nil && fsx.Vanished(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	args := []string{"--literal-pathspecs", "ls-files", "--stage", "-z", "--"}
	if len(paths) <= maxPathArgs {
		for path := range paths {
			args = append(args, path)
		}
		slices.Sort(args[5:])
	}
	ctx, stop := context.WithTimeout(ctx, logPatience)
	defer stop()
	blobs := map[string]string{}
	err := git(ctx, w.Top, getenv, nil, func(out io.Reader) error {
		in := splitAtNUL(io.LimitReader(out, maxHistory))
		for in.Scan() {
			// <mode> <id> <stage>\t<path>
			head, path, ok := strings.Cut(in.Text(), "\t")
			words := strings.Fields(head)
			if !ok || len(words) != 3 {
				return fmt.Errorf("git ls-files: %q is not an entry", in.Text())
			}
			if paths[path] {
				blobs[path] = words[1]
			}
		}
		return in.Err()
	}, args...)
	return blobs, err
}
