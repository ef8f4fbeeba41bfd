package index

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"handex/index/internal/fsx"
	"handex/index/internal/store"
)

// ErrNoArchive says that earlier versions have no place to be kept.
var ErrNoArchive = errors.New("no earlier versions are kept")

// GitOptions says how versions are taken from git. Getenv is os.Getenv or alike;
// Known and Home are those of RefreshOptions.
type GitOptions struct {
	Getenv func(string) string
	Known  []string
	Home   string
}

// GitReport counts what was taken from git: Versions are contents of handoffs in
// the history of the repositories, New those that the archive did not have.
// Troubles are repositories that could not be read, as a whole or in part.
type GitReport struct {
	Repositories, Versions, New int
	Troubles                    []Trouble
}

// TakeGit puts into the archive what the handoffs of the roots said in any commit
// of the repositories that the roots lie in or hold. The next Refresh indexes it.
// Git is only asked to read. The error is that of ctx, or wraps ErrNoArchive; what
// is wrong with a repository is in the report.
func (s *Store) TakeGit(ctx context.Context, roots []Root, o GitOptions) (GitReport, error) {
	if s.opt.Archive.Dir == "" || s.opt.ReadOnly {
		return GitReport{}, &store.Error{Op: "take versions from git", Path: s.opt.Archive.Dir, Err: ErrNoArchive}
	}
	repos, dirs, troubles := repositories(ctx, roots)
	t := &taker{
		s: s, o: o, roots: roots, worktrees: dirs, archive: newArchive(s.opt.Archive, s.opt.Now),
		loader: newLoader(s.opt.Now(), s.opt.Zone, RefreshOptions{Known: o.Known, Home: o.Home}), paths: map[string]*gitPath{},
	}
	t.report.Troubles = troubles
	for _, repo := range repos {
		if err := t.repository(ctx, repo); err != nil {
			t.trouble(repo, err.Error())
		}
		if _, err := fsx.Lstat(filepath.Join(repo.main, ".git", "shallow")); err == nil {
			t.trouble(repo, "a shallow clone: older commits are not in it")
		}
		if ctx.Err() != nil {
			return t.report, ctx.Err()
		}
	}
	t.report.Repositories = len(repos)
	if err := t.archive.sync(); err != nil {
		t.report.Troubles = append(t.report.Troubles, Trouble{s.opt.Archive.Dir, "earlier versions are not kept: " + fsx.Reason(err)})
	}
	return t.report, nil
}

func (t *taker) trouble(repo gitRepo, reason string) {
	t.report.Troubles = append(t.report.Troubles, Trouble{repo.dir, reason})
}

// A taker is one run of TakeGit.
type taker struct {
	s         *Store
	o         GitOptions
	roots     []Root
	worktrees map[string]bool
	archive   *archive
	loader    *loader
	paths     map[string]*gitPath
	bytes     int64
	report    GitReport
}

// A gitPath is what the rules say of a path that was in a repository.
type gitPath struct {
	root    *Root // nil: it is no handoff
	need    need
	project Project
}

// A blob is a content in the history of a repository, with the commit it came by.
type blob struct {
	id, path string // path is absolute
	commit   string
	at       time.Time // the author's
}

const (
	maxBlobs = 100_000
	// maxRaw bounds what git lists of one repository.
	maxRaw = 1 << 30
)

// repository takes what one repository has.
func (t *taker) repository(ctx context.Context, repo gitRepo) error {
	list, err := t.blobs(ctx, repo)
	if err != nil || len(list) == 0 {
		return err
	}
	var want bytes.Buffer
	for _, b := range list {
		want.WriteString(b.id + "\n")
	}
	return git(ctx, repo.dir, t.o.Getenv, &want, func(out io.Reader) error {
		in := bufio.NewReaderSize(out, 1<<16)
		for _, b := range list {
			if err := t.take(in, repo, b); err != nil {
				return err
			}
		}
		return nil
	}, "cat-file", "--batch")
}

// blobs lists the contents of handoffs in the history, newest first.
func (t *taker) blobs(ctx context.Context, repo gitRepo) ([]*blob, error) {
	args := slices.Concat([]string{"log", "--all", "-m", "--diff-filter=AMT", "--format=%H %at"}, rawLog, []string{"--"})
	for _, ext := range []string{"md", "markdown", "yaml", "yml", "xml", "json", "txt", "tmp"} {
		args = append(args, ":(icase)*."+ext)
	}
	var list []*blob
	err := git(ctx, repo.dir, t.o.Getenv, nil, func(out io.Reader) (err error) {
		list, err = t.readLog(out, repo)
		return err
	}, args...)
	return list, err
}

// rawLog makes git log write what eachChange reads.
var rawLog = []string{
	"--raw", "-z", "--no-renames", "--no-abbrev", "--no-color", "--no-decorate", "--no-show-signature",
	"--no-ext-diff", "--no-textconv", "--no-relative", "--no-notes", "--ignore-submodules=all",
}

