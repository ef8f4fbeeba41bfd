package cli

import (
	"slices"
	"time"

	"handex/cmd/internal/brief"
	reports "handex/cmd/internal/report"
	"handex/cmd/internal/service"
	"handex/index"
	"handex/query"
)

// serviceOptions are what flags and the surroundings say of the index.
func (a *app) serviceOptions(flags *globals) service.Options {
	o := *a.env.service()
	if flags.Index != "" {
		o.Index = o.Absolute(flags.Index)
	}
	o.Roots = index.EnvRoots(a.env.Getenv("HANDEX_ROOTS"), a.env.rootEnv())
	if len(flags.Root) > 0 {
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
	o.NoRefresh, o.FormatTime, o.Config = flags.NoRefresh, a.formatTime, configFiles{a}
	return o
}

func (e Env) rootEnv() index.RootEnv {
	return index.RootEnv{Home: e.Home, WorkDir: e.WorkDir, Getenv: e.Getenv}
}

// formatTime writes a time in a sentence.
func (a *app) formatTime(t time.Time) string { return a.options().Date(t, "minute") }

// setNow has the run take a time for the present, unless it is "".
func (a *app) setNow(text string) error {
	now, err := clock(a.env.Now, text)
	if err == nil {
		a.env.Now = now
	}
	return err
}

// trust is where trusted projects are kept.
func (a *app) trust() brief.Trust { return a.env.service().Trust() }

// configFiles are the user's configuration for the service.
type configFiles struct{ app *app }

// Load reads the settings. The run goes on with those that it read first.
func (f configFiles) Load() (*service.Settings, error) {
	c, err := f.app.env.readConfig()
	if err != nil {
		return nil, err
	}
	if f.app.conf == nil {
		f.app.conf = c
	}
	s := &service.Settings{
		DefaultRoots: c.DefaultRoots == nil || *c.DefaultRoots,
		StaleAfter:   c.stale, Archive: c.Archive.options(f.app.env.DataHome), Queries: c.Queries,
	}
	if file := f.app.env.configFile(); file != "" && len(c.Roots) > 0 {
		s.Roots, err = index.LoadRoots(file, f.app.env.rootEnv())
	}
	return s, err
}

// QueryPlace is where a saved query is.
func (f configFiles) QueryPlace(name string, env query.Env) string {
	list, err := f.app.env.savedQueries(env)
	if at := slices.IndexFunc(list, func(q savedQuery) bool { return q.Name == name }); err == nil && at >= 0 {
		return list[at].place.String()
	}
	return ""
}

// ReportNames are the names of the user's own reports.
func (f configFiles) ReportNames() ([]string, error) { return f.app.env.ownReports() }

// Report reads one of them.
func (f configFiles) Report(name string, env query.Env) (*reports.Definition, error) {
	return f.app.env.ownReport(name, env)
}
