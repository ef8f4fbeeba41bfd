package ids_test

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/index/internal/ids"
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
		if got := ids.Base(c.at); got != c.want {
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
		got, err := allocate(func(low, high int64) (list []int64, _ error) {
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
		if got := ids.Public("/a/b.md", c.key, c.again); got != c.want {
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

// allocate gives out an id for each base, none of them taken.
func allocate(taken func(low, high int64) ([]int64, error), bases []int64) ([]int64, error) {
	a := ids.New(taken)
	list := make([]int64, len(bases))
	for i, base := range bases {
		var err error
		if list[i], err = a.Take(base); err != nil {
			return nil, err
		}
	}
	return list, nil
}
