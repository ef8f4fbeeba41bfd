package render

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index"
)

// Status writes what is in the index, a block for each aspect.
func Status(w io.Writer, s *index.Status, o Options) error {
	var versions []Span // those that were overwritten
	if s.Versions > 0 {
		versions = []Span{{Text: strconv.Itoa(s.Versions)}, {pathIn(s.Archive), Dim}}
	}
	p := &printer{Options: o, w: w}
	p.facts([]fact{
		{"index", []Span{{Text: Path(cmp.Or(s.Path, "none yet"))}, paren(size(s.Bytes))}},
		{"refreshed", plainly(o.Date(s.RefreshedAt, "instant"))},
		{"handoffs", plainly(strconv.Itoa(s.Handoffs))},
		{"files", plainly(strconv.Itoa(s.Files))},
		{"versions", versions},
		{"sqlite", plainly(s.SQLite)},
		{"watched", plainly(watched(s.Watch))},
	}...)
	count := strconv.Itoa
	p.block([]string{"files>", "handoffs>", "root"}, each(s.Roots, func(r index.RootStatus) []string {
		path := r.Path
		if r.Trouble != "" {
			path += "  (" + r.Trouble + ")"
		}
		return []string{count(r.Files), count(r.Handoffs), path}
	}))
	p.block([]string{"handoffs>", "format"}, bucketRows(s.Formats, ""))
	p.block([]string{"handoffs>", "newest", "project", "root"}, each(s.Projects, func(r index.ProjectStatus) []string {
		return []string{count(r.Handoffs), o.Date(r.Newest, "day"), r.Name, r.Root}
	}))
	p.block([]string{"handoffs>", "severity", "problem"}, each(s.Problems, func(r index.ProblemStatus) []string {
		return []string{count(r.Handoffs), r.Severity.String(), r.Rule}
	}))
	p.block([]string{"not indexed", "reason"},
		each(s.Skips, func(r index.Skip) []string { return []string{r.Path, r.Reason} }))
	return p.err
}

// block writes a table below a blank line, unless it is empty.
func (p *printer) block(header []string, rows [][]string) {
	if len(rows) > 0 {
		p.print("\n")
		p.table(header, rows)
	}
}

// watched returns who watches what, "" if nobody does.
func watched(w *index.WatchState) string {
	if w == nil {
		return ""
	}
	list := []string{fmt.Sprintf("by process %d: %d folders", w.PID, w.Folders)}
	for _, r := range w.Roots {
		if r.Doubt != "" {
			list = append(list, Path(r.Path)+" checked at intervals ("+Line(r.Doubt)+")")
		}
	}
	return strings.Join(list, "; ")
}

// size returns a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n > 0:
		return fmt.Sprintf("%.0f KB", float64(n)/(1<<10))
	}
	return ""
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

// Indexed counts what is in the index after a refresh.
func Indexed(r index.Report) string {
	if r.Versions > 0 {
		return fmt.Sprintf("%d handoffs (%d of earlier versions)", r.Handoffs, r.Versions)
	}
	return fmt.Sprintf("%d handoffs", r.Handoffs)
}

// Report writes what a refresh did with the files that it looked for, and what the index
// has now: these files are only some of it if a root or a project was given.
func Report(w io.Writer, r index.Report, _ Options) error {
	p := &printer{w: w}
	const line = "%d files: %d added, %d updated, %d removed, %d unchanged; %d problems; %.1f s; the index has %s\n"
	p.print(fmt.Sprintf(line, r.Files, r.Added, r.Updated, r.Removed, r.Unchanged, r.Problems,
		r.Elapsed.Seconds(), Indexed(r)))
	for _, s := range r.Skipped {
		p.print("not indexed: " + Path(s.Path) + ": " + Line(s.Reason) + "\n")
	}
	p.troubles(r.Troubles)
	return p.err
}

// troubles writes a line for each folder that could not be read.
func (p *printer) troubles(list []index.Trouble) {
	for _, t := range list {
		p.print("not read: " + Path(t.Path) + ": " + Line(t.Reason) + "\n")
	}
}
