package cli

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

// diffCmd is the command that shows how the texts of two handoffs differ.
type diffCmd struct {
	Ref   string `arg:"" name:"id|path" help:"The id or session of a handoff, or its beginning; a path; or the number of a hit in the last list."`
	Other string `arg:"" optional:"" name:"other" help:"Another handoff to compare it with (default: the version before it)."`
}

// Run writes a unified diff of the two files. It returns errNone if they differ.
func (c *diffCmd) Run(a *app) error {
	form := a.flags.asked()
	before, after, err := c.pair(a)
	if err != nil {
		return err
	}
	x, err := readText(before.Path)
	if err != nil {
		return err
	}
	y, err := readText(after.Path)
	if err != nil {
		return err
	}
	d := render.Diff{Before: before, After: after, Old: x, New: y}
	switch {
	case form != "":
		err = render.DiffJSON(a.out, d)
	case !a.flags.Quiet:
		err = render.DiffText(a.out, d, a.options())
	}
	return orNone(err, bytes.Equal(x, y))
}

// pair returns the two handoffs to compare. Without a second argument these are the version
// before the named handoff, and the handoff.
func (c *diffCmd) pair(a *app) (before, after index.Summary, err error) {
	first, err := a.findOne(c.Ref)
	if err != nil {
		return before, after, err
	}
	if err := a.warnStale(); err != nil {
		return before, after, err
	}
	if c.Other != "" {
		after, err = a.findOne(c.Other)
		return first, after, err
	}
	versions, err := a.service.Versions(a.ctx, first.ID)
	if err != nil {
		return before, after, err
	}
	at := slices.IndexFunc(versions, func(v index.Version) bool { return v.Path == first.Path })
	if at < 0 || at+1 == len(versions) {
		return before, after, render.WithHint(errors.New("no version before "+first.ID+" is known"),
			"handex show --history "+first.ID+" lists the known versions")
	}
	return versions[at+1].Summary, first, nil
}

// readText returns the text of a file. It returns an error if that is larger than 16 MiB.
func readText(path string) ([]byte, error) {
	const most = 16 << 20
	text, left, err := service.ReadFile(path, most)
	if err == nil && left > 0 {
		err = fmt.Errorf("%s is larger than %d bytes", path, most)
	}
	return text, err
}
