package index

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// A shelfState is what of the archive the index has taken account of. What a
// refresh puts into it is known without another look; the names show whether
// somebody else did too.
type shelfState struct {
	// Names tells apart what is in the archive by name; "off" without one.
	Names string `json:"names"`
	// Folder is a state of its folder in which it held these, if the next change
	// will show: as long as it holds, nothing has to be listed. Else it is "".
	Folder string `json:"folder,omitempty"`
	// Parts are the projects, each with the roots, whose versions are right in
	// another state of its folder, PartFolder.
	Parts      []string `json:"parts,omitempty"`
	PartFolder string   `json:"part_folder,omitempty"`
	// Limits are the bounds it was tidied by, Tidied is when, in milliseconds, and
	// Grown how many bytes were added since.
	Limits string `json:"limits"`
	Tidied int64  `json:"tidied"`
	Grown  int64  `json:"grown,omitempty"`
	// Roots are those whose paths were asked for, by path and rules.
	Roots []string `json:"roots,omitempty"`
}

const (
	shelfOff = "off"
	// manyNames are listed slower than it takes to write that they need not be.
	manyNames = 1000
	// tidyAge and tidyPart are how long the bounds go unchecked, and how much of
	// the largest size may be added, one part in so many.
	tidyAge  = 24 * time.Hour
	tidyPart = 16
	// maxMarks is how many roots and parts are remembered.
	maxMarks = 32
)

func (o ArchiveOptions) limits() string { return fmt.Sprint(o.KeepDays, o.MaxBytes) }

// recorded is the state that the index has; ok is false if that was in doubt.
func (r *refresh) recorded() (was shelfState, ok bool) {
	text := r.facts[factShelf]
	ok = text != "" && json.Unmarshal([]byte(text), &was) == nil
	return was, ok && was.Names != ""
}

// outdated reports whether the versions of any path may be others now.
func (x *shelf) outdated() (bool, error) {
	was, ok := x.recorded()
	x.shelf = was
	x.folder = x.folderState()
	switch {
	case x.build || len(x.plan.claims) > 0 || x.facts[factKnown] != x.known || len(x.plan.gone) > manyChanges:
		return true, nil
	case x.part():
		asAll := ok && x.folder == was.Folder && x.rootsKnown()
		asPart := x.folder == was.PartFolder && slices.Contains(was.Parts, x.partMark())
		return x.folder == "" || !asAll && !asPart, nil
	case !ok || x.due() || !x.rootsKnown():
		return true, nil
	case x.folder != "" && x.folder == was.Folder:
		return false, nil
	}
	if err := x.list(nil); err != nil {
		return false, err
	}
	x.shelf.Folder = x.folder
	return x.loader.kept.names.digest("") != was.Names, nil
}

// touched lists the paths whose versions may be others now though the archive is
// as it was.
func (x *shelf) touched() (paths []string, _ error) {
	for _, c := range x.plan.changes {
		paths = append(append(paths, c.Path), x.formers(c.Path, c.origin)...)
	}
	for _, f := range x.earlier {
		if x.p.watch.changed(f.versionOf, f.deps) {
			paths = append(paths, f.versionOf)
		}
	}
	if len(x.plan.gone) > 0 {
		rows, err := x.p.stock.details(numberList(idsOf(x.plan.gone)))
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			paths = append(append(paths, row.Path), x.formers(row.Path, row.Origin)...)
		}
	}
	return paths, nil
}

// due reports whether the archive's bounds must be looked after.
func (x *shelf) due() bool {
	o := x.s.opt.Archive
	age := x.now.Sub(time.UnixMilli(x.shelf.Tidied))
	return x.shelf.Limits != o.limits() || age < 0 || age > tidyAge || o.MaxBytes > 0 && x.shelf.Grown > o.MaxBytes/tidyPart
}

