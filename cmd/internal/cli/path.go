package cli

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// pathCmd is the command that prints where a project's handoffs are kept.
type pathCmd struct {
	Dir     string `arg:"" optional:"" help:"A folder of the project (default: the working folder)."`
	As      string `help:"The format (default: claude-suite)." placeholder:"FORMAT" xor:"as"`
	V1      bool   `name:"v1" help:"Use version 1 of the contract of claude-suite, which replaces only / and '.'." xor:"as"`
	Migrate bool   `help:"Move the handoffs from the folder of version 1 of the contract to that of version 2. Nothing is overwritten." xor:"as"`
	DryRun  bool   `name:"dry-run" help:"With --migrate: show what would be moved, and move nothing."`
}

// Run prints the path of the one file, or of the folder, in which the format keeps handoffs
// of the project, whether it exists or not. With --migrate it moves handoffs.
func (c *pathCmd) Run(a *app) error {
	if c.As != "" {
		if err := service.MustBeOneOf("--as", c.As, author.PlacedNames()); err != nil {
			return err
		}
	}
	dir, err := a.env.Folder(c.Dir)
	if err != nil {
		return err
	}
	if c.Migrate {
		return c.migrate(a, dir)
	}
	if c.DryRun {
		return errors.New("--dry-run needs --migrate")
	}
	var at author.Location
	if c.As != "" {
		at, err = a.author().Locate(c.As, dir)
	} else {
		at, err = a.author().LocateFirst(dir, func(p parse.Place) bool { return p.Agent })
	}
	if err != nil {
		return err
	}
	path := at.Path()
	if c.V1 {
		path = filepath.Join(at.Root, at.Place.Dir, index.EncodeV1(dir))
	}
	return a.writeText(path + "\n")
}

// migrate moves the handoffs of a folder to the folder of version 2 of the contract, and
// writes how many, or in a dry run which.
func (c *pathCmd) migrate(a *app, dir string) error {
	m, err := a.author().Migrate(dir, c.DryRun)
	if err != nil {
		return err
	}
	what := render.Several(len(m.Files), "file") + " from " + m.From + " to " + m.To
	if !c.DryRun {
		a.say("moved " + what)
		return nil
	}
	a.say("would move " + what)
	var names strings.Builder
	for _, name := range m.Files {
		names.WriteString(name + "\n")
	}
	return a.writeText(names.String())
}
