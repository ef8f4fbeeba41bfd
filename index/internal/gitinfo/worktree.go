package gitinfo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/index/internal/fsx"
)

// A WorkTree is the data that git keeps about a work tree, read without running git. Top is its
// folder, Branch is empty if none is checked out.
type WorkTree struct {
	Top, Branch string

	private string // what git keeps of this work tree
	common  string // what it shares with the others of the repository
}

// FindWorkTree returns the work tree of git that contains dir, an absolute path without links; nil
// if none does.
func FindWorkTree(dir string) *WorkTree {
	top, _ := FindTop(dir)
	if top == "" {
		return nil
	}
	return WorkTreeAt(top)
}

// WorkTreeAt returns the work tree at top, which FindTop found.
func WorkTreeAt(top string) *WorkTree {
	w := &WorkTree{Top: top, private: filepath.Join(top, ".git")}
	if st, err := fsx.Lstat(w.private); err == nil && st.Mode.IsRegular() {
		private, err := readLink(w.private, "gitdir: ", top)
		if err != nil {
			return w
		}
		w.private = private
	}
	w.common = w.private
	if common, err := readLink(filepath.Join(w.private, "commondir"), "", w.private); err == nil {
		w.common = common
	}
	if head, err := fsx.ReadHead(filepath.Join(w.private, "HEAD"), 1024); err == nil {
		branch, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
		if ok && plainName(branch) {
			w.Branch = branch
		}
	}
	return w
}

// IsFurther reports whether the work tree is not the main one of its repository.
func (w *WorkTree) IsFurther() bool { return w.private != w.common }

// InMain returns the path that corresponds, in the repository's main work tree, to dir, a folder of
// this one: all work trees are one project, and that is its place.
func (w *WorkTree) InMain(dir string) string {
	main, _ := Repository(w.Top)
	if main == "" || main == w.Top {
		return dir
	}
	rel, _ := fsx.Relative(dir, w.Top)
	return filepath.Join(main, filepath.FromSlash(rel))
}

// A Move is an entry of git's log of checked-out commits. Kind is the word with which git begins
// its message: commit, pull, merge, checkout, clone, ...
type Move struct {
	At     time.Time
	Before string // the commit that was checked out until then, zeros for none
	Commit string // where it led
	Kind   string // with what is in parentheses, as "commit (amend)"
	// Subject is the rest of the message: of a commit, its first line.
	Subject string
}

// maxMoves is how much of the end of such a log is read.
const maxMoves = 128 << 10

// Moves reads the log of the work tree, newest first, without entries older than since. whole says
// that the log goes back that far.
func (w *WorkTree) Moves(since time.Time) (list []Move, whole bool) {
	return readMoves(filepath.Join(w.private, "logs", "HEAD"), since)
}

// readMoves is Moves for the log file at the path log.
func readMoves(log string, since time.Time) (list []Move, whole bool) {
	tail, cut, err := fsx.ReadTail(log, maxMoves)
	if err != nil {
		return nil, false
	}
	lines := strings.Split(strings.TrimSuffix(string(tail), "\n"), "\n")
	if cut {
		lines = lines[1:]
	}
	for _, line := range slices.Backward(lines) {
		m, ok := readMove(line)
		switch {
		case !ok:
			return list, false
		case m.At.Before(since):
			return list, true
		}
		list = append(list, m)
	}
	return list, false
}

// readMove returns the move in a line "old new Name <mail> seconds zone\tmessage" of a log.
func readMove(line string) (Move, bool) {
	head, message, ok := strings.Cut(line, "\t")
	words := strings.Fields(head)
	if !ok || len(words) < 4 || !isHash(words[1]) {
		return Move{}, false
	}
	seconds, err := strconv.ParseInt(words[len(words)-2], 10, 64)
	kind, subject, _ := strings.Cut(message, ":")
	return Move{time.Unix(seconds, 0), words[0], words[1], kind, strings.TrimSpace(subject)}, err == nil
}

// ownMoves is how many commits made here are read, ownLogs from how many logs.
const (
	ownMoves = 1000
	ownLogs  = 200
)

