package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

// serviceOptions returns the options of the service, from flags and the environment.
func (a *app) serviceOptions(flags *globals) service.Options {
	o := service.Options{Clock: a.env.Clock, Zone: a.env.Zone, Places: a.env.Places}
	switch {
	case flags.Index != "":
		o.Index = o.Absolute(flags.Index)
	case a.env.CacheHome != "":
		o.Index = filepath.Join(a.env.CacheHome, "handex")
	}
	o.Roots = a.env.RootEnv(a.env.WorkDir).ParseRoots(a.env.Getenv("HANDEX_ROOTS"))
	if o.NoMirror = len(flags.Root) > 0; o.NoMirror {
		o.Roots = nil
	}
	for _, path := range flags.Root {
		root := index.Root{Path: o.Absolute(path)}
		if !slices.ContainsFunc(o.Roots, func(r index.Root) bool { return r.Path == root.Path }) {
			o.Roots = append(o.Roots, root)
		}
	}
	o.Include, o.Exclude = flags.Include, flags.Exclude
	o.NoArchive = flags.NoArchive || isOn(a.env.Getenv("HANDEX_NO_ARCHIVE"))
	o.Now = func() time.Time { return a.env.Now() } // --now of a command changes it
	o.Program = build().Version
	o.NoRefresh, o.FormatTime, o.Config = flags.NoRefresh, a.formatTime, a.loadConfig
	return o
}

// checkRoots returns an error if a --root does not exist or is no folder: to find nothing
// there would be a wrong answer. What cannot be read is reported by the refresh.
func (a *app) checkRoots() error {
	for _, path := range a.flags.Root {
		info, err := os.Stat(a.env.Absolute(path))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("--root: no such folder: %s", path)
		case err == nil && !info.IsDir():
			return fmt.Errorf("--root: %s is not a folder", path)
		}
	}
	return nil
}

// loadConfig reads the config files. The first configuration that it reads becomes that of
// the run.
func (a *app) loadConfig() (*config.Config, error) {
	c, err := a.env.Load()
	if err == nil && a.conf == nil {
		a.conf = c
		if c.ProjectFault != nil {
			a.line("warning: " + c.ProjectFault.Error())
		}
	}
	return c, err
}

// formatTime returns a time as text for use in a sentence.
func (a *app) formatTime(t time.Time) string { return a.options().Date(t, "minute") }

// setNow sets the present of the run to a time in RFC 3339, and changes nothing if text is
// "".
func (a *app) setNow(text string) error {
	now, err := clock(a.env.Now, text)
	if err == nil {
		a.env.Now = now
	}
	return err
}
