package service

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/brief"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// Latest returns the newest handoffs, one for each format and member, of the project that a
// folder is in, the user's own first. All work trees of a repository are one project.
// Usually it refreshes only that project's folders; if the index then has no handoff of it,
// or only of a folder above, it refreshes all.
func (s *Service) Latest(ctx context.Context, dir string) ([]index.Summary, error) {
	if err := s.OpenAsIs(ctx); err != nil {
		return nil, err
	}
	if w := index.FindWorkTree(dir); w != nil {
		dir = w.InMain(dir)
	}
	if project := s.opt.RootEnv(s.opt.WorkDir).ProjectFolder(dir); project != "" && s.refreshes() && !s.ready {
		err := s.refresh(ctx, index.RefreshOptions{Only: project, Elsewhere: true, Known: s.namesOf(project)})
		var found []index.Summary
		if err == nil {
			found, err = s.LatestIndexed(ctx, dir)
		}
		if err != nil && !errors.Is(err, index.ErrOutdated) ||
			slices.ContainsFunc(found, func(h index.Summary) bool { return save.Within(h.Root, project) }) {
			return found, err
		}
	}
	if err := s.Open(ctx); err != nil {
		return nil, err
	}
	return s.LatestIndexed(ctx, dir)
}

// LatestOf returns the latest handoffs, one for each format and member, of the project with
// a name: first the user's own, then those of others, each newest first.
func (v *View) LatestOf(ctx context.Context, name string) (found []index.Summary, err error) {
	result, err := v.Hits(ctx, &query.Query{Expr: query.And{List: []query.Expr{
		query.Key{Field: "project", Op: query.KeyEqual, Value: name}, query.Is{State: "latest"},
	}}}, nil, false)
	if err != nil {
		return nil, err
	}
	for _, h := range result.Hits {
		found = append(found, h.Summary)
	}
	return v.mineFirst(found), nil
}

// ProjectsLike returns up to three names of projects that are similar to name, or else
// contain it.
func (v *View) ProjectsLike(ctx context.Context, name string) ([]string, error) {
	d := emptyDiagnosis{View: v}
	near, values := d.names(ctx, query.Part{Field: "project", Value: name})
	if len(near) == 0 {
		near = slices.DeleteFunc(values, func(value string) bool {
			return !strings.Contains(strings.ToLower(value), strings.ToLower(name))
		})
	}
	return near[:min(len(near), mostLike)], d.err
}

// mostLike is how many names ProjectsLike returns.
const mostLike = 3

const (
	// mostFiles is how many files ReadProject reads; the others are left to the next
	// refreshes. It begins with the newest firstFiles, so that these are there even if
	// the time is over before the rest is.
	mostFiles  = 256
	firstFiles = 16
	// busyPart is for how large a part of the time another process is waited for.
	busyPart = 10
)

// ReadProject refreshes the index for the project that dir is in and calls read with it,
// all before the deadline of ctx. If that is prevented by another process that writes,
// damage, a full disk or too many files, it reads the newest handoffs of the project from
// the disk, into an index for this Service alone, and calls read with that. Afterwards dir
// counts as the working folder of the Service.
func (s *Service) ReadProject(ctx context.Context, dir string, read func(*index.Store) error) error {
	root := cmp.Or(s.Project(dir), dir)
	if !filepath.IsAbs(root) {
		root = dir
	}
	s.RestrictTo(root)
	s.workDir, s.roots = dir, nil
	s.bounded, s.lockWait = true, max(time.Millisecond, timeLeft(ctx)/busyPart)
	late := s.readIndexed(ctx, root, read)
	if late == nil || !isIndexError(late) || ctx.Err() != nil {
		return late
	}
	if err := s.readDirectly(ctx, root, read); err != nil {
		return late
	}
	s.note("%v; for this run, the newest handoffs of the project are read from the disk", late)
	return nil
}

// timeLeft returns how much time is left until the deadline of ctx, a minute if it has
// none.
func timeLeft(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return time.Minute
	}
	return time.Until(deadline)
}

// isIndexError reports whether an error is about the index, and not about the question.
func isIndexError(err error) bool {
	_, ok := errors.AsType[*index.Error](err)
	return ok
}

