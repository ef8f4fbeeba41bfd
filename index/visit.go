package index

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"handex/index/internal/fsx"
)

// A memory is what earlier walks left, and takes what this one finds.
type memory interface {
	// recall answers what is known of a folder, nil for nothing; it may be out
	// of date.
	recall(path string) *listing
	// quiet reports whether nothing is to be told of the files of a folder;
	// states is the fingerprint of theirs.
	quiet(path string, l listing, states string) bool
	// enter announces that the files of a folder are told one by one, leave
	// that they were. Empty states say that they must be the next time too.
	enter(path string) error
	leave(l listing, states string)
	// same reports whether a file is in the state it was found in before.
	same(path string, st fsx.Stat) bool
	// settled reports whether a file in this state has not changed for so long
	// that its next change will show.
	settled(st fsx.Stat) bool
}

// noMemory is that of a walk on its own.
type noMemory struct{}

func (noMemory) recall(string) *listing             { return nil }
func (noMemory) quiet(string, listing, string) bool { return false }
func (noMemory) enter(string) error                 { return nil }
func (noMemory) leave(listing, string)              {}
func (noMemory) same(string, fsx.Stat) bool         { return false }
func (noMemory) settled(fsx.Stat) bool              { return false }

// A survey is what the disk says of a folder's entries.
type survey struct {
	entries []entry
	states  []fsx.Stat // of files; the zero value for what is no file any more
	linked  []bool     // the file has other names
	buf     []byte
	open    bool // something must be looked at again the next time
}

// visit finds the files of a folder and returns the folders in it.
func (w *walker) visit(s *spot, l listing) ([]*spot, error) {
	v := &w.survey
	if err := v.take(l.entries); err != nil {
		return nil, err
	}
	w.look(s)
	states := v.fingerprint()
	if w.memory.quiet(s.path, l, states) {
		for i, st := range v.states {
			if v.entries[i].kind == entryFile {
				w.seen.add(st.ID())
			}
		}
		return w.others(s), nil
	}
	if err := w.memory.enter(s.path); err != nil {
		return nil, err
	}
	for i := range v.entries {
		if v.states[i] == (fsx.Stat{}) {
			continue
		}
		if err := w.candidate(s, i); err != nil {
			return nil, err
		}
	}
	if v.open {
		states = ""
	}
	l.entries = v.pack(l.entries)
	w.memory.leave(l, states)
	return w.others(s), nil
}

// others takes the entries that are no files and returns the folders.
func (w *walker) others(s *spot) (folders []*spot) {
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
		case entryNew, entryFile, entryStray:
		}
	}
	return folders
}

func (v *survey) take(packed string) (err error) {
	v.entries, err = unpackEntries(v.entries[:0], packed)
	v.states, v.linked, v.open = v.states[:0], v.linked[:0], false
	return err
}

// look asks for the states of the files.
func (w *walker) look(s *spot) {
	v := &w.survey
	for i := range v.entries {
		var st fsx.Stat
		var links uint64
		if e := &v.entries[i]; e.isFile() {
			var err error
			if st, links, err = fsx.LstatLinks(fsx.Join(s.path, e.name)); err != nil {
				v.open = true
				if !fsx.Vanished(err) {
					w.trouble(s.path, fsx.Reason(err))
				}
			}
			if links > 1 {
				w.covers.addFile(fsx.Join(s.path, e.name))
			}
			v.open = v.open || links > 1 || !w.memory.settled(st)
		}
		v.states, v.linked = append(v.states, st), append(v.linked, links > 1)
	}
}

// fingerprint is one of the states; it is empty if there is something to look
// at again, and "-" if there is no file.
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
	sum := sha256.Sum256(v.buf)
	return hex.EncodeToString(sum[:16])
}

// pack is the entries as they are now; old is how they were packed before.
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

// candidate takes a file with the name of a handoff, unless its text is not.
func (w *walker) candidate(s *spot, i int) error {
	v := &w.survey
	e, st := &v.entries[i], v.states[i]
	path := fsx.Join(s.path, e.name)
	rel := joinRel(s.rel, e.name)
	if !w.takes(rel, st, v.linked[i]) {
		v.open = true
		return nil
	}
	switch fits, err := w.fits(path, st, e); {
	case err != nil:
		v.open = true
		w.seen.add(st.ID())
		return w.found(File{path, rel, st, err})
	case fits:
		e.kind, e.seen = entryFile, fsx.Stat{}
		w.seen.add(st.ID())
		return w.found(File{Path: path, Rel: rel, Stat: st})
	}
	e.kind, e.seen = entryStray, fsx.Stat{}
	if w.memory.settled(st) {
		e.seen = st
		e.seen.Mode = 0
	}
	return nil
}

// takes reports whether a file is one, and was not found by another name.
func (w *walker) takes(rel string, st fsx.Stat, linked bool) bool {
	id := st.ID()
	if !st.Mode.IsRegular() {
		w.skip(rel, "it is "+fsx.DescribeMode(st.Mode))
		return false
	}
	twice := linked && w.seen.has(id)
	return id == (fsx.FileID{}) || !twice && !slices.Contains(w.ignore, id)
}

// fits reports whether a file's first bytes show what its name leaves open. The
// error is that they cannot be read.
func (w *walker) fits(path string, st fsx.Stat, e *entry) (bool, error) {
	switch {
	case e.need == needNothing, w.known != nil && w.known(path, st):
		return true, nil
	case e.kind == entryFile && w.memory.same(path, st):
		return true, nil
	case e.kind == entryStray && e.seen.Ino != 0:
		st.Mode = 0
		if e.seen == st {
			return false, nil
		}
	}
	head, err := lookInto(path, headSize)
	return err == nil && e.need.fits(head), err
}

// lookInto is a variable for the test that nothing is looked into twice.
var lookInto = fsx.ReadHead

// A fileSet holds files by id. Most walks only add to it.
type fileSet struct {
	added []fsx.FileID
	index map[fsx.FileID]bool
}

func (s *fileSet) add(id fsx.FileID) { s.added = append(s.added, id) }

func (s *fileSet) has(id fsx.FileID) bool {
	if s.index == nil {
		s.index = make(map[fsx.FileID]bool, len(s.added))
	}
	for _, id := range s.added {
		s.index[id] = true
	}
	s.added = s.added[:0]
	return s.index[id]
}
