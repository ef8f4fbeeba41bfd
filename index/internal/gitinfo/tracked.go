package gitinfo

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
)

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
