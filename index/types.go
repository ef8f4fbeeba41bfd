package index

import (
	"time"

	"handex/index/internal/snippet"
	"handex/parse"
)

// Root is a folder to search for handoffs. Include and Exclude are doublestar
// globs on the path relative to Path; Include empty means the known patterns,
// "**" means every file.
type Root struct {
	Path             string
	Include, Exclude []string
}

// Report counts what a refresh did. Files is every file that is a handoff by
// its path and content; Skipped names those whose text could not be indexed,
// Troubles the roots and folders that could not be read (what was indexed from
// them stays).
type Report struct {
	Files, Added, Updated, Removed, Unchanged int
	Left                                      int // files that RefreshOptions.Most left to the next one
	Handoffs                                  int
	Versions                                  int // of Handoffs, those of earlier versions of files, which the other counts leave out
	Problems                                  int
	Skipped                                   []Skip
	Troubles                                  []Trouble
	Elapsed                                   time.Duration
}

// Skip is a file that looks like a handoff and is not indexed, and why.
type Skip struct {
	Path, Reason string
}

// Trouble is a folder that could not be read.
type Trouble struct {
	Path, Reason string
}

// Progress tells how far a refresh is; Total is 0 while files are still being
// found.
type Progress struct {
	Done, Total int
}

// Summary is what every listing shows of a handoff. Empty strings, nil and the
// zero time mean the handoff does not say.
type Summary struct {
	ID            string // public id, "h_" and 12 hex digits
	Project       string // name
	Declared      string // the name of a project it gives itself, "" if none
	Root          string // absolute project root, or the encoded directory name
	Format        string
	Path          string // absolute; of an earlier version where the archive keeps it
	VersionOf     string // of an earlier version the path it was at, else ""
	Revision      string // the git commit that version is of, "" if it was kept when it was read
	Entry         int
	Digest        int64 // of what the file says in it, the same in any index
	Session       string
	From, To      string
	Date          time.Time
	DateEnd       time.Time
	DateSource    string
	DatePrecision string
	Updated       time.Time // the file's mtime
	Title         string
	Goal          string // one line
	Status        string
	Branch        string
	States        []string // as language is: names, in the order open escalated blocked waiting latest superseded ...
}

// Hit is one handoff a search found. Snippets are at most three. Score is 0
// unless the search ranks by relevance; Missing are wished-for words it lacks.
type Hit struct {
	Summary
	Snippets []Snippet
	Score    float64
	Missing  []string
}

// Snippet is a line of a handoff that answers the query.
type Snippet = snippet.Snippet

// Result answers a search. Total counts every match; where counting stopped
// early TotalAtLeast is true and Total is the least there are. Buckets answer
// count-by, Facets answer facets, in the query's order.
type Result struct {
	Hits         []Hit
	Total        int
	TotalAtLeast bool
	Offset       int
	Buckets      []Bucket
	Facets       []Facet
	Notes        []string
	At           time.Time // when the index was last refreshed
	Handoffs     int       // in the whole index
	Stale        []Trouble // roots that could not be read at the last refresh
}

// Bucket is one value (or pair of values) and how many handoffs have it.
type Bucket struct {
	Values []string
	Count  int
}

// Facet is the buckets of one field.
type Facet struct {
	Field   string
	Buckets []Bucket
}

// Handoff is everything the index knows of one handoff.
type Handoff struct {
	Summary
	Sections    []parse.Section
	Lines       []parse.Field // goal, state, hypothesis and outcome, where a format gives them as a line
	Items       []parse.Item
	Files       []parse.File
	WorkItems   []string
	Links       []parse.Link
	Approaches  []parse.Approach
	Escalations []parse.Line
	Meta        []parse.Field // "meta.<key>" without the prefix
	Problems    []parse.Problem
	Head        string
}
