package cli

// clearCmd removes the project's flow-guardian handoff.
type clearCmd struct {
	Dir    string `help:"Whose project; the working folder if left out." placeholder:"DIR"`
	DryRun bool   `name:"dry-run" help:"Show what would be removed, and remove nothing."`
}

// Run removes the file.
func (c *clearCmd) Run(a *app) error {
	s, err := a.updatable(c.Dir)
	if err != nil {
		return err
	}
	old, exists, err := s.read(s.file())
	switch {
	case err == nil && !exists:
		a.say("there is no " + s.home())
		return errNone
	case c.DryRun && err != nil:
		return err
	case c.DryRun:
		return a.showChange(s.home(), old, true, nil)
	}
	f, err := a.openSpot(s)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	a.keepOld(s, s.home())
	return f.Remove(a.ctx, s.file())
}
