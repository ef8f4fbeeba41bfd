package sync

import (
	"context"

	"github.com/OWNER/handex/index/internal/discover"
)

// Mend replaces an index that has shown to be damaged: cause is the error, which
// wraps ErrCorrupt. The file is set aside and a new one is built from the files on
// disk. Mend does not touch an index that another process has replaced meanwhile.
// Errors are those of Refresh.
func (s *Syncer) Mend(ctx context.Context, roots []discover.Root, o Options, cause error) (Report, error) {
	seen := s.Generation()
	return s.locked(ctx, func() (Report, error) {
		if name, err := s.Dir.Current(); err != nil || seen == "" || name == seen {
			if err := s.MoveAside(cause); err != nil {
				return Report{}, err
			}
		}
		return s.refreshUntilDone(ctx, roots, o)
	})
}

// SetAside moves a damaged index aside, so that the next refresh builds a new one:
// for a caller who has no time to Mend.
func (s *Syncer) SetAside(ctx context.Context, cause error) error {
	_, err := s.locked(ctx, func() (Report, error) { return Report{}, s.MoveAside(cause) })
	return err
}
