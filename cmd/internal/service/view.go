package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
)

// A View answers from an open index as of its last refresh. A View of a Live does not
// change, so that goroutines can share it.
type View struct {
	opt      *Options
	settings *config.Config // nil until it is read
	known    []string       // the folders of encoded names; nil until found
	workDir  string         // what the usual places are looked for from
	roots    []index.Root   // nil until they are chosen
	store    *index.Store
	report   index.Report // of the last refresh
	watches  bool         // it is what a watch keeps current
}

// Settings returns the configuration of the user. It is read only once.
func (v *View) Settings() (*config.Config, error) {
	if v.settings == nil {
		settings, err := v.opt.Config()
		if err != nil {
			return nil, err
		}
		v.settings = settings
	}
	return v.settings, nil
}

// knownFolders returns the folders of this machine that encoded names can mean.
func (v *View) knownFolders() []string {
	if v.known == nil {
		v.known = append([]string{}, v.opt.RootEnv(v.opt.WorkDir).KnownFolders()...)
	}
	return v.known
}

// Roots returns the roots: the folders that are searched.
func (v *View) Roots() ([]index.Root, error) {
	if v.roots != nil {
		return v.roots, nil
	}
	roots := slices.Clone(v.opt.Roots)
	if v.opt.Roots == nil {
		settings, err := v.Settings()
		if err != nil {
			return nil, err
		}
		roots = append([]index.Root{}, settings.Roots...)
		if settings.DefaultRoots {
			roots = v.addUsual(roots)
		}
	}
	mirror, ok := v.mirrorRoot()
	if ok && !slices.ContainsFunc(roots, func(r index.Root) bool { return r.Path == mirror.Path }) {
		roots = append(roots, mirror)
	}
	for i := range roots {
		roots[i].Mirror = v.opt.shared("mirror")
		roots[i].Exclude = append(slices.Clip(roots[i].Exclude), v.opt.Exclude...)
		if v.opt.Include != nil {
			roots[i].Include = v.opt.Include
		}
	}
	v.roots = roots
	return roots, nil
}

// addUsual returns roots with the usual places appended that are not among them.
func (v *View) addUsual(roots []index.Root) []index.Root {
	for _, root := range v.opt.RootEnv(cmp.Or(v.workDir, v.opt.WorkDir)).DefaultRoots(v.knownFolders()) {
		if !slices.ContainsFunc(roots, func(r index.Root) bool { return r.Path == root.Path }) {
			roots = append(roots, root)
		}
	}
	return roots
}

// Project returns the root of the project that a folder belongs to, "" for none.
func (v *View) Project(dir string) string {
	if target, err := config.RealPath(dir); err == nil {
		dir = target
	}
	env := v.opt.RootEnv(dir)
	env.Getenv = nil
	for _, root := range env.DefaultRoots(nil) {
		if save.Within(dir, root.Path) {
			known := index.NewKnownPaths(v.knownFolders())
			known.Home = v.opt.Home
			return index.ProjectOf(filepath.Join(dir, "handoff.md"), root.Path, known).Root
		}
	}
	return ""
}

// ProjectFolders returns the folders that the handoffs of a project can be in.
func (v *View) ProjectFolders(root string) []string {
	return index.ProjectFolders(root, v.opt.RootEnv(v.opt.WorkDir), v.knownFolders())
}

// skippedFiles returns how many files the last refresh could not index. Folders do not
// count.
func (v *View) skippedFiles() (n int) {
	for _, s := range v.report.Skipped {
		if !s.Folder {
			n++
		}
	}
	return n
}

// searchOptions returns the options that restrict a search to the roots.
func (v *View) searchOptions() index.SearchOptions {
	return index.SearchOptions{Roots: index.PathsOf(v.roots)}
}

// Warnings returns lines that say what an answer may lack. stale are the roots and folders
// that could not be read, as the result of the search lists them.
func (v *View) Warnings(stale []index.Trouble) []string {
	stale = slices.Clip(stale)
	for _, t := range v.report.Troubles {
		known := func(s index.Trouble) bool { return s.Path == t.Path || strings.HasPrefix(s.Reason, t.Path+": ") }
		if !slices.ContainsFunc(stale, known) {
			stale = append(stale, t)
		}
	}
	var list, texts []string
	const shown = 3
	for _, t := range first(stale, shown) {
		texts = append(texts, t.Path+" ("+t.Reason+")")
	}
	if n := len(stale); n > 0 {
		warning := "warning: showing the last indexed version of what could not be read: " + strings.Join(texts, ", ")
		if n > shown {
			warning += fmt.Sprintf(" and %d more", n-shown)
		}
		list = append(list, warning)
	}
	if n := v.skippedFiles(); n > 0 {
		list = append(list, render.Several(n, "file")+" could not be indexed; handex status shows why")
	}
	return list
}

