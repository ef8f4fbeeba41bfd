package discover

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
)

// listing returns the entries of a folder: old if the folder is unchanged, else read from the disk.
// It is empty for a folder that the walk must not enter.
func (w *Walk) listing(s *Folder, old *Listing) (Listing, error) {
	// The root may be a link, which has a state of its own.
	if old != nil && s.rel != "" {
		st, err := fsx.Lstat(s.Path)
		if err != nil {
			return Listing{}, err
		}
		if old.holds(st) && !w.barred(st.ID(), s.in) && old.Count <= min(w.opt.MaxDirEntries,
			w.opt.MaxEntries-w.Report.Entries) {
			w.Report.Entries += old.Count
			return *old, nil
		}
	}
	w.opt.Coverage.Listed++
	dir, st, err := fsx.OpenDir(s.Path, s.rel == "")
	if err != nil {
		return Listing{}, err
	}
	defer func() { _ = dir.Close() }()
	if w.barred(st.ID(), s.in) {
		return Listing{}, nil
	}
	return w.list(s, dir, st, old)
}

// list reads the entries of an open folder. For files that old has already checked, the result of
// that check is kept.
func (w *Walk) list(s *Folder, dir *os.File, st fsx.Stat, old *Listing) (Listing, error) {
	entries, whole := w.entries(dir)
	if err := w.ctx.Err(); err != nil {
		return Listing{}, err
	}
	l := Listing{State: folderState(st), Count: len(entries)}
	if !whole {
		l.State = fsx.Stat{}
	}
	f, skip := w.listed(w.placeOf(s), func(name string) bool { return hasEntry(entries, name) })
	if skip != "" {
		return l, nil
	}
	s.place = f
	before, err := oldFiles(old)
	if err != nil {
		return l, err
	}
	var buf []byte
	for _, d := range entries {
		e, matters := w.entry(f, d)
		if was, ok := before[e.name]; ok && e.kind == entryNew && was.need == e.need {
			e = was
		}
		if matters {
			buf = e.append(buf)
		}
	}
	l.Entries = string(buf)
	return l, nil
}

// entry returns the entry for a name in the folder f, by its kind; matters is false if the walk has
// no use for it.
func (w *Walk) entry(f ruleState, d fs.DirEntry) (e entry, matters bool) {
	e.name = d.Name()
	switch {
	case e.name == ".git" && len(w.root.Include) == 0:
		e.kind = entryGit
		return e, true
	case d.IsDir():
		_, skip := w.enter(f, e.name)
		e.kind = entryFolder
		return e, skip == ""
	case d.Type()&fs.ModeSymlink != 0:
		v := w.file(f, e.name)
		if e.kind, e.need = entryLink, v.need; !v.ok {
			e.kind, e.need = entryAlias, needNothing
		}
		return e, v.ok || f.trust == trustFull || folderTrust(strings.ToLower(e.name), f.agent) != trustNone
	}
	v := w.file(f, e.name)
	e.kind, e.need = entryNew, v.need
	return e, v.ok
}

// oldFiles returns the files in a listing, by name.
func oldFiles(l *Listing) (map[string]entry, error) {
	if l == nil || l.Entries == "" {
		return nil, nil
	}
	entries, err := unpackEntries(nil, l.Entries)
	files := map[string]entry{}
	for _, e := range entries {
		if e.isFile() {
			files[e.name] = e
		}
	}
	return files, err
}

// entries reads the entries of a folder, sorted by name, up to the limits of the walk; whole says
// that these are all.
func (w *Walk) entries(dir *os.File) (entries []fs.DirEntry, whole bool) {
	room := min(w.opt.MaxDirEntries, w.opt.MaxEntries-w.Report.Entries)
	entries, err := dir.ReadDir(room + 1)
	for err == nil && len(entries) <= room {
		var more []fs.DirEntry
		more, err = dir.ReadDir(room + 1 - len(entries))
		entries = append(entries, more...)
	}
	whole = errors.Is(err, io.EOF)
	if !whole && err != nil && !fsx.Vanished(err) {
		w.trouble(dir.Name(), err)
	}
	if len(entries) > room {
		entries, whole = entries[:room], false
		if w.full = room < w.opt.MaxDirEntries; w.full {
			w.trouble(w.root.Path, fmt.Errorf("more than %d files and folders: the rest was not searched", w.opt.MaxEntries))
		} else {
			w.trouble(dir.Name(), fmt.Errorf("more than %d entries: the rest was not searched", w.opt.MaxDirEntries))
		}
	}
	w.Report.Entries += len(entries)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, whole
}

// hasEntry reports whether entries, sorted by name, have one with the given name.
func hasEntry(entries []fs.DirEntry, name string) bool {
	_, ok := slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int {
		return strings.Compare(e.Name(), name)
	})
	return ok
}

