package discover

import (
	"encoding/binary"
	"iter"
	"slices"

	"github.com/OWNER/handex/index/internal/fsx"
)

// A survey is the entries of a folder and the states of its files.
type survey struct {
	entries []entry
	states  []fsx.Stat // of files; the zero value for what is no file any more
	linked  []bool     // the file has other names
	buf     []byte
	open    bool // something must be looked at again the next time
}

// List sets the entries of the folder and the states of its files. known is the stored listing, or
// nil; if the folder has not changed, its entries are taken from there. ok is false if the folder
// cannot be read. The error is that known was not made by this program.
func (s *Folder) List(known *Listing) (ok bool, err error) {
	w := s.walk
	if s.Listing, err = w.listing(s, known); err != nil {
		w.noteUnopened(s, err)
		return false, nil
	}
	if s.State != (fsx.Stat{}) {
		w.opt.Coverage.Folders = append(w.opt.Coverage.Folders, fsx.Folder{Path: s.Path, Dev: s.State.Dev, Ino: s.State.Ino})
	}
	if err := w.survey.take(s.Entries); err != nil {
		return false, err
	}
	w.readStates(s)
	s.States, s.listed = w.survey.fingerprint(), true
	return true, nil
}

// A Candidate is a file with the name of a handoff.
type Candidate struct {
	Path string
	Stat fsx.Stat
	in   *Folder
	at   int // among the entries
}

// Candidates yields the files with the name of a handoff in the folder, which must have been
// listed. Listing and States are complete when Look was called for all of them.
func (s *Folder) Candidates() iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		v := &s.walk.survey
		for i, st := range v.states {
			if st != (fsx.Stat{}) && !yield(Candidate{fsx.Join(s.Path, v.entries[i].name), st, s, i}) {
				return
			}
		}
		if v.open {
			s.States = ""
		}
		s.Entries = v.pack(s.Entries)
	}
}

// takeOthers handles the entries of a folder that are not files: it collects links and returns the
// folders.
func (w *Walk) takeOthers(s *Folder) (folders []*Folder) {
	for i := range w.survey.entries {
		switch e := &w.survey.entries[i]; e.kind {
		case entryGit:
			s.repo = true
		case entryFolder:
			folders = append(folders, s.child(e.name))
		case entryLink:
			w.links = append(w.links, link{joinRel(s.rel, e.name), e.need})
		case entryAlias:
			w.linkedFolder(w.placeOf(s), e.name)
		case entryNew, EntryFile, EntryStray:
		}
	}
	return folders
}

// take sets the survey to packed entries, without states.
func (v *survey) take(packed string) (err error) {
	v.entries, err = unpackEntries(v.entries[:0], packed)
	v.states, v.linked, v.open = v.states[:0], v.linked[:0], false
	return err
}

// readStates reads the states of the files in a folder into the survey, and notes whether they have
// to be checked again the next time.
func (w *Walk) readStates(s *Folder) {
	v := &w.survey
	for i := range v.entries {
		var st fsx.Stat
		var links uint64
		if e := &v.entries[i]; e.isFile() {
			var err error
			if st, links, err = fsx.LstatLinks(fsx.Join(s.Path, e.name)); err != nil {
				v.open = true
				if !fsx.Vanished(err) {
					w.trouble(s.Path, err)
				}
			}
			if links > 1 {
				w.opt.Coverage.Files = append(w.opt.Coverage.Files, fsx.Join(s.Path, e.name))
			}
			v.open = v.open || links > 1 || !w.isSettled(st)
		}
		v.states, v.linked = append(v.states, st), append(v.linked, links > 1)
	}
}

// fingerprint returns a fingerprint of the files' states; it is "" if one has to be checked again,
// and "-" if there is no file.
func (v *survey) fingerprint() string {
	if v.open {
		return ""
	}
	v.buf = v.buf[:0]
	for _, st := range v.states {
		if st == (fsx.Stat{}) {
			continue
		}
		for _, n := range []uint64{st.Dev, st.Ino, uint64(st.Size), uint64(st.MtimeNS), uint64(st.CtimeNS)} {
			v.buf = binary.LittleEndian.AppendUint64(v.buf, n)
		}
	}
	if len(v.buf) == 0 {
		return "-"
	}
	return fsx.HalfSum(v.buf)
}

// pack returns the current entries in packed form; old is their former packed form, returned if it
// is equal.
func (v *survey) pack(old string) string {
	v.buf = v.buf[:0]
	for i := range v.entries {
		v.buf = v.entries[i].append(v.buf)
	}
	if string(v.buf) == old {
		return old
	}
	return string(v.buf)
}

// Look returns the candidate as a file; ok is false if its text is not that of a handoff. A file is
// not opened if unchanged says that it has not changed.
func (c Candidate) Look(unchanged bool) (_ File, ok bool) {
	w := c.in.walk
	v := &w.survey
	e := &v.entries[c.at]
	file := File{Path: c.Path, Rel: joinRel(c.in.rel, e.name), Stat: c.Stat}
	if !w.takes(file.Rel, c.Stat, v.linked[c.at]) {
		v.open = true
		return file, false
	}
	ok = e.kind == EntryFile && unchanged
	if !ok {
		ok, file.Fault = w.fits(c.Path, c.Stat, e)
	}
	switch {
	case file.Fault != nil:
		v.open = true
	case ok:
		e.kind, e.seen = EntryFile, fsx.Stat{}
	default:
		e.kind, e.seen = EntryStray, fsx.Stat{}
		if w.isSettled(c.Stat) {
			e.seen = c.Stat
			e.seen.Mode = 0
		}
		return file, false
	}
	if v.linked[c.at] {
		w.seen[c.Stat.ID()] = true
	}
	return file, true
}

// isSettled reports whether a file in the state st has not changed for so long that its next change
// will change its state.
func (w *Walk) isSettled(st fsx.Stat) bool { return !st.IsYoung(w.opt.Now) }

// takes reports whether a file is a regular file that was not found by another name and is not
// ignored.
func (w *Walk) takes(rel string, st fsx.Stat, linked bool) bool {
	id := st.ID()
	if !st.Mode.IsRegular() {
		w.skip(rel, "it is "+fsx.DescribeMode(st.Mode))
		return false
	}
	twice := linked && w.seen[id]
	return id == (fsx.FileID{}) || !twice && !slices.Contains(w.opt.Ignore, id)
}

// fits reports whether a file's first bytes show what its name leaves open. The error is that they
// cannot be read.
func (w *Walk) fits(path string, st fsx.Stat, e *entry) (bool, error) {
	switch {
	case e.need == needNothing:
		return true, nil
	case e.kind == EntryStray && e.seen.Ino != 0:
		st.Mode = 0
		if e.seen == st {
			return false, nil
		}
	}
	w.opt.Coverage.Peeked++
	head, err := fsx.ReadHead(path, headSize)
	return err == nil && e.need.fits(head), err
}
