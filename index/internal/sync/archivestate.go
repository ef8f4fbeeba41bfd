package sync

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// An archiveState is what the index knows of the archive, beside the rows of table archived.
type archiveState struct {
	// Folder is a fingerprint of the archive's folder from when it contained exactly what the table
	// says. While the folder still has it, nothing has to be listed. It is "" if the next change of
	// the folder may not show.
	Folder string `json:"folder,omitempty"`
	// Limits are the bounds that were enforced, Checked is when, in milliseconds.
	Limits  string `json:"limits,omitempty"`
	Checked int64  `json:"checked,omitempty"`
	// Roots are marks of the roots whose paths were looked for in the archive, each with its rules
	// at that time: another root, or one with other rules, may claim files that only the archive
	// has.
	Roots []string `json:"roots"`
}

func (s *archiveState) json() string {
	text, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return string(text)
}

const (
	// manyNames are listed slower than it takes to write that they need not be.
	manyNames = 1000
	// maxRoots is how many roots are remembered.
	maxRoots = 32
)

// addRoots adds marks of the roots of scans, with their rules, to Roots, and reports whether any is
// new. Scans of a part of a root are left out.
func (s *archiveState) addRoots(scans []*scan) (isNew bool) {
	s.Roots = slices.Clone(s.Roots)
	for _, x := range scans {
		path := store.Digest([]string{x.root.Path}) + " "
		mark := path + strconv.FormatInt(x.rules, 16)
		if !x.part && !slices.Contains(s.Roots, mark) {
			s.Roots = slices.DeleteFunc(s.Roots, func(m string) bool { return strings.HasPrefix(m, path) })
			s.Roots, isNew = append(s.Roots, mark), true
		}
	}
	s.Roots = s.Roots[max(0, len(s.Roots)-maxRoots):]
	return isNew
}

// recordedArchive returns the archive's state that is recorded in the index; ok is false if none is
// recorded or it cannot be read.
func (r *refresher) recordedArchive() (was archiveState, ok bool) {
	text := r.facts[store.FactArchive]
	return was, text != "" && json.Unmarshal([]byte(text), &was) == nil
}

// watchArchive excludes the folder of the archive from walks, by its inode or, if that is unknown,
// by its path. It sets archiveFolder to a fingerprint of the folder, "" if the folder's next change
// may not show, "none" if there is no such folder.
func (r *refresher) watchArchive() {
	dir := r.s.Settings.Archive.Dir
	if dir == "" {
		return
	}
	st, err := fsx.Follow(dir)
	switch {
	case err != nil && fsx.Vanished(err):
		r.archiveFolder = "none"
		return
	case err != nil || st.ID() == (fsx.FileID{}):
		r.barred = dir
	default:
		r.ignore = append(r.ignore, st.ID())
	}
	if err == nil && !st.IsYoung(r.clock.UnixNano()) && r.disks.Of(dir, st.Dev).FolderTimes {
		r.archiveFolder = fmt.Sprint(st.Dev, st.Ino, st.MtimeNS, st.CtimeNS)
	}
}

// archiveFact returns the archive's state as JSON for the index, "" if the state is uncertain.
func (r *refresher) archiveFact() string {
	state := r.archive
	_, known := r.recordedArchive()
	if r.unsure || r.loader.archive.Failed() || r.o.Only != "" && !known {
		return ""
	}
	if len(r.loader.archive.Changed) > 0 {
		state.Folder = ""
	}
	return state.json()
}

// archiveNews reports whether the archive's state has changed enough to be written though nothing
// else is: a change of the folder's fingerprint alone counts only if the folder takes long to list.
func (r *refresher) archiveNews() bool {
	was, _ := r.recordedArchive()
	now := r.archive
	now.Folder = was.Folder
	before, fact := r.facts[store.FactArchive], r.archiveFact()
	return fact != before && (fact == "" || r.archiveNames >= manyNames || now.json() != before)
}