// rootsKnown reports whether the paths of all roots were asked for. Another may
// take in what only the archive has.
func (x *shelf) rootsKnown() bool {
	return !slices.ContainsFunc(x.plan.scans, func(s *scan) bool { return !slices.Contains(x.shelf.Roots, s.mark()) })
}

// mark tells roots apart by path and rules.
func (s *scan) mark() string { return digest([]string{s.root.Path, strconv.FormatInt(s.rules, 16)}) }

// partMark tells apart which project is looked at in which roots.
func (x *shelf) partMark() string {
	marks := []string{x.o.Only}
	for _, s := range x.plan.scans {
		marks = append(marks, s.mark())
	}
	return digest(marks)
}

// folderState tells states of the archive's folder apart; "" if its next change may
// not show.
func (x *shelf) folderState() string {
	switch path, st, err := x.s.archiveFolder(); {
	case err == nil && max(st.MtimeNS, st.CtimeNS) < x.now.UnixNano()-int64(racy) && x.p.disks.Of(path, st.Dev).FolderTimes:
		return fmt.Sprint(st.Dev, st.Ino, st.MtimeNS, st.CtimeNS)
	case err != nil && vanished(err):
		return "none"
	}
	return ""
}

// lookedAtPart notes that what one project has in the archive is in the plan.
func (x *shelf) lookedAtPart() {
	if x.folder == "" || x.folder != x.shelf.PartFolder {
		x.shelf.Parts, x.shelf.PartFolder = nil, x.folder
	}
	if mark := x.partMark(); x.folder != "" && !slices.Contains(x.shelf.Parts, mark) {
		x.shelf.Parts = append(x.shelf.Parts, mark)
	}
	x.shelf.Parts = x.shelf.Parts[max(0, len(x.shelf.Parts)-maxMarks):]
}

// lookedAtAll notes that what all roots take of the archive is in the plan.
func (x *shelf) lookedAtAll() {
	was, ok := x.recorded()
	a := x.loader.kept
	x.shelf.Names, x.shelf.Folder = a.names.digest(""), x.folder
	x.shelf.Limits, x.shelf.Tidied, x.shelf.Grown = a.limits(), x.now.UnixMilli(), 0
	x.shelf.Parts, x.shelf.PartFolder = nil, ""
	if !ok || x.shelf.Names != was.Names {
		x.shelf.Roots = nil
	}
	for _, s := range x.plan.scans {
		if mark := s.mark(); !s.part && !slices.Contains(x.shelf.Roots, mark) {
			x.shelf.Roots = append(x.shelf.Roots, mark)
		}
	}
	x.shelf.Roots = x.shelf.Roots[max(0, len(x.shelf.Roots)-maxMarks):]
}

// shelfFact is the state for the index, with what was put into the archive since
// it was looked at; "" if anything about it is in doubt.
func (r *refresh) shelfFact() string {
	a := r.loader.kept
	a.mu.Lock()
	defer a.mu.Unlock()
	state := r.shelf
	switch {
	case r.unsure || a.fault != nil || a.grown > 0 && a.names.has == nil:
		return ""
	case r.passed:
		return r.facts[factShelf]
	case a.grown > 0:
		state.Names, state.Grown = a.names.digest(state.Names), state.Grown+a.grown
		state.Folder, state.Parts, state.PartFolder = "", nil, ""
	}
	text, err := json.Marshal(state)
	if err != nil {
		return ""
	}
	return string(text)
}

// shelfNews reports whether the state of the archive alone is worth writing.
func (r *refresh) shelfNews() bool {
	if r.passed {
		return false
	}
	fact := r.shelfFact()
	was, ok := r.recorded()
	now := r.shelf
	if fact == "" || !ok && !r.part() || r.loader.kept.grown > 0 || r.loader.kept.names.count >= manyNames {
		return fact != r.facts[factShelf]
	}
	now.Folder = was.Folder
	return now.Names != was.Names || now.Limits != was.Limits || now.Tidied != was.Tidied || !slices.Equal(now.Roots, was.Roots)
}
