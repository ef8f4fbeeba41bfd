package cli

import (
	"path/filepath"

	"handex/cmd/internal/author"
	"handex/cmd/internal/service"
	"handex/index"
	"handex/parse"
)

// pathCmd prints where a project's handoffs are kept.
type pathCmd struct {
	Dir string `arg:"" optional:"" help:"The project's folder; the working folder if left out."`
	As  string `help:"Those of FORMAT: claude-suite if left out." placeholder:"FORMAT" xor:"as"`
	V1  bool   `name:"v1" help:"By the first version of the contract of claude-suite, which replaces / and . only." xor:"as"`
}

// Run prints the file that each handoff replaces, or the folder of many, whether
// it exists or not.
func (c *pathCmd) Run(a *app) error {
	if c.As != "" {
		if err := service.MustBeOneOf("--as", c.As, author.PlacedNames()); err != nil {
			return err
		}
	}
	dir, err := a.env.folder(c.Dir)
	if err != nil {
		return err
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
