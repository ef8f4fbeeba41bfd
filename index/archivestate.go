package index

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// An archiveState is what of the archive the index has taken account of. What a
// refresh puts into it is known without another look; the digest shows whether
// somebody else changed it too.
type archiveState struct {
	// Names is the digest of what is in the archive; "off" without one.
	Names string `json:"names"`
	// Folder is a state of its folder in which it held these, if the next change
	// will show: as long as it holds, nothing has to be listed. Else it is "".
	Folder string `json:"folder,omitempty"`
	// Parts are the projects, each with the roots, whose versions are right in a
	// state of its folder.
	Parts map[string]string `json:"parts,omitempty"`
	// Limits are the bounds that were enforced, Checked is when, in milliseconds.
	Limits  string `json:"limits,omitempty"`
	Checked int64  `json:"checked,omitempty"`
	// Roots are those whose paths were looked for, by path and rules.
	Roots []string `json:"roots,omitempty"`
}

const (
	archiveOff = "off"
	// manyNames are listed slower than it takes to write that they need not be.
	manyNames = 1000
	// maxRoots is how many roots and projects are remembered.
	maxRoots = 32
)

// recordedArchive is the state that the index has; ok is false if that was in doubt.
func (r *refresh) recordedArchive() (was archiveState, ok bool) {
	text := r.facts[factArchive]
	ok = text != "" && json.Unmarshal([]byte(text), &was) == nil
	return was, ok && was.Names != ""
}

func (s *archiveState) digest() uint64 {
	n, err := strconv.ParseUint(s.Names, 16, 64)
	if err != nil {
		return 0
	}
	return n
}

func (s *archiveState) setDigest(n uint64) { s.Names = strconv.FormatUint(n, 16) }

// hasRoots reports whether the paths of all roots were looked for. Another may
// take in what only the archive has.
func (s *archiveState) hasRoots(scans []*scan) bool {
	return !slices.ContainsFunc(scans, func(x *scan) bool { return !slices.Contains(s.Roots, x.mark()) })
}

func (s *archiveState) addRoots(scans []*scan) {
	for _, x := range scans {
		if mark := x.mark(); !x.part && !slices.Contains(s.Roots, mark) {
			s.Roots = append(s.Roots, mark)
		}
	}
	s.Roots = s.Roots[max(0, len(s.Roots)-maxRoots):]
}

// addPart notes the state of the folder that the versions of a project are right in.
func (s *archiveState) addPart(part, folder string) {
	if len(s.Parts) >= maxRoots {
		s.Parts = nil
	}
	s.Parts = maps.Clone(s.Parts)
	if s.Parts == nil {
		s.Parts = map[string]string{}
	}
	s.Parts[part] = folder
}

// part tells apart which project is looked at in which roots; "" is all.
func (r *refresh) part() string {
	if r.o.Only == "" {
		return ""
	}
	marks := []string{r.o.Only}
	for _, s := range r.plan.scans {
		marks = append(marks, s.mark())
	}
	return digest(marks)
}

// mark tells roots apart by path and rules.
func (s *scan) mark() string { return digest([]string{s.root.Path, strconv.FormatInt(s.rules, 16)}) }

// watchArchive keeps walks out of the archive, by its number or, if that cannot be
// told now, by its path, and notes the state of its folder: "" if its next change may
// not show.
func (r *refresh) watchArchive(p *planner) {
	dir := r.s.opt.Archive.Dir
	if dir == "" {
		return
	}
	path, err := realPath(dir)
	var st Stat
	if err == nil {
		st, err = lstat(path)
	}
	switch {
	case err != nil && vanished(err):
		r.archiveFolder = "none"
		return
	case err != nil || st.id() == (FileID{}):
		p.barred = dir
	default:
		p.ignore = append(p.ignore, st.id())
	}
	if err == nil && max(st.MtimeNS, st.CtimeNS) < r.now.UnixNano()-int64(racy) && p.disks.tellChanges(path, st.Dev) {
		r.archiveFolder = fmt.Sprint(st.Dev, st.Ino, st.MtimeNS, st.CtimeNS)
	}
}

// archiveFact is the state for the index, "" if anything about it is in doubt.
func (r *refresh) archiveFact() string {
	a := r.loader.archive
	a.mu.Lock()
	defer a.mu.Unlock()
	state := r.archive
	_, known := r.recordedArchive()
	if r.unsure || a.err != nil || r.o.Only != "" && !known {
		return ""
	}
	if a.change != 0 {
		state.setDigest(state.digest() ^ a.change)
	}
	if len(a.stored) > 0 {
		state.Folder, state.Parts = "", nil
	}
	text, err := json.Marshal(state)
	if err != nil {
		return ""
	}
	return string(text)
}

// archiveNews reports whether the state of the archive alone is worth writing.
func (r *refresh) archiveNews() bool {
	fact := r.archiveFact()
	if fact == r.facts[factArchive] {
		return false
	}
	was, ok := r.recordedArchive()
	now := r.archive
	now.Folder = was.Folder
	text, err := json.Marshal(now)
	return fact == "" || !ok || r.archiveNames >= manyNames || err != nil || string(text) != r.facts[factArchive] || len(r.loader.archive.stored) > 0
}

// dropVersions removes all versions from the index, as there is no archive. With one
// again they must be looked for.
func (r *refresh) dropVersions() (stale []int64) {
	for _, f := range r.earlier {
		stale = append(stale, f.id)
	}
	if r.o.Only == "" {
		r.archive = archiveState{Names: archiveOff}
	} else {
		r.unsure = r.unsure || len(stale) > 0
	}
	return stale
}