// eachChange reads at most so many bytes of what git log --raw -z writes: for each
// commit a header, and for each file colons, modes, ids and letters, then its path.
// It ends with the first error of change.
func eachChange(out io.Reader, most int64, header func(string), change func(words []string, path string) error) error {
	in := bufio.NewScanner(io.LimitReader(out, most))
	in.Buffer(nil, 1<<20)
	in.Split(splitNUL)
	for in.Scan() {
		token := strings.TrimPrefix(in.Text(), "\n")
		if !strings.HasPrefix(token, ":") {
			header(token)
			continue
		}
		if !in.Scan() {
			break
		}
		if err := change(strings.Fields(token), in.Text()); err != nil {
			return err
		}
	}
	return in.Err()
}

// readLog lists the contents of handoffs that git log names.
func (t *taker) readLog(out io.Reader, repo gitRepo) ([]*blob, error) {
	var list []*blob
	seen := map[string]*blob{}
	var commit string
	var at time.Time
	header := func(token string) { commit, at = gitHeader(token) }
	err := eachChange(out, maxRaw, header, func(words []string, name string) error {
		if len(words) != 5 || !strings.HasPrefix(words[1], "100") || !isHash(words[3]) || commit == "" {
			return nil
		}
		path, ok := t.within(repo, name)
		if !ok {
			return nil
		}
		b := seen[words[3]+" "+path]
		if b == nil {
			if len(list) == maxBlobs {
				return fmt.Errorf("more than %d versions of handoffs: the oldest are left out", maxBlobs)
			}
			b = &blob{id: words[3], path: path}
			seen[b.id+" "+path] = b
			list = append(list, b)
		}
		b.commit, b.at = commit, at // of several the last, which is the first that had it
		return nil
	})
	return list, err
}

func gitHeader(token string) (commit string, at time.Time) {
	commit, when, _ := strings.Cut(strings.TrimSpace(token), " ")
	seconds, err := strconv.ParseInt(when, 10, 64)
	if err != nil || !isHash(commit) {
		return "", time.Time{}
	}
	return commit, time.Unix(min(max(seconds, -maxIDTime), maxIDTime), 0).UTC()
}

// isHash reports whether a word is an id of git's.
func isHash(word string) bool {
	return (len(word) == 40 || len(word) == 64) && strings.Trim(word, "0123456789abcdef") == ""
}

// within is where a path of the repository is on disk, if it is a handoff there.
func (t *taker) within(repo gitRepo, rel string) (path string, ok bool) {
	if !filepath.IsLocal(filepath.FromSlash(rel)) || strings.ContainsAny(rel, "\x00\n") {
		return "", false
	}
	path = filepath.Join(repo.dir, filepath.FromSlash(rel))
	known, ok := t.paths[path]
	if !ok {
		known = t.judge(path)
		t.paths[path] = known
	}
	return path, known.root != nil
}

// judge asks the rules of the roots. The disk is asked only for repositories, as
// the folders may be gone.
func (t *taker) judge(path string) *gitPath {
	for i, root := range t.roots {
		rel, inside := fsx.Relative(path, root.Path)
		if !inside {
			continue
		}
		v := verdictOn(rel, root, func(dir string) func(string) bool {
			return func(name string) bool {
				return name == ".git" && t.worktrees[filepath.Join(root.Path, filepath.FromSlash(dir))]
			}
		})
		if v.ok {
			return &gitPath{root: &t.roots[i], need: v.need, project: t.loader.projects.Of(path, root.Path)}
		}
	}
	return &gitPath{}
}

// take reads one answer of git cat-file --batch and keeps it.
func (t *taker) take(in *bufio.Reader, repo gitRepo, b *blob) error {
	header, err := in.ReadString('\n')
	if err != nil {
		return fmt.Errorf("git cat-file ended early: %w", err)
	}
	words := strings.Fields(header)
	if len(words) != 3 || words[1] != "blob" {
		return nil // a shallow or partial clone lacks it
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil || size < 0 {
		return fmt.Errorf("git cat-file answered %q", strings.TrimSpace(header))
	}
	if size > maxFile {
		_, err := io.CopyN(io.Discard, in, size+1)
		return err
	}
	raw := make([]byte, size+1)
	if _, err := io.ReadFull(in, raw); err != nil {
		return fmt.Errorf("git cat-file ended early: %w", err)
	}
	return t.keep(repo, b, raw[:size])
}

// keep puts a content into the archive, as far as that may grow.
func (t *taker) keep(repo gitRepo, b *blob, raw []byte) error {
	p := t.paths[b.path]
	if len(bytes.TrimSpace(raw)) == 0 || !p.need.fits(raw[:min(len(raw), headSize)]) {
		return nil
	}
	if t.bytes += int64(len(raw)); t.archive.MaxBytes > 0 && t.bytes > t.archive.MaxBytes {
		return fmt.Errorf("more than the archive may hold (%d bytes): the oldest versions are left out", t.archive.MaxBytes)
	}
	t.report.Versions++
	about := sidecarOf(b.path, *p.root, p.project, 0)
	about.Written, about.Repository, about.Commit = b.at, repo.dir, b.commit
	if t.archive.keep(about, raw, false) {
		t.report.New++
	}
	return nil
}

// splitNUL cuts at NULs.
func splitNUL(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
