package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// A Service answers one command, or one call of a server. The first operation that needs
// the index opens it. Only one goroutine may use a Service, except for RemoveTemp.
type Service struct {
	View
	frozen   string        // why the index answers as it is; "" if it need not
	ready    bool          // the index is as current as it can be
	bounded  bool          // somebody waits, and ReadProject does without an index that cannot be had
	lockWait time.Duration // for another process; 0 is what package index takes
	readers  int           // searches at once; 0 is what package index takes
	notes    []string

	notedAcks string // the last note about the file of acknowledgements

	temp  string // the folder of an index that lasts as long as the Service; "" for the one that is kept
	mu    sync.Mutex
	temps []*save.TempDir // all such folders that were made
}

// New returns a Service. It does not read or write any file.
func New(o Options) *Service { return &Service{View: View{opt: &o}} }

// Notes returns the notes that were added since its last call, a line each. One that begins
// with "warning: " is a warning.
func (s *Service) Notes() []string {
	list := s.notes
	s.notes = nil
	return list
}

// note adds a formatted line to those that Notes returns.
func (s *Service) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// Close closes the index and removes the indexes that were made for the Service alone.
func (s *Service) Close() error {
	var err error
	if s.store != nil {
		err = s.store.Close()
	}
	return errors.Join(err, s.RemoveTemp())
}

// RemoveTemp removes the indexes that were made for the Service alone. Another goroutine
// may call it while an operation runs, if nobody waits for that operation.
func (s *Service) RemoveTemp() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for _, dir := range s.temps {
		err = errors.Join(err, dir.Remove())
	}
	s.temps = nil
	return err
}

// Open opens the index and refreshes it, unless the options forbid that. If it cannot be
// refreshed, the index is used as it is, and a note says so.
func (s *Service) Open(ctx context.Context) error {
	if err := s.OpenAsIs(ctx); err != nil || s.ready {
		return err
	}
	if err := s.catchUp(ctx); err != nil {
		return err
	}
	if err := s.mirrorAcks(ctx); err != nil {
		return err
	}
	s.ready = true
	return nil
}

// refreshes reports whether operations refresh the index.
func (s *Service) refreshes() bool { return s.temp != "" || !s.opt.NoRefresh && s.frozen == "" }

// catchUp refreshes the open index, unless a watch keeps it current. If the Service does
// not refresh, it only makes sure that there is an index.
func (s *Service) catchUp(ctx context.Context) error {
	if !s.refreshes() {
		return s.requireIndex()
	}
	if report, ok := s.store.Watched(ctx, s.scope()); ok {
		s.report = report
		return nil
	}
	return s.refresh(ctx, index.RefreshOptions{})
}

// requireIndex returns an error if no index has been built yet.
func (s *Service) requireIndex() error {
	_, err := s.store.Dir.Current()
	if errors.Is(err, index.ErrNoIndex) {
		return render.WithHint(fmt.Errorf("%s: %w", s.opt.Index, err), "run: handex index, or leave out --no-refresh")
	}
	return err
}

// OpenAsIs opens the index without refreshing it. If the index cannot be written, it is
// only read, and if there is none, one is made for this Service alone.
func (s *Service) OpenAsIs(ctx context.Context) error {
	if s.store != nil {
		return nil
	}
	if _, err := s.Roots(); err != nil {
		return err
	}
	o, err := s.indexOptions()
	if err != nil {
		return err
	}
	if o.Dir == "" {
		return s.openTemp(ctx, "there is no folder for the index")
	}
	if s.store, err = s.openKept(ctx, o); err != nil || s.store != nil {
		return err
	}
	return s.openTemp(ctx, o.Dir+" cannot be written")
}

// indexOptions returns the options to open the index with.
func (s *Service) indexOptions() (index.Options, error) {
	settings, err := s.Settings()
	if err != nil {
		return index.Options{}, err
	}
	o := index.Options{
		Dir: s.opt.Index, Now: s.opt.Now, Clock: s.opt.Clock, Zone: s.opt.Zone, Stale: settings.StaleAfter,
		Program: s.opt.Program,
		Readers: s.readers, LockWait: s.lockWait, Getenv: s.opt.Getenv,
	}
	if !s.opt.NoArchive {
		o.Archive = settings.Archive
		o.Archive.Clock = s.opt.Clock
	}
	return o, nil
}

