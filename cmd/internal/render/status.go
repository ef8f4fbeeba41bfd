package render

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"handex/index"
)

// Status writes what the index holds, a block for each aspect.
func Status(w io.Writer, s *index.Status, o Options) error {
	path := s.Path
	if path == "" {
		path = "none yet"
	}
	facts := []fact{
		{"index", []piece{{text: Path(path)}, paren(size(s.Bytes))}},
		{"refreshed", plainly(o.Date(s.RefreshedAt, "instant"))},
		{"handoffs", plainly(strconv.Itoa(s.Handoffs))},
		{"files", plainly(strconv.Itoa(s.Files))},
		{"sqlite", plainly(s.SQLite)},
	}
	if err := o.facts(w, facts); err != nil {
		return err
	}
	for _, b := range statusBlocks(s, o) {
		if len(b.rows) == 0 {
			continue
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if err := Table(w, b.header, b.rows, o); err != nil {
			return err
		}
	}
	return nil
}

func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n > 0:
		return fmt.Sprintf("%.0f KB", float64(n)/(1<<10))
	}
	return ""
}

// block is a table of a status.
type block struct {
	header []string
	rows   [][]string
}

func statusBlocks(s *index.Status, o Options) []block {
	roots := block{header: []string{"files>", "handoffs>", "root"}}
	for _, r := range s.Roots {
		row := []string{strconv.Itoa(r.Files), strconv.Itoa(r.Handoffs), r.Path}
		if r.Trouble != "" {
			row[2] += "  (" + r.Trouble + ")"
		}
		roots.rows = append(roots.rows, row)
	}
	formats := block{header: []string{"handoffs>", "format"}}
	for _, f := range s.Formats {
		formats.rows = append(formats.rows, append([]string{strconv.Itoa(f.Count)}, f.Values...))
	}
	projects := block{header: []string{"handoffs>", "newest", "project", "root"}}
	for _, p := range s.Projects {
		projects.rows = append(projects.rows, []string{strconv.Itoa(p.Handoffs), o.Date(p.Newest, "day"), p.Name, p.Root})
	}
	problems := block{header: []string{"handoffs>", "severity", "problem"}}
	for _, p := range s.Problems {
		problems.rows = append(problems.rows, []string{strconv.Itoa(p.Handoffs), p.Severity.String(), p.Rule})
	}
	skips := block{header: []string{"not indexed", "reason"}}
	for _, p := range s.Skips {
		skips.rows = append(skips.rows, []string{p.Path, p.Reason})
	}
	return []block{roots, formats, projects, problems, skips}
}

// Report writes what a refresh did.
func Report(w io.Writer, r index.Report, _ Options) error {
	_, err := fmt.Fprintf(w, "%d handoffs in %d files: %d added, %d updated, %d removed, %d unchanged; %d problems; %.1f s\n",
		r.Handoffs, r.Files, r.Added, r.Updated, r.Removed, r.Unchanged, r.Problems, r.Elapsed.Seconds())
	if err != nil {
		return err
	}
	for _, s := range r.Skipped {
		if _, err := fmt.Fprintf(w, "not indexed: %s: %s\n", Path(s.Path), Line(s.Reason)); err != nil {
			return err
		}
	}
	for _, t := range r.Troubles {
		if _, err := fmt.Fprintf(w, "not read: %s: %s\n", Path(t.Path), Line(t.Reason)); err != nil {
			return err
		}
	}
	return nil
}

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
		Roots       []wireRoot     `json:"roots,omitempty"`
		Formats     []wireFormat   `json:"formats,omitempty"`
		Projects    []wireProject  `json:"projects,omitempty"`
		Problems    []wireFault    `json:"problems,omitempty"`
		Skipped     []wirePathNote `json:"skipped,omitempty"`
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
		Files     int            `json:"files"`
		Added     int            `json:"added"`
		Updated   int            `json:"updated"`
		Removed   int            `json:"removed"`
		Unchanged int            `json:"unchanged"`
		Problems  int            `json:"problems"`
		Seconds   float64        `json:"seconds"`
		Skipped   []wirePathNote `json:"skipped,omitempty"`
		Troubles  []wirePathNote `json:"troubles,omitempty"`
	}
)

// StatusJSON writes a status as one object.
func StatusJSON(w io.Writer, s *index.Status) error {
	return JSON(w, wireStatus{
		Schema: Schema, Path: s.Path, Bytes: s.Bytes, IndexSchema: s.Schema, SQLite: s.SQLite, Zone: s.Zone,
		RefreshedAt: s.RefreshedAt.UTC(), Files: s.Files, Handoffs: s.Handoffs,
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
	})
}

// ReportJSON writes what a refresh did as one object.
func ReportJSON(w io.Writer, r index.Report) error {
	return JSON(w, wireReport{
		Schema: Schema, Handoffs: r.Handoffs, Files: r.Files, Added: r.Added, Updated: r.Updated, Removed: r.Removed,
		Unchanged: r.Unchanged, Problems: r.Problems, Seconds: r.Elapsed.Seconds(),
		Skipped:  each(r.Skipped, func(s index.Skip) wirePathNote { return wirePathNote(s) }),
		Troubles: each(r.Troubles, func(t index.Trouble) wirePathNote { return wirePathNote(t) }),
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
