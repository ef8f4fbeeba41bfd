package service

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/index"
)

// An index that is removed between a refresh and the acknowledgements is nothing to report
// and does not end the watch, which builds another.
func TestIndexRemovedAfterARefresh(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), func() time.Time { return time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC) }
	if err := os.WriteFile(filepath.Join(dir, "HANDOFF.md"), []byte("# Handoff\n\n## Next\n\n- rest\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := New(Options{
		Now: now, Clock: now, Zone: time.UTC,
		Places: config.Places{WorkDir: dir, StateHome: t.TempDir(), Getenv: func(string) string { return "" }},
		Index:  t.TempDir(), Roots: []index.Root{{Path: dir}}, FormatTime: time.Time.String,
		Config: func() (*config.Config, error) { return &config.Config{}, nil },
	})
	defer func() { _ = s.Close() }()
	live, err := s.GoLive(t.Context(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(s.opt.Index); err != nil {
		t.Skip(err) // as on Windows
	}
	if err := s.mirrorAcks(t.Context()); !errors.Is(err, index.ErrNoIndex) {
		t.Fatalf("error %v, want that there is no index", err)
	}
	live.refreshed(t.Context(), func(text string) { t.Errorf("noted %q", text) })
}
