package cli

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
)

// versionCmd is the command that prints the version of this program.
type versionCmd struct{}

// Run prints the module's version, the commit, its date and the compiler.
func (versionCmd) Run(a *app) error {
	form := a.flags.asked()
	if form != "" {
		return render.JSON(a.out, build())
	}
	return writeVersion(a.out)
}

// writeVersion writes a line with the name of the program and its version.
func writeVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, "handex %s\n", build())
	return err
}

// version is the JSON of what is known of the build of this program.
type version struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"` // of the commit
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Schema   int    `json:"schema"`
}

var build = sync.OnceValue(func() version {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
})

// versionOf returns the version that the Go command recorded in the program. A build in a
// work tree records the commit. Of a module from a proxy, the commit is known only if the
// version is a pseudo-version.
func versionOf(info *debug.BuildInfo) version {
	v := version{
		Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Schema: render.Schema,
	}
	if info == nil {
		return v
	}
	v.Version = cmp.Or(info.Main.Version, "(devel)")
	if m := pseudoVersion().FindStringSubmatch(v.Version); m != nil {
		v.Commit = m[2]
		if at, err := time.Parse("20060102150405", m[1]); err == nil {
			v.Date = at.Format(time.RFC3339)
		}
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value[:min(len(s.Value), 12)]
		case "vcs.time":
			v.Date = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// pseudoVersion matches the version of a commit without a tag.
var pseudoVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[-.](\d{14})-([0-9a-f]{12})(?:\+|$)`)
})

// String returns the version as one line, without the name of the program.
func (v version) String() string {
	text := v.Version
	if v.Commit != "" {
		text += ", commit " + v.Commit
	}
	if v.Modified {
		text += ", modified"
	}
	if v.Date != "" {
		text += ", " + v.Date
	}
	return text + ", " + v.Go + " " + v.Platform
}
