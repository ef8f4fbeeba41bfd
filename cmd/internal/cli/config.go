package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"handex/cmd/internal/render"
)

// config is what the user's config file says beside its roots:
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
//	[queries]
//	standup = "is:open since:yesterday group-by:project"
//
// A project can have a file .handex.toml with stale_after and [queries] of its
// own, which go before the user's. It comes with the project, so that is all
// it can say.
type config struct {
	DefaultRoots *bool             `toml:"default_roots"`
	StaleAfter   string            `toml:"stale_after"`
	Pager        string            `toml:"pager"`
	Date         string            `toml:"date"`
	Archive      archiveConfig     `toml:"archive"`
	Queries      map[string]string `toml:"queries"`
	Roots        []any             `toml:"roots"` // read by package index

	stale time.Duration
}

// projectConfig is the part of config that a project's file can have.
type projectConfig struct {
	StaleAfter string            `toml:"stale_after"`
	Queries    map[string]string `toml:"queries"`
}

// configFile is where the user's config file is, or would be.
func (e Env) configFile() string {
	if e.ConfigHome == "" {
		return ""
	}
	file := filepath.Join(e.ConfigHome, "handex", "config.toml")
	if runtime.GOOS == "darwin" && e.Home != "" && e.Getenv("XDG_CONFIG_HOME") == "" {
		other := filepath.Join(e.Home, ".config", "handex", "config.toml")
		if !exists(file) && exists(other) {
			return other
		}
	}
	return file
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readConfig reads the config files.
func (e Env) readConfig() (*config, error) {
	c := &config{}
	if err := readTOML(e.configFile(), c); err != nil {
		return nil, err
	}
	if err := c.project(e); err != nil {
		return nil, err
	}
	if c.Date != "" {
		if _, err := render.ParseDates(c.Date); err != nil {
			return nil, fmt.Errorf("%s: date: %w", e.configFile(), err)
		}
	}
	if err := c.Archive.check(); err != nil {
		return nil, fmt.Errorf("%s: archive: %w", e.configFile(), err)
	}
	var err error
	if c.stale, err = parseAge(c.StaleAfter); err != nil {
		return nil, fmt.Errorf("%s: stale_after: %w", e.configFile(), err)
	}
	return c, nil
}

// project adds what the file of the working folder's project says.
func (c *config) project(env Env) error {
	var p projectConfig
	if err := readTOML(env.projectFile(), &p); err != nil {
		return err
	}
	if p.StaleAfter != "" {
		c.StaleAfter = p.StaleAfter
	}
	if len(p.Queries) > 0 {
		all := maps.Clone(c.Queries)
		if all == nil {
			all = map[string]string{}
		}
		maps.Copy(all, p.Queries)
		c.Queries = all
	}
	return nil
}

// projectFile is the nearest .handex.toml at or above the working folder, but
// not at or above the home folder; "" if there is none.
func (e Env) projectFile() string {
	for dir := e.WorkDir; dir != "" && dir != e.Home; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, ".handex.toml")
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
}

// maxConfig is how large a file of settings may be: a project's comes with a clone,
// and what it says is read before each answer.
const maxConfig = 256 << 10

// readTOML reads a file into a struct that has all its keys. A file that is not
// there, or has no name, is empty.
func readTOML(file string, into any) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(text) > maxConfig {
		err = fmt.Errorf("%s is larger than %d bytes", file, maxConfig)
	}
	if err != nil {
		return fmt.Errorf("read config: %w", err)
	}
	err = toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(into)
	if err != nil {
		return tomlFault(file, text, err)
	}
	return nil
}

// parseAge reads a time span as the query language writes it: 36h, 7d, 2w. Empty
// is 0, the default.
func parseAge(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	units := map[string]time.Duration{"h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour}
	number := strings.TrimRight(text, "hdw")
	n, err := strconv.Atoi(number)
	unit, ok := units[text[len(number):]]
	if err != nil || !ok || n < 1 || n > 10_000 {
		return 0, fmt.Errorf("%q is no time span as 36h, 7d or 2w", text)
	}
	return time.Duration(n) * unit, nil
}
