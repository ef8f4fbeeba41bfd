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

// Open returns the index kept in o.Dir. There may be none yet: it appears with
// the first Refresh, and until then it answers as an empty one.
func Open(_ context.Context, o sync.Settings) (*Store, error) {
	s, err := sync.Open(o)
	if s == nil {
		return nil, err
	}
	return &Store{s}, err
}
