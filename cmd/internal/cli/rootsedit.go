package cli

import (
	"errors"
	"fmt"

	"handex/index"
)

// rootsAddCmd adds a root to the config file.
type rootsAddCmd struct {
	Dir string `arg:"" help:"The folder."`
}

// Help tells of the flags that matter here.
func (*rootsAddCmd) Help() string {
	return "--include GLOB takes the files that match, by their path below DIR, instead of those known to be handoffs; " +
		"--exclude GLOB leaves files and folders out. Both are kept with the folder."
}

// Run writes the folder into the config file.
func (c *rootsAddCmd) Run(a *app) error {
	dir, err := a.env.folder(c.Dir)
	if err != nil {
		return err
	}
	file, err := a.env.writableConfig()
	if err != nil {
		return err
	}
	added, err := index.AddRoot(file, index.Root{Path: dir, Include: a.flags.Include, Exclude: a.flags.Exclude}, a.env.rootEnv())
	if err != nil {
		return err
	}
	if !added {
		a.note(dir + " is in " + file + " already")
		return nil
	}
	a.say(dir + " is searched from now on; it stands in " + file)
	return nil
}

// rootsRemoveCmd takes a root out of it.
type rootsRemoveCmd struct {
	Dir string `arg:"" help:"The folder, which need not exist any more."`
}

// Run takes the folder out of the config file.
func (c *rootsRemoveCmd) Run(a *app) error {
	file, err := a.env.writableConfig()
	if err != nil {
		return err
	}
	dir := a.env.abs(c.Dir)
	removed, err := index.RemoveRoot(file, dir, a.env.rootEnv())
	if err != nil {
		return err
	}
	if !removed {
		return hinted{fmt.Errorf("%s is not in %s", dir, file), "handex roots list tells what is searched"}
	}
	a.say(dir + " is no longer in " + file)
	return nil
}

// writableConfig is the config file, where there can be one.
func (e Env) writableConfig() (string, error) {
	file := e.configFile()
	if file == "" {
		return "", errors.New("there is no folder for the config file: neither HOME nor XDG_CONFIG_HOME is set")
	}
	return file, nil
}
