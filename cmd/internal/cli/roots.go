package cli

import (
	"strings"

	"handex/cmd/internal/render"
	"handex/index"
)

// rootsCmd chooses the folders that are searched.
type rootsCmd struct {
	List   rootsListCmd   `cmd:"" help:"List the folders that are searched."`
	Add    rootsAddCmd    `cmd:"" help:"Search a folder too, from now on."`
	Remove rootsRemoveCmd `cmd:"" help:"Search a folder no longer."`
}

// rootsListCmd lists what is searched.
type rootsListCmd struct{}

// Run lists the roots of this run.
func (rootsListCmd) Run(a *app) error {
	form, err := a.form("plain", "paths", "json", "jsonl")
	if err != nil {
		return err
	}
	roots, err := a.service.Roots()
	if err != nil {
		return err
	}
	switch form {
	case "json", "jsonl":
		return render.RootsJSON(a.out, roots)
	case "paths":
		return render.TSV(a.out, rootRows(roots, false))
	}
	if len(roots) == 0 {
		a.say("no folder is searched; handex roots add DIR")
		return errNone
	}
	if form == "plain" {
		return render.TSV(a.out, rootRows(roots, true))
	}
	return render.Table(a.out, nil, rootRows(roots, true), a.options())
}

func rootRows(roots []index.Root, globs bool) [][]string {
	rows := make([][]string, len(roots))
	for i, r := range roots {
		rows[i] = []string{r.Path}
		if globs {
			rows[i] = append(rows[i], rules(r))
		}
	}
	return rows
}

// rules says which files of a root are taken.
func rules(r index.Root) string {
	text := "known patterns"
	if len(r.Include) > 0 {
		text = "include " + strings.Join(r.Include, " ")
	}
	if len(r.Exclude) > 0 {
		text += ", exclude " + strings.Join(r.Exclude, " ")
	}
	return text
}
