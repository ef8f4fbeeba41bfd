package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"handex/cmd/internal/render"
)

// versionCmd prints which program this is.
type versionCmd struct{}

// Run prints the module's version, the commit and the compiler.
func (versionCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	v := build()
	if form != "" {
		return render.JSON(a.out, v)
	}
	commit := ""
	if v.Commit != "" {
		commit = " (" + v.Commit + ")"
	}
	_, err = fmt.Fprintf(a.out, "handex %s%s %s %s\n", v.Version, commit, v.Go, v.Platform)
	return err
}

// version is what is known of the build.
type version struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Schema   int    `json:"schema"`
}

var build = sync.OnceValue(func() version {
	v := version{Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Schema: render.Schema}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Version = info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v.Commit = s.Value[:min(len(s.Value), 12)]
		}
	}
	return v
})
