package render

import (
	"io"

	"github.com/OWNER/handex/index"
)

// StatusJSON writes a status as one object.
func StatusJSON(w io.Writer, s *index.Status) error {
	return JSON(w, object{
		{"schema", Schema},
		{"path", s.Path},
		{"bytes", nonzero(s.Bytes)},
		{"index_schema", s.Schema},
		{"sqlite", s.SQLite},
		{"zone", s.Zone},
		{"refreshed_at", s.RefreshedAt},
		{"files", s.Files},
		{"handoffs", s.Handoffs},
		{"versions", nonzero(s.Versions)},
		{"archive", s.Archive},
		{"roots", each(s.Roots, func(r index.RootStatus) object {
			return object{
				{"path", always{r.Path}},
				{"files", nonzero(r.Files)},
				{"handoffs", nonzero(r.Handoffs)},
				{"refreshed_at", r.RefreshedAt},
				{"trouble", r.Trouble},
			}
		})},
		{"formats", each(s.Formats, func(b index.Bucket) object {
			return object{{"format", always{b.Values[0]}}, {"handoffs", b.Count}}
		})},
		{"projects", each(s.Projects, func(p index.ProjectStatus) object {
			return object{{"project", always{p.Name}}, {"root", always{p.Root}}, {"handoffs", p.Handoffs}, {"newest", p.Newest}}
		})},
		{"problems", each(s.Problems, func(p index.ProblemStatus) object {
			return object{
				{"rule", always{p.Rule}},
				{"severity", p.Severity.String()},
				{"handoffs", p.Handoffs},
				{"count", p.Count},
			}
		})},
		{"skipped", each(s.Skips, skipObject)},
		{"watch", watchObject(s.Watch)},
	})
}

// watchObject returns who watches the folders, and which of them it can only sweep.
func watchObject(w *index.WatchState) object {
	if w == nil {
		return nil
	}
	var swept []object
	for _, r := range w.Roots {
		if r.Doubt != "" {
			swept = append(swept, object{{"path", always{r.Path}}, {"reason", r.Doubt}})
		}
	}
	return object{{"pid", w.PID}, {"folders", w.Folders}, {"settled", w.Settled}, {"swept", swept}}
}

func skipObject(s index.Skip) object {
	return troubleObject(index.Trouble{Path: s.Path, Reason: s.Reason})
}

// ReportJSON writes what a refresh did as one object, with what was taken from git
// before, if anything was.
func ReportJSON(w io.Writer, r index.Report, taken *index.GitReport) error {
	var git object
	if taken != nil {
		git = object{
			{"repositories", taken.Repositories},
			{"versions", taken.Versions},
			{"new", taken.New},
			{"troubles", each(taken.Troubles, troubleObject)},
		}
	}
	return JSON(w, object{
		{"schema", Schema},
		{"handoffs", r.Handoffs},
		{"versions", nonzero(r.Versions)},
		{"files", r.Files},
		{"added", r.Added},
		{"updated", r.Updated},
		{"removed", r.Removed},
		{"unchanged", r.Unchanged},
		{"problems", r.Problems},
		{"seconds", always{r.Elapsed.Seconds()}},
		{"skipped", each(r.Skipped, skipObject)},
		{"troubles", each(r.Troubles, troubleObject)},
		{"git", git},
	})
}

// RootsJSON writes roots as one object.
func RootsJSON(w io.Writer, roots []index.Root) error {
	return JSON(w, object{{"schema", Schema}, {"roots", all(roots, func(r index.Root) object {
		return object{{"path", always{r.Path}}, {"include", r.Include}, {"exclude", r.Exclude}}
	})}})
}
