package cli

import (
	"fmt"
	"os"

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
	s, err := a.open()
	if err != nil {
		return err
	}
	found, err := s.Latest(a.ctx, dir)
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
