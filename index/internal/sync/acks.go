package sync

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// Ack is an acknowledgement: a person has seen a handoff with the text that it had then. It is void
// while the handoff has another text. It also applies to a handoff with another id if that is the
// only one with the same text and is not dated after the acknowledgement: ids are made of paths,
// and the index forgets moves when it is rebuilt. The caller stores acknowledgements; the index has
// a copy for queries.
type Ack struct {
	ID     string // of the handoff
	Digest int64  // of the handoff, see Summary
	At     time.Time
}

// SetAcks replaces the acknowledgements in the index by acks, including those of handoffs that the
// index does not contain. It writes only if they differ. If there is no index it does nothing: call
// it after Refresh.
func (s *Syncer) SetAcks(ctx context.Context, acks []Ack) error {
	want := make([]sqlitedb.Ack, len(acks))
	for i, a := range acks {
		want[i] = sqlitedb.Ack{Digest: a.Digest, Hid: a.ID, At: a.At.UnixMilli()}
	}
	slices.SortFunc(want, func(a, b sqlitedb.Ack) int {
		return cmp.Or(cmp.Compare(a.Digest, b.Digest), strings.Compare(a.Hid, b.Hid), cmp.Compare(b.At, a.At))
	})
	want = slices.CompactFunc(want, func(a, b sqlitedb.Ack) bool { return a.Digest == b.Digest && a.Hid == b.Hid })
	same := false
	err := s.Read(ctx, "read acknowledgements", func(q *sqlitedb.Queries) error {
		have, err := q.Acks(ctx)
		same = slices.Equal(have, want)
		return err
	})
	if err != nil || same {
		return store.IgnoreNoIndex(err)
	}
	if s.Settings.ReadOnly {
		return &store.Error{Op: "write acknowledgements", Path: s.Settings.Dir, Err: store.ErrReadOnly}
	}
	unlock, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return store.WrapError("write acknowledgements", s.Settings.Dir, s.putAcks(ctx, want))
}

// putAcks replaces the rows of acknowledgements in one transaction. The caller holds the lock.
func (s *Syncer) putAcks(ctx context.Context, acks []sqlitedb.Ack) error {
	if _, err := s.Reader(ctx); err != nil {
		return err
	}
	db, err := s.OpenWriter(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	var list store.Rows
	for _, a := range acks {
		list.Row().Text(a.Hid).Int(a.Digest, a.At).End()
	}
	return inTransaction(ctx, db, func(tx *sql.Tx) error {
		q := sqlitedb.New(tx)
		if err := q.ForgetAcks(ctx); err != nil {
			return err
		}
		return q.PutAcks(ctx, list.Take())
	})
}
