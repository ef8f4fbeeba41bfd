package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"handex/index/internal/discover"
	"handex/index/internal/fsx"
	"handex/index/internal/gitinfo"
	"handex/index/internal/project"
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
	Troubles                    []discover.Trouble
}

// TakeGit puts into the archive what the handoffs of the roots said in any commit
// of the repositories that the roots lie in or hold. The next Refresh indexes it.
// Git is only asked to read. The error is that of ctx, or wraps ErrNoArchive; what
// is wrong with a repository is in the report.
func (s *Store) TakeGit(ctx context.Context, roots []discover.Root, o GitOptions) (GitReport, error) {
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
		t.report.Troubles = append(t.report.Troubles, discover.Trouble{Path: s.opt.Archive.Dir, Reason: "earlier versions are not kept: " + fsx.Reason(err)})
	}
	return t.report, nil
}

func (t *taker) trouble(repo gitRepo, reason string) {
	t.report.Troubles = append(t.report.Troubles, discover.Trouble{Path: repo.dir, Reason: reason})
}

// A taker is one run of TakeGit.
type taker struct {
	s         *Store
	o         GitOptions
	roots     []discover.Root
	worktrees map[string]bool
	archive   *archive
	loader    *loader
	paths     map[string]*gitPath
	bytes     int64
	report    GitReport
}

// A gitPath is what the rules say of a path that was in a repository.
type gitPath struct {
	root    *discover.Root // nil: it is no handoff
	fits    func(text []byte) bool
	project project.Project
}

// A gitContent is a content in the history of a repository, with the first commit
// that had it and the author's time.
type gitContent struct {
	gitinfo.Change
	path string // absolute
}

// maxContents bounds what is taken from one repository.
const maxContents = 100_000

// repository takes what one repository has.
func (t *taker) repository(ctx context.Context, repo gitRepo) error {
	list, err := t.contents(ctx, repo)
	if err != nil || len(list) == 0 {
		return err
	}
	blobs := make([]string, len(list))
	for i, c := range list {
		blobs[i] = c.Blob
	}
	return gitinfo.ReadContents(ctx, repo.dir, t.o.Getenv, blobs, fsx.MaxFile, func(i int, raw []byte) error {
		return t.keep(repo, list[i], raw)
	})
}

// contents lists the contents of handoffs in the history, newest first.
func (t *taker) contents(ctx context.Context, repo gitRepo) (list []*gitContent, _ error) {
	seen := map[[2]string]*gitContent{}
	err := gitinfo.EachChange(ctx, repo.dir, t.o.Getenv, discover.TextKinds, func(change gitinfo.Change) error {
		path, ok := t.within(repo, change.Path)
		if !ok {
			return nil
		}
		c := seen[[2]string{change.Blob, path}]
		if c == nil {
			if len(list) == maxContents {
				return fmt.Errorf("more than %d versions of handoffs: the oldest are left out", maxContents)
			}
			c = &gitContent{path: path}
			seen[[2]string{change.Blob, path}] = c
			list = append(list, c)
		}
		c.Change = change // of several the last, which is the first that had it
		return nil
	})
	return list, err
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
		if ok, fits := discover.MatchIn(rel, root, func(dir string) bool { return t.worktrees[dir] }); ok {
			project, _ := t.loader.projects.Of(path, root.Path)
			return &gitPath{root: &t.roots[i], fits: fits, project: project}
		}
	}
	return &gitPath{}
}

// keep puts a content into the archive, as far as that may grow.
func (t *taker) keep(repo gitRepo, c *gitContent, raw []byte) error {
	p := t.paths[c.path]
	if len(bytes.TrimSpace(raw)) == 0 || !p.fits(raw) {
		return nil
	}
	if t.bytes += int64(len(raw)); t.archive.MaxBytes > 0 && t.bytes > t.archive.MaxBytes {
		return fmt.Errorf("more than the archive may hold (%d bytes): the oldest versions are left out", t.archive.MaxBytes)
	}
	t.report.Versions++
	about := sidecarOf(c.path, *p.root, p.project, 0)
	about.Written, about.Repository, about.Commit = c.At, repo.dir, c.Commit
	if t.archive.keep(about, raw, false) {
		t.report.New++
	}
	return nil
}
