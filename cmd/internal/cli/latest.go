package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"handex/cmd/internal/render"
	"handex/index"
)

// latestCmd shows the newest handoff of a project.
type latestCmd struct {
	Dir      string `arg:"" optional:"" help:"A folder of the project; the working folder if left out."`
	PathOnly bool   `name:"path" help:"Print only its path."`
	Section  string `help:"Show only the sections of KIND (next, risks, ...) or under that heading." placeholder:"KIND"`
}

// Run shows the newest handoff of the folder's project.
func (c *latestCmd) Run(a *app) error {
	form, err := a.form("full", "json", "jsonl", "paths", "ids", "null")
	if err != nil {
		return err
	}
	dir, err := a.env.folder(c.Dir)
	if err != nil {
		return err
	}
	found, err := a.latest(dir)
	if err != nil {
		return err
	}
	if err := a.warnStale(); err != nil {
		return err
	}
	if len(found) == 0 {
		a.say("no handoff of the project of " + dir + " is known; handex status lists the projects")
		return errNone
	}
	if c.PathOnly {
		form = "paths"
	}
	if form == "paths" || form == "ids" || form == "null" {
		return a.records(render.Answer{Rows: []render.Row{{Hit: index.Hit{Summary: found[0]}}}}, form)
	}
	return a.show(found[0].ID, c.Section, form)
}

// latest answers the newest handoff of the project that a folder is in. Mostly
// it is enough to look at that project's folders; where the index knows no
// handoff of it, or only of a folder above, all are looked at.
func (a *app) latest(dir string) ([]index.Summary, error) {
	s, err := a.openAsIs()
	if err != nil {
		return nil, err
	}
	if project := index.ProjectFolder(a.rootEnv(), dir); project != "" && !a.flags.NoRefresh {
		known := index.KnownFoldersOf(a.rootEnv(), project)
		err := a.refresh(index.RefreshOptions{Only: project, Elsewhere: true, Known: known})
		var found []index.Summary
		if err == nil {
			found, err = s.Latest(a.ctx, dir)
		}
		if err != nil && !errors.Is(err, index.ErrOutdated) || slices.ContainsFunc(found, func(h index.Summary) bool { return within(h.Root, project) }) {
			return found, err
		}
	}
	if s, err = a.open(); err != nil {
		return nil, err
	}
	return s.Latest(a.ctx, dir)
}

// within reports whether a path is a folder or lies in it.
func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// folder is an existing folder a person named, without links: the working
// folder if the name is empty.
func (e Env) folder(name string) (string, error) {
	dir, err := realPath(e.abs(name))
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", dir)
	}
	return dir, err
}