// madeHere returns the commits that were made in the repository, each in a line with its
// predecessor, as git diff-tree reads them: those of all its work trees, and of branches whose work
// tree is gone.
func (w *WorkTree) madeHere() string {
	logs := []string{filepath.Join(w.common, "logs", "HEAD")}
	trees := filepath.Join(w.common, "worktrees")
	for _, name := range fsx.ListFolders(trees) {
		logs = append(logs, filepath.Join(trees, name, "logs", "HEAD"))
	}
	_ = filepath.WalkDir(filepath.Join(w.common, "logs", "refs", "heads"), func(path string, d fs.DirEntry,
		err error,
	) error {
		if err == nil && d.Type().IsRegular() {
			logs = append(logs, path)
		}
		if len(logs) >= ownLogs {
			return fs.SkipAll
		}
		return nil // what cannot be read shows nothing
	})
	var list strings.Builder
	seen := map[string]bool{}
	for _, log := range logs {
		moves, _ := readMoves(log, time.Time{})
		for _, m := range moves {
			isMade := m.Kind == "commit" || m.Kind == "commit (initial)" || m.Kind == "commit (amend)"
			if isMade && !seen[m.Commit] && len(seen) < ownMoves {
				seen[m.Commit] = true
				list.WriteString(m.Commit)
				if strings.Trim(m.Before, "0") != "" {
					list.WriteString(" " + m.Before)
				}
				list.WriteString("\n")
			}
		}
	}
	return list.String()
}

// maxLooseHeads is how many commits looseHeads returns.
const maxLooseHeads = 100

