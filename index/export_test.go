package index

import (
	"context"
	"time"

	"handex/index/internal/deps"
	"handex/index/internal/discover"
	"handex/index/internal/fsx"
	"handex/index/internal/ids"
	"handex/index/internal/latest"
	"handex/index/internal/sqlitedb"
	"handex/index/internal/store"
	"handex/index/internal/sync"
	"handex/parse"
)

// What tests of this package look into, beyond what it offers to others.

type GroupRow = sqlitedb.GroupRowsRow

var (
	PublicID      = ids.Public
	BaseID        = ids.Base
	Fingerprint   = store.ZoneFingerprint
	AppendQuoted  = store.AppendQuoted
	Panicked      = sync.Unparsed
	Overwritten   = discover.IsOverwritten
	OnlySuccessor = deps.OnlySuccessor
	TopicOf       = latest.TopicOf
)

// LatestOf is the id of the latest of the handoffs of one project and format.
func LatestOf(rule parse.LatestRule, rows []GroupRow) int64 {
	return latest.NewGroup(rule, rows).Latest()
}

// Allocate gives out an id for each base, none of them taken.
func Allocate(taken func(low, high int64) ([]int64, error), bases []int64) ([]int64, error) {
	a := ids.New(taken)
	ids := make([]int64, len(bases))
	for i, base := range bases {
		var err error
		if ids[i], err = a.Take(base); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// RoundTrip lays sections out and puts them together again.
func RoundTrip(d *parse.Document) ([]parse.Section, error) {
	l := store.NewLayout(d, nil)
	pieces, err := store.ReadLayout(l.Sections(), l.Heading, l.Text)
	return store.SectionsOf(pieces), err
}

// Lay answers the columns and the sections of a document as they are stored.
func Lay(d *parse.Document, raw []byte) (columns map[parse.Kind]string, heading, sections string) {
	l := store.NewLayout(d, raw)
	columns = map[parse.Kind]string{}
	for i, t := range l.Text {
		if t != "" {
			columns[store.Kinds[i]] = t
		}
	}
	return columns, l.Heading, l.Sections()
}

// SetParser puts another parser in place for a test, and answers how to undo it.
func SetParser(f func(parse.Source) []*parse.Document) (undo func()) {
	old := sync.ParseFile
	sync.ParseFile = f
	return func() { sync.ParseFile = old }
}

// CountLooks has a refresh count the folders that it lists and the files whose first bytes
// it reads.
func CountLooks(o *sync.Options) (listed, peeked *int) {
	o.Coverage = &discover.Coverage{}
	return &o.Coverage.Listed, &o.Coverage.Peeked
}

// TellsChanges reports whether a folder of this file system need not be listed
// again while its times hold.
func TellsChanges(path string) bool { return fsx.KindOf(path).FolderTimes }

// Zone is a zone by its offset.
func Zone(hours int) *time.Location { return time.FixedZone("", hours*3600) }

// PutOnShare has the store take its folder for one on a network share.
func (s *Store) PutOnShare() { s.Disk = fsx.Kind{Name: "nfs"} }

// ReadWith runs a statement on a connection that reads.
func (s *Store) ReadWith(ctx context.Context, statement string) error {
	return s.ReadTx(ctx, "test", func(tx sqlitedb.DBTX) error {
		_, err := tx.ExecContext(ctx, statement)
		return err
	})
}

// TellsEvents reports whether events alone can keep a folder current here.
func TellsEvents(path string) bool {
	return fsx.KindOf(path).Events
}

// SignsOf are the marks of texts.
var SignsOf = store.SignsOf
