package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"handex/index"
)

// Status writes what the index holds, a block for each aspect.
func Status(w io.Writer, s *index.Status, o Options) error {
	path := s.Path
	if path == "" {
		path = "none yet"
	}
	p := &printer{Options: o, w: w}
	p.facts([]fact{
		{"index", []Span{{Text: Path(path)}, paren(size(s.Bytes))}},
		{"refreshed", plainly(o.Date(s.RefreshedAt, "instant"))},
		{"handoffs", plainly(strconv.Itoa(s.Handoffs))},
		{"files", plainly(strconv.Itoa(s.Files))},
		{"versions", o.versions(s)},
		{"sqlite", plainly(s.SQLite)},
		{"watched", plainly(watched(s.Watch))},
	}...)
	for _, b := range statusBlocks(s, o) {
		if len(b.rows) > 0 {
			p.print("\n")
			p.table(b.header, b.rows)
		}
	}
	return p.err
}

// watched says who watches what; it is empty if nobody does.
func watched(w *index.WatchState) string {
	if w == nil {
		return ""
	}
	list := []string{fmt.Sprintf("by process %d: %d folders", w.PID, w.Folders)}
	for _, r := range w.Roots {
		if r.Doubt != "" {
			list = append(list, Path(r.Path)+" by sweep ("+Line(r.Doubt)+")")
		}
	}
	return strings.Join(list, "; ")
}

// versions tells how many of the handoffs were overwritten, and where they are
// kept.
func (o Options) versions(s *index.Status) []Span {
	if s.Versions == 0 {
		return nil
	}
	return []Span{{Text: strconv.Itoa(s.Versions)}, {pathIn(s.Archive), Dim}}
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

// GitReport writes what was taken from git; nil is nothing.
func GitReport(w io.Writer, r *index.GitReport) error {
	if r == nil {
		return nil
	}
	p := &printer{w: w}
	p.print(fmt.Sprintf("%d versions in %d git repositories, %d of them new\n", r.Versions, r.Repositories, r.New))
	p.troubles(r.Troubles)
	return p.err
}

// Indexed counts what the index holds after a refresh.
func Indexed(r index.Report) string {
	versions := ""
	if r.Versions > 0 {
		versions = fmt.Sprintf(" (%d of earlier versions)", r.Versions)
	}
	return fmt.Sprintf("%d handoffs%s in %d files", r.Handoffs, versions, r.Files)
}

// Report writes what a refresh did.
func Report(w io.Writer, r index.Report, _ Options) error {
	p := &printer{w: w}
	p.print(fmt.Sprintf("%s: %d added, %d updated, %d removed, %d unchanged; %d problems; %.1f s\n",
		Indexed(r), r.Added, r.Updated, r.Removed, r.Unchanged, r.Problems, r.Elapsed.Seconds()))
	for _, s := range r.Skipped {
		p.print("not indexed: " + Path(s.Path) + ": " + Line(s.Reason) + "\n")
	}
	p.troubles(r.Troubles)
	return p.err
}

func (p *printer) troubles(list []index.Trouble) {
	for _, t := range list {
		p.print("not read: " + Path(t.Path) + ": " + Line(t.Reason) + "\n")
	}
}
