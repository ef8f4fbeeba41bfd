package cli

import (
	"fmt"
	"path/filepath"
	"time"

	"handex/index"
)

// archiveConfig says whether earlier versions are kept, and how many.
type archiveConfig struct {
	Enabled  *bool  `toml:"enabled"`
	KeepDays *int   `toml:"keep_days"`
	MaxBytes *int64 `toml:"max_bytes"`
}

const (
	defaultKeepDays = 365
	defaultMaxBytes = 256 << 20
)

// options are how the index keeps earlier versions in a folder of the user's data.
func (c archiveConfig) options(dataHome string, clock func() time.Time) index.ArchiveOptions {
	if !filepath.IsAbs(dataHome) || c.Enabled != nil && !*c.Enabled {
		return index.ArchiveOptions{}
	}
	o := index.ArchiveOptions{
		Dir: filepath.Join(dataHome, "handex", "archive"), KeepDays: defaultKeepDays, MaxBytes: defaultMaxBytes, Clock: clock,
	}
	if c.KeepDays != nil {
		o.KeepDays = *c.KeepDays
	}
	if c.MaxBytes != nil {
		o.MaxBytes = *c.MaxBytes
	}
	return o
}

// check refuses bounds that mean nothing.
func (c archiveConfig) check() error {
	switch {
	case c.KeepDays != nil && (*c.KeepDays < 0 || *c.KeepDays > 100_000):
		return fmt.Errorf("keep_days: %d is not between 0 and 100000", *c.KeepDays)
	case c.MaxBytes != nil && *c.MaxBytes < 0:
		return fmt.Errorf("max_bytes: %d is less than 0", *c.MaxBytes)
	}
	return nil
}
