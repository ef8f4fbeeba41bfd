package index

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// An archiveState is what of the archive the index has taken account of, beside what
// table archived holds.
type archiveState struct {
	// Folder is a state of its folder in which it held what the table says, if the
	// next change will show: as long as it holds, nothing has to be listed. Else it
	// is "".
	Folder string `json:"folder,omitempty"`
	// Limits are the bounds that were enforced, Checked is when, in milliseconds.
	Limits  string `json:"limits,omitempty"`
	Checked int64  `json:"checked,omitempty"`
	// Roots are those whose paths were looked for, by path and rules: another may take
	// in what only the archive has.
	Roots []string `json:"roots"`
}

const (
	// manyNames are listed slower than it takes to write that they need not be.
	manyNames = 1000
	// maxRoots is how many roots are remembered.
	maxRoots = 32
)

// addRoots notes that the paths of roots are looked for, and reports whether that is
// new for any.
func (s *archiveState) addRoots(scans []*scan) (isNew bool) {
	s.Roots = slices.Clone(s.Roots)
	for _, x := range scans {
		mark := digest([]string{x.root.Path, strconv.FormatInt(x.rules, 16)})
		if !x.part && !slices.Contains(s.Roots, mark) {
			s.Roots, isNew = append(s.Roots, mark), true
		}
	}
	s.Roots = s.Roots[max(0, len(s.Roots)-maxRoots):]
	return isNew
}

// recordedArchive is the state that the index has; ok is false if that was in doubt.
func (r *refresh) recordedArchive() (was archiveState, ok bool) {
	text := r.facts[factArchive]
	return was, text != "" && json.Unmarshal([]byte(text), &was) == nil
}

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
	state := r.archive
	_, known := r.recordedArchive()
	if r.unsure || r.loader.archive.failed() || r.o.Only != "" && !known {
		return ""
	}
	if len(r.loader.archive.changed) > 0 {
		state.Folder = ""
	}
	text, err := json.Marshal(state)
	if err != nil {
		return ""
	}
	return string(text)
}

// archiveNews reports whether the state of the archive alone is worth writing: that of
// the folder is only if it takes long to list it.
func (r *refresh) archiveNews() bool {
	was, _ := r.recordedArchive()
	now := r.archive
	now.Folder = was.Folder
	text, err := json.Marshal(now)
	fact := r.archiveFact()
	return fact != r.facts[factArchive] && (fact == "" || r.archiveNames >= manyNames || err != nil || string(text) != r.facts[factArchive])
}
