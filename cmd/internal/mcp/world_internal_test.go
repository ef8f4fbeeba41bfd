package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

var now = time.Date(2026, time.February, 10, 12, 0, 0, 0, time.UTC)

// world returns options for a server of a new folder with handoffs, one for each text:
// in project pNN, with the text wherever a handoff has one.
func world(tb testing.TB, texts ...string) Options {
	tb.Helper()
	dir := tb.TempDir()
	for i, text := range texts {
		folder := filepath.Join(dir, "tree", fmt.Sprintf("p%02d", i))
		quoted, err := json.Marshal(text)
		if err != nil {
			tb.Fatal(err)
		}
		escalated := "# " + text + "\n\n" + text + "\n\n## Next\n\n" + text + "\n\n## Blockers\n\n- " + text + "\n\nHUMAN REVIEW NEEDED: " + text + "\n"
		for name, text := range map[string]string{
			".git/HEAD":                         "ref: refs/heads/main\n",
			".flow-guardian/handoff.yaml":       fmt.Sprintf("goal: %[1]s\nstatus: blocked\nnow: %[1]s\nbranch: %[1]s\nfiles:\n  - %[1]s\n", quoted),
			"docs/handoffs/2026-02-08-asked.md": escalated,
		} {
			path := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				tb.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				tb.Fatal(err)
			}
		}
	}
	o := service.Options{
		Now: func() time.Time { return now }, Zone: time.UTC, Index: filepath.Join(dir, "index"), Program: "1",
		Places: config.Places{
			WorkDir: filepath.Join(dir, "tree"), StateHome: filepath.Join(dir, "state"), Getenv: func(string) string { return "" },
		},
		FormatTime: func(at time.Time) string { return at.Format(time.DateTime) },
		Config: func() (*config.Config, error) {
			return &config.Config{Roots: []index.Root{{Path: filepath.Join(dir, "tree")}}}, nil
		},
	}
	return Options{Options: o, Write: true, Log: func(string) {}, Author: func(s *service.Service, say func(string)) author.Env {
		return author.Env{Places: o.Places, Now: o.Now, Zone: o.Zone, Say: say, Archive: s.KeepOld}
	}}
}
