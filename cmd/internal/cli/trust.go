package cli

import (
	"errors"
	"io"

	"handex/cmd/internal/render"
)

// trustCmd has the handoffs of a clone told in full.
type trustCmd struct {
	Dir  string `arg:"" optional:"" help:"The project's folder; the working folder if left out."`
	List bool   `help:"List the trusted folders."`
}

// Help tells what it is about.
func (*trustCmd) Help() string {
	return "A briefing tells in full what was written on this machine: files that git does not track, or that a commit made here brought. " +
		"Of handoffs that came with a clone it tells titles and paths, unless their project is trusted."
}

// Run trusts a folder and what is in it.
func (c *trustCmd) Run(a *app) error {
	if !c.List {
		return a.setTrust(c.Dir, true)
	}
	list, err := a.env.trust().List()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		a.say("no folder is trusted; handex trust DIR trusts one")
		return errNone
	}
	for _, dir := range list {
		if _, err := io.WriteString(a.out, render.Path(dir)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// untrustCmd takes trust back.
type untrustCmd struct {
	Dir string `arg:"" optional:"" help:"The project's folder; the working folder if left out."`
}

// Run trusts a folder no longer.
func (c *untrustCmd) Run(a *app) error { return a.setTrust(c.Dir, false) }

func (a *app) setTrust(name string, trusted bool) error {
	file := a.env.trust()
	if file.File == "" {
		return errors.New("there is no folder for what is trusted: neither HOME nor XDG_STATE_HOME is set")
	}
	dir, err := a.env.folder(name)
	if err != nil && !trusted {
		dir, err = a.env.abs(name), nil // it may be gone
	}
	if err != nil {
		return err
	}
	isNew, err := file.Set(a.ctx, dir, trusted, a.env.Now())
	switch {
	case err != nil:
		return err
	case trusted && isNew:
		a.say("trusted: " + dir)
	case trusted:
		a.say("it is trusted already: " + dir)
	case isNew:
		a.say("no longer trusted: " + dir)
	default:
		a.say("it is not trusted: " + dir)
		return errNone
	}
	return nil
}
