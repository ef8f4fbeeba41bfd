package sync

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/OWNER/handex/index/internal/ids"
	"github.com/OWNER/handex/index/internal/project"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

const (
	// batchFiles and batchBytes bound what one round of bulk statements writes.
	batchFiles = 256
	batchBytes = 4 << 20
)

// tables are the rows that are to be inserted into the tables of the same names.
type tables struct {
	file, directory, project, handoff, attr, problem store.Rows

	scratch store.Rows
}

// A group is a project and a format: one handoff of each group is the latest.
type group struct {
	project int64
	format  string
}

// A writer writes outcomes to the index, within one transaction.
type writer struct {
	tx    sqlitedb.DBTX
	q     *sqlitedb.Queries
	body  *sql.Stmt // takes the rows of body
	build bool      // into a new generation: there is nothing to replace
	seen  int64

	ids          *ids.Allocator
	first        map[string]int64            // lowest id of the handoffs of a file, 0 if it has none, in an update
	fileID       int64                       // the last given out
	projects     map[string]sqlitedb.Project // by root
	lastID       int64                       // of a project
	more         int64                       // handoffs than before
	moreVersions int64                       // of them, earlier versions
	slack        int64                       // see placed.slack
	touched      map[group]bool
	dirs         map[int64]bool // directories whose files were written
	fresh        []int64        // handoffs written since their words were collected
	moves        *moves
	rows         tables
	report       *Report
}

// newWriter returns a writer for the transaction tx. seen is the time of the refresh in
// nanoseconds, build says that a new generation is filled.
func newWriter(ctx context.Context, tx sqlitedb.DBTX, seen int64, build bool, m *moves, report *Report) (*writer,
	error,
) {
	q := sqlitedb.New(tx)
	w := &writer{
		tx: tx, q: q, build: build, seen: seen, projects: map[string]sqlitedb.Project{},
		touched: map[group]bool{}, first: map[string]int64{}, dirs: map[int64]bool{}, moves: m, report: report,
	}
	var err error
	if w.fileID, err = q.LastFileID(ctx); err != nil {
		return nil, err
	}
	w.ids = ids.New(nil)
	if w.fileID > 0 {
		w.ids = ids.New(w.occupied(ctx))
	}
	insert := sqlitedb.StageBody
	if build {
		insert = sqlitedb.InsertBody
	}
	if w.body, err = tx.PrepareContext(ctx, insert); err != nil {
		return nil, err
	}
	w.lastID, err = q.LastProjectID(ctx)
	return w, err
}

// occupied returns a function that lists the handoff ids from low to high that are in the index.
func (w *writer) occupied(ctx context.Context) func(low, high int64) ([]int64, error) {
	return func(low, high int64) ([]int64, error) {
		return w.q.OccupiedIDs(ctx, sqlitedb.OccupiedIDsParams{Low: low, High: high})
	}
}

// write writes a batch of outcomes: it removes what the index has of the files, then inserts their
// files, projects and handoffs in the order of ids.
func (w *writer) write(ctx context.Context, batch []*outcome) error {
	if err := w.remove(ctx, w.replaced(batch, parsed, rejected), false); err != nil {
		return err
	}
	if err := w.remove(ctx, w.replaced(batch, lost), true); err != nil {
		return err
	}
	hids, err := w.hids(ctx, batch)
	if err != nil {
		return err
	}
	var list []placed
	for _, o := range batch {
		some, err := w.place(ctx, o, hids)
		if err != nil {
			return err
		}
		list = append(list, some...)
	}
	slices.SortFunc(list, func(a, b placed) int { return cmp.Compare(a.id, b.id) })
	for _, p := range list {
		if _, err := w.body.ExecContext(ctx, p.write(&w.rows)...); err != nil {
			return err
		}
		w.fresh = append(w.fresh, p.id)
		if p.version != nil {
			w.moreVersions++
		}
	}
	w.more += int64(len(list))
	return w.flush(ctx)
}

