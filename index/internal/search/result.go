package search

import (
	"time"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/snippet"
	"github.com/OWNER/handex/index/internal/store"
)

// Hit is one handoff a search found. Snippets are at most three. Score is 0
// unless the search ranks by relevance; Missing are wished-for words it lacks.
// Versions are the ids of the handoffs that such a search found too, but that have
// almost the same text in another file or version, with the names of file and project;
// Score is the best of all of these.
type Hit struct {
	store.Summary
	Snippets []Snippet
	Score    float64
	Missing  []string
	Versions []string
}

// Snippet is a line of a handoff that answers the query.
type Snippet = snippet.Snippet

// Result is what a search found. Total counts every match; where counting stopped
// early TotalAtLeast is true and Total is the least there are. Folded is how many of
// them are Versions of hits, to the end of this page. Buckets are the values of
// count-by, Facets those of facets, in the query's order.
type Result struct {
	Hits         []Hit
	Passed       int // hits that Options.Each got instead
	Total        int
	TotalAtLeast bool
	Folded       int
	Offset       int
	Buckets      []Bucket
	Facets       []Facet
	Notes        []string
	At           time.Time          // when the index was last refreshed
	Handoffs     int                // in the whole index
	Stale        []discover.Trouble // roots that could not be read at the last refresh
}

// Shown returns how many hits there are on the page.
func (r *Result) Shown() int { return len(r.Hits) + r.Passed }

// HasMore reports whether there are hits behind the page.
func (r *Result) HasMore() bool {
	return r.TotalAtLeast || r.Total > r.Offset+r.Shown()+r.Folded
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
