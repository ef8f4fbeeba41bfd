// Package config reads and edits what the user has configured: the settings, roots
// and saved queries of config.toml, the .handex.toml of a project, and reports of
// the user's own.
//
//	default_roots = false   # search only the [[roots]]
//	stale_after = "7d"
//	pager = "less -R"
//	date = "iso"
//
//	[archive]               # earlier versions of handoffs that are overwritten
//	enabled = true
//	keep_days = 365         # 0: for ever
//	max_bytes = 268435456   # 0: without bound
//
//	[team]
//	member = "ada"          # default: the name in the configuration of git
//	machine = "laptop"      # default: the name of the host
//	interval = "60s"        # of the syncs by watch and serve; "0s": none
//
//	[queries]
//	standup = "is:open since:yesterday group-by:project"
//
//	[[roots]]
//	path = "~/notes"
//	include = ["**/*.md"]
//	exclude = ["archive/**"]
//
// A project can have a file .handex.toml with stale_after and [queries] of its
// own, which override the user's. It comes with the project, so that is all it
// can contain.
package config

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

// Config is the configuration from the config files of the user and of the project.
type Config struct {
	Roots        []index.Root
	DefaultRoots bool          // the usual places are searched, too
	StaleAfter   time.Duration // 0 is the default
	Pager, Date  string        // "" is the default
	Archive      index.ArchiveOptions
	Team         Team
	Queries      []Query // by name
	// ProjectFault is what is wrong with the project's file, the rest of which is used:
	// it comes with a clone, and must not stop anybody.
	ProjectFault error
}

// settings are the keys of the user's config file.
type settings struct {
	projectSettings
	DefaultRoots bool        `toml:"default_roots"`
	Pager        string      `toml:"pager"`
	Date         string      `toml:"date"`
	Archive      archive     `toml:"archive"`
	Team         teamTable   `toml:"team"`
	Roots        []rootTable `toml:"roots"`
}

// projectSettings are the keys that both a project's file and the user's config file can
// have.
type projectSettings struct {
	StaleAfter string            `toml:"stale_after"`
	Queries    map[string]string `toml:"queries"`
}

// A rootTable is a [[roots]] table. A leading ~ of the path is the home folder,
// and a relative path is relative to the config file's folder.
type rootTable struct {
	Path    string   `toml:"path"`
	Include []string `toml:"include,omitempty"`
	Exclude []string `toml:"exclude,omitempty"`
}

// A Team is the configuration of sharing. Member and Machine are "" unless they are set.
type Team struct {
	Member, Machine string
	Interval        time.Duration // 0 is never
}

type teamTable struct {
	Member   string `toml:"member"`
	Machine  string `toml:"machine"`
	Interval string `toml:"interval"`
}

// read returns the table as a Team. It returns an error if the interval is not a time span
// of a second or more, or 0.
func (t teamTable) read() (Team, error) {
	every, err := time.ParseDuration(t.Interval)
	if err != nil || every < 0 || every > 0 && every < time.Second {
		return Team{}, fmt.Errorf("interval: %q is not a time span such as 60s or 5m", t.Interval)
	}
	return Team{t.Member, t.Machine, every}, nil
}

type archive struct {
	Enabled  bool  `toml:"enabled"`
	KeepDays int   `toml:"keep_days"`
	MaxBytes int64 `toml:"max_bytes"`
}

// Load reads the config files of the user and of the working folder's project. An error
// names the file and, if known, the line and column. Faults in the project's file are no
// error: they are in the ProjectFault of the result.
func (p Places) Load() (*Config, error) {
	file, err := readFile(p.File())
	if err != nil {
		return nil, err
	}
	s := settings{
		DefaultRoots: true, Archive: archive{Enabled: true, KeepDays: 365, MaxBytes: 256 << 20},
		Team: teamTable{Interval: "60s"},
	}
	if err := file.decodeStrictly(&s); err != nil {
		return nil, err
	}
	c := &Config{DefaultRoots: s.DefaultRoots, Pager: s.Pager, Date: s.Date}
	if c.Date != "" {
		if _, err := render.ParseDates(c.Date); err != nil {
			return nil, fmt.Errorf("%s: date: %w", file.path, err)
		}
	}
	if c.Archive, err = s.Archive.options(p.DataHome); err != nil {
		return nil, fmt.Errorf("%s: archive: %w", file.path, err)
	}
	if c.Team, err = s.Team.read(); err != nil {
		return nil, fmt.Errorf("%s: team: %w", file.path, err)
	}
	if c.Roots, err = p.roots(s.Roots); err != nil {
		return nil, err
	}
	c.ProjectFault = c.addProject(p)
	return c, c.add(file, s.projectSettings)
}

