package service

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

// Judge returns whether a file is indexed, as which handoffs, and by which rule it is or is
// not.
func (s *Service) Judge(ctx context.Context, path string) (render.Verdict, error) {
	roots, err := s.Roots()
	if err != nil {
		return render.Verdict{}, err
	}
	v := judge(path, roots)
	if v.Indexed && v.Exists && !v.Folder {
		if err := s.Open(ctx); err != nil {
			return v, err
		}
		err = s.lookUp(ctx, &v)
	}
	return v, err
}

// judge applies the rules of the roots above a path, in their order. The first root that
// takes the file decides; if none does, the verdict has the rule of the first.
func judge(path string, roots []index.Root) render.Verdict {
	v := render.Verdict{Path: path, Rule: "it is not below a folder that is searched"}
	info, err := os.Lstat(path)
	v.Exists = err == nil
	if v.Exists && info.IsDir() {
		return judgeFolder(v, roots)
	}
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

// judgeFolder adds to the verdict on a folder the root by which it is searched, or the rule
// that excludes it.
func judgeFolder(v render.Verdict, roots []index.Root) render.Verdict {
	v.Folder = true
	for _, root := range roots {
		rel, err := filepath.Rel(root.Path, v.Path)
		switch {
		case err != nil || !filepath.IsLocal(rel):
			continue
		case root.Reaches(v.Path):
			v.Root, v.Indexed, v.Rule = root.Path, true, "it is below a folder that is searched"
			if rel == "." {
				v.Rule = "it is one of the folders that are searched"
			}
			return v
		}
		v.Root = root.Path
		_, v.Rule = index.Match(filepath.ToSlash(rel)+"/x", root)
	}
	return v
}

// lookUp adds the handoffs that the index has of the file of a verdict, or why it has none.
func (v *View) lookUp(ctx context.Context, verdict *render.Verdict) error {
	status, err := v.store.Status(ctx)
	if err != nil {
		return err
	}
	for _, skip := range status.Skips {
		if skip.Path == verdict.Path {
			verdict.Indexed, verdict.Skipped = false, skip.Reason
			return nil
		}
	}
	found, err := v.Find(ctx, verdict.Path)
	if _, missing := errors.AsType[*index.NotFoundError](err); missing {
		verdict.Indexed, verdict.Skipped = false, "it is not in the index; it may be new, or the same file as another"
		return nil
	}
	if err != nil {
		return err
	}
	for _, h := range found {
		full, err := v.store.Load(ctx, h.ID)
		if err != nil {
			return err
		}
		verdict.Handoffs = append(verdict.Handoffs, render.FoundIn(full))
	}
	return nil
}
