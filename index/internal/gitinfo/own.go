package gitinfo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/index/internal/fsx"
)

// An Own is a bare repository of handex's own, in which git may use the network. No hook runs,
// nobody is asked at a terminal, and only the configuration of the user and the system counts. One
// process at a time may use it.
type Own struct {
	Dir    string
	Getenv Getenv
}

// ErrTooMuch says that a transfer was larger than allowed.
var ErrTooMuch = errors.New("it is larger than the limit for one member")

// Prepare makes the repository unless it exists, and removes what killed runs of git left in it.
func (r *Own) Prepare(ctx context.Context) error {
	if err := fsx.MakePrivate(r.Dir); err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(r.Dir, "HEAD")); err != nil {
		// Without a template there are no hooks.
		return r.Run(ctx, nil, nil, "init", "--quiet", "--bare", "--template=")
	}
	return r.clean(ctx)
}

// lockAge is how old a lock of git must be before it counts as left behind: the git of a run that
// was killed can live a moment longer.
const lockAge = 3 * time.Second

// clean removes locks and parts of packs that killed runs of git left in the repository. It waits
// until a lock is old enough.
func (r *Own) clean(ctx context.Context) error {
	return filepath.WalkDir(r.Dir, func(path string, d os.DirEntry, err error) error {
		name := filepath.Base(path)
		isLock := strings.HasSuffix(name, ".lock")
		isPart := strings.HasPrefix(name, "tmp_") || strings.HasPrefix(name, "fast_import_crash_")
		if err != nil || d.IsDir() || !isLock && !isPart {
			return nil //nolint:nilerr // what is gone needs no removal
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // as above
		}
		if age := time.Since(info.ModTime()); isLock && age >= 0 && age < lockAge {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(lockAge - age):
			}
		}
		if err := os.Remove(path); err != nil && !fsx.Vanished(err) {
			return err
		}
		return nil
	})
}

// Run runs git in the repository, without the network. in is git's input and read reads its output;
// both may be nil.
func (r *Own) Run(ctx context.Context, in io.Reader, read reader, args ...string) error {
	return git(ctx, r.Dir, r.Getenv, in, read, append([]string{gitDir}, args...)...)
}

// Contents calls do for each of the contents blobs in the repository, with its index in blobs.
// Contents that are missing or larger than limit are left out. It stops at the first error of do
// and returns it.
func (r *Own) Contents(ctx context.Context, blobs []string, limit int64, do func(i int, raw []byte) error) error {
	if len(blobs) == 0 {
		return nil
	}
	list := strings.NewReader(strings.Join(blobs, "\n") + "\n")
	return r.Run(ctx, list, contents(blobs, limit, do), "cat-file", "--batch")
}

// A Blob is the content of a file.
type Blob struct {
	ID   string
	Size int64
}

// Files returns the regular files of a commit that are not executable, by their paths. If the
// commit has more than most entries, the error is ErrTooMuch.
func (r *Own) Files(ctx context.Context, commit string, most int) (map[string]Blob, error) {
	files := map[string]Blob{}
	err := r.Run(ctx, nil, func(out io.Reader) error {
		in := splitAtNUL(out)
		for n := 0; in.Scan(); n++ {
			if n == most {
				return fmt.Errorf("%w: it has more than %d files", ErrTooMuch, most)
			}
			// <mode> blob <id> <size>\t<path>
			head, path, _ := strings.Cut(in.Text(), "\t")
			if words := strings.Fields(head); len(words) == 4 && words[0] == "100644" {
				size, err := strconv.ParseInt(words[3], 10, 64)
				if err != nil {
					return err
				}
				files[path] = Blob{words[2], size}
			}
		}
		if errors.Is(in.Err(), bufio.ErrTooLong) {
			return fmt.Errorf("%w: it has a path longer than 1 MiB", ErrTooMuch)
		}
		return in.Err()
	}, "ls-tree", "-r", "-l", "-z", "--full-tree", commit)
	return files, err
}

