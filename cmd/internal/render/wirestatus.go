package render

import (
	"io"
	"time"

	"handex/index"
)

// The JSON of status, index and roots.
type (
	wireStatus struct {
		Schema      int            `json:"schema"`
		Path        string         `json:"path,omitempty"`
		Bytes       int64          `json:"bytes,omitempty"`
		IndexSchema int            `json:"index_schema"`
		SQLite      string         `json:"sqlite,omitempty"`
		Zone        string         `json:"zone,omitempty"`
		RefreshedAt time.Time      `json:"refreshed_at,omitzero"`
		Files       int            `json:"files"`
		Handoffs    int            `json:"handoffs"`
		Versions    int            `json:"versions,omitempty"`
		Archive     string         `json:"archive,omitempty"`
		Roots       []wireRoot     `json:"roots,omitempty"`
		Formats     []wireFormat   `json:"formats,omitempty"`
		Projects    []wireProject  `json:"projects,omitempty"`
		Problems    []wireFault    `json:"problems,omitempty"`
		Skipped     []wirePathNote `json:"skipped,omitempty"`
		Watch       *wireWatch     `json:"watch,omitempty"`
	}
	wireWatch struct {
		PID     int            `json:"pid"`
		Folders int            `json:"folders"`
		Settled bool           `json:"settled"`
		Swept   []wirePathNote `json:"swept,omitempty"`
	}
	wireRoot struct {
		Path        string    `json:"path"`
		Include     []string  `json:"include,omitempty"`
		Exclude     []string  `json:"exclude,omitempty"`
		Files       int       `json:"files,omitempty"`
		Handoffs    int       `json:"handoffs,omitempty"`
		RefreshedAt time.Time `json:"refreshed_at,omitzero"`
		Trouble     string    `json:"trouble,omitempty"`
	}
	wireFormat struct {
		Format   string `json:"format"`
		Handoffs int    `json:"handoffs"`
	}
	wireProject struct {
		Project  string    `json:"project"`
		Root     string    `json:"root"`
		Handoffs int       `json:"handoffs"`
		Newest   time.Time `json:"newest,omitzero"`
	}
	wireFault struct {
		Rule     string `json:"rule"`
		Severity string `json:"severity"`
		Handoffs int    `json:"handoffs"`
		Count    int    `json:"count"`
	}
	wirePathNote struct {
		Path   string `json:"path"`
		Reason string `json:"reason"`
	}
	wireReport struct {
		Schema    int            `json:"schema"`
		Handoffs  int            `json:"handoffs"`
		Versions  int            `json:"versions,omitempty"`
		Files     int            `json:"files"`
		Added     int            `json:"added"`
		Updated   int            `json:"updated"`
		Removed   int            `json:"removed"`
		Unchanged int            `json:"unchanged"`
		Problems  int            `json:"problems"`
		Seconds   float64        `json:"seconds"`
		Skipped   []wirePathNote `json:"skipped,omitempty"`
		Troubles  []wirePathNote `json:"troubles,omitempty"`
		Git       *wireGit       `json:"git,omitempty"`
	}
	wireGit struct {
		Repositories int            `json:"repositories"`
		Versions     int            `json:"versions"`
		New          int            `json:"new"`
		Troubles     []wirePathNote `json:"troubles,omitempty"`
	}
)

// StatusJSON writes a status as one object.
func StatusJSON(w io.Writer, s *index.Status) error {
	return JSON(w, wireStatus{
		Schema: Schema, Path: s.Path, Bytes: s.Bytes, IndexSchema: s.Schema, SQLite: s.SQLite, Zone: s.Zone,
		RefreshedAt: s.RefreshedAt.UTC(), Files: s.Files, Handoffs: s.Handoffs,
		Versions: s.Versions, Archive: s.Archive,
		Roots: each(s.Roots, func(r index.RootStatus) wireRoot {
			return wireRoot{Path: r.Path, Files: r.Files, Handoffs: r.Handoffs, RefreshedAt: r.RefreshedAt.UTC(), Trouble: r.Trouble}
		}),
		Formats: each(s.Formats, func(b index.Bucket) wireFormat { return wireFormat{b.Values[0], b.Count} }),
		Projects: each(s.Projects, func(p index.ProjectStatus) wireProject {
			return wireProject{p.Name, p.Root, p.Handoffs, p.Newest.UTC()}
		}),
		Problems: each(s.Problems, func(p index.ProblemStatus) wireFault {
			return wireFault{p.Rule, p.Severity.String(), p.Handoffs, p.Count}
		}),
		Skipped: each(s.Skips, func(s index.Skip) wirePathNote { return wirePathNote(s) }),
		Watch:   watch(s.Watch),
	})
}

func watch(w *index.WatchState) *wireWatch {
	if w == nil {
		return nil
	}
	wire := &wireWatch{PID: w.PID, Folders: w.Folders, Settled: w.Settled}
	for _, r := range w.Roots {
		if r.Doubt != "" {
			wire.Swept = append(wire.Swept, wirePathNote{r.Path, r.Doubt})
		}
	}
	return wire
}

// ReportJSON writes what a refresh did as one object, with what was taken from git
// before, if anything was.
func ReportJSON(w io.Writer, r index.Report, taken *index.GitReport) error {
	note := func(t index.Trouble) wirePathNote { return wirePathNote(t) }
	var git *wireGit
	if taken != nil {
		git = &wireGit{taken.Repositories, taken.Versions, taken.New, each(taken.Troubles, note)}
	}
	return JSON(w, wireReport{
		Schema: Schema, Handoffs: r.Handoffs, Versions: r.Versions, Files: r.Files, Added: r.Added, Updated: r.Updated, Removed: r.Removed,
		Unchanged: r.Unchanged, Problems: r.Problems, Seconds: r.Elapsed.Seconds(),
		Skipped:  each(r.Skipped, func(s index.Skip) wirePathNote { return wirePathNote(s) }),
		Troubles: each(r.Troubles, note), Git: git,
	})
}

// RootsJSON writes roots as one object.
func RootsJSON(w io.Writer, roots []index.Root) error {
	list := make([]wireRoot, len(roots))
	for i, r := range roots {
		list[i] = wireRoot{Path: r.Path, Include: r.Include, Exclude: r.Exclude}
	}
	return JSON(w, struct {
		Schema int        `json:"schema"`
		Roots  []wireRoot `json:"roots"`
	}{Schema, list})
}
