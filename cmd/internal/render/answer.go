package render

import (
	"time"

	"handex/index"
)

// Answer is a search and what it found. Rows are the hits of Result, with
// their texts where Select or GroupBy need them.
type Answer struct {
	Text, Canonical string
	Notes           []string
	Result          *index.Result
	Rows            []Row
	// Select, GroupBy and CountBy are the query's.
	Select, GroupBy, CountBy []string
	Skipped                  int // files the last refresh could not index
	Suggestions              []Suggestion
	Reasons                  []string // why nothing was found, for people
}

// Suggestion is a change to a query without hits that finds some.
type Suggestion struct {
	Drop    string `json:"drop,omitempty"`
	Replace string `json:"replace,omitempty"`
	Hits    int    `json:"hits"`
	Text    string `json:"-"` // for people
}

// Truncated reports whether there are more hits than are shown.
func (a Answer) Truncated() bool {
	return a.CountBy == nil && (a.Result.TotalAtLeast || a.Result.Total > a.Result.Offset+len(a.Result.Hits))
}

// envelope is the JSON of an answer. Hits is nil where they stand by themselves.
type envelope struct {
	Type         string       `json:"type,omitempty"`
	Schema       int          `json:"schema"`
	Query        queryInfo    `json:"query"`
	Total        int          `json:"total"`
	TotalAtLeast bool         `json:"total_at_least,omitempty"`
	Shown        int          `json:"shown"`
	Truncated    bool         `json:"truncated"`
	NextOffset   int          `json:"next_offset,omitempty"`
	Index        indexInfo    `json:"index"`
	Hits         *[]any       `json:"hits,omitempty"`
	Groups       []wireGroup  `json:"groups,omitempty"`
	Buckets      []bucket     `json:"buckets,omitempty"`
	Facets       []facet      `json:"facets,omitempty"`
	Suggestions  []Suggestion `json:"suggestions"`
}

type queryInfo struct {
	Text      string   `json:"text"`
	Canonical string   `json:"canonical"`
	Notes     []string `json:"notes"`
}

type indexInfo struct {
	At       time.Time `json:"at,omitzero"`
	Handoffs int       `json:"handoffs"`
	Stale    []trouble `json:"stale,omitempty"`
	Skipped  int       `json:"skipped,omitempty"`
}

type trouble struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type bucket struct {
	Values []string `json:"values"`
	Count  int      `json:"count"`
}

type wireGroup struct {
	Values []string `json:"values"`
	IDs    []string `json:"ids"`
}

type facet struct {
	Field   string   `json:"field"`
	Buckets []bucket `json:"buckets"`
}

func (a Answer) indexInfo() indexInfo {
	return indexInfo{a.Result.At.UTC().Truncate(time.Second), a.Result.Handoffs, each(a.Result.Stale, wireTrouble), a.Skipped}
}

func (a Answer) queryInfo() queryInfo {
	return queryInfo{a.Text, a.Canonical, append([]string{}, a.Notes...)}
}

func (a Answer) envelope() (envelope, error) {
	r := a.Result
	groups, err := Groups(a.Rows, a.GroupBy)
	if err != nil {
		return envelope{}, err
	}
	e := envelope{
		Schema: Schema, Query: a.queryInfo(),
		Total: r.Total, TotalAtLeast: r.TotalAtLeast, Shown: len(r.Hits), Truncated: a.Truncated(),
		Index:       a.indexInfo(),
		Groups:      each(groups, wireGroupOf),
		Buckets:     wireBuckets(r.Buckets),
		Suggestions: append([]Suggestion{}, a.Suggestions...),
	}
	if e.Truncated {
		e.NextOffset = r.Offset + len(r.Hits)
	}
	for _, f := range r.Facets {
		e.Facets = append(e.Facets, facet{f.Field, append([]bucket{}, wireBuckets(f.Buckets)...)})
	}
	return e, nil
}

func wireGroupOf(g Group) wireGroup {
	return wireGroup{g.Values, each(g.Rows, func(r Row) string { return r.ID })}
}

// wireRow is a row's hit, or the columns asked for.
func (a Answer) wireRow(r Row) (any, error) {
	if a.Select == nil {
		return WireHit(r.Hit), nil
	}
	return r.picked(a.Select)
}

func wireTrouble(t index.Trouble) trouble { return trouble(t) }

func wireBuckets(buckets []index.Bucket) []bucket {
	return each(buckets, func(b index.Bucket) bucket { return bucket(b) })
}
