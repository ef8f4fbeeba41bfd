package index_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"handex/index"
	"handex/parse"
)

func TestBaseID(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at   time.Time
		want int64
	}{
		{time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), 0},
		{time.Date(2000, 1, 1, 0, 0, 1, 5, time.UTC), 1},
		{time.Date(1999, 12, 31, 23, 59, 59, 0, time.UTC), -1},
		{time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC), 1770724800 - 946684800},
	} {
		if got := index.BaseID(c.at); got != c.want {
			t.Errorf("%v: %d, want %d", c.at, got, c.want)
		}
	}
}

// The allocator answers what looking for the first free id from each base on
// answers.
func TestAllocate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		small := rapid.Int64Range(0, 600)
		taken := map[int64]bool{}
		for _, id := range rapid.SliceOfN(small, 0, 300).Draw(t, "taken") {
			taken[id] = true
		}
		bases := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) int64 { return small.Draw(t, "base") / 16 * 16 }), 1, 100).Draw(t, "bases")
		got, err := index.Allocate(func(low, high int64) (list []int64, _ error) {
			for id := low; id < high; id++ {
				if taken[id] {
					list = append(list, id)
				}
			}
			return list, nil
		}, bases)
		if err != nil {
			t.Fatal(err)
		}
		used := map[int64]bool{}
		for i, base := range bases {
			want := base
			for taken[want] || used[want] {
				want++
			}
			used[want] = true
			if got[i] != want {
				t.Fatalf("base %d: %d, want %d", base, got[i], want)
			}
		}
	})
}

func TestPublicID(t *testing.T) {
	t.Parallel()
	// printf '/a/b.md\0' | sha256sum, printf '/a/b.md\0key\0001' | sha256sum
	for _, c := range []struct {
		key   string
		again int
		want  string
	}{
		{"", 0, sum(t, "/a/b.md\x00")},
		{"key", 0, sum(t, "/a/b.md\x00key")},
		{"key", 1, sum(t, "/a/b.md\x00key\x001")},
	} {
		if got := index.PublicID("/a/b.md", c.key, c.again); got != c.want {
			t.Errorf("%q %d: %s, want %s", c.key, c.again, got, c.want)
		}
	}
}

// sum is a public id by the tool that everyone has.
func sum(t *testing.T, text string) string {
	t.Helper()
	cmd := exec.Command("sha256sum")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Skip("no sha256sum here")
	}
	return "h_" + string(out[:12])
}

func TestLatestRules(t *testing.T) {
	t.Parallel()
	row := func(id int64, path string, sort, mtime int64) index.GroupRow {
		return index.GroupRow{ID: id, Path: path, Sort: sort, MtimeNs: mtime}
	}
	for _, c := range []struct {
		name string
		rule parse.LatestRule
		rows []index.GroupRow
		want int64
	}{
		{"date", parse.ByDate, []index.GroupRow{row(1, "/a", 5, 9), row(2, "/b", 7, 1), row(3, "/c", 6, 9)}, 2},
		{"date, then mtime", parse.ByDate, []index.GroupRow{row(1, "/a", 5, 2), row(2, "/b", 5, 3), row(3, "/c", 5, 1)}, 2},
		{"date, mtime, then path", parse.ByDate, []index.GroupRow{row(1, "/a", 5, 2), row(2, "/c", 5, 2), row(3, "/b", 5, 2)}, 2},
		{"mtime", parse.ByMTime, []index.GroupRow{row(1, "/a", 9, 5), row(2, "/b", 1, 7), row(3, "/c", 9, 6)}, 2},
		{"mtime, then the first name", parse.ByMTime, []index.GroupRow{row(1, "/b", 9, 5), row(2, "/a", 1, 5), row(3, "/c", 9, 5)}, 2},
		{"current over log", parse.Current, []index.GroupRow{row(1, "/meta/handoff-log.yaml", 9, 9), row(2, "/meta/handoff.yaml", 1, 1)}, 2},
		{"newest of a log", parse.Current, []index.GroupRow{row(1, "/meta/handoff-log.yaml", 3, 9), row(2, "/meta/handoff-log.yaml", 5, 9)}, 2},
	} {
		if got := index.LatestOf(c.rule, c.rows); got != c.want {
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
		var rows []index.GroupRow
		for i, name := range names {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				rt.Fatal(err)
			}
			at := time.Unix(1770000000+rapid.Int64Range(0, 2).Draw(rt, "time"), 0)
			if err := os.Chtimes(path, at, at); err != nil {
				rt.Fatal(err)
			}
			rows = append(rows, index.GroupRow{ID: int64(i), Path: path, MtimeNs: at.UnixNano()})
		}
		cmd := exec.Command("ls", "-t", dir)
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		out, err := cmd.Output()
		if err != nil {
			rt.Skip("no ls here")
		}
		want, _, _ := strings.Cut(string(out), "\n")
		if got := filepath.Base(rows[index.LatestOf(parse.ByMTime, rows)].Path); got != want {
			rt.Fatalf("latest is %s, ls -t says %s", got, want)
		}
	})
}