// StaleWarnings is like Warnings, but reads from the index what could not be read.
func (v *View) StaleWarnings(ctx context.Context) ([]string, error) {
	stale, err := v.store.Stale(ctx, index.PathsOf(v.roots))
	if err != nil {
		return nil, err
	}
	return v.Warnings(stale), nil
}

// Find returns the handoffs that a reference names, an id, session or path: one, or those
// of a file.
func (v *View) Find(ctx context.Context, ref string) ([]index.Summary, error) {
	return v.store.Find(ctx, ref, v.opt.WorkDir)
}

// Newest is like Find but returns one handoff, the newest of those in a file.
func (v *View) Newest(ctx context.Context, ref string) (index.Summary, error) {
	found, err := v.Find(ctx, ref)
	if err != nil {
		return index.Summary{}, err
	}
	return Newest(found), nil
}

// Single returns the only handoff of found, which ref named. It returns an error if there
// are several.
func Single(found []index.Summary, ref string) (index.Summary, error) {
	if len(found) > 1 {
		return index.Summary{}, render.WithHint(fmt.Errorf("%s contains %d handoffs", ref, len(found)),
			"choose one by its id: handex search path:"+filepath.Base(found[0].Path))
	}
	return found[0], nil
}

// Newest returns the handoff with the latest date. The list must not be empty.
func Newest(list []index.Summary) index.Summary {
	return slices.MaxFunc(list, func(x, y index.Summary) int { return time.Time.Compare(x.Date, y.Date) })
}

// Load returns the handoff with an id, with its whole text.
func (v *View) Load(ctx context.Context, id string) (*index.Handoff, error) {
	return v.store.Load(ctx, id)
}

// LoadFresh is like Load, but also returns why the last refresh could not read the folder
// of the file, "" if it could.
func (v *View) LoadFresh(ctx context.Context, id string) (h *index.Handoff, reason string, err error) {
	if h, err = v.store.Load(ctx, id); err != nil {
		return nil, "", err
	}
	stale, err := v.store.Stale(ctx, index.PathsOf(v.roots))
	if at := slices.IndexFunc(stale, func(t index.Trouble) bool { return save.Within(h.Path, t.Path) }); at >= 0 {
		reason = stale[at].Reason
	}
	return h, reason, err
}

// IsForeign reports whether a handoff is foreign, not shown to have been written on this
// machine, and the user does not trust its project.
func (v *View) IsForeign(ctx context.Context, h index.Summary) (bool, error) {
	foreign := index.Foreign(ctx, []index.Summary{h}, v.opt.Getenv)[h.ID]
	if !foreign || !filepath.IsAbs(h.Root) {
		return foreign, nil
	}
	trusted, err := v.trusts(ctx, h.Root)
	return !trusted, err
}

// ReadFile returns at most the first most bytes of a file, and how many follow. It returns
// an error if the path is no longer a regular file.
func ReadFile(path string, most int) (text []byte, left int, err error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no longer a regular file", path)
	}
	if err != nil {
		return nil, 0, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	text, err = io.ReadAll(io.LimitReader(f, int64(most)))
	return text, max(int(info.Size())-len(text), 0), errors.Join(err, f.Close())
}

// Folder returns the absolute path of an existing folder that a person named, without
// symbolic links; for an empty name, that of the working folder.
func (v *View) Folder(name string) (string, error) { return v.opt.Folder(name) }

// Versions returns the versions of the file that contains the handoff with an id, newest
// first.
func (v *View) Versions(ctx context.Context, id string) ([]index.Version, error) {
	return v.store.Versions(ctx, id)
}

// Neighbours returns the next newer and the next older handoff of the same project and
// format, nil for one that does not exist.
func (v *View) Neighbours(ctx context.Context, id string) (newer, older *index.Summary, err error) {
	return v.store.Neighbours(ctx, id)
}

// LatestIndexed is like Service.Latest, but does not refresh the index.
func (v *View) LatestIndexed(ctx context.Context, dir string) ([]index.Summary, error) {
	found, err := v.store.Latest(ctx, dir)
	return v.mineFirst(found), err
}

// Status returns what is in the index, and which files could not be indexed.
func (v *View) Status(ctx context.Context) (*index.Status, error) {
	status, err := v.store.StatusOf(ctx, v.searchOptions().Roots)
	if err != nil {
		return nil, err
	}
	// The index knows the files it could not take, the refresh what was none.
	for _, skip := range v.report.Skipped {
		if !slices.ContainsFunc(status.Skips, func(known index.Skip) bool { return known.Path == skip.Path }) {
			status.Skips = append(status.Skips, skip)
		}
	}
	return status, nil
}

// first returns at most the given number of elements from the beginning of a list.
func first[T any](list []T, most int) []T { return slices.Clip(list[:min(len(list), most)]) }
