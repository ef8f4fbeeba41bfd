package sync

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/archive"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/ids"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// moves finds the path from which the public ids of a file are made. That is the file's own path,
// except for a file that appears while one with the same text is gone: it was moved, and keeps its
// ids. An inode is no proof, as file systems give the number of a removed file to the next one.
// Files of the mirror are not followed. Moves of earlier refreshes are in the histories of the
// archive, if there are any.
type moves struct {
	gone      map[string][]sqlitedb.FileDetailsRow // by sha256
	used      map[string]bool                      // paths that ids of files elsewhere are made from
	archive   *archive.Archive
	histories map[string]*archive.PathHistory
}

// traceMoves collects the files that are gone, by their digests, and the paths that ids are already
// made of, so that a moved file can be told from a new one.
func (r *refresher) traceMoves() error {
	if len(r.plan.changes) == 0 {
		return nil
	}
	r.moves = &moves{
		gone: map[string][]sqlitedb.FileDetailsRow{}, used: map[string]bool{},
		archive: r.loader.archive, histories: r.pathHistories(),
	}
	for _, c := range r.plan.changes {
		if h := r.moves.histories[c.Path]; h != nil && c.old == nil {
			r.moves.used[h.Origin] = true
		}
	}
	if !r.have {
		return nil
	}
	gone, err := r.stock.details(store.NumberList(idsOf(r.plan.gone)))
	slices.SortFunc(gone, func(a, b sqlitedb.FileDetailsRow) int { return strings.Compare(a.Path, b.Path) })
	for _, f := range gone {
		if r.loader.mirror.sharedAt(f.Path) == nil { // what another machine removed did not move here
			r.moves.gone[f.Sha256] = append(r.moves.gone[f.Sha256], f)
		}
	}
	if err != nil {
		return err
	}
	moved, err := r.stock.q.MovedOrigins(r.stock.ctx)
	for _, origin := range moved {
		r.moves.used[origin] = true
	}
	return err
}

// origin returns the path from which the ids of the file of o are made. It must be called once for
// each file.
func (m *moves) origin(o *outcome) string {
	if o.origin != "" {
		return o.origin
	}
	if from, ok := m.takeRemoved(o); ok {
		m.used[from] = true
		return from
	}
	if h := m.histories[o.Path]; h != nil && o.old == nil {
		return h.Origin
	}
	origin := o.Path
	for n := 2; m.used[origin]; n++ {
		origin = fmt.Sprintf("%s#%d", o.Path, n)
	}
	return origin
}

// takeRemoved returns the origin of a file that is gone and had the text of o, and records the
// move. Among several it prefers one with the same name; a file is taken only once.
func (m *moves) takeRemoved(o *outcome) (origin string, ok bool) {
	list := m.gone[o.sum]
	if o.sum == "" || len(list) == 0 || o.shared != nil {
		return "", false
	}
	best := max(0, slices.IndexFunc(list,
		func(f sqlitedb.FileDetailsRow) bool { return filepath.Base(f.Path) == filepath.Base(o.Path) }))
	origin = cmp.Or(list[best].Origin, list[best].Path)
	m.archive.RecordMove(m.histories, list[best].Path, origin, archive.SidecarOf(o.Path, o.scan.root, o.project, 0), o.sum)
	m.gone[o.sum] = slices.Delete(list, best, best+1)
	return origin, true
}

// pathHistories returns the histories of moved files, by their current paths. They are read once.
func (r *refresher) pathHistories() map[string]*archive.PathHistory {
	if r.histories == nil {
		r.histories = r.loader.archive.PathHistories(func(path string, err error) {
			r.unsure = true
			r.addTrouble(discover.NewTrouble(path, err))
		})
	}
	return r.histories
}

// hids returns a unique public id for each handoff of the batch. A second choice is made where two
// would be equal: if a file was moved and another came in its place, or by the chance of 48 bits.
func (w *writer) hids(ctx context.Context, batch []*outcome) (map[*record]string, error) {
	hids := map[*record]string{}
	var want []*record
	origin := map[*record]string{}
	for _, o := range batch {
		o.origin = w.moves.origin(o)
		for _, r := range o.records {
			want = append(want, r)
			origin[r] = o.origin
		}
	}
	used := map[string]bool{}
	for again := 0; len(want) > 0; again++ {
		list := make([]string, len(want))
		for i, r := range want {
			list[i] = ids.Public(origin[r], r.doc.Key, again)
		}
		taken, err := w.q.TakenHIDs(ctx, store.TextList(list))
		if err != nil {
			return nil, err
		}
		for _, hid := range taken {
			used[hid] = true
		}
		var rest []*record
		for i, r := range want {
			if used[list[i]] {
				rest = append(rest, r)
				continue
			}
			used[list[i]] = true
			hids[r] = list[i]
		}
		want = rest
	}
	return hids, nil
}