// looseHeads returns commits that may be on no branch, though git still names them: those that it
// fetched last, and the one that it left last.
func (w *WorkTree) looseHeads() []string {
	var ids []string
	for _, name := range []string{"ORIG_HEAD", "FETCH_HEAD"} {
		for _, dir := range []string{w.private, w.common} {
			text, _ := fsx.ReadHead(filepath.Join(dir, name), 64<<10)
			for line := range strings.Lines(string(text)) {
				id, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
				if isHash(id) && !slices.Contains(ids, id) && len(ids) < maxLooseHeads {
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}

// gitCount is how long git may take to count commits.
const gitCount = 200 * time.Millisecond

// CommitsSince returns how many commits since a time the checked-out commit includes, by their own
// dates. If the work tree's log shows it, git is not run. ok is false if it cannot be found out.
func (w *WorkTree) CommitsSince(ctx context.Context, since time.Time, getenv Getenv) (n int, ok bool) {
	moves, whole := w.Moves(since)
	plain := whole
	for _, m := range moves {
		plain = plain && m.Kind == "commit"
	}
	if plain {
		return len(moves), true
	}
	if _, err := fsx.Lstat(filepath.Join(w.common, "objects")); err != nil {
		return 0, false
	}
	ctx, stop := context.WithTimeout(ctx, gitCount)
	defer stop()
	word, err := gitText(ctx, w.Top, getenv, 32, "rev-list", "--count", "--since="+strconv.FormatInt(since.Unix(), 10),
		"HEAD", "--")
	if err == nil {
		n, err = strconv.Atoi(strings.TrimSpace(string(word)))
	}
	return n, err == nil
}

// Repository returns the folder of the repository whose work tree is dir, "" if dir is no work
// tree. That is dir itself or, for a further work tree, the main one, so that all work trees are
// one project. A submodule is a project of its own. The error is about a file of git that could not
// be read.
func Repository(dir string) (string, error) {
	mark := filepath.Join(dir, ".git")
	st, err := fsx.Lstat(mark)
	switch {
	case err != nil:
		return "", err
	case !st.Mode.IsRegular():
		return dir, nil
	}
	main, err := mainWorkTree(dir, mark)
	if err != nil {
		return dir, err
	}
	return main, nil
}

// mainWorkTree returns the main work tree of the work tree dir, whose .git is the file mark. It
// follows that file as git does: gitdir names the private folder, commondir in it the shared one.
// The private folder must name the .git file in turn: a file that comes with a download cannot
// claim to be another project's work tree. Then the result is dir.
func mainWorkTree(dir, mark string) (string, error) {
	private, err := readLink(mark, "gitdir: ", dir)
	if err != nil {
		return "", err
	}
	back, err := readLink(filepath.Join(private, "gitdir"), "", private)
	if err != nil {
		return "", err
	}
	if same, err := isSameFile(back, mark); !same {
		return dir, err
	}
	common, err := readLink(filepath.Join(private, "commondir"), "", private)
	if err != nil {
		return "", err
	}
	if same, err := isSameFile(filepath.Join(common, "worktrees"), filepath.Dir(private)); !same {
		return dir, err
	}
	if base := filepath.Base(common); base == ".git" || base == ".bare" {
		return filepath.Dir(common), nil
	}
	return common, nil
}

// FurtherWorkTrees returns the folders of the other work trees that are recorded in the repository
// at dir.
func FurtherWorkTrees(dir string) (trees []string) {
	private := filepath.Join(dir, ".git", "worktrees")
	for _, name := range fsx.ListFolders(private) {
		tree := filepath.Join(private, name)
		if mark, err := readLink(filepath.Join(tree, "gitdir"), "", tree); err == nil {
			trees = append(trees, filepath.Dir(mark))
		}
	}
	return trees
}

// FolderIdentity returns a fingerprint of the folder at dir and of the remotes of its repository,
// "" if there is no folder or the remotes cannot be read. It includes the time at which the folder
// was made, which distinguishes it from a later one with the same inode. If that time is unknown,
// it includes the device number instead, which changes when the disk is mounted again.
func FolderIdentity(ctx context.Context, dir string, getenv Getenv) string {
	st, err := fsx.Lstat(dir)
	if err != nil || !st.Mode.IsDir() {
		return ""
	}
	born := fsx.Born(dir)
	text := fmt.Sprintln(st.Ino, born)
	if born == 0 {
		text += fmt.Sprintln(st.Dev)
	}
	if top, _ := FindTop(dir); top != "" {
		remotes, err := WorkTreeAt(top).remotes(ctx, getenv)
		if err != nil {
			return ""
		}
		text += string(remotes)
	}
	return fsx.HalfSum([]byte(text))
}

// remotes returns git's list of the remotes in the configuration of the repository, in its order.
func (w *WorkTree) remotes(ctx context.Context, getenv Getenv) (list []byte, err error) {
	_, err = fsx.Lstat(filepath.Join(w.common, "config"))
	if w.common != "" && err != nil && fsx.Vanished(err) {
		return nil, nil
	}
	ctx, stop := context.WithTimeout(ctx, ownPatience)
	defer stop()
	list, err = gitText(ctx, w.Top, getenv, 1<<20, "config", "--local", "--null", "--get-regexp", `^remote\..*\.url$`)
	status, isStatus := errors.AsType[*exec.ExitError](err)
	if isStatus && status.ExitCode() == 1 && len(list) == 0 {
		return nil, nil // it is an error of git's that there are none
	}
	return list, err
}

// readLink returns the path that a file of git contains after prefix; a relative one is relative to
// dir.
func readLink(path, prefix, dir string) (string, error) {
	data, err := fsx.ReadHead(path, 8192)
	if err != nil {
		return "", err
	}
	line, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), prefix)
	if !ok || line == "" || strings.ContainsAny(line, "\x00\n") {
		return "", fmt.Errorf("%s contains no path", path)
	}
	if line = filepath.FromSlash(line); !filepath.IsAbs(line) {
		line = filepath.Join(dir, line)
	}
	return filepath.Clean(line), nil
}

// isSameFile reports whether the paths a and b are the same file.
func isSameFile(a, b string) (bool, error) {
	if a == b {
		return true, nil
	}
	x, err := os.Lstat(a)
	if err != nil {
		return false, err
	}
	y, err := os.Lstat(b)
	return err == nil && os.SameFile(x, y), err
}

// IsBare reports whether a folder looks like a bare repository of git.
func IsBare(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := fsx.Lstat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}
