// Package index keeps the handoffs of this machine searchable.
//
// The index is derived data: everything in it is read from handoff files and
// may be deleted at any time. It is a SQLite file in a folder of its own. The
// file's name contains the version of the schema and a generation,
// index-v5-0001.db; CURRENT-v5 names the generation in use. A build from
// nothing writes a new generation beside the old one and then moves CURRENT-v5,
// so nobody ever sees half an index, and a file that is in use is never replaced.
//
// This package is the façade: a Store, and the types of its questions and
// returns. Package sync finds what changed on disk and writes it in a single
// transaction, package search runs queries, package store keeps the database
// files. Only one process refreshes at a time: index.lock is held meanwhile.
// Readers take no lock; they see the state before or after a refresh.
//
// Nothing is removed from the index because it could not be read: only a file
// that is gone from a folder that was listed is.
package index

import (
	"context"

	"github.com/OWNER/handex/index/internal/sync"
)

// Store is an index. Its methods may be called by several goroutines at once.
// Connections are made on first use.
type Store struct {
	*sync.Syncer
}

// Open returns the index kept in o.Dir. There may be none yet: the first Refresh creates it, and
// until then queries find nothing.
func Open(_ context.Context, o sync.Settings) (*Store, error) {
	s, err := sync.Open(o)
	if s == nil {
		return nil, err
	}
	return &Store{s}, err
}
