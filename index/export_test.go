package index

import (
	"context"
	"time"

	"github.com/OWNER/handex/index/internal/deps"
	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/ids"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/index/internal/sync"
)

// What tests of this package look into, beyond what it offers to others.

var (
	PublicID      = ids.Public
	Fingerprint   = store.ZoneFingerprint
	Overwritten   = discover.IsOverwritten
	OnlySuccessor = deps.OnlySuccessor
)

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
