package index

import (
	"context"

	"github.com/OWNER/handex/index/internal/discover"
)

type (
	// A Root is a folder to search for handoffs.
	Root = discover.Root
	// A Skip is a file that looks like a handoff and is not indexed, and why.
	Skip = discover.Skip
	// A Trouble is a folder that could not be read.
	Trouble = discover.Trouble
	// A File is a file that is a handoff by its path.
	File = discover.File
	// WalkReport says what a walk saw and what it could not take.
	WalkReport = discover.Report
)

// Find returns the files below root that are handoffs by their paths and, where their
// names leave it open, by their first bytes. What cannot be read is in the report.
func Find(ctx context.Context, root Root) ([]File, WalkReport, error) {
	return discover.Find(ctx, root, discover.Options{})
}

// Match reports whether the file rel of root would be indexed by its path
// alone, and the rule that decided. rel is relative to the root, with slashes.
// Where the rule leaves it to the file's first bytes, ok is true.
func Match(rel string, root Root) (ok bool, rule string) { return discover.Match(rel, root) }

// Why is Match for a file that exists: it reads from the disk what the walk would read.
// path is absolute.
func Why(path string, root Root) (ok bool, rule string) { return discover.Why(path, root) }

// IsMember reports whether a name is that of a member, as ada@laptop, which can be the
// name of a folder and of a ref of git.
func IsMember(name string) bool { return discover.IsMember(name) }
