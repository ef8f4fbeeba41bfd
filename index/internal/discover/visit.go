package discover

import (
	"encoding/binary"
	"iter"
	"slices"

	"github.com/OWNER/handex/index/internal/fsx"
)

// A survey is what the disk says of a folder's entries.
type survey struct {
	entries []entry
	states  []fsx.Stat // of files; the zero value for what is no file any more
	linked  []bool     // the file has other names
	buf     []byte
	open    bool // something must be looked at again the next time
}

// List reads what the folder contains and the states of its files, unless the stored state of
// it still holds; nil is nothing. It returns false where the folder cannot be read. The
// error is that what is known was not made by this program.
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

// Candidates yields the files of the folder, which was listed, with the name of a handoff. Listing and States are those
// after all were looked at.
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

// takeOthers handles the entries that are no files and returns the folders.
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

func (v *survey) take(packed string) (err error) {
	v.entries, err = unpackEntries(v.entries[:0], packed)
	v.states, v.linked, v.open = v.states[:0], v.linked[:0], false
	return err
}

// readStates reads the states of the files.
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

// fingerprint returns one of the states; it is empty if there is something to look at
// again, and "-" if there is no file.
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

// pack returns the packed entries as they are now; old is how they were packed before.
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

// Look returns the file, unless its text is not that of a handoff. It is not opened if it
// is known to be unchanged.
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

// isSettled reports whether a file in this state has not changed for so long that its
// next change will show.
func (w *Walk) isSettled(st fsx.Stat) bool { return !st.IsYoung(w.opt.Now) }

// takes reports whether a file is one, and was not found by another name.
func (w *Walk) takes(rel string, st fsx.Stat, linked bool) bool {
	id := st.ID()
	if !st.Mode.IsRegular() {
		w.skip(rel, "it is "+fsx.DescribeMode(st.Mode))
		return false
	}
	twice := linked && w.seen[id]
	return id == (fsx.FileID{}) || !twice && !slices.Contains(w.opt.Ignore, id)
}

// fits reports whether a file's first bytes show what its name leaves open. The
// error is that they cannot be read.
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