// Network runs a git command that talks to the remote at url. read reads its output. If the
// repository grows by more than most bytes, it is stopped with ErrTooMuch; 0 is no limit.
func (r *Own) Network(ctx context.Context, most int64, read reader, command, url string, args ...string) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if most > 0 {
		go r.limit(ctx, most, stop)
	}
	env := append(gitEnv(r.Dir, r.Getenv), r.networkEnv()...)
	options := []string{
		"-c", "core.askPass=", "-c", "http.lowSpeedLimit=100", "-c", "http.lowSpeedTime=20", "-c", "push.gpgSign=false",
		"-c", "fetch.fsckObjects=false", "-c", "core.bigFileThreshold=8m", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
		"-c", "push.followTags=false", "-c", "fetch.writeCommitGraph=false",
	}
	args = slices.Concat(gitSafe, options, []string{gitDir, command}, besides(command, url), args)
	err := runGit(ctx, r.Dir, env, nil, read, args)
	if cause := context.Cause(ctx); errors.Is(cause, ErrTooMuch) {
		return cause
	}
	return err
}

// besides returns the option of command that keeps a remote repository on this machine from running
// programs, because its hooks would run as the user. For other remotes it returns nil.
func besides(command, url string) []string {
	if !strings.HasPrefix(url, "file:") && !filepath.IsAbs(url) {
		return nil
	}
	safe := "git -c core.hooksPath=/dev/null -c core.fsmonitor= -c core.alternateRefsCommand= -c gc.auto=0 "
	if command == "push" {
		return []string{"--receive-pack=" + safe + "receive-pack"}
	}
	return []string{"--upload-pack=" + safe + "upload-pack"}
}

// gitDir is the option that names the repository: a user can forbid git to find bare ones by
// itself.
const gitDir = "--git-dir=."

// networkEnv returns the additional environment with which git reaches a remote as the user does,
// without asking anything.
func (r *Own) networkEnv() []string {
	// ssh would ask at the terminal, whatever its input is: an answer of false is none.
	env := []string{"GIT_ALLOW_PROTOCOL=file:http:https:ssh", "SSH_ASKPASS=false", "SSH_ASKPASS_REQUIRE=force"}
	for _, name := range []string{
		"USER", "LOGNAME", "SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND", "SSH_AGENT_PID",
		"XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "APPDATA",
		"LOCALAPPDATA", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy",
		"no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM",
	} {
		if value := r.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// UserName returns the user's name in the configuration of git, "" if there is none.
func (r *Own) UserName(ctx context.Context) string {
	name, err := gitText(ctx, filepath.Dir(r.Dir), r.Getenv, 1024, "config", "--global", "--get", "user.name")
	if err != nil {
		return "" // git says by an error that there is none
	}
	return string(name)
}

// limit calls stop with ErrTooMuch when the packs have grown by more than most bytes. It returns
// when ctx ends.
func (r *Own) limit(ctx context.Context, most int64, stop context.CancelCauseFunc) {
	dir := filepath.Join(r.Dir, "objects", "pack")
	before := sizeOf(dir)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if sizeOf(dir)-before > most {
				stop(ErrTooMuch)
			}
		}
	}
}

// sizeOf returns the total size of the files in a folder.
func sizeOf(dir string) (n int64) {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			n += info.Size()
		}
	}
	return n
}

// A Remote is a remote in the configuration of a repository.
type Remote struct{ Name, URL string }

// Remotes returns the remotes of a work tree in the order of its configuration. Their URLs are as
// written there.
func (w *WorkTree) Remotes(ctx context.Context, getenv Getenv) ([]Remote, error) {
	text, err := w.remotes(ctx, getenv)
	var list []Remote
	for entry := range strings.SplitSeq(string(text), "\x00") {
		key, url, ok := strings.Cut(entry, "\n")
		name := strings.TrimSuffix(strings.TrimPrefix(key, "remote."), ".url")
		isNew := !slices.ContainsFunc(list, func(r Remote) bool { return r.Name == name })
		if ok && isNew {
			list = append(list, Remote{name, url})
		}
	}
	return list, err
}

// A HeadLog is the history of the commits that were checked out in a work tree.
type HeadLog struct {
	branch string
	moves  []Move
}

// HeadLog reads git's log of checked-out commits. It is empty if there is none.
func (w *WorkTree) HeadLog() *HeadLog {
	moves, _ := w.Moves(time.Time{})
	return &HeadLog{w.Branch, moves}
}

// At returns the commit that was checked out at a time, and the branch if it is the current one;
// each is "" if the log does not show it.
func (l *HeadLog) At(at time.Time) (commit, branch string) {
	branch = l.branch
	for _, m := range l.moves {
		if !m.At.After(at) {
			return m.Commit, branch
		}
		if m.Kind == "checkout" {
			branch = ""
		}
	}
	return "", ""
}
