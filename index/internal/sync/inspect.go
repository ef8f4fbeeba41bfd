package sync

import (
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/parse"
)

// An Inspector reads files as a refresh reads them, but without an index. It
// may be used by several goroutines at once.
type Inspector struct {
	// Now and Zone are the reader's.
	Now  time.Time
	Zone *time.Location
	// Format is the one all files are of; if empty, it is detected for each.
	Format string
}

// Inspection is what a file says. Documents are at least one.
type Inspection struct {
	Bytes     []byte
	Documents []*parse.Document
}

// Inspect reads the handoffs of the file at an absolute path. The *Error says
// why a file cannot be read; problems in its text are reported by the
// problems of its documents.
func (in *Inspector) Inspect(path string) (Inspection, error) {
	path = filepath.Clean(path)
	return in.inspect(outcomeOf(path), false)
}

// Explain reads a handoff of the index again, and has the parser say what decided
// its sections and states. It is an error if the file is gone or says something
// else now.
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

func outcomeOf(path string) *outcome {
	return &outcome{change: change{File: discover.File{Path: path}}}
}

// parse reads the documents of a text.
func (in *Inspector) parse(o *outcome, raw []byte, explain bool) []*parse.Document {
	// No format has neighbours further away than beside the file's folder.
	o.scan = &scan{root: discover.Root{Path: filepath.Dir(filepath.Dir(o.place()))}}
	l := &loader{clock: in.Now.UnixNano(), zone: in.Zone, format: in.Format, explain: explain, parser: parse.Parse}
	return l.parse(o, raw)
}

// An EntryDigest is the digest of a handoff of a file, as a Summary has it.
type EntryDigest struct {
	Entry  int
	Digest int64
}

// Digests returns what the digests of the handoffs of a file would be if it had another
// text.
func (in *Inspector) Digests(path string, text []byte) []EntryDigest {
	var list []EntryDigest
	for _, d := range in.parse(outcomeOf(path), text, false) {
		list = append(list, EntryDigest{d.Entry, textDigest(d, text)})
	}
	return list
}

// ProjectFolders lists the folders that contain the handoffs of the project in
// folder dir, absolute: dir itself, its further work trees, and what the user's
// folders of handoffs keep under its encoded names (known, see KnownFolders).
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
