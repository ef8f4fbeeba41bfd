package service

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

// Examine looks for everything that can be wrong with the configuration and the index. With
// deep it reads every handoff again instead of a sample. With fix it repairs what can be
// repaired and then looks again.
func (s *Service) Examine(ctx context.Context, deep, fix bool) (*render.Examined, error) {
	checkup := &render.Examined{}
	settings, err := s.Settings()
	if err != nil {
		checkup.Findings = []index.Finding{{Code: "config", Text: err.Error()}}
		return checkup, nil //nolint:nilerr // it is a finding
	}
	if err := s.examineRights(checkup, fix); err != nil || len(checkup.Findings) > 0 {
		return checkup, err
	}
	if err := s.OpenAsIs(ctx); err != nil {
		return nil, err
	}
	o := s.refreshOptions()
	found, err := s.store.Examine(ctx, s.roots, o, deep)
	if err != nil {
		return nil, err
	}
	if fix && slices.ContainsFunc(found.Findings, func(f index.Finding) bool { return f.Remedy != "" }) {
		if err := s.remedy(ctx, found.Findings, checkup); err != nil {
			return nil, err
		}
		if found, err = s.store.Examine(ctx, s.roots, o, deep); err != nil {
			return nil, err
		}
	}
	if settings.ProjectFault != nil {
		found.Findings = append(found.Findings, index.Finding{Code: "config", Text: settings.ProjectFault.Error()})
	}
	checkup.Facts = append(found.Facts, checkup.Facts...)
	checkup.Findings = append(found.Findings, checkup.Findings...)
	return checkup, nil
}

// examineRights adds a finding for each folder of handex's own to which other users can
// write, or with fix removes their access. That has to be right before the index can be
// opened.
func (s *Service) examineRights(checkup *render.Examined, fix bool) error {
	for _, dir := range []string{s.opt.Index, s.settings.Archive.Dir, s.opt.StateDir(), filepath.Dir(s.opt.File())} {
		if !filepath.IsAbs(dir) {
			continue // there is none
		}
		if fix {
			narrowed, err := index.NarrowRights(dir)
			if err != nil {
				return err
			}
			for _, path := range narrowed {
				checkup.Done = append(checkup.Done, "removed the access of other users to "+path)
			}
		} else if slices.Contains(index.Exposed(dir), dir) {
			checkup.Findings = append(checkup.Findings, index.Finding{
				Code: "rights", Text: "other users can write to " + dir,
				Remedy: index.Narrow,
			})
		}
	}
	return nil
}

// remedy repairs what the findings say is wrong, each kind once, and adds what it did to
// checkup.
func (s *Service) remedy(ctx context.Context, findings []index.Finding, checkup *render.Examined) error {
	wanted := map[index.Remedy]string{}
	for _, f := range slices.Backward(findings) {
		wanted[f.Remedy] = f.Text
	}
	did := func(format string, args ...any) { checkup.Done = append(checkup.Done, fmt.Sprintf(format, args...)) }
	if cause, ok := wanted[index.Rebuild]; ok {
		report, err := s.mend(ctx, errors.New(cause))
		if err != nil {
			return err
		}
		did("rebuilt the index: %s in %d files", render.Indexed(report), report.Files)
	} else if _, ok := wanted[index.Refresh]; ok {
		report, err := s.store.Refresh(ctx, s.roots, s.refreshOptions())
		if err != nil {
			return err
		}
		did("updated the index: %d added, %d updated, %d removed", report.Added, report.Updated, report.Removed)
	}
	s.store.Notices() // the findings say the same
	swept, err := s.store.Sweep(ctx)
	for _, path := range swept {
		did("removed %s", path)
	}
	return err
}