// openKept opens the index that outlives the Service, only for reading if it cannot be
// written. It returns nil if that cannot be written and there is none, or a damaged one.
func (s *Service) openKept(ctx context.Context, o index.Options) (*index.Store, error) {
	if save.Writable(o.Dir) {
		store, err := index.Open(ctx, o)
		if !errors.Is(err, index.ErrReadOnly) {
			return store, err
		}
	}
	o.ReadOnly = true
	store, err := index.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	status, err := store.Status(ctx)
	switch {
	case errors.Is(err, index.ErrForeign):
		return nil, errors.Join(err, store.Close())
	case err != nil:
		s.note("%v", err)
		_ = store.Close() // what it says has been said
		return nil, nil
	case status.Path == "":
		return nil, store.Close()
	}
	s.frozen = o.Dir + " cannot be written"
	if !s.bounded {
		s.note("%s; the results are from the index as it is", s.frozen)
	}
	return store, nil
}

// openTemp replaces the index by a temporary one, which lasts as long as the Service, and
// notes the reason.
func (s *Service) openTemp(ctx context.Context, reason string) error {
	if s.store != nil {
		// What closing it says has been said, or nobody could do anything about it.
		_ = s.store.Close()
		s.store = nil
	}
	if err := s.makeTemp(ctx, false); err != nil {
		return err
	}
	s.note("%s; for this run, all files are read again", reason)
	return nil
}

// makeTemp opens an empty temporary index, which lasts as long as the Service. If
// skipFullText is set, texts in it cannot be searched.
func (s *Service) makeTemp(ctx context.Context, skipFullText bool) error {
	o, err := s.indexOptions()
	if err != nil {
		return err
	}
	dir, err := save.NewTempDir()
	if err != nil {
		return fmt.Errorf("make a temporary index: %w", err)
	}
	s.mu.Lock()
	s.temps = append(s.temps, dir)
	s.mu.Unlock()
	s.temp = dir.Path
	o.Dir, o.Temporary, o.SkipFullText = s.temp, true, skipFullText
	s.store, err = index.Open(ctx, o)
	return err
}

// Update opens the index and refreshes it, and returns what the refresh found.
func (s *Service) Update(ctx context.Context, o index.RefreshOptions) (index.Report, error) {
	if err := s.OpenAsIs(ctx); err != nil {
		return index.Report{}, err
	}
	save.SweepTempDirs()
	o.Home = s.opt.Home
	if o.Known == nil {
		o.Known = s.knownFolders()
	}
	report, err := s.store.Refresh(ctx, s.roots, o)
	s.notes = append(s.notes, s.store.Notices()...)
	return report, err
}

// RestrictTo makes the Service look up encoded names of folders only for one project, which
// is faster. It must be called before the index is opened.
func (s *Service) RestrictTo(project string) { s.known = s.namesOf(project) }

// namesOf returns the known folders of one project, which encoded names can mean.
func (v *View) namesOf(project string) []string {
	return append([]string{}, v.opt.RootEnv(v.opt.WorkDir).KnownFoldersOf(project)...)
}

// refresh is like Update for an answer that can do without it: if the index cannot be
// written, it is used as it is, with a note, or replaced by a temporary one.
func (s *Service) refresh(ctx context.Context, o index.RefreshOptions) error {
	report, err := s.Update(ctx, o)
	if err == nil {
		s.took(report)
	}
	if !recoverable(err) || s.temp != "" {
		return err
	}
	status, statusErr := s.store.Status(ctx)
	if statusErr == nil && status.Path != "" {
		s.note("%v; the results are from the index as it was %s", err, s.opt.FormatTime(status.RefreshedAt))
		return nil
	}
	if failed := s.openTemp(ctx, err.Error()); failed != nil {
		return errors.Join(err, failed)
	}
	return s.refresh(ctx, o)
}

// recoverable reports whether an error means only that the index cannot be written now: it
// is busy or read-only, or the disk is full.
func recoverable(err error) bool {
	return errors.Is(err, index.ErrBusy) || errors.Is(err, index.ErrFull) || errors.Is(err, index.ErrReadOnly)
}

