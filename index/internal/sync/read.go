package sync

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/parse"
)

// maxFlight bounds the bytes of files that are read but not yet written.
const maxFlight = 32 << 20

// An outcome is the result of reading a changed file.
type outcome struct {
	change
	project project.Project
	doubt   error            // about the project
	shared  *discover.Shared // nil for a file of this machine
	clone   clone
	size    int64 // bytes of the flight it takes up

	stat    fsx.Stat // of what was read
	sum     string
	deps    []deps.Dependency
	records []*record
	kind    outcomeKind
	reason  error              // why it is rejected or unread
	missed  []discover.Trouble // neighbours that could not be read
	// committed is the time of the file's last commit, if that dates it.
	committed time.Time
	err       error // ends the refresh
}

type outcomeKind int

const (
	parsed   outcomeKind = iota
	same                 // read, and as it was but for its inode or its age
	rejected             // cannot be a handoff
	unread               // could not be read now
	lost                 // ceased to be there meanwhile
)

// A loader reads and parses files on all cores, and yields them in order.
type loader struct {
	clock    int64 // when the refresh began, in nanoseconds of the machine
	zone     *time.Location
	format   string // of all files, "" to detect it for each
	explain  bool   // have the parser say what decided
	parser   func(parse.Source) []*parse.Document
	projects *project.Finder
	flight   *semaphore.Weighted
	archive  *archive.Archive
	getenv   func(string) string
	commits  *commits        // nil if git is not asked
	roots    []discover.Root // all that are searched
	rules    int64           // of further work trees
	mirror   *mirror
}

// load reads and parses the files of changes and yields their outcomes in the order of changes.
// Each outcome must be released. A caller that stops early must end ctx.
func (l *loader) load(ctx context.Context, changes []change) iter.Seq[*outcome] {
	l.commits = newCommits(ctx, l.getenv, changes)
	type job struct {
		out  *outcome
		done chan struct{}
	}
	work := make(chan job)
	order := make(chan job, 256)
	for range min(runtime.GOMAXPROCS(0), len(changes)) {
		go func() {
			for j := range work {
				l.read(j.out)
				close(j.done)
			}
		}()
	}
	go func() {
		defer close(work)
		defer close(order)
		for _, c := range changes {
			o := &outcome{change: c, size: min(max(c.Stat.Size, 1), fsx.MaxFile) + 1024}
			if l.flight.Acquire(ctx, o.size) != nil {
				return
			}
			o.project, o.doubt = l.projectOf(&c)
			if o.shared = l.mirror.sharedAt(c.place()); o.shared != nil && o.doubt == nil {
				o.clone, o.doubt = l.mirror.clone(o.shared.Folder)
			}
			j := job{o, make(chan struct{})}
			select {
			case order <- j:
				work <- j
			case <-ctx.Done():
				return
			}
		}
	}()
	return func(yield func(*outcome) bool) {
		for j := range order {
			if <-j.done; ctx.Err() != nil || !yield(j.out) {
				return
			}
		}
	}
}

// release frees the records of an outcome that has been written, and its share of the memory limit.
func (l *loader) release(o *outcome) {
	o.records = nil
	l.flight.Release(o.size)
}

// read reads and parses the file of o, and sets the kind, records, sum and dependencies of o.
func (l *loader) read(o *outcome) {
	if err := cmp.Or(o.fault, o.doubt); err != nil {
		o.setError(err)
		return
	}
	if o.version != nil {
		l.readVersion(o)
		return
	}
	raw, st, err := fsx.ReadSettled(o.Path, fsx.MaxFile)
	o.stat = st
	if err != nil {
		o.setError(err)
		return
	}
	o.sum = fsx.HalfSum(raw)
	if o.old != nil && !o.force && o.sum == o.sha && o.stat.MtimeNS == o.old.stat.MtimeNS &&
		(!o.moved || l.sameCommit(o, raw)) {
		o.kind = same
		l.keepOverwritten(o, raw, nil)
		return
	}
	docs := l.dated(o, raw, l.parse(o, raw))
	if o.shared != nil {
		o.noteClone(l.clock)
	}
	if o.isHandedOver(l.clock) || l.isCopy(o, raw) {
		docs = nil
	}
	l.keepOverwritten(o, raw, docs)
	for _, d := range docs {
		o.records = append(o.records, newRecord(d, raw))
	}
}

// setError sets the kind of o from the error of reading its file: lost if the file vanished,
// rejected if it cannot be a handoff, unread if it may be readable later. If the system is
// exhausted, o.err is set, which ends the refresh.
func (o *outcome) setError(err error) {
	switch {
	case fsx.IsExhausted(err):
		o.err = err
	case fsx.Vanished(err):
		o.kind = lost
	case errors.Is(err, fsx.ErrTooLarge):
		o.kind, o.reason = rejected, fmt.Errorf("too large: %d bytes, the limit is %d", o.stat.Size, fsx.MaxFile)
	case errors.Is(err, fsx.ErrNotRegular):
		o.kind, o.reason = rejected, errors.New("not a regular file")
	case errors.Is(err, fsx.ErrChanged):
		o.kind, o.reason = unread, errors.New("changed while it was read")
	default:
		o.kind, o.reason = unread, err
	}
}

