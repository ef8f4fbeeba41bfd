package cli

import (
	"fmt"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

// rootsCmd is the group of commands for the folders that are searched.
type rootsCmd struct {
	List   rootsListCmd   `cmd:"" forms:"plain,paths,json,jsonl" help:"List the folders that are searched."`
	Add    rootsAddCmd    `cmd:"" help:"Add a folder to search."`
	Remove rootsRemoveCmd `cmd:"" aliases:"rm" help:"Remove a folder from the search."`
}

// rootsListCmd is the command that lists the roots.
type rootsListCmd struct{}

// Run lists the roots of this run, and which files each takes.
func (rootsListCmd) Run(a *app) error {
	form := a.flags.asked()
	roots, err := a.service.Roots()
	if err != nil {
		return err
	}
	rows := make([][]string, len(roots))
	for i, r := range roots {
		rows[i] = []string{r.Path}
		if form != "paths" {
			rows[i] = append(rows[i], rules(r))
		}
	}
	switch form {
	case "json", "jsonl":
		return render.RootsJSON(a.out, roots)
	case "paths":
		return render.TSV(a.out, rows)
	}
	if len(roots) == 0 {
		a.say("no folder is searched; handex roots add DIR adds one")
		return errNone
	}
	return a.table(rows, form)
}

// rules returns a remark on which files of a root are searched.
func rules(r index.Root) string {
	text := "known patterns"
	if r.IsMirror() {
		text = "shared by other machines"
	} else if len(r.Include) > 0 {
		text = "include " + strings.Join(r.Include, " ")
	}
	if len(r.Exclude) > 0 {
		text += ", exclude " + strings.Join(r.Exclude, " ")
	}
	return text
}

// rootsAddCmd is the command that adds a root to the config file.
type rootsAddCmd struct {
	Dir string `arg:"" help:"The folder to add."`
}

// Run adds the folder as a root to the config file, with the globs of --include and
// --exclude.
func (c *rootsAddCmd) Run(a *app) error {
	dir, err := a.env.Folder(c.Dir)
	if err != nil {
		return err
	}
	p := a.env.Places
	added, err := p.AddRoot(a.ctx, index.Root{Path: dir, Include: a.flags.Include, Exclude: a.flags.Exclude})
	if err != nil {
		return err
	}
	if !added {
		a.note(dir + " is already in " + p.File())
		return nil
	}
	a.say("added " + dir + " to " + p.File())
	return nil
}

// rootsRemoveCmd is the command that removes a root from the config file.
type rootsRemoveCmd struct {
	Dir string `arg:"" help:"The folder to remove. It need not exist."`
}

// Run removes the folder from the config file.
func (c *rootsRemoveCmd) Run(a *app) error {
	p, dir := a.env.Places, a.env.Absolute(c.Dir)
	removed, err := p.RemoveRoot(a.ctx, dir)
	if err != nil {
		return err
	}
	if !removed {
		return render.WithHint(fmt.Errorf("%s is not in %s", dir, p.File()),
			"handex roots lists the folders that are searched")
	}
	a.say("removed " + dir + " from " + p.File())
	return nil
}