// took stores the report of a refresh, and notes trouble with the archive.
func (s *Service) took(report index.Report) {
	s.report = report
	for _, t := range report.Troubles {
		if s.settings.Archive.Dir != "" && !s.opt.NoArchive && t.Path == s.settings.Archive.Dir {
			s.note("%s: %s", t.Path, t.Reason)
		}
	}
}

// Do runs operation. If the index turns out to be damaged and again returns true, operation
// runs once more after the index was opened anew, since some passing read errors look like
// damage, and then once more with a rebuilt index.
func (s *Service) Do(ctx context.Context, again func() bool, operation func() error) error {
	damaged := func(err error) bool { return errors.Is(err, index.ErrCorrupt) && s.store != nil && again() }
	err := operation()
	if !damaged(err) {
		return err
	}
	if err := s.store.Reopen(); err != nil && !errors.Is(err, index.ErrCorrupt) {
		return err
	}
	if err = operation(); !damaged(err) {
		return err
	}
	if err := s.rebuild(ctx, err); err != nil {
		return err
	}
	return operation()
}

// refreshOptions returns the options that every refresh needs.
func (v *View) refreshOptions() index.RefreshOptions {
	return index.RefreshOptions{Known: v.knownFolders(), Home: v.opt.Home}
}

// mend rebuilds the damaged index. cause is the damage.
func (v *View) mend(ctx context.Context, cause error) (index.Report, error) {
	return v.store.Mend(ctx, v.roots, v.refreshOptions(), cause)
}

// rebuild replaces a damaged index by a new one, or if that cannot be written, by a
// temporary one for this Service.
func (s *Service) rebuild(ctx context.Context, cause error) error {
	report, err := s.mend(ctx, cause)
	s.notes = append(s.notes, s.store.Notices()...)
	s.ready = false
	switch {
	case err == nil:
		s.report = report
		return nil
	case s.temp != "" || !recoverable(err):
		return err
	}
	s.note("the index is damaged (%v)", cause)
	if failed := s.openTemp(ctx, err.Error()); failed != nil {
		return errors.Join(err, failed)
	}
	return nil
}

// KeepOld stores the present text of a file in the archive, before the file is overwritten
// or removed. root is the folder of its project, which need not be below a root that is
// searched. Nothing is stored without an archive, or if the file would not be indexed.
func (s *Service) KeepOld(root, path string) error {
	o, err := s.indexOptions()
	if err != nil {
		return err
	}
	roots, err := s.Roots()
	if err != nil {
		return err
	}
	return index.ArchiveFile(o, append(slices.Clip(roots), index.Root{Path: root}), s.refreshOptions(), path)
}

// ImportGit adds earlier versions of handoffs from the history of git repositories to the
// archive. It returns an error if the archive is off.
func (s *Service) ImportGit(ctx context.Context) (*index.GitReport, error) {
	if err := s.OpenAsIs(ctx); err != nil {
		return nil, err
	}
	report, err := s.store.ImportGit(ctx, s.roots, index.GitOptions{
		Getenv: s.opt.Getenv, Known: s.knownFolders(),
		Home: s.opt.Home,
	})
	if errors.Is(err, index.ErrNoArchive) {
		return nil, render.WithHint(err,
			"the archive is off: see [archive] in the config file, --no-archive and HANDEX_NO_ARCHIVE")
	}
	return &report, err
}

// Peek searches the index without refreshing it. It reports no errors: if the index cannot
// be opened or searched, the result is empty.
func (s *Service) Peek(ctx context.Context, q *query.Query) *index.Result {
	nothing := &index.Result{}
	o, err := s.indexOptions()
	if err != nil || o.Dir == "" {
		return nothing
	}
	o.ReadOnly = true
	store, err := index.Open(ctx, o)
	if err != nil {
		return nothing
	}
	defer func() { _ = store.Close() }()
	found, err := store.Search(ctx, q, index.SearchOptions{Roots: index.PathsOf(s.opt.Roots), NoSnippets: true})
	if err != nil || found == nil {
		return nothing
	}
	return found
}