// skip returns why the file is left out of the index, "" if it is not.
func (o *outcome) skip() string {
	if o.reason == nil {
		return ""
	}
	return fsx.Reason(o.reason)
}

// parse returns the documents in raw, the content of the file of o. It never fails: a panic of the
// parser becomes a problem of the one document that is returned, whose text stays searchable.
func (l *loader) parse(o *outcome, raw []byte) (docs []*parse.Document) {
	path := o.place()
	if o.shared != nil {
		path = "/" + o.shared.Rel
	}
	src := parse.Source{
		Path: filepath.ToSlash(path), Bytes: raw, ModTime: time.Unix(0, o.stat.MtimeNS), Committed: o.committed,
		Zone: l.zone, Format: l.format, Explain: l.explain,
		Neighbour: func(rel string) ([]byte, error) { return o.neighbour(rel, l.clock) },
	}
	defer func() {
		if p := recover(); p != nil {
			docs = []*parse.Document{unparsed(src, fmt.Sprint(p), string(debug.Stack()))}
		}
		for _, t := range o.missed {
			docs[0].Problems = append(docs[0].Problems, parse.Problem{
				Severity: parse.Warning, Rule: "neighbour-unread", Message: filepath.Base(t.Path) + " could not be read: " +
					t.Reason,
			})
		}
	}()
	return l.parser(src)
}

// unparsed returns a document with the whole text of a file on which the parser panicked, and the
// panic as a problem. fault is the panic's message, stack its stack trace.
func unparsed(src parse.Source, fault, stack string) *parse.Document {
	t := src.ModTime.In(src.Zone)
	return &parse.Document{
		Format: "markdown", Shape: parse.Text, Head: strings.ToValidUTF8(string(src.Bytes), "\ufffd"),
		Date: parse.Date{Time: t, End: t.Add(time.Millisecond), Sort: t, Precision: "instant", Source: "mtime"},
		Problems: []parse.Problem{{Severity: parse.Error, Rule: "parser-panic", Message: "the parser failed: " + fault +
			" at " + culprit(stack)}},
	}
}

// culprit returns the file and line of the first entry of a stack trace that is in package parse.
func culprit(stack string) string {
	for line := range strings.Lines(stack) {
		line = strings.TrimSpace(line)
		if i := strings.LastIndex(line, "/parse/"); i >= 0 && strings.Contains(line, ".go:") {
			place, _, _ := strings.Cut(line[i+1:], " ")
			return place
		}
	}
	return "an unknown place"
}

var errOutside = errors.New("is outside the searched folder")

// neighbour reads another file for the parser, by its path relative to the file's folder, and
// records it as a dependency. A file that does not exist is recorded too: if it appears, that is a
// change.
func (o *outcome) neighbour(rel string, now int64) ([]byte, error) {
	dir := filepath.Dir(o.place())
	path := filepath.Join(dir, filepath.FromSlash(rel))
	if !fsx.Within(path, o.around()) {
		return nil, errOutside
	}
	dep := deps.Read(dir, rel)
	data, err := o.readInside(path)
	switch {
	case err == nil:
		dep = dep.AsOf(now, data)
	case fsx.Vanished(err), errors.Is(err, errOutside), errors.Is(err, fsx.ErrTooLarge), errors.Is(err, fsx.ErrNotRegular):
	case fsx.IsExhausted(err):
		o.err = err
	default: // without it for now
		dep = deps.Dependency{Rel: rel, Size: deps.Unsettled}
		o.missed = append(o.missed, discover.NewTrouble(path, err))
	}
	o.deps = append(o.deps, dep)
	return data, err
}

// around returns the folder in which neighbours of the file must be.
func (o *outcome) around() string {
	if o.shared != nil {
		return o.shared.Root
	}
	return o.scan.root.Path
}

// readInside reads the file at path. It fails if the file is outside the root, also through a link.
func (o *outcome) readInside(path string) ([]byte, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	root, err := filepath.EvalSymlinks(o.around())
	if err != nil {
		return nil, err
	}
	if !fsx.Within(target, root) {
		return nil, errOutside
	}
	data, _, err := fsx.ReadSettled(target, deps.MaxNeighbour)
	return data, err
}

// depsJSON returns the dependencies of o as JSON, for file.deps. For a file that was not parsed
// again, it returns the recorded ones.
func (o *outcome) depsJSON() string {
	if o.kind == same && o.deps == nil {
		return o.old.deps
	}
	if len(o.deps) == 0 {
		return ""
	}
	b, err := json.Marshal(o.deps)
	if err != nil {
		return ""
	}
	return string(b)
}
