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

// Ack says that a person has seen to a handoff, as it was then: it is void when
// the handoff says something else. It also holds for a handoff with another id that
// alone says the same and is not dated after it: ids are made of paths, and that a file
// was moved is forgotten with the index. Where acknowledgements are kept is the
// caller's business; the index mirrors them so that queries can ask.
type Ack struct {
	ID     string // of the handoff
	Digest int64  // of the handoff, see Summary
	At     time.Time
}

// SetAcks makes the index contain just these acknowledgements, also those of
// handoffs it does not know. It writes only if they are not what it holds.
// While there is no index it does nothing: call it after Refresh.
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
