package sync

import (
	"time"

	"github.com/OWNER/handex/index/internal/discover"
)

// Report counts what a refresh did. Files is every file that is a handoff by
// its path and content; Skipped names those whose text could not be indexed,
// Troubles the roots and folders that could not be read (what was indexed from
// them stays).
type Report struct {
	Files, Added, Updated, Removed, Unchanged int
	Left                                      int // files that RefreshOptions.Most left to the next one
	Handoffs                                  int
	// Versions counts those of Handoffs that are earlier versions of files, which the other
	// counts leave out.
	Versions int
	Problems int
	Skipped  []discover.Skip
	Troubles []discover.Trouble
	Elapsed  time.Duration
}

// Progress says how far a refresh is; Total is 0 while files are still being
// found.
type Progress struct {
	Done, Total int
}
