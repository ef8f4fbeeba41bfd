package cli

import (
	"errors"
	"os"
	"path/filepath"

	"handex/cmd/internal/render"
	"handex/index"
)

// whyCmd tells what becomes of a file.
type whyCmd struct {
	File string `arg:"" name:"path" help:"The file. One that does not exist is judged by its name."`
}

// Run tells whether the file is indexed, as what, and by which rule or not.
func (c *whyCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	roots, err := a.roots()
	if err != nil {
		return err
	}
	path := a.env.abs(c.File)
	verdict := judge(path, roots)
	if verdict.Indexed && verdict.Exists {
		if err := a.lookUp(&verdict); err != nil {
			return err
		}
	}
	if form != "" {
		err = render.JSON(a.out, verdict)
	} else {
		err = render.Why(a.out, verdict, a.options())
	}
	if err == nil && !verdict.Indexed {
		return errNone
	}
	return err
}

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
		ok, rule := false, ""
		if v.Exists {
			ok, rule = index.Why(path, root)
		} else {
			ok, rule = index.Match(filepath.ToSlash(rel), root)
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
	var missing *index.NotFoundError
	if errors.As(err, &missing) {
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
