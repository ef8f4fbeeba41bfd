package index

import (
	"cmp"
	"fmt"
	"path/filepath"

	"handex/index/internal/sqlitedb"
)

// moves gives files the path their public ids are made from. It is their own,
// but a file that took the place of one that is gone, with the same text, was
// moved: it keeps the ids. An inode is no proof, as file systems give the
// number of a removed file to the next one.
//
// What was moved at an earlier time is told by its trail, if it has one.
type moves struct {
	gone   map[string][]sqlitedb.FileDetailsRow // by sha256
	used   map[string]bool                      // paths that ids of files elsewhere are made from
	trails *trails
}

func newMoves(gone []sqlitedb.FileDetailsRow, moved []string, trails *trails, changes []change) *moves {
	m := &moves{gone: map[string][]sqlitedb.FileDetailsRow{}, used: map[string]bool{}, trails: trails}
	for _, c := range changes {
		if t := trails.of(c.Path); t != nil && c.old == nil {
			m.used[t.Origin] = true
		}
	}
	for _, f := range gone {
		m.gone[f.Sha256] = append(m.gone[f.Sha256], f)
	}
	for _, origin := range moved {
		m.used[origin] = true
	}
	return m
}

// origin answers the path for the file of o, which must be asked once.
func (m *moves) origin(o *outcome) string {
	if o.origin != "" {
		return o.origin
	}
	if from, ok := m.takeGone(o); ok {
		m.used[from] = true
		return from
	}
	if t := m.trails.of(o.Path); t != nil && o.old == nil {
		return t.Origin
	}
	origin := o.Path
	for n := 2; m.used[origin]; n++ {
		origin = fmt.Sprintf("%s#%d", o.Path, n)
	}
	return origin
}

// takeGone finds the file that o was before; of several, one of the same name.
func (m *moves) takeGone(o *outcome) (origin string, ok bool) {
	list := m.gone[o.sum]
	if o.sum == "" || len(list) == 0 {
		return "", false
	}
	best := 0
	for i, f := range list {
		if filepath.Base(f.Path) == filepath.Base(o.Path) {
			best = i
			break
		}
	}
	origin = cmp.Or(list[best].Origin, list[best].Path)
	m.trails.follow(list[best].Path, origin, o)
	m.gone[o.sum] = append(list[:best:best], list[best+1:]...)
	return origin, true
}
