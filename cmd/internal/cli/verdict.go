package cli

import (
	"errors"
	"os"
	"path/filepath"

	"handex/cmd/internal/render"
	"handex/index"
)

// judge asks the rules of the roots that hold the path, in their order: the
// first that takes it decides.
func judge(path string, roots []index.Root) render.Verdict {
	v := render.Verdict{Path: path, Rule: "it is below none of the folders that are searched"}
	_, err := os.Lstat(path)
	v.Exists = err == nil
	for _, root := range roots {
		rel, err := filepath.Rel(root.Path, path)
		if err != nil || !filepath.IsLocal(rel) || rel == "." {
			continue
		}
		ok, rule := index.Match(filepath.ToSlash(rel), root)
		if v.Exists {
			ok, rule = index.Why(path, root)
		}
		if v.Root == "" || ok {
			v.Root, v.Rule, v.Indexed = root.Path, rule, ok
		}
		if ok {
			break
		}
	}
	return v
}

// lookUp adds what the index makes of a file its rules take.
func (a *app) lookUp(v *render.Verdict) error {
	s, err := a.open()
	if err != nil {
		return err
	}
	status, err := s.Status(a.ctx)
	if err != nil {
		return err
	}
	for _, skip := range status.Skips {
		if skip.Path == v.Path {
			v.Indexed, v.Skipped = false, skip.Reason
			return nil
		}
	}
	found, err := s.Find(a.ctx, v.Path, a.env.WorkDir)
	if _, missing := errors.AsType[*index.NotFoundError](err); missing {
		v.Indexed, v.Skipped = false, "the index does not hold it; it may be the same file as another, or new"
		return nil
	}
	if err != nil {
		return err
	}
	for _, h := range found {
		full, err := a.store.Load(a.ctx, h.ID)
		if err != nil {
			return err
		}
		v.Handoffs = append(v.Handoffs, render.FoundIn(full))
	}
	return nil
}
