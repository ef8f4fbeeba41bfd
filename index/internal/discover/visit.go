package discover

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"handex/index/internal/fsx"
)

// A Cache has what earlier walks found, and takes what this one finds.
type Cache interface {
	// Recall returns what is known of a folder, nil for nothing; it may be out
	// of date.
	Recall(path string) *Listing
	// Reuse keeps the files of a folder as they are known, if states, the
	// fingerprint of theirs, shows that they have not changed, and reports whether
	// it did.
	Reuse(path string, l Listing, states string) bool
	// Begin announces that the files of a folder are found one by one, End
	// that they were. Empty states say that they must be the next time too.
	Begin(path string) error
	End(l Listing, states string)
	// IsUnchanged reports whether a file is in the state it was found in before.
	IsUnchanged(path string, st fsx.Stat) bool
	// IsSettled reports whether a file in this state has not changed for so long
	// that its next change will show.
	IsSettled(st fsx.Stat) bool
}

// noCache is that of a walk on its own.
type noCache struct{}

func (noCache) Recall(string) *Listing             { return nil }
func (noCache) Reuse(string, Listing, string) bool { return false }
func (noCache) Begin(string) error                 { return nil }
func (noCache) End(Listing, string)                {}
func (noCache) IsUnchanged(string, fsx.Stat) bool  { return false }
func (noCache) IsSettled(fsx.Stat) bool            { return false }

// A survey is what the disk says of a folder's entries.
type survey struct {
	entries []entry
	states  []fsx.Stat // of files; the zero value for what is no file any more
	linked  []bool     // the file has other names
	buf     []byte
	open    bool // something must be looked at again the next time
}

// visit finds the files of a folder and returns the folders in it.
func (w *walker) visit(s *folder, l Listing) ([]*folder, error) {
	v := &w.survey
	if err := v.take(l.Entries); err != nil {
		return nil, err
	}
	w.readStates(s)
	states := v.fingerprint()
	if w.cache.Reuse(s.path, l, states) {
		for i, st := range v.states {
			if v.entries[i].kind == EntryFile {
				w.seen.add(st.ID())
			}
		}
		return w.takeOthers(s), nil
	}
	if err := w.cache.Begin(s.path); err != nil {
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
	l.Entries = v.pack(l.Entries)
	w.cache.End(l, states)
	return w.takeOthers(s), nil
}

// takeOthers handles the entries that are no files and returns the folders.
func (w *walker) takeOthers(s *folder) (folders []*folder) {
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
func (w *walker) readStates(s *folder) {
	v := &w.survey
	for i := range v.entries {
		var st fsx.Stat
		var links uint64
		if e := &v.entries[i]; e.isFile() {
			var err error
			if st, links, err = fsx.LstatLinks(fsx.Join(s.path, e.name)); err != nil {
				v.open = true
				if !fsx.Vanished(err) {
					w.trouble(s.path, err)
				}
			}
			if links > 1 {
				w.covers.Files = append(w.covers.Files, fsx.Join(s.path, e.name))
			}
			v.open = v.open || links > 1 || !w.cache.IsSettled(st)
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
	sum := sha256.Sum256(v.buf)
	return hex.EncodeToString(sum[:16])
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

// candidate adds a file with the name of a handoff, unless its text is not that of one.
func (w *walker) candidate(s *folder, i int) error {
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
		return w.found(File{Path: path, Rel: rel, Stat: st, Fault: err})
	case fits:
		e.kind, e.seen = EntryFile, fsx.Stat{}
		w.seen.add(st.ID())
		return w.found(File{Path: path, Rel: rel, Stat: st})
	}
	e.kind, e.seen = EntryStray, fsx.Stat{}
	if w.cache.IsSettled(st) {
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
	case e.need == needNothing:
		return true, nil
	case e.kind == EntryFile && w.cache.IsUnchanged(path, st):
		return true, nil
	case e.kind == EntryStray && e.seen.Ino != 0:
		st.Mode = 0
		if e.seen == st {
			return false, nil
		}
	}
	w.covers.Peeked++
	head, err := fsx.ReadHead(path, headSize)
	return err == nil && e.need.fits(head), err
}

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