// An entry is a name in a folder that is of use to a walk.
type entry struct {
	kind entryKind
	need need
	name string
	seen fsx.Stat // of a stray: the state it was looked into in, without Mode
}

// entryKind is a kind of entry.
type entryKind byte

// Kinds of entries, as they are in the index.
const (
	entryGit    entryKind = 'g' // .git: the folder is a repository
	entryFolder entryKind = 'd' // a folder to go into
	entryNew    entryKind = 'n' // has the name of a handoff
	EntryFile   entryKind = 'f' // so it has, and the text that the name needs
	EntryStray  entryKind = 's' // so it has, but not the text
	entryLink   entryKind = 'l' // a symbolic link with the name of a handoff
	entryAlias  entryKind = 'a' // another symbolic link, perhaps worth a note
)

// A Listing is what is stored about a folder after a walk: while its state is State, it need not be
// listed again.
type Listing struct {
	State   fsx.Stat // from before it was listed, without Size and Mode
	Count   int      // entries of any kind
	Entries string   // those that matter, packed, by name
}

// holds reports whether st is the state in which the folder was listed. It is false if State is
// zero.
func (l *Listing) holds(st fsx.Stat) bool {
	return l.State.Ino != 0 && l.State == folderState(st)
}

// isFile reports whether the entry is a file with the name of a handoff.
func (e *entry) isFile() bool {
	return e.kind == entryNew || e.kind == EntryFile || e.kind == EntryStray
}

// folderState returns the parts of st that differ after a change of the folder's entries.
func folderState(st fsx.Stat) fsx.Stat {
	return fsx.Stat{Dev: st.Dev, Ino: st.Ino, MtimeNS: st.MtimeNS, CtimeNS: st.CtimeNS}
}

// append appends e to buf in packed form: its kind, for entries with the name of a handoff the
// need, for a stray its state, then the name and a slash, which no name contains.
func (e *entry) append(buf []byte) []byte {
	buf = append(buf, byte(e.kind))
	switch e.kind {
	case EntryStray:
		buf = append(buf, '0'+byte(e.need))
		for _, n := range []int64{int64(e.seen.Dev), int64(e.seen.Ino), e.seen.Size, e.seen.MtimeNS, e.seen.CtimeNS} {
			buf = append(strconv.AppendInt(buf, n, 10), ' ')
		}
	case entryNew, EntryFile, entryLink:
		buf = append(buf, '0'+byte(e.need))
	case entryGit, entryFolder, entryAlias:
	}
	return append(append(buf, e.name...), '/')
}

// ErrEntries says that a listing was not made by this program.
var ErrEntries = errors.New("not the entries of a folder")

// unpackEntries appends to list the entries that are packed in a text: see entry.append.
func unpackEntries(list []entry, packed string) ([]entry, error) {
	for packed != "" {
		one, rest, ok := strings.Cut(packed, "/")
		e := entry{kind: entryKind(packed[0])}
		if !ok || !e.unpack(one[1:]) {
			return nil, fmt.Errorf("%w: %q", ErrEntries, one)
		}
		list, packed = append(list, e), rest
	}
	return list, nil
}

// unpack sets e, whose kind is known, from the rest of its packed form, and reports whether that is
// valid.
func (e *entry) unpack(rest string) bool {
	switch e.kind {
	case entryGit, entryFolder, entryAlias:
		e.name = rest
		return true
	case entryNew, EntryFile, entryLink, EntryStray:
		if rest == "" || rest[0] < '0' || rest[0] > '0'+byte(lastNeed) {
			return false
		}
		e.need, e.name = need(rest[0]-'0'), rest[1:]
	default:
		return false
	}
	if e.kind != EntryStray {
		return true
	}
	n, name, ok := CutNumbers(e.name, 5)
	if ok {
		e.name = name
		e.seen = fsx.Stat{Dev: uint64(n[0]), Ino: uint64(n[1]), Size: n[2], MtimeNS: n[3], CtimeNS: n[4]}
	}
	return ok
}

// CutNumbers reads count numbers, at most 10, from the front of s, where each is ended by a space.
// It returns them and the rest of s.
func CutNumbers(s string, count int) (n [10]int64, rest string, ok bool) {
	for i := range count {
		word, rest, ok := strings.Cut(s, " ")
		v, err := strconv.ParseInt(word, 10, 64)
		if err != nil || !ok {
			return n, s, false
		}
		n[i], s = v, rest
	}
	return n, s, true
}

// CountEntries returns how many of the packed entries are of the given kind.
func CountEntries(packed string, kind entryKind) int {
	n := 0
	for packed != "" {
		if packed[0] == byte(kind) {
			n++
		}
		_, packed, _ = strings.Cut(packed, "/")
	}
	return n
}
