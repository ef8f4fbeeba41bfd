package service_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

// home is a folder of handoffs and one for the index.
func home(t *testing.T) service.Options {
	t.Helper()
	dir := t.TempDir()
	roots := []index.Root{{Path: filepath.Join(dir, "tree")}}
	o := service.Options{
		Now: func() time.Time { return time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC) }, Zone: time.UTC,
		Places: config.Places{
			WorkDir: dir, StateHome: filepath.Join(dir, "state"), Getenv: func(string) string { return "" },
		},
		Index:      filepath.Join(dir, "index"),
		FormatTime: func(at time.Time) string { return at.Format(time.DateTime) },
		Config:     func() (*config.Config, error) { return &config.Config{Roots: roots}, nil },
	}
	for _, name := range []string{"prices", "taxes", "coupons"} {
		file := filepath.Join(dir, "tree", name, "HANDOFF.md")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		text := "# Handoff: " + name + "\n\n**Date**: 2026-02-01\n\n## Next steps\n- Write the rules of " + name + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// damage changes a word in the index.
func damage(t *testing.T, o service.Options) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(o.Index, "index-v*.db"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "the rules of", "the roles of")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// broken are the indexes that were set aside.
func broken(t *testing.T, o service.Options) int {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(o.Index, "broken-*.db"))
	if err != nil {
		t.Fatal(err)
	}
	return len(paths)
}

// Requests that come by damage at once are all answered, and the index is built anew
// once.
func TestLiveRepairsOnce(t *testing.T) {
	o := home(t)
	s := service.New(o)
	live, err := s.GoLive(t.Context(), 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	damage(t, o)
	var requests sync.WaitGroup
	for range 8 {
		requests.Go(func() {
			err := live.Do(t.Context(), func(v *service.View) error {
				found, err := v.Newest(t.Context(), "tree/prices/HANDOFF.md")
				if err == nil {
					_, err = v.Load(t.Context(), found.ID)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	requests.Wait()
	if n := broken(t, o); n != 1 {
		t.Errorf("%d indexes were set aside", n)
	}
}

// An acknowledgement that holds is written once, and taken back once.
func TestAck(t *testing.T) {
	o := home(t)
	s := service.New(o)
	defer func() { _ = s.Close() }()
	refs := []string{"tree/prices/HANDOFF.md", "tree/taxes/HANDOFF.md"}
	for _, c := range []struct{ held, changed int }{{0, 2}, {2, 0}} {
		done, err := s.Ack(t.Context(), refs, "seen", false)
		if err != nil || len(done.Held) != c.held || len(done.Changed) != c.changed {
			t.Errorf("%+v, %v", done, err)
		}
	}
	if list, err := s.Acks(t.Context()); err != nil || len(list) != 2 || list[0].State != "holds" {
		t.Errorf("%+v, %v", list, err)
	}
	for _, want := range []bool{true, false} {
		if done, err := s.Ack(t.Context(), refs[:1], "", true); err != nil || (len(done.Changed) == 1) != want {
			t.Errorf("%+v, %v", done, err)
		}
	}
}
