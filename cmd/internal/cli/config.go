package cli

import "handex/cmd/internal/config"

// places are where this run looks for config files.
func (e Env) places() config.Places {
	return config.Places{
		Home: e.Home, WorkDir: e.WorkDir, Getenv: e.Getenv,
		ConfigHome: e.ConfigHome, DataHome: e.DataHome, StateHome: e.StateHome,
	}
}

// config reads the config files, once.
func (a *app) config() (*config.Config, error) {
	if a.conf != nil {
		return a.conf, nil
	}
	c, err := a.env.places().Load()
	if err == nil {
		a.conf = c
	}
	return c, err
}