// A placed is a handoff with its ids, file and project. Handoffs are written in the order of ids,
// as fts begins a segment for each id that is not above the last.
type placed struct {
	*record
	id, file int64
	project  sqlitedb.Project
	hid      string
	path     string
	mtimeNS  int64
	version  *version
	member   string // who shared it, "" for a handoff of this machine
}

// replaced returns the ids of the files in a batch that the index already contains and whose
// outcome is of one of the given kinds. A build has none.
func (w *writer) replaced(batch []*outcome, ends ...outcomeKind) []int64 {
	var list []int64
	for _, o := range batch {
		if !w.build && o.old != nil && slices.Contains(ends, o.kind) {
			list = append(list, o.old.id)
		}
	}
	return list
}

// remove deletes the handoffs of the files with the given ids from the index. If gone is true, it
// deletes the files too.
func (w *writer) remove(ctx context.Context, files []int64, gone bool) error {
	if len(files) == 0 {
		return nil
	}
	list, err := w.q.HandoffsOfFiles(ctx, store.NumberList(files))
	if err != nil {
		return err
	}
	handoffs, versions := make([]int64, len(list)), int64(0)
	for i, h := range list {
		handoffs[i], versions = h.ID, versions+h.Earlier
		w.ids.Reserve(h.ID)
		w.touched[group{h.ProjectID, h.Format}] = true
	}
	w.more -= int64(len(handoffs))
	w.moreVersions -= versions
	ids := store.NumberList(handoffs)
	steps := []func(context.Context, string) error{
		w.q.DeleteBodies, w.q.DeleteAttrs, w.q.DeleteProblems,
		w.q.DeleteHandoffs,
	}
	for _, step := range steps {
		if err := step(ctx, ids); err != nil {
			return err
		}
	}
	if gone {
		return w.q.DeleteFiles(ctx, store.NumberList(files))
	}
	return nil
}

// place adds the rows of a file and its project, and returns its handoffs with their new ids, whose
// rows are written later.
func (w *writer) place(ctx context.Context, o *outcome, hids map[*record]string) ([]placed, error) {
	file := w.fileRow(o)
	if o.kind != parsed {
		return nil, nil
	}
	project, err := w.project(ctx, o.project)
	if err != nil {
		return nil, err
	}
	var list []placed
	records := inTimeOrder(o.records)
	if w.build && o.version != nil {
		records = slices.Clone(records)
		slices.Reverse(records) // ids are given out downwards
	}
	for _, r := range records {
		id, err := w.takeID(ctx, o, ids.Base(r.doc.Date.Sort))
		if err != nil {
			return nil, err
		}
		p := placed{r, id, file, project, hids[r], o.Path, o.stat.MtimeNS, o.version, ""}
		if o.shared != nil {
			p.member = o.shared.Member
		}
		w.slack = max(w.slack, p.slack())
		list = append(list, p)
		w.touched[group{project.ID, r.doc.Format}] = true
		if o.version == nil {
			w.report.Problems += len(r.doc.Problems)
		}
	}
	return list, nil
}

// takeID assigns an id to a handoff of o, near base. Among handoffs with the same date, that of a
// file in a root gets the highest id; earlier versions of the file come later and get ids below it.
func (w *writer) takeID(ctx context.Context, o *outcome, base int64) (int64, error) {
	switch {
	case o.version == nil:
		id, err := w.ids.Take(base)
		if first, ok := w.first[o.Path]; !w.build && (!ok || id < first) {
			w.first[o.Path] = id
		}
		return id, err
	case w.build:
		return w.ids.TakeBelow(base, base)
	}
	first, ok := w.first[o.version.Origin]
	if !ok {
		var err error
		if first, err = w.q.FirstOfFile(ctx, o.version.Origin); err != nil {
			return 0, err
		}
		w.first[o.version.Origin] = first
	}
	if first == 0 {
		return w.ids.Take(base)
	}
	return w.ids.TakeBelow(base, first)
}

// inTimeOrder returns the entries of a log with the oldest first: it reverses them if the newest is
// on top, so that entries of one day get ids in the order of time.
func inTimeOrder(records []*record) []*record {
	if n := len(records); n > 1 && records[n-1].doc.Date.Sort.Before(records[0].doc.Date.Sort) {
		records = slices.Clone(records)
		slices.Reverse(records)
	}
	return records
}

