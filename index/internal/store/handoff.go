package store

import (
	"time"

	"github.com/OWNER/handex/parse"
)

// Summary is what every listing shows of a handoff. Empty strings, nil and the
// zero time mean the handoff does not say.
type Summary struct {
	ID            string // public id, "h_" and 12 hex digits
	Project       string // name
	Declared      string // the name of a project it gives itself, "" if none
	Member        string // who shared it from another machine, as name@machine; "" for what is on this one
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
