package gitinfo

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
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

// CommitTimes returns for each path when its content in blobs was last committed. If the history is
// too long or git fails, contents that were not found until then have no time.
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

// logInput returns the input of git log: the commit to begin with, and the paths in want, or their
// folders if there are many.
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

// HeadMark returns a fingerprint that differs between checked-out commits. It is made without the
// commit's id, which can be in several places. It is "" if nothing is checked out.
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

// maxPathArgs is how many paths git is given as arguments; with more, it lists all files that it
// tracks.
const maxPathArgs = 50

// Tracked returns the ids of the contents that git's index has for some files, by their paths
// relative to Top with slashes. Paths that git does not track are missing. For a work tree without
// an index the result is nil, and git is not run. It may take logPatience.
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

// maxRaw bounds what git lists of the history of one repository.
const maxRaw = 1 << 30

// A Change is a content that a commit gave the file at Path, relative to the top of
// the work tree with slashes. At is the author's time.
type Change struct {
	Commit, Blob, Path string
	At                 time.Time
}

// EachChange calls do for every content that a commit of a repository gave a file with one of the
// extensions, newest first. It stops at the first error of do and returns it.
func EachChange(ctx context.Context, dir string, getenv Getenv, extensions []string, do func(Change) error) error {
	args := slices.Concat([]string{"log", "--all", "-m", "--diff-filter=AMT", "--format=%H %at"}, rawLog, []string{"--"})
	for _, ext := range extensions {
		args = append(args, ":(icase)*"+ext)
	}
	return git(ctx, dir, getenv, nil, func(out io.Reader) error {
		return readRawLog(out, maxRaw, func(c Change, words []string) error {
			if len(words) != 5 || !strings.HasPrefix(words[1], "100") || !isHash(words[3]) || c.Commit == "" {
				return nil
			}
			c.Blob = words[3]
			return do(c)
		})
	}, args...)
}

// ReadContents calls do for each of the contents blobs in the repository, with its index in blobs.
// Contents that are missing or larger than limit are left out. It stops at the first error of do
// and returns it.
func ReadContents(ctx context.Context, dir string, getenv Getenv, blobs []string, limit int64,
	do func(i int, raw []byte) error,
) error {
	list := strings.NewReader(strings.Join(blobs, "\n") + "\n")
	return git(ctx, dir, getenv, list, contents(blobs, limit, do), "cat-file", "--batch")
}

// contents returns a reader of the output of git cat-file --batch, which calls do as ReadContents
// does.
func contents(blobs []string, limit int64, do func(i int, raw []byte) error) reader {
	return func(out io.Reader) error {
		in := bufio.NewReaderSize(out, 1<<16)
		for i := range blobs {
			raw, err := readContent(in, limit)
			if err == nil && raw != nil {
				err = do(i, raw)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// readContent returns the content in the next record of git cat-file --batch. It is nil if it is
// larger than limit or there is no such content, as in a shallow or partial clone.
func readContent(in *bufio.Reader, limit int64) ([]byte, error) {
	header, err := in.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("git cat-file ended early: %w", err)
	}
	words := strings.Fields(header)
	if len(words) != 3 || words[1] != "blob" {
		return nil, nil
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil || size < 0 {
		return nil, fmt.Errorf("git cat-file returned %q", strings.TrimSpace(header))
	}
	if size > limit {
		_, err := io.CopyN(io.Discard, in, size+1)
		return nil, err
	}
	raw := make([]byte, size+1)
	if _, err := io.ReadFull(in, raw); err != nil {
		return nil, fmt.Errorf("git cat-file ended early: %w", err)
	}
	return raw[:size], nil
}

// rawLog makes git log write what readRawLog reads.
var rawLog = []string{
	"--raw", "-z", "--no-renames", "--no-abbrev", "--no-color", "--no-decorate", "--no-show-signature",
	"--no-ext-diff", "--no-textconv", "--no-relative", "--no-notes", "--ignore-submodules=all",
}

// readRawLog reads up to most bytes of the output of git log --raw -z and calls do for each changed
// file: with its commit and path, and the words before the path, which are modes, ids and a letter.
// It stops at the first error of do and returns it.
func readRawLog(out io.Reader, most int64, do func(c Change, words []string) error) error {
	in := splitAtNUL(io.LimitReader(out, most))
	var c Change
	for in.Scan() {
		token := strings.TrimPrefix(in.Text(), "\n")
		if !strings.HasPrefix(token, ":") {
			c.Commit, c.At = readHeader(token)
			continue
		}
		if !in.Scan() {
			break
		}
		c.Path = in.Text()
		if err := do(c, strings.Fields(token)); err != nil {
			return err
		}
	}
	return in.Err()
}

// maxTime is the year 10000: no date after it can be written.
const maxTime = 253402300800

// readHeader returns the id and time in a line of git log, "" if it is not such a line.
func readHeader(token string) (commit string, at time.Time) {
	commit, when, _ := strings.Cut(strings.TrimSpace(token), " ")
	seconds, err := strconv.ParseInt(when, 10, 64)
	if err != nil || !isHash(commit) {
		return "", time.Time{}
	}
	return commit, time.Unix(min(max(seconds, -maxTime), maxTime), 0).UTC()
}

// isHash reports whether a word is a full id of git.
func isHash(word string) bool {
	return (len(word) == 40 || len(word) == 64) && strings.Trim(word, "0123456789abcdef") == ""
}

// splitAtNUL returns a scanner of texts that are separated by NUL.
func splitAtNUL(out io.Reader) *bufio.Scanner {
	in := bufio.NewScanner(out)
	in.Buffer(nil, 1<<20)
	in.Split(func(data []byte, atEOF bool) (advance int, token []byte, err error) {
		if i := bytes.IndexByte(data, 0); i >= 0 {
			return i + 1, data[:i], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	return in
}