// fileRow adds the row of the file, counts the file in the report and returns its id. The row of a
// file that could not be read now has size -1, which fits no file, so the next refresh tries again.
func (w *writer) fileRow(o *outcome) int64 {
	fresh := o.old == nil || w.build
	var id int64
	if fresh {
		w.fileID++
		id = w.fileID
	} else {
		id = o.old.id
	}
	switch {
	case o.kind == lost, o.kind == unread && !fresh:
		return id
	case o.kind == unread:
		o.stat.Size = -1
	}
	st, origin := o.stat, o.origin
	if origin == o.Path {
		origin = ""
	}
	dir := sql.NullInt64{Int64: o.dir.number(), Valid: o.dir != nil}
	if dir.Valid {
		w.dirs[dir.Int64] = true
	}
	w.rows.file.Row().Int(id, o.scan.id).Maybe(dir).Text(o.Path, origin).
		Int(int64(st.Dev), int64(st.Ino), st.Size, st.MtimeNS, st.CtimeNS, w.seen).
		Text(o.sum, o.depsJSON(), o.skip())
	var of, revision string
	if o.version != nil {
		of, revision = o.version.Origin, o.version.Commit
	}
	w.rows.file.Text(of, revision).End()
	switch {
	case o.kind != parsed, o.version != nil:
	case o.old == nil:
		w.report.Added++
	default:
		w.report.Updated++
	}
	return id
}

// project returns the row of a project. It is looked up in the index once, and added if it is
// missing.
func (w *writer) project(ctx context.Context, p project.Project) (sqlitedb.Project, error) {
	if row, ok := w.projects[p.Root]; ok {
		return row, nil
	}
	rows, err := w.q.ProjectAt(ctx, p.Root)
	if err != nil {
		return sqlitedb.Project{}, err
	}
	if len(rows) == 0 {
		w.lastID++
		rows = []sqlitedb.Project{{
			ID: w.lastID, Root: p.Root, Name: p.Name, DirV1: project.EncodeV1(p.Root),
			DirV2: project.EncodeV2(p.Root),
		}}
		w.rows.project.Row().Int(w.lastID).Text(p.Root, p.Name, rows[0].DirV1, rows[0].DirV2).End()
	}
	w.projects[p.Root] = rows[0]
	return rows[0], nil
}

// flush inserts the collected rows into the tables, parents before children.
func (w *writer) flush(ctx context.Context) error {
	t := &w.rows
	for _, step := range []struct {
		rows   *store.Rows
		insert func(context.Context, string) error
	}{
		{&t.file, w.q.PutFiles},
		{&t.project, w.q.InsertProjects},
		{&t.handoff, w.q.InsertHandoffs},
		{&t.attr, w.q.InsertAttrs},
		{&t.problem, w.q.InsertProblems},
	} {
		if step.rows.Empty() {
			continue
		}
		if err := step.insert(ctx, step.rows.Take()); err != nil {
			return err
		}
	}
	if w.build || len(w.fresh) == 0 {
		return nil
	}
	return w.moveStaged(ctx)
}

// moveStaged moves the staged bodies of handoffs into the index, and notes their text so that
// putWords adds its words.
func (w *writer) moveStaged(ctx context.Context) error {
	if err := w.q.TakeBodies(ctx); err != nil {
		return err
	}
	if err := w.q.ForgetIncoming(ctx); err != nil {
		return err
	}
	err := w.q.FreshText(ctx, store.NumberList(w.fresh))
	w.fresh = w.fresh[:0]
	return err
}

// putWords adds the words of the handoffs that were written to the lexicon. In a build it makes all
// full-text tables.
func (w *writer) putWords(ctx context.Context) error {
	if w.build {
		return fillFullText(ctx, w.tx)
	}
	if err := w.q.TermsOfFresh(ctx); err != nil {
		return err
	}
	return w.q.ForgetFresh(ctx)
}
