package sync

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/parse"
)

// An Inspector reads and parses files as a refresh does, but without an index. It may be used by
// several goroutines at once.
type Inspector struct {
	// Now and Zone are the time and the time zone with which dates are read.
	Now  time.Time
	Zone *time.Location
	// Format is the format of all files; if empty, it is detected for each.
	Format string
}

// Inspection is the content of a file. There is at least one document.
type Inspection struct {
	Bytes     []byte
	Documents []*parse.Document
}

// Inspect reads the handoffs of the file at an absolute path. If the file cannot be read, the error
// is an *Error with the reason; mistakes in its text are the problems of its documents.
func (in *Inspector) Inspect(path string) (Inspection, error) {
	path = filepath.Clean(path)
	return in.inspect(outcomeOf(path), false)
}

// Explain parses the file of an indexed handoff again and returns its document, in which the parser
// has recorded what decided its sections and states. It is an error if the file is gone or its text
// has changed.
func (in *Inspector) Explain(h *store.Summary) (*parse.Document, error) {
	o := outcomeOf(h.Path)
	if h.VersionOf != "" {
		o.version = &version{Sidecar: archive.Sidecar{Origin: h.VersionOf, Written: h.Updated}}
	}
	read, err := in.inspect(o, true)
	if err != nil {
		return nil, err
	}
	for _, d := range read.Documents {
		if d.Entry == h.Entry && textDigest(d, read.Bytes) == h.Digest {
			return d, nil
		}
	}
	changed := errors.New("the file has changed since it was indexed")
	return nil, &store.Error{Op: "explain", Path: h.Path, Err: changed, Hint: "run: handex index"}
}

// inspect reads the file of o and parses it. If explain is true, the parser records its decisions.
func (in *Inspector) inspect(o *outcome, explain bool) (Inspection, error) {
	path := o.Path
	raw, st, err := fsx.ReadSettled(path, fsx.MaxFile)
	o.stat = st
	if o.version != nil {
		o.stat.MtimeNS = o.version.Written.UnixNano()
	}
	if err != nil {
		if o.setError(err); o.reason != nil {
			err = errors.New(o.skip())
		}
		return Inspection{}, &store.Error{Op: "read", Path: path, Err: err}
	}
	return Inspection{raw, in.parse(o, raw, explain)}, nil
}

// outcomeOf returns an outcome for the file at path, without a state.
func outcomeOf(path string) *outcome {
	return &outcome{change: change{File: discover.File{Path: path}}}
}

// parse returns the documents in raw, the content of the file of o.
func (in *Inspector) parse(o *outcome, raw []byte, explain bool) []*parse.Document {
	// No format has neighbours further away than beside the file's folder.
	o.scan = &scan{root: discover.Root{Path: filepath.Dir(filepath.Dir(o.place()))}}
	l := &loader{clock: in.Now.UnixNano(), zone: in.Zone, format: in.Format, explain: explain, parser: parse.Parse}
	return l.parse(o, raw)
}

// An EntryDigest is the digest of one handoff of a file, as in its Summary.
type EntryDigest struct {
	Entry  int
	Digest int64
}

// Digests returns the digests that the handoffs of the file at path would have if its content were
// text.
func (in *Inspector) Digests(path string, text []byte) []EntryDigest {
	var list []EntryDigest
	for _, d := range in.parse(outcomeOf(path), text, false) {
		list = append(list, EntryDigest{d.Entry, textDigest(d, text)})
	}
	return list
}

// ProjectFolders returns the folders that contain the handoffs of the project in the absolute
// folder dir: dir itself, its further work trees, and the folders with its encoded names in the
// user's folders of handoffs. known is the result of KnownFolders.
func ProjectFolders(dir string, env project.Env, known []string) []string {
	var roots []discover.Root
	for _, path := range env.UserFolders() {
		roots = append(roots, discover.Root{Path: path})
	}
	o := Options{Only: filepath.Clean(dir), Known: known, Home: env.Home}
	dirs := o.scopeOf(roots)
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// A Drift is the difference between the handoffs on disk and in the index.
type Drift struct {
	New, Changed, Gone []string
	Troubles           []discover.Trouble
	Read               int      // files that were read again, as they seem to be unchanged
	Differing          []string // of these, those that are not
}

// sampled is how many files Drift reads again unless it reads all.
const sampled = 200

// Drift returns what a refresh would find. It also reads files again whose size and times have not
// changed, all of them or a sample, and lists those with other content. It changes nothing.
func (s *Syncer) Drift(ctx context.Context, roots []discover.Root, o Options, all bool) (*Drift, error) {
	r := s.newRefresh(o)
	var same []sqlitedb.FileDetailsRow
	err := s.Read(ctx, "read index", func(q *sqlitedb.Queries) error {
		err := r.makePlan(ctx, q, roots)
		if err == nil {
			same, err = r.unchanged(all)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	d := &Drift{Troubles: r.plan.troubles, Read: len(same)}
	for _, c := range r.plan.changes {
		switch {
		case c.old == nil:
			d.New = append(d.New, c.Path)
		case c.drifted():
			d.Changed = append(d.Changed, c.Path)
		}
	}
	for _, f := range r.plan.gone {
		d.Gone = append(d.Gone, f.path)
	}
	for _, row := range same {
		if raw, _, err := fsx.ReadFile(row.Path, fsx.MaxFile); err == nil && fsx.HalfSum(raw) != row.Sha256 {
			d.Differing = append(d.Differing, row.Path)
		}
	}
	slices.Sort(d.Differing)
	return d, nil
}

// drifted reports whether a file, or a neighbour of it, has changed since it was read. A refresh
// reads more files again: also those that were too young to be sure of.
func (c *change) drifted() bool {
	list, ok := deps.Parse(c.old.deps)
	return !ok || !c.old.same(c.Stat) || slices.ContainsFunc(list, func(d deps.Dependency) bool {
		return d.Size != deps.Unsettled && !d.Holds(filepath.Dir(c.Path))
	})
}

// unchanged returns the indexed files of the roots whose size and times have not changed: all of
// them, or an evenly spread sample.
func (r *refresher) unchanged(all bool) ([]sqlitedb.FileDetailsRow, error) {
	files, err := r.stock.all()
	if err != nil {
		return nil, err
	}
	left := map[int64]bool{}
	for _, c := range r.plan.changes {
		if c.old != nil && c.drifted() {
			left[c.old.id] = true
		}
	}
	for _, f := range r.plan.gone {
		left[f.id] = true
	}
	for _, id := range r.plan.kept {
		left[id] = true
	}
	var ids []int64
	for _, f := range files {
		inRoots := slices.ContainsFunc(r.plan.scans, func(s *scan) bool {
			return s.id == f.root || s.covers(cmp.Or(f.versionOf, f.path))
		})
		if inRoots && !f.skipped && !left[f.id] {
			ids = append(ids, f.id)
		}
	}
	if step := len(ids)/sampled + 1; !all && step > 1 {
		some := ids[:0]
		for i := 0; i < len(ids); i += step {
			some = append(some, ids[i])
		}
		ids = some
	}
	return r.stock.details(store.NumberList(ids))
}
