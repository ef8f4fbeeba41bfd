package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// The version, commit and date come from what each way to build records.
func TestVersionOf(t *testing.T) {
	t.Parallel()
	settings := func(revision, modified string) []debug.BuildSetting {
		return []debug.BuildSetting{
			{Key: "vcs.revision", Value: revision},
			{Key: "vcs.time", Value: "2026-02-10T12:00:00Z"},
			{Key: "vcs.modified", Value: modified},
		}
	}
	const revision = "0123456789abcdef0123456789abcdef01234567"
	main := func(v string) debug.Module { return debug.Module{Path: "example.com/handex", Version: v} }
	for _, c := range []struct {
		name, want string
		info       *debug.BuildInfo
	}{
		{"no build info", "unknown", nil},
		{"no work tree", "(devel)", &debug.BuildInfo{Main: main("(devel)")}},
		{"go install of a tag", "v0.1.0", &debug.BuildInfo{Main: main("v0.1.0")}},
		{
			"go install of a commit", "v0.1.1-0.20260209080706-0123456789ab, commit 0123456789ab, 2026-02-09T08:07:06Z",
			&debug.BuildInfo{Main: main("v0.1.1-0.20260209080706-0123456789ab")},
		},
		{
			"a release", "v0.1.0, commit 0123456789ab, 2026-02-10T12:00:00Z",
			&debug.BuildInfo{Main: main("v0.1.0"), Settings: settings(revision, "false")},
		},
		{
			"a changed work tree",
			"v0.0.0-20260209080706-0123456789ab+dirty, commit 0123456789ab, modified, 2026-02-10T12:00:00Z",
			&debug.BuildInfo{Main: main("v0.0.0-20260209080706-0123456789ab+dirty"), Settings: settings(revision, "true")},
		},
	} {
		want := c.want + ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
		if got := versionOf(c.info).String(); got != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}
