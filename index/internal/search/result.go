package search

import (
	"time"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/snippet"
	"github.com/OWNER/handex/index/internal/store"
)

// Hit is one handoff a search found. Snippets are at most three. Score is 0
// unless the search ranks by relevance; Missing are wished-for words it lacks.
type Hit struct {
	store.Summary
	Snippets []Snippet
	Score    float64
	Missing  []string
}

// Snippet is a line of a handoff that answers the query.
type Snippet = snippet.Snippet

// Result returns a search. Total counts every match; where counting stopped
// early TotalAtLeast is true and Total is the least there are. Buckets answer
// count-by, Facets answer facets, in the query's order.
type Result struct {
	Hits         []Hit
	Passed       int // hits that Options.Each got instead
	Total        int
	TotalAtLeast bool
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
