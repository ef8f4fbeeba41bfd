package latest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/index/internal/latest"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/parse"
)

func TestLatestRules(t *testing.T) {
	t.Parallel()
	row := func(id int64, path string, sort, mtime int64) sqlitedb.GroupRowsRow {
		return sqlitedb.GroupRowsRow{ID: id, Path: path, Sort: sort, MtimeNs: mtime}
	}
	for _, c := range []struct {
		name string
		rule parse.LatestRule
		rows []sqlitedb.GroupRowsRow
		want int64
	}{
		{"date", parse.ByDate, []sqlitedb.GroupRowsRow{row(1, "/a", 5, 9), row(2, "/b", 7, 1), row(3, "/c", 6, 9)}, 2},
		{"date, then mtime", parse.ByDate, []sqlitedb.GroupRowsRow{row(1, "/a", 5, 2), row(2, "/b", 5, 3), row(3, "/c", 5, 1)}, 2},
		{"date, mtime, then path", parse.ByDate, []sqlitedb.GroupRowsRow{row(1, "/a", 5, 2), row(2, "/c", 5, 2), row(3, "/b", 5, 2)}, 2},
		{"mtime", parse.ByMTime, []sqlitedb.GroupRowsRow{row(1, "/a", 9, 5), row(2, "/b", 1, 7), row(3, "/c", 9, 6)}, 2},
		{"mtime, then the first name", parse.ByMTime, []sqlitedb.GroupRowsRow{row(1, "/b", 9, 5), row(2, "/a", 1, 5), row(3, "/c", 9, 5)}, 2},
		{"current over log", parse.Current, []sqlitedb.GroupRowsRow{row(1, "/meta/handoff-log.yaml", 9, 9), row(2, "/meta/handoff.yaml", 1, 1)}, 2},
		{"newest of a log", parse.Current, []sqlitedb.GroupRowsRow{row(1, "/meta/handoff-log.yaml", 3, 9), row(2, "/meta/handoff-log.yaml", 5, 9)}, 2},
	} {
		if got := latest.NewGroup(c.rule, c.rows).Latest(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// The latest of claude-suite is what its contract says: ls -t | head -1.
func TestLatestIsWhatLsSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9]{1,4}\.md`), 1, 6, rapid.ID[string]).Draw(rt, "names")
		var rows []sqlitedb.GroupRowsRow
		for i, name := range names {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				rt.Fatal(err)
			}
			at := time.Unix(1770000000+rapid.Int64Range(0, 2).Draw(rt, "time"), 0)
			if err := os.Chtimes(path, at, at); err != nil {
				rt.Fatal(err)
			}
			rows = append(rows, sqlitedb.GroupRowsRow{ID: int64(i), Path: path, MtimeNs: at.UnixNano()})
		}
		cmd := exec.Command("ls", "-t", dir)
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		out, err := cmd.Output()
		if err != nil {
			rt.Skip("no ls here")
		}
		want, _, _ := strings.Cut(string(out), "\n")
		if got := filepath.Base(rows[latest.NewGroup(parse.ByMTime, rows).Latest()].Path); got != want {
			rt.Fatalf("latest is %s, ls -t says %s", got, want)
		}
	})
}

func TestTopicOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"HANDOFF.md":                       "",
		"handoff-2026-02-05.md":            "",
		"SESSION_SUMMARY_2026-02-05.md":    "",
		"20260205T1030-notes.md":           "",
		"b4db9cba-11aa-4000.md":            "",
		"2026-02-05-auth-refresh.md":       "auth-refresh",
		"HANDOFF_Auth_Refresh_v2.md":       "auth-refresh",
		"auth.refresh.3.handoff.yaml":      "auth-refresh",
		"oauth2-login.md":                  "oauth-login",
		"phase3-login.md":                  "phase-login",
		"facade.md":                        "facade",
		"t1030.md":                         "",
		"x.md":                             "x",
		"2026-02-05_検索の索引.md":              "検索の索引",
		"archive/login/2026-02-05.md":      "",
		"ENG-142_offline-sync.v1.draft.md": "eng-offline-sync-draft",
	} {
		if got := latest.TopicOf("/home/ana/docs/handoffs/" + name); got != want {
			t.Errorf("%s has the topic %q, want %q", name, got, want)
		}
	}
}
