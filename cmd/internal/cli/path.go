package cli

import (
	"errors"
	"io"
	"path/filepath"

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
	if c.V1 {
		return c.first(a)
	}
	format := c.As
	if format == "" {
		format = agentFormat()
	} else if err := mustKnow("--as", format, placedNames()); err != nil {
		return err
	}
	s, err := a.spot(format, c.Dir)
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.out, s.home()+"\n")
	return err
}

// first is the folder as the first version of the contract names it.
func (c *pathCmd) first(a *app) error {
	dir, err := a.env.folder(c.Dir)
	if err != nil {
		return err
	}
	agent, err := a.env.agentFolder()
	if err != nil {
		return err
	}
	place, ok := parse.PlaceOf(agentFormat())
	if !ok {
		return errors.New("no format has handoffs in the agent's folder")
	}
	_, err = io.WriteString(a.out, filepath.Join(agent, place.Dir, index.EncodeV1(dir))+"\n")
	return err
}

// agentFormat is the format whose handoffs lie in the agent's folder.
func agentFormat() string {
	for _, format := range parse.Placed() {
		if place, _ := parse.PlaceOf(format); place.Agent {
			return format
		}
	}
	return ""
}