// addProject adds the settings in the file of the working folder's project, as far as they
// can be used, and returns what is wrong with the file.
func (c *Config) addProject(p Places) error {
	file, err := readFile(p.ProjectFile())
	if err != nil {
		return err
	}
	var s projectSettings
	if err := file.decode(&s); err != nil {
		return err
	}
	if err := c.add(file, s); err != nil {
		return err
	}
	return file.decodeStrictly(&s)
}

// add adds the saved queries and settings of a file that c does not have yet.
func (c *Config) add(file source, s projectSettings) error {
	for name, text := range s.Queries {
		if _, ok := c.Query(name); !ok {
			c.Queries = append(c.Queries, Query{name, text, file})
		}
	}
	slices.SortFunc(c.Queries, func(x, y Query) int { return cmp.Compare(x.Name, y.Name) })
	age, err := parseAge(s.StaleAfter)
	if err != nil {
		return fmt.Errorf("%s: stale_after: %w", file.path, err)
	}
	c.StaleAfter = cmp.Or(c.StaleAfter, age)
	return nil
}

// roots returns the roots of the [[roots]] tables, in their order. It returns an error if
// one is not valid.
func (p Places) roots(tables []rootTable) ([]index.Root, error) {
	var roots []index.Root
	for i, t := range tables {
		if t.Path == "" {
			return nil, fmt.Errorf("%s: roots %d: no path", p.File(), i+1)
		}
		root := index.Root{Path: p.rootPath(t), Include: t.Include, Exclude: t.Exclude}
		if err := root.Check(); err != nil {
			return nil, fmt.Errorf("%s: roots %d: %w", p.File(), i+1, err)
		}
		roots = append(roots, root)
	}
	return roots, nil
}

// rootPath returns the absolute path of the root in a table.
func (p Places) rootPath(t rootTable) string {
	return index.RootEnv{Home: p.Home, WorkDir: filepath.Dir(p.File())}.Absolute(t.Path)
}

// options returns the options of the archive, which is in the folder of the user's data.
// They are empty if the archive is off or there is no such folder.
func (a archive) options(dataHome string) (index.ArchiveOptions, error) {
	switch {
	case a.KeepDays < 0 || a.KeepDays > 100_000:
		return index.ArchiveOptions{}, fmt.Errorf("keep_days: %d is not between 0 and 100000", a.KeepDays)
	case a.MaxBytes < 0:
		return index.ArchiveOptions{}, fmt.Errorf("max_bytes: %d is negative", a.MaxBytes)
	case !filepath.IsAbs(dataHome) || !a.Enabled:
		return index.ArchiveOptions{}, nil
	}
	dir := filepath.Join(dataHome, "handex", "archive")
	return index.ArchiveOptions{Dir: dir, KeepDays: a.KeepDays, MaxBytes: a.MaxBytes}, nil
}

// parseAge parses a time span as the query language has it: 36h, 7d, 2w. For "" it returns
// 0.
func parseAge(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	units := map[string]time.Duration{"h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour}
	number := strings.TrimRight(text, "hdw")
	n, err := strconv.Atoi(number)
	unit, ok := units[text[len(number):]]
	if err != nil || !ok || n < 1 || n > 10_000 {
		return 0, fmt.Errorf("%q is not a time span such as 36h, 7d or 2w", text)
	}
	return time.Duration(n) * unit, nil
}
