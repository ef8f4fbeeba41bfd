package gitinfo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
)

// Repository returns the folder of the repository whose work tree dir is, "" if it is
// none. That is dir itself, save for a further work tree of a repository: then it is
// the main one, so that all work trees are one project. A submodule is a project of
// its own. The error is about a file of git's that could not be read.
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

// mainWorkTree follows a .git file to the main work tree of a linked one, as
// git does: gitdir names the private folder, commondir in it the shared one.
// The private folder must name the .git file in turn: a file that comes with a
// download cannot claim to be another project's work tree.
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

// FurtherWorkTrees lists the other work trees of the repository at dir, as it knows
// them.
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

// FolderIdentity names the folder at dir as the one it is, with the remotes of its
// repository; "" if there is none, or if git does not say which remotes there are. The
// time it was made at distinguishes it from a later one that has its number again. The
// number of its device, which is another one after the disk was mounted again, has to do
// where that time is not known.
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

// remotes returns what the configuration of the repository says of remotes, in its order.
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

// readLink reads a file of git's that contains a path after prefix; relative ones
// are relative to dir.
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

// IsBare reports whether a folder has what git keeps, and no work tree.
func IsBare(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := fsx.Lstat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}
