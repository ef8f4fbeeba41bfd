package service

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/OWNER/handex/cmd/internal/acks"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// TeamDir returns the folder with all that is shared with other machines, "" if the user
// has no folder for data.
func (o *Options) TeamDir() string {
	if !filepath.IsAbs(o.DataHome) {
		return ""
	}
	return filepath.Join(o.DataHome, "handex", "team")
}

// HandoffsOf refreshes the index for the project at a root and returns the project's
// handoffs, without earlier versions. It returns an error if the root is not searched, as
// then all of them would seem to be deleted.
func (s *Service) HandoffsOf(ctx context.Context, root string) ([]index.Summary, error) {
	s.RestrictTo(root)
	s.workDir, s.roots, s.ready = root, nil, false
	roots, err := s.Roots()
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(roots, func(r index.Root) bool { return save.Within(root, r.Path) }) {
		return nil, fmt.Errorf("%s is outside of the folders that are searched", root)
	}
	if err := s.OpenAsIs(ctx); err != nil {
		return nil, err
	}
	if s.refreshes() {
		if err := s.refresh(ctx, index.RefreshOptions{Only: root, Elsewhere: true, Known: s.known}); err != nil {
			return nil, err
		}
	}
	name := index.ProjectOf(filepath.Join(root, "handoff.md"), root, index.KnownPaths{}).Name
	found, err := s.Hits(ctx, &query.Query{Expr: query.Key{Field: "project", Op: query.KeyEqual, Value: name}}, nil, false)
	if err != nil {
		return nil, err
	}
	var list []index.Summary
	for _, h := range found.Hits {
		if h.Root == root && h.VersionOf == "" {
			list = append(list, h.Summary)
		}
	}
	return list, nil
}

// ProjectRoots returns the folders of all projects in the index, without refreshing it.
func (s *Service) ProjectRoots(ctx context.Context) ([]string, error) {
	if err := s.OpenAsIs(ctx); err != nil {
		return nil, err
	}
	status, err := s.store.Status(ctx)
	if err != nil {
		return nil, err
	}
	var roots []string
	for _, p := range status.Projects {
		if filepath.IsAbs(p.Root) && !save.Within(p.Root, s.opt.TeamDir()) {
			roots = append(roots, p.Root)
		}
	}
	return roots, nil
}

// OwnAcks returns the acknowledgements that were made on this machine.
func (s *Service) OwnAcks() ([]acks.Event, error) {
	file, err := s.opt.stateFile("acks.jsonl", "acknowledgements")
	if err != nil {
		return nil, err
	}
	events, _, err := acks.Read(file)
	return events, err
}

// Refresh refreshes the index for all folders, with the configuration as it was read
// before.
func (s *Service) Refresh(ctx context.Context) error {
	s.workDir, s.roots, s.known, s.ready = "", nil, nil, false
	if _, err := s.Roots(); err != nil {
		return err
	}
	return s.Open(ctx)
}

// MirrorAcks copies the acknowledgements of all members into the index, if that is open.
func (s *Service) MirrorAcks(ctx context.Context) error {
	if s.store == nil {
		return nil
	}
	return s.mirrorAcks(ctx)
}
