package render

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index"
)

// Status writes the status of the index: a block of facts, and tables of roots, formats,
// projects, problems and skipped files.
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
	p.block([]string{"files>", "handoffs>", "root"}, Each(s.Roots, func(r index.RootStatus) []string {
		path := r.Path
		if r.Trouble != "" {
			path += "  (" + r.Trouble + ")"
		}
		return []string{count(r.Files), count(r.Handoffs), path}
	}))
	p.block([]string{"handoffs>", "format"}, bucketRows(s.Formats, ""))
	p.block([]string{"handoffs>", "newest", "project", "root"}, Each(s.Projects, func(r index.ProjectStatus) []string {
		return []string{count(r.Handoffs), o.Date(r.Newest, "day"), r.Name, r.Root}
	}))
	p.block([]string{"handoffs>", "severity", "problem"}, Each(s.Problems, func(r index.ProblemStatus) []string {
		return []string{count(r.Handoffs), r.Severity.String(), r.Rule}
	}))
	p.block([]string{"not indexed", "reason"},
		Each(s.Skips, func(r index.Skip) []string { return []string{r.Path, r.Reason} }))
	return p.err
}

// block writes a table below a blank line, or nothing if it has no rows.
func (p *printer) block(header []string, rows [][]string) {
	if len(rows) > 0 {
		p.print("\n")
		p.table(header, rows)
	}
}

// watched returns which process watches how many folders, and which roots it only checks at
// intervals; "" if w is nil.
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

// size returns a number of bytes as text, such as "1.5 MB"; "" for 0.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n > 0:
		return fmt.Sprintf("%.0f KB", float64(n)/(1<<10))
	}
	return ""
}

// GitReport writes how many versions were imported from git, and what could not be read. It
// writes nothing if r is nil.
func GitReport(w io.Writer, r *index.GitReport) error {
	if r == nil {
		return nil
	}
	p := &printer{w: w}
	p.print(fmt.Sprintf("%d versions in %d git repositories, %d of them new\n", r.Versions, r.Repositories, r.New))
	p.troubles(r.Troubles)
	return p.err
}

// Indexed returns how many handoffs the index has after a refresh, as text.
func Indexed(r index.Report) string {
	if r.Versions > 0 {
		return fmt.Sprintf("%d handoffs (%d of earlier versions)", r.Handoffs, r.Versions)
	}
	return fmt.Sprintf("%d handoffs", r.Handoffs)
}

// Report writes what a refresh did with the files that it checked, and what the index has
// now. The files are only some of it if a root or a project was given.
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

// troubles writes a line for each path that could not be read.
func (p *printer) troubles(list []index.Trouble) {
	for _, t := range list {
		p.print("not read: " + Path(t.Path) + ": " + Line(t.Reason) + "\n")
	}
}

// StatusJSON writes the status of the index as one JSON object.
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
		{"roots", Each(s.Roots, func(r index.RootStatus) object {
			return object{
				{"path", always{r.Path}},
				{"files", nonzero(r.Files)},
				{"handoffs", nonzero(r.Handoffs)},
				{"refreshed_at", r.RefreshedAt},
				{"trouble", r.Trouble},
			}
		})},
		{"formats", Each(s.Formats, func(b index.Bucket) object {
			return object{{"format", always{b.Values[0]}}, {"handoffs", b.Count}}
		})},
		{"projects", Each(s.Projects, func(p index.ProjectStatus) object {
			return object{{"project", always{p.Name}}, {"root", always{p.Root}}, {"handoffs", p.Handoffs}, {"newest", p.Newest}}
		})},
		{"problems", Each(s.Problems, func(p index.ProblemStatus) object {
			return object{
				{"rule", always{p.Rule}},
				{"severity", p.Severity.String()},
				{"handoffs", p.Handoffs},
				{"count", p.Count},
			}
		})},
		{"skipped", Each(s.Skips, skipObject)},
		{"watch", watchObject(s.Watch)},
	})
}

// watchObject returns the state of a watch as a JSON object: its process, and the folders
// that it can only check at intervals. It is nil if nobody watches.
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

// ReportJSON writes what a refresh did as one JSON object. taken is what was imported from
// git before it; nil if nothing was.
func ReportJSON(w io.Writer, r index.Report, taken *index.GitReport) error {
	var git object
	if taken != nil {
		git = object{
			{"repositories", taken.Repositories},
			{"versions", taken.Versions},
			{"new", taken.New},
			{"troubles", Each(taken.Troubles, troubleObject)},
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
		{"skipped", Each(r.Skipped, skipObject)},
		{"troubles", Each(r.Troubles, troubleObject)},
		{"git", git},
	})
}

// RootsJSON writes roots with their patterns as one JSON object.
func RootsJSON(w io.Writer, roots []index.Root) error {
	return JSON(w, object{{"schema", Schema}, {"roots", all(roots, func(r index.Root) object {
		return object{{"path", always{r.Path}}, {"include", r.Include}, {"exclude", r.Exclude}}
	})}})
}

// Examined is the result of examining the index. Done are the repairs that were made
// before.
type Examined struct {
	index.Examination
	Done []string
}

// Checkup writes the repairs that were made, the findings, and a sentence that sums them
// up. With details, it writes the facts about the index first.
func Checkup(w io.Writer, e *Examined, details bool, o Options) error {
	var facts []fact
	if details {
		facts = Each(e.Facts, func(f index.Fact) fact { return fact{f.Name, plainly(f.Value)} })
	}
	facts = append(facts, Each(e.Done, func(done string) fact { return fact{"done", plainly(done)} })...)
	fixable := 0
	for _, f := range e.Findings {
		pieces := []Span{{f.Code + ": ", Bold}, {Text: f.Text}}
		if f.Remedy != "" {
			fixable++
			pieces = append(pieces, paren("handex doctor --fix"))
		}
		facts = append(facts, fact{"finding", pieces})
	}
	p := &printer{Options: o, w: w}
	p.facts(facts...)
	found := Several(len(e.Findings), "finding")
	switch {
	case len(e.Findings) == 0:
		p.line(Span{Text: "Nothing is wrong with the index."})
	case fixable == 0:
		p.line(Span{Text: found + "; handex cannot repair any of them."})
	default:
		p.line(Span{Text: found + "; handex doctor --fix repairs " + strconv.Itoa(fixable) + " of them."})
	}
	return p.err
}

// CheckupJSON writes an examination of the index as one JSON object.
func CheckupJSON(w io.Writer, e *Examined) error {
	facts := map[string]string{}
	for _, f := range e.Facts {
		facts[f.Name] = f.Value
	}
	return JSON(w, object{
		{"schema", Schema},
		{"healthy", len(e.Findings) == 0},
		{"facts", always{facts}},
		{"done", e.Done},
		{"findings", all(e.Findings, func(f index.Finding) object {
			return object{{"code", always{f.Code}}, {"text", always{f.Text}}, {"remedy", f.Remedy}}
		})},
	})
}