// readIndexed calls read with the index that outlives the Service, after it has refreshed
// the project in half of the time. A damaged index is put aside for the next full refresh,
// as there is no time to rebuild it.
func (s *Service) readIndexed(ctx context.Context, root string, read func(*index.Store) error) error {
	err := s.OpenAsIs(ctx)
	switch {
	case err != nil:
		return err
	case s.frozen != "":
		return &index.Error{Op: "refresh index", Err: errors.New(s.frozen)}
	case s.refreshes():
		err = s.refreshProject(ctx, root, timeLeft(ctx)/2)
	default:
		err = s.requireIndex()
	}
	if err == nil {
		err = s.readAsIs(ctx, read)
	}
	if errors.Is(err, index.ErrCorrupt) {
		_ = s.store.SetAside(ctx, err)
	}
	return err
}

// readDirectly reads the newest files of the project into an index for this Service alone,
// in the time that is left, and calls read with that.
func (s *Service) readDirectly(ctx context.Context, root string, read func(*index.Store) error) error {
	if s.store != nil {
		_ = s.store.Close() // its error is already reported
		s.store = nil
	}
	if _, err := s.Roots(); err != nil {
		return err
	}
	if err := s.makeTemp(ctx, true); err != nil {
		return err
	}
	if err := s.refreshProject(ctx, root, timeLeft(ctx)*3/4); err != nil {
		return err
	}
	return s.readAsIs(ctx, read)
}

// readAsIs copies the acknowledgements into the open index and calls read with it.
func (s *Service) readAsIs(ctx context.Context, read func(*index.Store) error) error {
	if err := s.mirrorAcks(ctx); err != nil {
		return err
	}
	return read(s.store)
}

// refreshProject refreshes the open index for a project, the newest files first, some at a
// time. When the limit is over it keeps what it has read, and the next call continues. It
// returns an error if the time was too short for the first files.
func (s *Service) refreshProject(ctx context.Context, root string, limit time.Duration) error {
	bounded, stop := context.WithTimeout(ctx, limit)
	defer stop()
	left := 0
	for n, most := 0, firstFiles; n < mostFiles; n, most = n+most, min(4*most, mostFiles-n-most) {
		report, err := s.store.Refresh(bounded, s.roots, index.RefreshOptions{
			Only: root, Elsewhere: true, Most: most, Known: s.known, Home: s.opt.Home,
		})
		late := err != nil && bounded.Err() != nil && ctx.Err() == nil
		switch {
		case late && n == 0:
			return &index.Error{Op: "refresh index", Err: errors.New("it takes longer than the time limit allows")}
		case err != nil && !late:
			return err
		case err == nil:
			s.took(report)
			left = report.Left
		}
		if late || left == 0 {
			break
		}
	}
	if left > 0 {
		s.note("%d older files of the project are left for the next run", left)
	}
	return nil
}

// Brief returns the facts for the briefing of a session that begins in dir, about the
// project of dir. to is the name of the session's agent in handoffs, and agent the one that
// reads the briefing; "" if that is not known.
func (s *Service) Brief(ctx context.Context, dir, to, agent string) (*brief.Facts, error) {
	dir, err := s.opt.Folder(dir)
	if err != nil {
		return nil, err
	}
	trusted, err := s.trusts(ctx, dir)
	if err != nil {
		return nil, err
	}
	o := brief.Options{
		Agent: strings.ToLower(to), Trusted: trusted, Trusting: agent, Home: s.opt.Home, Getenv: s.opt.Getenv,
		IsMine: func(member string) bool { return isMine(member, s.member()) },
	}
	var facts *brief.Facts
	err = s.ReadProject(ctx, dir, func(store *index.Store) (err error) {
		facts, err = brief.Gather(ctx, store, dir, o)
		return err
	})
	return facts, err
}

// trusts reports whether the user trusts a folder, in its own work tree or in the main one.
func (v *View) trusts(ctx context.Context, dir string) (bool, error) {
	trust := v.opt.Trust()
	held, err := trust.Holds(ctx, dir)
	if w := index.FindWorkTree(dir); err == nil && !held && w != nil {
		held, err = trust.Holds(ctx, w.InMain(dir))
	}
	return held, err
}

// Trust returns the list of trusted folders.
func (o *Options) Trust() brief.Trust {
	file, err := o.stateFile("trust.jsonl", "")
	if err != nil {
		return brief.Trust{}
	}
	return brief.Trust{File: file, Getenv: o.Getenv}
}