// compare finds which contents were added to the archive (v.read) and which were removed (v.lost)
// since the state that the index has recorded. If nobody but this refresh changed the folder, it is
// not listed.
func (v *versionSync) compare() {
	r := v.r
	switch quiet := r.archiveFolder != "" && r.archiveFolder == r.archive.Folder; {
	case !v.a.On():
		return
	case quiet:
		for name, c := range v.a.Changed {
			if c == nil {
				v.lost = append(v.lost, name)
			} else if v.a.Stat(c) {
				v.read[name] = c
			}
		}
		return
	}
	r.archive.Folder = ""
	known := maps.Clone(r.archiveTimes)
	names, all, err := v.a.List()
	if err != nil {
		v.a.Fail(err)
		v.unlisted = true
		return
	}
	r.archive.Folder, r.archiveNames = r.archiveFolder, len(names)
	for _, contents := range all {
		for _, c := range contents {
			if !v.a.Stat(c) {
				continue
			}
			was, ok := known[c.Name]
			delete(known, c.Name)
			if !ok || was != c.Mtime {
				v.take(c)
			}
		}
	}
	v.lost = slices.Sorted(maps.Keys(known))
}

// take reads the sidecar of a content that is new or has changed, and adds the content to v.read. A
// refresh of one project takes at most 1,000; the next refresh continues.
func (v *versionSync) take(c *archive.Content) {
	const most = 1000
	if v.r.o.Only != "" && len(v.read) >= most {
		v.r.archive.Folder = ""
		return
	}
	if err := v.a.Describe(c); err != nil {
		v.doubt(c, err)
		return
	}
	v.read[c.Name] = c
}

// note writes to the index which contents the archive gained and lost, and marks the changed paths,
// or all, as undecided, so that their earlier versions are decided again.
func (v *versionSync) note(ctx context.Context, q *sqlitedb.Queries, changed []string, all bool) error {
	var rows store.Rows
	for _, name := range slices.Sorted(maps.Keys(v.read)) {
		c := v.read[name]
		rows.Row().Text(name, c.About.Origin).Int(c.About.Written.UnixNano(), c.Mtime).End()
	}
	if !rows.Empty() {
		if err := q.PutArchived(ctx, rows.Take()); err != nil {
			return err
		}
	}
	if len(v.lost) > 0 {
		if err := q.LoseArchived(ctx, store.TextList(v.lost)); err != nil {
			return err
		}
	}
	if all {
		return q.ReopenAllArchived(ctx)
	}
	return q.ReopenArchived(ctx, store.TextList(changed))
}

// readVersions reads from the index which paths are undecided and the times of the archived
// contents, as far as they may be needed. In a build, it keeps the earlier versions that the build
// cannot decide about: those that could not be read before, and those in roots that are not
// searched.
func (r *refresher) readVersions() (err error) {
	r.carried, r.archiveTimes = map[string]bool{}, map[string]int64{}
	ctx, q := r.stock.ctx, r.stock.q
	if !r.have || !r.loader.archive.On() {
		return nil
	}
	if r.undecided, err = q.UndecidedPaths(ctx); err != nil {
		return err
	}
	r.undecided = slices.DeleteFunc(r.undecided, func(path string) bool {
		_, ok := r.scanOf(path)
		return !ok
	})
	if was, _ := r.recordedArchive(); r.archiveFolder == "" || r.archiveFolder != was.Folder {
		rows, err := q.ArchivedTimes(ctx)
		if err != nil {
			return err
		}
		for _, row := range rows {
			r.archiveTimes[row.Name] = row.MtimeNs
		}
	}
	if !r.build {
		return nil
	}
	for path, f := range r.earlier {
		_, unread := r.skip[path]
		if _, ok := r.scanOf(f.versionOf); unread || !ok {
			r.plan.kept = append(r.plan.kept, f.id)
			r.carried[path] = true
		}
	}
	return nil
}
